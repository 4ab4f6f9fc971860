/* Batched lookup of 32-byte keys in the engine's own flow table, in C: `findFlows` of assembly/table/flow-table.ts. */
#include "tables.h"

typedef struct {
  uint64_t low, high;
  uint32_t endpoint, qpn;
  uint64_t free;
} Key;

#define BLOCK 32

static inline uint32_t resolve(const Key *key, uint64_t hash) {
  FlowEntry *entry = findEntry(engine.flows, key->low, key->high, flowWord(key->endpoint, key->qpn), hash);
  return entry ? valueOf(entry) : NONE;
}

static inline uint64_t hashOf(const Key *key) { return hashAddress(key->low, key->high, flowWord(key->endpoint, key->qpn)); }

void native_find_flows(const uint8_t *at, uint32_t *results, uint32_t n) {
  const Key *keys = (const Key *)at;
  for (uint32_t i = 0; i < n; i++) results[i] = resolve(keys + i, hashOf(keys + i));
}

void native_find_flows_prefetching(const uint8_t *at, uint32_t *results, uint32_t n) {
  const Key *keys = (const Key *)at;
  uint64_t hashes[BLOCK];
  for (uint32_t from = 0; from < n; from += BLOCK) {
    uint32_t here = n - from < BLOCK ? n - from : BLOCK;
    for (uint32_t i = 0; i < here; i++) {
      hashes[i] = hashOf(keys + from + i);
      __builtin_prefetch(engine.base + engine.flows->tags + ((uint64_t)bucketOf(hashes[i], engine.flows->groups) << 4));
    }
    for (uint32_t i = 0; i < here; i++) results[from + i] = resolve(keys + from + i, hashes[i]);
  }
}

/*
 * The engine's hash tables in C, on the same memory: keyed multilinear hash (assembly/table/hash.ts), groups of 16
 * one-byte tags (assembly/table/address-table.ts), buckets of eight local QPNs (assembly/table/qpn-table.ts).
 */
#pragma once
#include "engine.h"
#include <emmintrin.h>

#define WORD_MASK 0xffffffffffull
#define VALUE_SHIFT 40
#define QPN_FREE UINT64_MAX

static inline uint64_t finish(uint64_t sum) {
  sum ^= sum >> 32;
  sum *= 0x9fb21c651e98df25ull;
  return sum ^ (sum >> 29);
}

static inline uint64_t hashWord(uint64_t word) {
  const uint64_t *k = engine.hashKeys;
  return finish(k[0] + (k[5] + (word & 0xffffff)) * (k[6] + (word >> 24)));
}

static inline uint64_t hashAddress(uint64_t low, uint64_t high, uint64_t word) {
  const uint64_t *k = engine.hashKeys;
  return finish(k[0] + (k[1] + (low & 0xffffffff)) * (k[2] + (low >> 32)) +
                (k[3] + (high & 0xffffffff)) * (k[4] + (high >> 32)) + (k[5] + (word & 0xffffff)) * (k[6] + (word >> 24)));
}

static inline uint32_t bucketOf(uint64_t hash, uint32_t buckets) {
  return (uint32_t)(((hash & 0xffffffff) * buckets) >> 32);
}

static inline uint64_t flowWord(uint32_t endpoint, uint32_t qpn) { return (uint64_t)endpoint << 24 | (qpn & 0xffffff); }

static inline uint32_t valueOf(const FlowEntry *entry) { return (uint32_t)(entry->key >> VALUE_SHIFT); }

static inline FlowEntry *findInGroup(FlowEntry *group, uint32_t match, uint64_t low, uint64_t high, uint64_t word) {
  for (; match; match &= match - 1) {
    FlowEntry *entry = group + __builtin_ctz(match);
    if (entry->low == low && entry->high == high && (entry->key & WORD_MASK) == word) return entry;
  }
  return NULL;
}

/* Can a key that is not in this group be in one behind it? */
static inline int mayBeBeyond(const AddressTable *table, uint32_t group, uint64_t hash) {
  return engine.base[table->passes + group] >> (hash >> 52 & 7) & 1;
}

/* The entry of a key that is not in its home group. */
static __attribute__((noinline)) FlowEntry *findBeyond(const AddressTable *table, uint32_t group, uint64_t low, uint64_t high,
                                                       uint64_t word, uint64_t hash) {
  const uint8_t *tags = engine.base + table->tags;
  FlowEntry *entries = (FlowEntry *)(engine.base + table->entries);
  const __m128i wanted = _mm_set1_epi8((char)(hash >> 57));
  do {
    group = group + 1 == table->groups ? 0 : group + 1;
    __m128i line = _mm_loadu_si128((const __m128i *)(tags + ((uint64_t)group << 4)));
    uint32_t match = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(line, wanted));
    FlowEntry *entry = findInGroup(entries + ((uint64_t)group << 4), match, low, high, word);
    if (entry) return entry;
  } while (mayBeBeyond(table, group, hash));
  return NULL;
}

static inline FlowEntry *findEntry(const AddressTable *table, uint64_t low, uint64_t high, uint64_t word, uint64_t hash) {
  const uint8_t *tags = engine.base + table->tags;
  FlowEntry *entries = (FlowEntry *)(engine.base + table->entries);
  const uint32_t group = bucketOf(hash, table->groups);
  __m128i line = _mm_loadu_si128((const __m128i *)(tags + ((uint64_t)group << 4)));
  uint32_t match = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(line, _mm_set1_epi8((char)(hash >> 57))));
  FlowEntry *entry = findInGroup(entries + ((uint64_t)group << 4), match, low, high, word);
  if (entry || !mayBeBeyond(table, group, hash)) return entry;
  return findBeyond(table, group, low, high, word, hash);
}

static inline uint32_t findQpn(uint64_t word, uint64_t hash) {
  uint32_t bucket = bucketOf(hash, engine.qpnBuckets);
  for (;;) {
    const uint64_t *line = (const uint64_t *)(engine.qpnTable + ((uint64_t)bucket << 6));
    for (int slot = 0; slot < 8; slot++)
      if (line[slot] >> 24 == word) return (uint32_t)(line[slot] & 0xffffff);
    if (line[7] == QPN_FREE) return NONE;
    bucket = bucket + 1 == engine.qpnBuckets ? 0 : bucket + 1;
  }
}

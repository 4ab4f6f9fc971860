/* Snapshots: the npm package's format (src/engine/snapshot.ts). Magic, version, CRC-32, length of the header; header as JSON; state. */
#include <stdlib.h>

#include "checksum.h"
#include "engine.h"
#include "json.h"

/* "RCCS" */
#define MAGIC 0x53434352u
#define VERSION 2u
#define PREFIX_BYTES 16u
#define CHECKED_FROM 12u

/* Parts of the fixed memory that events change; the rest follows from build and configuration. */
static const struct {
  uint32_t at, bytes;
} CHANGING[] = {
  {ABI_COUNTERS_ADDRESS, ABI_COUNTER_COUNT * 8},
  {ABI_HASH_KEYS_ADDRESS, ABI_HASH_KEY_COUNT * 8},
  {ABI_ADDRESS_ARGUMENT, 32},
  {ABI_FLOW_TABLE_ADDRESS + ABI_TABLE_USED, 4},
  {ABI_ENDPOINT_TABLE_ADDRESS + ABI_TABLE_USED, 4},
  {ABI_PEER_TABLE_ADDRESS + ABI_TABLE_USED, 4},
  {ABI_ENDPOINT_FILTER_ADDRESS, 8},
};

static uint32_t word_at(const uint8_t *bytes, size_t at) {
  uint32_t word;
  memcpy(&word, bytes + at, sizeof word);
  return word;
}

static void put_word(uint8_t *bytes, size_t at, uint32_t word) {
  memcpy(bytes + at, &word, sizeof word);
}

static void add_header(struct text *text, const struct config *config, uint32_t endpoints) {
  text_add(text, "{\"build\":\"wasm " ROCE_BUILD_TEXT "\",\"config\":");
  config_add_json(text, config);
  text_add(text, ",\"endpoints\":");
  text_add_number(text, endpoints);
  text_add(text, "}");
}

static size_t tables_bytes(const roce_engine *engine) {
  return engine_region(engine, ABI_REGION_END) - engine_region(engine, ABI_REGION_QPS);
}

static void save_state(const roce_engine *engine, uint8_t *to) {
  memcpy(to, engine_at(engine, 0), ABI_FIXED_END);
  memcpy(to + ABI_FIXED_END, engine_at(engine, engine->first_state), tables_bytes(engine));
}

static void overwrite(roce_engine *engine, const uint8_t *state) {
  memcpy(engine_at(engine, 0), state, ABI_FIXED_END);
  memcpy(engine_at(engine, engine->first_state), state + ABI_FIXED_END, tables_bytes(engine));
}

roce_status roce_snapshot(roce_engine *engine, uint8_t *bytes, size_t capacity, size_t *written) {
  struct text header = {0};
  roce_status status = engine_enter(engine);
  if (status) return status;
  add_header(&header, engine->config, engine->endpoints);
  size_t needed = PREFIX_BYTES + header.length + ABI_FIXED_END + tables_bytes(engine);
  if (written) *written = needed;
  if (header.failed) status = fail(engine->error, ROCE_CAPACITY, "no memory for the header of the snapshot");
  else if (!bytes || capacity < needed) status = fail(engine->error, ROCE_CAPACITY, "the snapshot has %zu bytes, not %zu", needed, capacity);
  if (!status) {
    put_word(bytes, 0, MAGIC);
    put_word(bytes, 4, VERSION);
    put_word(bytes, CHECKED_FROM, (uint32_t)header.length);
    memcpy(bytes + PREFIX_BYTES, header.data, header.length);
    save_state(engine, bytes + PREFIX_BYTES + header.length);
    put_word(bytes, 8, checksum(bytes + CHECKED_FROM, needed - CHECKED_FROM));
  }
  text_free(&header);
  return engine_leave(engine, status);
}

static roce_status mismatch(roce_engine *engine, const char *what) {
  return fail(engine->error, ROCE_SNAPSHOT_MISMATCH, "the snapshot %s", what);
}

/* A whole number from 0 on, or -1. */
static long whole_number(struct json text) {
  long number = 0;
  for (; text.at < text.end && *text.at >= '0' && *text.at <= '9' && number <= (long)ABI_ENDPOINT_CAPACITY_MAX; text.at++)
    number = 10 * number + (*text.at - '0');
  return text.at == text.end ? number : -1;
}

static bool has_same(struct json a, struct json b, const char *key) {
  struct json own, other;
  return json_member(a, key, strlen(key), &own) && json_member(b, key, strlen(key), &other) && json_equal(own, other);
}

/* The number of endpoints in the header, or -1 when it is that of another build or configuration. */
static long endpoints_in(const struct text *own, const uint8_t *header, uint32_t length) {
  struct json ours = {own->data, own->data + own->length};
  struct json theirs = {(const char *)header, (const char *)header + length};
  struct json whole = theirs, endpoints;
  if (!json_skip(&whole) || whole.at != theirs.end) return -1;
  if (!has_same(ours, theirs, "build") || !has_same(ours, theirs, "config")) return -1;
  return json_member(theirs, "endpoints", strlen("endpoints"), &endpoints) ? whole_number(endpoints) : -1;
}

/* Addresses, sizes, settings and function indices of the state are those of this engine. */
static bool is_of_this_layout(const roce_engine *engine, const uint8_t *state) {
  uint8_t fixed[ABI_FIXED_END];
  memcpy(fixed, state, sizeof fixed);
  for (unsigned i = 0; i < sizeof CHANGING / sizeof *CHANGING; i++)
    memcpy(fixed + CHANGING[i].at, engine_at(engine, CHANGING[i].at), CHANGING[i].bytes);
  return !memcmp(fixed, engine_at(engine, 0), sizeof fixed);
}

/* Takes the state over if the engine finds it sound; else nothing has changed. */
static roce_status load_state(roce_engine *engine, const uint8_t *state, uint32_t endpoints) {
  uint32_t sets = engine->config->parameter_set_count;
  if (!is_of_this_layout(engine, state)) return mismatch(engine, "is not of this engine's layout");
  uint8_t *before = malloc(ABI_FIXED_END + tables_bytes(engine));
  if (!before) return fail(engine->error, ROCE_CAPACITY, "no memory to restore in");
  save_state(engine, before);
  overwrite(engine, state);
  bool is_sound = Z_engineZ_restored(&engine->module, sets, endpoints) != 0;
  if (!is_sound) {
    overwrite(engine, before);
    Z_engineZ_restored(&engine->module, sets, engine->endpoints);
  }
  free(before);
  return is_sound ? ROCE_OK : mismatch(engine, "holds a state that no engine can have");
}

static roce_status check_prefix(roce_engine *engine, const uint8_t *bytes, size_t length) {
  if (!bytes || length < PREFIX_BYTES) return mismatch(engine, "is too short");
  if (word_at(bytes, 0) != MAGIC) return mismatch(engine, "is none of roce-cc");
  if (word_at(bytes, 4) != VERSION) return mismatch(engine, "is of another version");
  if (word_at(bytes, 8) != checksum(bytes + CHECKED_FROM, length - CHECKED_FROM)) return mismatch(engine, "is damaged");
  return ROCE_OK;
}

roce_status roce_restore(roce_engine *engine, const uint8_t *bytes, size_t length) {
  struct text own = {0};
  roce_status status = engine_enter(engine);
  if (status) return status;
  status = check_prefix(engine, bytes, length);
  if (status) return engine_leave(engine, status);
  uint32_t header_bytes = word_at(bytes, CHECKED_FROM);
  size_t state_bytes = ABI_FIXED_END + tables_bytes(engine);
  add_header(&own, engine->config, 0);
  long endpoints = header_bytes <= length - PREFIX_BYTES && !own.failed ? endpoints_in(&own, bytes + PREFIX_BYTES, header_bytes) : -1;
  text_free(&own);
  if (endpoints < 0 || endpoints > (long)engine->config->capacity[CAPACITY_ENDPOINTS])
    status = mismatch(engine, "is of another build or configuration");
  else if (length - PREFIX_BYTES - header_bytes != state_bytes) status = mismatch(engine, "has another length");
  if (status) return engine_leave(engine, status);
  WITH_TRAPS(engine->faulted = true; return engine_leave(engine, fail(engine->error, ROCE_FAULT, "the engine stopped at an internal error")))
  status = load_state(engine, bytes + PREFIX_BYTES + header_bytes, (uint32_t)endpoints);
  END_TRAPS
  if (!status) {
    engine->endpoints = (uint32_t)endpoints;
    engine->action_count = 0;
  }
  return engine_leave(engine, status);
}

/* The engine from inside: its memory, and what every function does first. */
#ifndef ROCE_ENGINE_H
#define ROCE_ENGINE_H

#include <stdatomic.h>
#include <string.h>

#include "abi.h"
#include "config.h"
#include "engine_module.h"
#include "memory.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "roce-cc needs a little-endian machine"
#endif

#define LIVE_MAGIC 0x52434345u

struct roce_engine {
  /* LIVE_MAGIC until it is destroyed. */
  _Atomic uint32_t magic;
  _Atomic uint32_t busy;
  bool faulted;
  bool reads_acks;
  uint32_t qps;
  uint32_t endpoints;
  uint32_t action_count;
  /* Addresses in linear memory. */
  uint32_t first_state;
  uint32_t first_flags;
  uint32_t first_action;
  uint32_t first_event;
  uint32_t first_fast_cnp;
  uint32_t first_ack;
  uint32_t ack_event_bytes;
  uint32_t ack_hops;
  /* Bit = parameter sets of algorithms that have windows, and of those that have credit. */
  uint32_t windowed;
  uint32_t credited;
  struct config *config;
  Z_engine_instance_t module;
  char error[ERROR_BYTES];
};

/* Takes the engine for this thread; anything but ROCE_OK: it was not taken. */
ROCE_COLD roce_status engine_unusable(roce_engine *engine);
/* Puts a destroyed handle where it is recognised for a while. */
void handle_bury(void *handle);

static inline roce_status engine_enter(roce_engine *engine) {
  if (!engine || atomic_load_explicit(&engine->magic, memory_order_relaxed) != LIVE_MAGIC) return engine_unusable(engine);
  if (atomic_exchange_explicit(&engine->busy, 1, memory_order_acquire)) return fail(NULL, ROCE_BUSY, "another thread is using this engine");
  if (engine->faulted) {
    atomic_store_explicit(&engine->busy, 0, memory_order_release);
    return fail(engine->error, ROCE_FAULT, "the engine stopped at an internal error");
  }
  return ROCE_OK;
}

static inline roce_status engine_leave(roce_engine *engine, roce_status status) {
  atomic_store_explicit(&engine->busy, 0, memory_order_release);
  return status;
}

/* Whether its memory may be read: open, and in no call. */
static inline bool engine_is_readable(const roce_engine *engine) {
  return engine && atomic_load_explicit(&engine->magic, memory_order_relaxed) == LIVE_MAGIC &&
         !atomic_load_explicit(&engine->busy, memory_order_relaxed);
}

static inline uint8_t *engine_at(const roce_engine *engine, uint32_t address) {
  return engine->module.w2c_memory.data + address;
}

static inline uint32_t engine_u32(const roce_engine *engine, uint32_t address) {
  uint32_t value;
  memcpy(&value, engine_at(engine, address), sizeof value);
  return value;
}

static inline double engine_f64(const roce_engine *engine, uint32_t address) {
  double value;
  memcpy(&value, engine_at(engine, address), sizeof value);
  return value;
}

static inline void engine_set_u32(roce_engine *engine, uint32_t address, uint32_t value) {
  memcpy(engine_at(engine, address), &value, sizeof value);
}

static inline void engine_set_f64(roce_engine *engine, uint32_t address, double value) {
  memcpy(engine_at(engine, address), &value, sizeof value);
}

static inline uint32_t engine_region(const roce_engine *engine, uint32_t region) {
  return engine_u32(engine, ABI_REGIONS_ADDRESS + 4 * region);
}

static inline uint8_t engine_flags(const roce_engine *engine, uint32_t qp) {
  return *engine_at(engine, engine->first_flags + qp);
}

static inline bool engine_has_open(const roce_engine *engine, uint32_t qp) {
  return qp < engine->qps && (engine_flags(engine, qp) & ABI_QP_OPEN);
}

static inline double engine_state(const roce_engine *engine, uint32_t qp, uint32_t field) {
  return engine_f64(engine, engine->first_state + qp * ABI_QP_BYTES + field);
}

/* A time that the engine can be given: whole, or one out of range, which it counts. */
static inline bool is_event_time(double time_ps) {
  return floor(time_ps) == time_ps || time_ps != time_ps;
}

ROCE_COLD roce_status unknown_qp(roce_engine *engine, uint32_t qp);

#endif

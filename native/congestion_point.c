/* Congestion points: an engine's module of their own, of which the record and the buckets are used. */
#include <stdlib.h>

#include "engine.h"

#define CP_MAGIC 0x52434350u
#define COUNT_MAX 100000000u
#define WASM_PAGE 65536u

struct roce_cp {
  _Atomic uint32_t magic;
  _Atomic uint32_t busy;
  Z_engine_instance_t module;
};

static void set_f64(roce_cp *cp, uint32_t field, double value) {
  memcpy(cp->module.w2c_memory.data + ABI_FIXED_END + field, &value, sizeof value);
}

static void set_u32(roce_cp *cp, uint32_t field, uint32_t value) {
  memcpy(cp->module.w2c_memory.data + ABI_FIXED_END + field, &value, sizeof value);
}

static void write_settings(roce_cp *cp, const double *values) {
  set_f64(cp, ABI_CP_KMIN_BYTES, values[POINT_KMIN_BYTES]);
  set_f64(cp, ABI_CP_KMAX_BYTES, values[POINT_KMAX_BYTES]);
  set_f64(cp, ABI_CP_PMAX, values[POINT_PMAX]);
  set_f64(cp, ABI_CP_FLOW_RATE_PER_SECOND, values[POINT_FLOW_RATE_PER_SECOND]);
  set_f64(cp, ABI_CP_FLOW_BURST, values[POINT_FLOW_BURST]);
  set_f64(cp, ABI_CP_PORT_RATE_PER_SECOND, values[POINT_PORT_RATE_PER_SECOND]);
  set_f64(cp, ABI_CP_PORT_BURST, values[POINT_PORT_BURST]);
  set_u32(cp, ABI_CP_SWITCHES,
          (values[POINT_ENABLED] != 0 ? ABI_CP_SWITCH_ENABLED : 0) |
            (values[POINT_MARK_WHEN_UNKNOWN] != 0 ? ABI_CP_SWITCH_MARK_WHEN_UNKNOWN : 0) |
            (values[POINT_MARK_WHEN_LIMITED] != 0 ? ABI_CP_SWITCH_MARK_WHEN_LIMITED : 0));
  set_u32(cp, ABI_CP_SEED, (uint32_t)values[POINT_SEED]);
}

static roce_status set_up(roce_cp *cp, uint32_t ports, uint32_t flows, const double *values) {
  uint64_t end = ABI_FIXED_END + ABI_CP_BYTES + ((uint64_t)ports + flows) * ABI_BUCKET_BYTES;
  uint64_t pages = (end + WASM_PAGE - 1) / WASM_PAGE;
  uint32_t present = cp->module.w2c_memory.pages;
  if (pages > present && (pages > 65536 || wasm_rt_grow_memory(&cp->module.w2c_memory, (uint32_t)pages - present) == UINT32_MAX))
    return fail(NULL, ROCE_CAPACITY, "the system rejects the memory for the buckets of %u ports and %u flows", ports, flows);
  write_settings(cp, values);
  Z_engineZ_cpInitialise(&cp->module, ABI_FIXED_END, ports, flows);
  return ROCE_OK;
}

roce_status roce_cp_create(uint32_t ports, uint32_t flows, const char *text, roce_cp **out) {
  double values[POINT_COUNT];
  if (!out) return fail(NULL, ROCE_INVALID_ARGUMENT, "roce_cp_create needs a place for the congestion point");
  *out = NULL;
  if (ports < 1 || ports > COUNT_MAX || flows < 1 || flows > COUNT_MAX)
    return fail(NULL, ROCE_INVALID_ARGUMENT, "ports and flows must be 1 to 10^8");
  for (unsigned index = 0; index < POINT_COUNT; index++) values[index] = point_settings[index].fallback;
  roce_status status = settings_read(text, point_settings, POINT_COUNT, values, NULL, NULL, NULL);
  if (status) return status;
  if (values[POINT_KMIN_BYTES] > values[POINT_KMAX_BYTES]) return fail(NULL, ROCE_INVALID_CONFIG, "kminBytes must not exceed kmaxBytes");
  roce_cp *cp = calloc(1, sizeof *cp);
  if (!cp) return fail(NULL, ROCE_CAPACITY, "no memory for a congestion point");
  WITH_TRAPS(Z_engine_free(&cp->module); free(cp); return fail(NULL, ROCE_CAPACITY, "the system rejects the memory for a congestion point"))
  Z_engine_instantiate(&cp->module);
  status = set_up(cp, ports, flows, values);
  END_TRAPS
  if (status) {
    Z_engine_free(&cp->module);
    free(cp);
    return status;
  }
  atomic_store(&cp->magic, CP_MAGIC);
  *out = cp;
  return ROCE_OK;
}

static roce_status cp_enter(roce_cp *cp) {
  if (!cp) return fail(NULL, ROCE_INVALID_ARGUMENT, "the congestion point is NULL");
  if (atomic_load_explicit(&cp->magic, memory_order_relaxed) != CP_MAGIC)
    return fail(NULL, ROCE_CLOSED, "the congestion point has been destroyed");
  if (atomic_exchange_explicit(&cp->busy, 1, memory_order_acquire))
    return fail(NULL, ROCE_BUSY, "another thread is using this congestion point");
  return ROCE_OK;
}

roce_status roce_cp_destroy(roce_cp *cp) {
  if (!cp) return ROCE_OK;
  roce_status status = cp_enter(cp);
  if (status) return status;
  atomic_store(&cp->magic, 0);
  Z_engine_free(&cp->module);
  handle_bury(cp);
  return ROCE_OK;
}

roce_status roce_cp_decide(roce_cp *cp, const roce_cp_packet *packet, roce_cp_decision *decision) {
  roce_status status = cp_enter(cp);
  if (status) return status;
  if (!packet || !decision) {
    status = fail(NULL, ROCE_INVALID_ARGUMENT, "packet or decision is NULL");
  } else {
    uint32_t code = Z_engineZ_cpDecide(&cp->module, packet->time_ps, packet->port, packet->flow, packet->queue_bytes, packet->ecn,
                                       packet->capability, packet->is_ipv6 != 0);
    decision->mark_ce = (code & ABI_CP_MARK_CE) != 0;
    decision->send_fast_cnp = (code & ABI_CP_SEND_FAST_CNP) != 0;
    decision->reason = (uint8_t)(code >> ABI_CP_REASON_SHIFT);
    decision->reserved = 0;
  }
  atomic_store_explicit(&cp->busy, 0, memory_order_release);
  return status;
}

/* Events, one at once or in batches, and what they caused. */
#include "engine.h"

#include <stdlib.h>

#define SEQUENCE_BITS_OF_RAW_HOP 3

_Static_assert(sizeof(roce_event) == 32, "an event has 32 bytes");
_Static_assert(sizeof(roce_packed_event) == ABI_EVENT_BYTES, "as the engine reads it");
_Static_assert(sizeof(roce_action) == ABI_ACTION_BYTES, "as the engine writes it");
_Static_assert(offsetof(roce_action, value) == ABI_ACTION_VALUE && offsetof(roce_action, kind) == ABI_ACTION_KIND, "in the same places");
_Static_assert(sizeof(roce_hop) == ABI_ACK_HOP_BYTES && offsetof(roce_hop, hop_id) == ABI_HOP_ID, "as the engine reads it");
_Static_assert(ROCE_EVENT_SENT == ABI_EVENT_SENT && ROCE_EVENT_CNP == ABI_EVENT_CNP && ROCE_EVENT_FAST_CNP == ABI_EVENT_FAST_CNP &&
                 ROCE_EVENT_MARKED == ABI_EVENT_MARKED && ROCE_EVENT_TOUCH == ABI_EVENT_TOUCH && ROCE_EVENT_ACK == ABI_EVENT_ACK &&
                 ROCE_EVENT_LOSS == ABI_EVENT_LOSS,
               "the engine's kinds");
_Static_assert(ROCE_ACTION_RATE == ABI_ACTION_RATE && ROCE_ACTION_CNP == ABI_ACTION_CNP &&
                 ROCE_ACTION_FAST_CNP_ACCEPTED == ABI_ACTION_FAST_CNP_ACCEPTED &&
                 ROCE_ACTION_FAST_CNP_REJECTED == ABI_ACTION_FAST_CNP_REJECTED,
               "the engine's actions");

static roce_status out_of_range(roce_engine *engine, const char *field, const char *allowed) {
  return fail(engine->error, ROCE_INVALID_ARGUMENT, "%s must be %s", field, allowed);
}

/* Why an event that came alone was rejected. */
static ROCE_COLD roce_status rejected(roce_engine *engine, uint32_t outcome, uint32_t qp, double time_ps) {
  if (outcome == ABI_OUTCOME_TIME_BACKWARDS)
    return fail(engine->error, ROCE_TIME_BACKWARDS, "the time of the event, %.0f, is before the last one of QP %u, %.0f", time_ps, qp,
                engine_state(engine, qp, ABI_QP_LAST_EVENT));
  return fail(engine->error, ROCE_INVALID_ARGUMENT, "time_ps must be whole, 0 to 2^53-1, but is %.17g", time_ps);
}

/* One event of an open QP. */
static inline roce_status apply_one(roce_engine *engine, uint32_t kind, double time_ps, uint32_t qp, uint32_t value, uint32_t *outcome) {
  if (!is_event_time(time_ps)) return rejected(engine, ABI_OUTCOME_BAD_TIME, qp, time_ps);
  *outcome = Z_engineZ_applyEvent(&engine->module, kind, qp, time_ps, value);
  engine->action_count = Z_engineZ_actionsWritten(&engine->module);
  return *outcome >= ABI_FIRST_REJECTED ? rejected(engine, *outcome, qp, time_ps) : ROCE_OK;
}

/* The same for a single event; `*result`: a field of the QP's state. */
static inline roce_status single(roce_engine *engine, uint32_t kind, double time_ps, uint32_t qp, uint32_t value, uint32_t field,
                                 double *result) {
  uint32_t outcome;
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!engine_has_open(engine, qp)) return engine_leave(engine, unknown_qp(engine, qp));
  status = apply_one(engine, kind, time_ps, qp, value, &outcome);
  if (!status && result) *result = engine_state(engine, qp, field);
  return engine_leave(engine, status);
}

roce_status roce_sent(roce_engine *engine, double time_ps, uint32_t qp, uint32_t len_bytes, double *next_send_ps) {
  if (len_bytes > ABI_EVENT_VALUE_MAX && engine_is_readable(engine)) return out_of_range(engine, "len_bytes", "0 to 2^28-1");
  return single(engine, ABI_EVENT_SENT, time_ps, qp, len_bytes, ABI_QP_NEXT_SEND, next_send_ps);
}

roce_status roce_cnp(roce_engine *engine, double time_ps, uint32_t qp, double *rate_bps) {
  return single(engine, ABI_EVENT_CNP, time_ps, qp, 0, ABI_QP_RATE, rate_bps);
}

roce_status roce_touch(roce_engine *engine, double time_ps, uint32_t qp, double *rate_bps) {
  return single(engine, ABI_EVENT_TOUCH, time_ps, qp, 0, ABI_QP_RATE, rate_bps);
}

roce_status roce_loss(roce_engine *engine, double time_ps, uint32_t qp, int timeout, double *rate_bps) {
  return single(engine, ABI_EVENT_LOSS, time_ps, qp, timeout ? ABI_LOSS_TIMEOUT : ABI_LOSS_FAST, ABI_QP_RATE, rate_bps);
}

roce_status roce_marked(roce_engine *engine, double time_ps, uint32_t qp, uint32_t p_key, int *cnp_due) {
  uint32_t outcome;
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!engine_has_open(engine, qp)) return engine_leave(engine, unknown_qp(engine, qp));
  if (p_key > 0xffff) return engine_leave(engine, out_of_range(engine, "p_key", "0 to 65535"));
  status = apply_one(engine, ABI_EVENT_MARKED, time_ps, qp, p_key, &outcome);
  if (!status && cnp_due) *cnp_due = outcome == ABI_OUTCOME_CNP_DUE;
  return engine_leave(engine, status);
}

/* 0 to 2^53-1: sums of such numbers stay exact enough. */
static bool is_amount(double value) {
  return value >= 0 && value <= ABI_TIME_MAX_PS;
}

static bool is_hop(const roce_hop *hop) {
  bool has_rate = hop->line_rate_bps == 0 || (hop->line_rate_bps >= 1 && hop->line_rate_bps <= ABI_TIME_MAX_PS);
  return has_rate && is_amount(hop->time_ps) && is_amount(hop->tx_bytes) && is_amount(hop->queue_bytes);
}

static bool is_raw_hop(const roce_raw_hop *hop) {
  return hop->line_rate_code < 1u << SEQUENCE_BITS_OF_RAW_HOP && hop->time < 1u << 24 && hop->bytes < 1u << 20 && hop->queue < 1u << 17;
}

static roce_status check_exact(roce_engine *engine, const roce_hop *hops, uint32_t count) {
  if (count > engine->ack_hops || (count > 0 && !hops))
    return fail(engine->error, ROCE_INVALID_ARGUMENT, "an acknowledgement of this engine has 0 to %u hops, not %u", engine->ack_hops, count);
  for (uint32_t index = 0; index < count; index++) {
    if (!is_hop(&hops[index])) return out_of_range(engine, "a number of a hop", "0 to 2^53-1, its line rate 0 or at least 1");
  }
  return ROCE_OK;
}

static roce_status check_raw(roce_engine *engine, const roce_ack_info *ack) {
  uint32_t kept = ack->hop_count < ABI_INT64_HOPS_MAX ? ack->hop_count : ABI_INT64_HOPS_MAX;
  if (ack->hop_count > 0xffff || kept > engine->ack_hops || (kept > 0 && !ack->raw_hops))
    return fail(engine->error, ROCE_INVALID_ARGUMENT, "hop_count must be 0 to 65535 with records for the first %u", engine->ack_hops);
  for (uint32_t index = 0; index < kept; index++) {
    if (!is_raw_hop(&ack->raw_hops[index])) return out_of_range(engine, "a field of a raw hop", "of 3, 24, 20 and 17 bits");
  }
  return ROCE_OK;
}

static roce_status check_ack(roce_engine *engine, const roce_ack_info *ack) {
  if (!engine->reads_acks) return fail(engine->error, ROCE_UNSUPPORTED, "no parameter set of this engine reads acknowledgements");
  if (!ack) return fail(engine->error, ROCE_INVALID_ARGUMENT, "ack is NULL");
  if ((ack->sent_ps == ack->sent_ps && !is_amount(ack->sent_ps)) || !is_amount(ack->host_delay_ps) || !is_amount(ack->acked_packets))
    return out_of_range(engine, "sent_ps, host_delay_ps and acked_packets", "0 to 2^53-1");
  if (ack->telemetry == ROCE_TELEMETRY_NONE) return ROCE_OK;
  if (ack->telemetry == ROCE_TELEMETRY_EXACT) return check_exact(engine, ack->hops, ack->hop_count);
  if (ack->telemetry == ROCE_TELEMETRY_INT64) return check_raw(engine, ack);
  return out_of_range(engine, "telemetry", "ROCE_TELEMETRY_NONE, _EXACT or _INT64");
}

static void put_ack(roce_engine *engine, uint32_t index, const roce_ack_info *ack) {
  uint32_t at = engine->first_ack + index * engine->ack_event_bytes;
  uint8_t *record = engine_at(engine, at);
  bool exact = ack->telemetry == ROCE_TELEMETRY_EXACT;
  engine_set_u32(engine, at + ABI_ACK_SEQ, ack->ack_seq);
  engine_set_u32(engine, at + ABI_ACK_SND_NXT, ack->snd_nxt);
  engine_set_f64(engine, at + ABI_ACK_SENT_TIME, ack->sent_ps);
  engine_set_f64(engine, at + ABI_ACK_HOST_DELAY, ack->host_delay_ps);
  engine_set_f64(engine, at + ABI_ACK_ACKED_PACKETS, ack->acked_packets);
  engine_set_u32(engine, at + ABI_ACK_PATH_HOPS, ack->path_hops);
  engine_set_u32(engine, at + ABI_ACK_PATH_ID, exact ? ack->path_id : 0);
  engine_set_u32(engine, at + ABI_ACK_PINT_POWER, ack->pint_power);
  record[ABI_ACK_ECN_ECHO] = ack->ecn_echo != 0;
  record[ABI_ACK_TELEMETRY] = ack->telemetry;
  record[ABI_ACK_PARTIAL] = exact && ack->partial;
  record[ABI_ACK_HOP_COUNT] = 0;
  if (exact) {
    record[ABI_ACK_HOP_COUNT] = (uint8_t)ack->hop_count;
    if (ack->hop_count) memcpy(record + ABI_ACK_HOPS, ack->hops, ack->hop_count * sizeof *ack->hops);
  } else if (ack->telemetry == ROCE_TELEMETRY_INT64) {
    record[ABI_ACK_HOP_COUNT] = ack->hop_count < 255 ? (uint8_t)ack->hop_count : 255;
    uint32_t kept = ack->hop_count < ABI_INT64_HOPS_MAX ? ack->hop_count : ABI_INT64_HOPS_MAX;
    for (uint32_t hop = 0; hop < kept; hop++) memcpy(record + ABI_ACK_HOPS + hop * ABI_ACK_HOP_BYTES, &ack->raw_hops[hop], sizeof *ack->raw_hops);
  }
}

roce_status ack_write(roce_engine *engine, uint32_t index, const roce_ack_info *ack) {
  roce_status status = check_ack(engine, ack);
  if (!status) put_ack(engine, index, ack);
  return status;
}

static roce_status check_fast_cnp(roce_engine *engine, const roce_fast_cnp_info *fast_cnp) {
  if (!fast_cnp) return fail(engine->error, ROCE_INVALID_ARGUMENT, "fast_cnp is NULL");
  if (fast_cnp->dest_qpn > ABI_QPN_MAX) return out_of_range(engine, "dest_qpn", "0 to 16777215");
  if (fast_cnp->endpoint > ABI_ENDPOINT_CAPACITY_MAX) return out_of_range(engine, "endpoint", "0 to 65535");
  if (!fast_cnp->hop_count) return ROCE_OK;
  if (!engine->reads_acks) return fail(engine->error, ROCE_UNSUPPORTED, "no parameter set of this engine reads telemetry");
  return check_exact(engine, fast_cnp->hops, fast_cnp->hop_count);
}

static void put_fast_cnp(roce_engine *engine, uint32_t index, uint32_t ack_index, const roce_fast_cnp_info *fast_cnp) {
  uint32_t at = engine->first_fast_cnp + index * ABI_FAST_CNP_EVENT_BYTES;
  memcpy(engine_at(engine, at + ABI_FAST_CNP_SOURCE), fast_cnp->source, ROCE_ADDRESS_BYTES);
  memcpy(engine_at(engine, at + ABI_FAST_CNP_ORIGINAL_DESTINATION), fast_cnp->original_destination, ROCE_ADDRESS_BYTES);
  engine_set_u32(engine, at + ABI_FAST_CNP_DEST_QPN, fast_cnp->dest_qpn);
  engine_set_u32(engine, at + ABI_FAST_CNP_TELEMETRY, fast_cnp->hop_count ? ack_index + 1 : 0);
  if (!fast_cnp->hop_count) return;
  roce_ack_info ack = ROCE_ACK_INIT;
  ack.telemetry = ROCE_TELEMETRY_EXACT;
  ack.hop_count = fast_cnp->hop_count;
  ack.hops = fast_cnp->hops;
  ack.path_id = fast_cnp->path_id;
  put_ack(engine, ack_index, &ack);
}

roce_status fast_cnp_write(roce_engine *engine, uint32_t index, uint32_t ack_index, const roce_fast_cnp_info *fast_cnp) {
  roce_status status = check_fast_cnp(engine, fast_cnp);
  if (!status) put_fast_cnp(engine, index, ack_index, fast_cnp);
  return status;
}

roce_status roce_ack(roce_engine *engine, double time_ps, uint32_t qp, const roce_ack_info *ack, double *rate_bps) {
  uint32_t outcome;
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!engine_has_open(engine, qp)) return engine_leave(engine, unknown_qp(engine, qp));
  status = ack_write(engine, 0, ack);
  if (!status) status = apply_one(engine, ABI_EVENT_ACK, time_ps, qp, 0, &outcome);
  if (!status && rate_bps) *rate_bps = engine_state(engine, qp, ABI_QP_RATE);
  return engine_leave(engine, status);
}

static roce_action action_at(const roce_engine *engine, uint32_t index) {
  roce_action action;
  memcpy(&action, engine_at(engine, engine->first_action + index * ABI_ACTION_BYTES), sizeof action);
  return action;
}

roce_status roce_fast_cnp(roce_engine *engine, double time_ps, const roce_fast_cnp_info *fast_cnp, uint32_t *qp) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  status = fast_cnp_write(engine, 0, 0, fast_cnp);
  if (!status && fast_cnp->endpoint >= engine->endpoints && fast_cnp->endpoint != 0)
    status = out_of_range(engine, "endpoint", "one that was added");
  if (!status && !is_event_time(time_ps)) status = rejected(engine, ABI_OUTCOME_BAD_TIME, 0, time_ps);
  if (status) return engine_leave(engine, status);
  uint32_t outcome = Z_engineZ_applyEvent(&engine->module, ABI_EVENT_FAST_CNP, fast_cnp->endpoint, time_ps, 0);
  engine->action_count = Z_engineZ_actionsWritten(&engine->module);
  if (qp) *qp = ROCE_NONE;
  if (outcome == ABI_OUTCOME_FAST_CNP_ACCEPTED) {
    if (qp) *qp = action_at(engine, engine->action_count - 1).qp;
  } else if (outcome == ABI_OUTCOME_BAD_TIME) {
    status = rejected(engine, outcome, 0, time_ps);
  } else if (outcome == ABI_OUTCOME_TIME_BACKWARDS) {
    memcpy(engine_at(engine, ABI_ADDRESS_ARGUMENT), fast_cnp->original_destination, ROCE_ADDRESS_BYTES);
    uint32_t late = Z_engineZ_findFlow(&engine->module, fast_cnp->endpoint, fast_cnp->dest_qpn);
    status = rejected(engine, outcome, late < engine->qps ? late : 0, time_ps);
  }
  return engine_leave(engine, status);
}

/* Where the records of a batch's ACKs and Fast CNPs go. */
struct batch_places {
  uint32_t acks, fast_cnps;
};

static roce_status check_event(roce_engine *engine, const roce_event *event) {
  if (!is_event_time(event->time_ps)) return rejected(engine, ABI_OUTCOME_BAD_TIME, event->qp, event->time_ps);
  if (event->kind > ROCE_EVENT_LOSS) return out_of_range(engine, "kind", "a ROCE_EVENT_*");
  if (event->kind == ROCE_EVENT_ACK) return check_ack(engine, event->of.ack);
  if (event->kind == ROCE_EVENT_FAST_CNP) return check_fast_cnp(engine, event->of.fast_cnp);
  if (event->value > ABI_EVENT_VALUE_MAX) return out_of_range(engine, "value", "0 to 2^28-1");
  return ROCE_OK;
}

static inline void put_event(roce_engine *engine, uint8_t *at, const roce_event *event, struct batch_places *places) {
  roce_packed_event packed = {event->time_ps, event->qp, ROCE_PACKED(event->kind, event->value)};
  if (event->kind == ROCE_EVENT_ACK) {
    put_ack(engine, places->acks, event->of.ack);
    packed.kind_value = ROCE_PACKED(ROCE_EVENT_ACK, places->acks++);
  } else if (event->kind == ROCE_EVENT_FAST_CNP) {
    put_fast_cnp(engine, places->fast_cnps, places->acks, event->of.fast_cnp);
    if (event->of.fast_cnp->hop_count) places->acks++;
    packed.qp = event->of.fast_cnp->endpoint;
    packed.kind_value = ROCE_PACKED(ROCE_EVENT_FAST_CNP, places->fast_cnps++);
  }
  memcpy(at, &packed, sizeof packed);
}

/* Applies the first `count` events of the engine's buffer. */
static roce_status run_batch(roce_engine *engine, uint32_t count, uint32_t *actions) {
  WITH_TRAPS(engine->faulted = true; return fail(engine->error, ROCE_FAULT, "the engine stopped at an internal error"))
  engine->action_count = Z_engineZ_applyEvents(&engine->module, count);
  END_TRAPS
  if (actions) *actions = engine->action_count;
  return ROCE_OK;
}

static roce_status batch_too_large(roce_engine *engine, const char *what, uint32_t count, double capacity) {
  return fail(engine->error, ROCE_CAPACITY, "a batch of this engine holds %.0f %s, not %u", capacity, what, count);
}

roce_status roce_apply_events(roce_engine *engine, const roce_event *events, uint32_t count, uint32_t *actions) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (count > 0 && !events) status = fail(engine->error, ROCE_INVALID_ARGUMENT, "events is NULL");
  else if (count > engine->config->capacity[CAPACITY_EVENTS])
    status = batch_too_large(engine, "events", count, engine->config->capacity[CAPACITY_EVENTS]);
  for (uint32_t index = 0; !status && index < count; index++) status = check_event(engine, &events[index]);
  if (status) return engine_leave(engine, status);
  struct batch_places places = {0, 0};
  uint8_t *at = engine_at(engine, engine->first_event);
  for (uint32_t index = 0; index < count; index++, at += sizeof(roce_packed_event)) put_event(engine, at, &events[index], &places);
  return engine_leave(engine, run_batch(engine, count, actions));
}

roce_packed_event *roce_event_buffer(roce_engine *engine) {
  if (!engine_is_readable(engine)) return NULL;
  return (roce_packed_event *)(void *)engine_at(engine, engine->first_event);
}

roce_status roce_apply_buffer(roce_engine *engine, uint32_t count, uint32_t *actions) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (count > engine->config->capacity[CAPACITY_EVENTS])
    return engine_leave(engine, batch_too_large(engine, "events", count, engine->config->capacity[CAPACITY_EVENTS]));
  return engine_leave(engine, run_batch(engine, count, actions));
}

roce_status roce_advance(roce_engine *engine, double time_ps, uint32_t from, uint32_t *next) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!next) return engine_leave(engine, fail(engine->error, ROCE_INVALID_ARGUMENT, "next is NULL"));
  if (!(time_ps >= 0 && time_ps <= ABI_TIME_MAX_PS && floor(time_ps) == time_ps))
    return engine_leave(engine, rejected(engine, ABI_OUTCOME_BAD_TIME, 0, time_ps));
  if (from == ROCE_NONE) return engine_leave(engine, out_of_range(engine, "from", "0, or what the last call gave"));
  WITH_TRAPS(engine->faulted = true; return engine_leave(engine, fail(engine->error, ROCE_FAULT, "the engine stopped at an internal error")))
  *next = Z_engineZ_advance(&engine->module, time_ps, from);
  engine->action_count = Z_engineZ_actionsWritten(&engine->module);
  END_TRAPS
  return engine_leave(engine, ROCE_OK);
}

uint32_t roce_actions(const roce_engine *engine, const roce_action **actions) {
  if (actions) *actions = NULL;
  if (!engine_is_readable(engine) || !actions) return 0;
  *actions = (const roce_action *)(const void *)engine_at(engine, engine->first_action);
  return engine->action_count;
}

/* Events, one at once or in batches, and what they caused. */
#include "engine.h"
#include "event_records.h"

_Static_assert(sizeof(roce_event) == 32, "an event has 32 bytes");
_Static_assert(sizeof(roce_packed_event) == ABI_EVENT_BYTES, "as the engine reads it");
_Static_assert(sizeof(roce_action) == ABI_ACTION_BYTES, "as the engine writes it");
_Static_assert(offsetof(roce_action, value) == ABI_ACTION_VALUE && offsetof(roce_action, kind) == ABI_ACTION_KIND, "in the same places");
_Static_assert(ROCE_EVENT_SENT == ABI_EVENT_SENT && ROCE_EVENT_CNP == ABI_EVENT_CNP && ROCE_EVENT_FAST_CNP == ABI_EVENT_FAST_CNP &&
                 ROCE_EVENT_MARKED == ABI_EVENT_MARKED && ROCE_EVENT_TOUCH == ABI_EVENT_TOUCH && ROCE_EVENT_ACK == ABI_EVENT_ACK &&
                 ROCE_EVENT_LOSS == ABI_EVENT_LOSS && ROCE_EVENT_NACK == ABI_EVENT_NACK && ROCE_EVENT_CREDIT == ABI_EVENT_CREDIT,
               "the engine's kinds");
_Static_assert(ROCE_ACTION_RATE == ABI_ACTION_RATE && ROCE_ACTION_CNP == ABI_ACTION_CNP &&
                 ROCE_ACTION_FAST_CNP_ACCEPTED == ABI_ACTION_FAST_CNP_ACCEPTED &&
                 ROCE_ACTION_FAST_CNP_REJECTED == ABI_ACTION_FAST_CNP_REJECTED,
               "the engine's actions");

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

roce_status roce_ack(roce_engine *engine, double time_ps, uint32_t qp, const roce_ack_info *ack, double *rate_bps) {
  uint32_t outcome;
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!engine_has_open(engine, qp)) return engine_leave(engine, unknown_qp(engine, qp));
  status = check_ack(engine, ack);
  if (status) return engine_leave(engine, status);
  put_ack(engine, 0, ack);
  status = apply_one(engine, ABI_EVENT_ACK, time_ps, qp, 0, &outcome);
  if (!status && rate_bps) *rate_bps = engine_state(engine, qp, ABI_QP_RATE);
  return engine_leave(engine, status);
}

roce_status roce_nack(roce_engine *engine, double time_ps, uint32_t qp, const roce_nack_info *nack, double *rate_bps) {
  uint32_t outcome;
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!engine_has_open(engine, qp)) return engine_leave(engine, unknown_qp(engine, qp));
  status = check_nack(engine, nack);
  if (status) return engine_leave(engine, status);
  put_nack(engine, 0, nack);
  status = apply_one(engine, ABI_EVENT_NACK, time_ps, qp, 0, &outcome);
  if (!status && rate_bps) *rate_bps = engine_state(engine, qp, ABI_QP_RATE);
  return engine_leave(engine, status);
}

roce_status roce_credit(roce_engine *engine, double time_ps, uint32_t qp, double pull_number, int *applied) {
  uint32_t outcome;
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!engine_has_open(engine, qp)) return engine_leave(engine, unknown_qp(engine, qp));
  status = check_credit(engine, pull_number);
  if (status) return engine_leave(engine, status);
  put_credit(engine, 0, pull_number);
  status = apply_one(engine, ABI_EVENT_CREDIT, time_ps, qp, 0, &outcome);
  if (!status && applied) *applied = outcome == ABI_OUTCOME_CREDIT_APPLIED;
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
  status = check_fast_cnp(engine, fast_cnp);
  if (!status) put_fast_cnp(engine, 0, 0, fast_cnp);
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

/* Where the records of a batch go; those of NACKs and credit lie among those of ACKs. */
struct batch_places {
  uint32_t acks, fast_cnps;
};

static roce_status check_event(roce_engine *engine, const roce_event *event) {
  if (!is_event_time(event->time_ps)) return rejected(engine, ABI_OUTCOME_BAD_TIME, event->qp, event->time_ps);
  if (event->kind > ROCE_EVENT_CREDIT) return out_of_range(engine, "kind", "a ROCE_EVENT_*");
  if (event->kind == ROCE_EVENT_ACK) return check_ack(engine, event->of.ack);
  if (event->kind == ROCE_EVENT_FAST_CNP) return check_fast_cnp(engine, event->of.fast_cnp);
  if (event->kind == ROCE_EVENT_NACK) return check_nack(engine, event->of.nack);
  if (event->kind == ROCE_EVENT_CREDIT) return check_credit(engine, event->of.pull_number);
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
  } else if (event->kind == ROCE_EVENT_NACK) {
    put_nack(engine, places->acks, event->of.nack);
    packed.kind_value = ROCE_PACKED(ROCE_EVENT_NACK, places->acks++);
  } else if (event->kind == ROCE_EVENT_CREDIT) {
    put_credit(engine, places->acks, event->of.pull_number);
    packed.kind_value = ROCE_PACKED(ROCE_EVENT_CREDIT, places->acks++);
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

/* What events carry, checked and written as the engine reads it. */
#include "event_records.h"

#define SEQUENCE_BITS_OF_RAW_HOP 3

_Static_assert(ROCE_WINDOW_PENALTY == ABI_ACK_PENALTY_GIVEN && ROCE_RESTORES_WINDOW == ABI_ACK_RESTORES_WINDOW &&
    ABI_ACK_PENALTY == ABI_ACK_PINT_POWER, "as the engine reads it");
_Static_assert(sizeof(roce_hop) == ABI_ACK_HOP_BYTES && offsetof(roce_hop, hop_id) == ABI_HOP_ID, "as the engine reads it");

ROCE_COLD roce_status out_of_range(roce_engine *engine, const char *field, const char *allowed) {
  return fail(engine->error, ROCE_INVALID_ARGUMENT, "%s must be %s", field, allowed);
}

/* 0 to 2^53-1: sums of such numbers stay exact enough. */
static bool is_amount(double value) {
  return value >= 0 && value <= ABI_TIME_MAX_PS;
}

/* The same, or NaN: not known. */
static bool is_amount_or_unknown(double value) {
  return value != value || is_amount(value);
}

static bool is_whole_amount(double value) {
  return is_amount(value) && floor(value) == value;
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

static roce_status check_reads_acks(roce_engine *engine) {
  if (engine->reads_acks) return ROCE_OK;
  return fail(engine->error, ROCE_UNSUPPORTED, "no parameter set of this engine reads acknowledgements");
}

roce_status check_ack(roce_engine *engine, const roce_ack_info *ack) {
  roce_status status = check_reads_acks(engine);
  if (status) return status;
  if (!ack) return fail(engine->error, ROCE_INVALID_ARGUMENT, "ack is NULL");
  if (!is_amount_or_unknown(ack->sent_ps) || !is_amount(ack->host_delay_ps) || !is_amount(ack->acked_packets) ||
      !is_amount_or_unknown(ack->acked_bytes))
    return out_of_range(engine, "sent_ps, host_delay_ps, acked_packets and acked_bytes", "0 to 2^53-1");
  if (ack->telemetry == ROCE_TELEMETRY_NONE) return ROCE_OK;
  if (ack->telemetry == ROCE_TELEMETRY_EXACT) return check_exact(engine, ack->hops, ack->hop_count);
  if (ack->telemetry == ROCE_TELEMETRY_INT64) return check_raw(engine, ack);
  return out_of_range(engine, "telemetry", "ROCE_TELEMETRY_NONE, _EXACT or _INT64");
}

static uint32_t ack_address(const roce_engine *engine, uint32_t index) {
  return engine->first_ack + index * engine->ack_event_bytes;
}

void put_ack(roce_engine *engine, uint32_t index, const roce_ack_info *ack) {
  uint32_t at = ack_address(engine, index);
  uint8_t *record = engine_at(engine, at);
  bool exact = ack->telemetry == ROCE_TELEMETRY_EXACT;
  engine_set_u32(engine, at + ABI_ACK_SEQ, ack->ack_seq);
  engine_set_u32(engine, at + ABI_ACK_SND_NXT, ack->snd_nxt);
  engine_set_f64(engine, at + ABI_ACK_SENT_TIME, ack->sent_ps);
  engine_set_f64(engine, at + ABI_ACK_HOST_DELAY, ack->host_delay_ps);
  engine_set_f64(engine, at + ABI_ACK_ACKED_PACKETS, ack->acked_packets);
  engine_set_f64(engine, at + ABI_ACK_ACKED_BYTES, ack->acked_bytes);
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

roce_status check_nack(roce_engine *engine, const roce_nack_info *nack) {
  roce_status status = check_reads_acks(engine);
  if (status) return status;
  if (!nack) return fail(engine->error, ROCE_INVALID_ARGUMENT, "nack is NULL");
  if (!is_whole_amount(nack->trimmed_bytes)) return out_of_range(engine, "trimmed_bytes", "whole, 0 to 2^53-1");
  if (nack->sent_ps == nack->sent_ps && !is_whole_amount(nack->sent_ps))
    return out_of_range(engine, "sent_ps", "whole, 0 to 2^53-1, or NaN");
  return ROCE_OK;
}

void put_nack(roce_engine *engine, uint32_t index, const roce_nack_info *nack) {
  uint32_t at = ack_address(engine, index);
  engine_set_f64(engine, at + ABI_ACK_SENT_TIME, nack->sent_ps);
  engine_set_f64(engine, at + ABI_NACK_TRIMMED_BYTES, nack->trimmed_bytes);
  *engine_at(engine, at + ABI_NACK_LAST_HOP) = nack->last_hop != 0;
}

roce_status check_credit(roce_engine *engine, double pull_number) {
  roce_status status = check_reads_acks(engine);
  if (status) return status;
  /* Its bytes are still exact. */
  if (is_whole_amount(pull_number) && pull_number <= ROCE_PULL_NUMBER_MAX) return ROCE_OK;
  return out_of_range(engine, "pull_number", "whole, 0 to 2^45-1");
}

void put_credit(roce_engine *engine, uint32_t index, double pull_number) {
  engine_set_f64(engine, ack_address(engine, index) + ABI_CREDIT_PULL_NUMBER, pull_number);
}

roce_status check_fast_cnp(roce_engine *engine, const roce_fast_cnp_info *fast_cnp) {
  if (!fast_cnp) return fail(engine->error, ROCE_INVALID_ARGUMENT, "fast_cnp is NULL");
  if (fast_cnp->dest_qpn > ABI_QPN_MAX) return out_of_range(engine, "dest_qpn", "0 to 16777215");
  if (fast_cnp->endpoint > ABI_ENDPOINT_CAPACITY_MAX) return out_of_range(engine, "endpoint", "0 to 65535");
  if (!fast_cnp->hop_count) return ROCE_OK;
  if (!engine->reads_acks) return fail(engine->error, ROCE_UNSUPPORTED, "no parameter set of this engine reads telemetry");
  return check_exact(engine, fast_cnp->hops, fast_cnp->hop_count);
}

void put_fast_cnp(roce_engine *engine, uint32_t index, uint32_t ack_index, const roce_fast_cnp_info *fast_cnp) {
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

/* Engines: creation and end, endpoints, QPs, lookups, counters, the hash of the state. */
#include "checksum.h"
#include "engine.h"

#include <stdlib.h>

#define BURIED_HANDLES 1024

/* Destroyed handles, which are freed when as many others have been destroyed: the only state that engines share. */
static _Atomic(void *) buried[BURIED_HANDLES];
static _Atomic uint32_t burials;

void handle_bury(void *handle) {
  uint32_t place = atomic_fetch_add(&burials, 1) % BURIED_HANDLES;
  free(atomic_exchange(&buried[place], handle));
}

roce_status engine_unusable(roce_engine *engine) {
  if (!engine) return fail(NULL, ROCE_INVALID_ARGUMENT, "the engine is NULL");
  return fail(NULL, ROCE_CLOSED, "the engine has been destroyed");
}

roce_status unknown_qp(roce_engine *engine, uint32_t qp) {
  return fail(engine->error, ROCE_UNKNOWN_QP, "%u is not the number of an open QP", qp);
}

const char *roce_last_error(const roce_engine *engine) {
  if (engine && atomic_load_explicit(&engine->magic, memory_order_relaxed) == LIVE_MAGIC && engine->error[0]) return engine->error;
  return thread_error();
}

static roce_status check_options(const roce_options *options) {
  if (!options) return fail(NULL, ROCE_INVALID_ARGUMENT, "options is NULL");
  if (options->struct_bytes != sizeof *options || options->abi != ROCE_CC_ABI)
    return fail(NULL, ROCE_VERSION, "options are of ABI %u and %u bytes; the library has ABI %u and %u bytes: begin with ROCE_OPTIONS_INIT",
                options->abi, options->struct_bytes, ROCE_CC_ABI, (unsigned)sizeof *options);
  return ROCE_OK;
}

static void write_capacity(roce_engine *engine, uint32_t access_ranges) {
  const struct config *config = engine->config;
  for (uint32_t index = 0; index < CAPACITY_COUNT; index++)
    engine_set_u32(engine, ABI_CAPACITY_ADDRESS + 4 * index, (uint32_t)config->capacity[index]);
  const struct {
    uint32_t word, value;
  } others[] = {
    {ABI_CAPACITY_ACCESS_RANGES, access_ranges},
    {ABI_CAPACITY_FEATURES, config_features(config)},
    {ABI_CAPACITY_HOPS, config_hops(config)},
    {ABI_CAPACITY_TABLE_BYTES, config_table_bytes(config)},
    {ABI_CAPACITY_TRACE_RECORDS, 0},
    {ABI_CAPACITY_MODULE_BYTES, 0},
  };
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
    engine_set_u32(engine, ABI_CAPACITY_ADDRESS + 4 * others[i].word, others[i].value);
}

static void write_settings(roce_engine *engine, uint32_t access_ranges) {
  const double *from = engine->config->settings;
  const struct {
    uint32_t slot;
    double value;
  } all[] = {
    {ABI_SETTING_NP_SCOPE, from[SETTING_NOTIFICATION_POINT_SCOPE]},
    {ABI_SETTING_NP_WINDOW, from[SETTING_NOTIFICATION_POINT_WINDOW]},
    {ABI_SETTING_NP_MIN_TIME, from[SETTING_NOTIFICATION_POINT_MIN_TIME_BETWEEN_CNPS_PS]},
    {ABI_SETTING_FAST_CNP_ENABLED, from[SETTING_FAST_CNP_ENABLED]},
    {ABI_SETTING_DUPLICATE_WINDOW, from[SETTING_FAST_CNP_DUPLICATE_WINDOW_PS]},
    {ABI_SETTING_OPTION_TYPE_1, from[SETTING_FAST_CNP_OPTION_TYPE1]},
    {ABI_SETTING_OPTION_TYPE_2, from[SETTING_FAST_CNP_OPTION_TYPE2]},
    {ABI_SETTING_PARSE_MODE, from[SETTING_PARSER_MODE] == 0 ? ABI_PARSE_FAST_CNP_DOMAIN : ABI_PARSE_STRICT_A17},
    {ABI_SETTING_ICRC_CHECK, from[SETTING_PARSER_ICRC]},
    {ABI_SETTING_ICRC_POLICY, from[SETTING_PARSER_ICRC_WITH_EXTENSION_HEADERS]},
    {ABI_SETTING_LATE_POLICY, from[SETTING_LATE_EVENTS]},
    {ABI_SETTING_RATE_ACTIONS, from[SETTING_RATE_ACTIONS]},
    {ABI_SETTING_ACCESS_RANGES, access_ranges},
  };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) engine_set_f64(engine, ABI_SETTINGS_ADDRESS + 8 * all[i].slot, all[i].value);
  /* IOAM traces are not read. */
  engine_set_f64(engine, ABI_TELEMETRY_ADDRESS + 8 * ABI_TELEMETRY_ENABLED, 0);
  engine_set_f64(engine, ABI_TELEMETRY_ADDRESS + 8 * (ABI_TELEMETRY_TX + ABI_PLACE_BIT), ABI_TELEMETRY_NO_FIELD);
  engine_set_f64(engine, ABI_TELEMETRY_ADDRESS + 8 * (ABI_TELEMETRY_RATE + ABI_PLACE_BIT), ABI_TELEMETRY_NO_FIELD);
}

static void write_access_ranges(roce_engine *engine, const struct access_range *ranges, unsigned count) {
  for (unsigned index = 0; index < count; index++) {
    uint64_t words[3] = {ranges[index].high, ranges[index].low, ranges[index].allow};
    memcpy(engine_at(engine, engine_region(engine, ABI_REGION_ACCESS) + index * ABI_ACCESS_BYTES), words, sizeof words);
  }
}

static void note_addresses(roce_engine *engine) {
  const struct config *config = engine->config;
  engine->qps = (uint32_t)config->capacity[CAPACITY_QPS];
  engine->first_state = engine_region(engine, ABI_REGION_QPS);
  engine->first_flags = engine_region(engine, ABI_REGION_QP_FLAGS);
  engine->first_action = engine_region(engine, ABI_REGION_ACTIONS);
  engine->first_event = engine_region(engine, ABI_REGION_EVENTS);
  engine->first_fast_cnp = engine_region(engine, ABI_REGION_FAST_CNP_EVENTS);
  engine->first_ack = engine_region(engine, ABI_REGION_ACK_EVENTS);
  engine->reads_acks = config_reads_acks(config);
  engine->ack_hops = config_hops(config);
  uint32_t bytes = ABI_ACK_HOPS + engine->ack_hops * ABI_ACK_HOP_BYTES;
  engine->ack_event_bytes = (bytes + ABI_ACK_EVENT_ALIGNMENT - 1) / ABI_ACK_EVENT_ALIGNMENT * ABI_ACK_EVENT_ALIGNMENT;
  for (unsigned index = 0; index < config->parameter_set_count; index++) {
    engine->windowed |= (uint32_t)parameters_read_acks(&config->parameter_sets[index]) << index;
    engine->credited |= (uint32_t)parameters_read_credit(&config->parameter_sets[index]) << index;
  }
}

static roce_status set_up(roce_engine *engine) {
  struct config *config = engine->config;
  uint64_t keys[ABI_HASH_KEY_COUNT];
  unsigned range_count;
  struct access_range *ranges =
    access_list_flatten(&config->access_list, config->settings[SETTING_FAST_CNP_DEFAULT_ACTION] == 0, &range_count);
  if (!ranges) return fail(NULL, ROCE_CAPACITY, "no memory for the access list");
  write_capacity(engine, range_count);
  if (!Z_engineZ_initialise(&engine->module)) {
    free(ranges);
    return fail(NULL, ROCE_CAPACITY, "the system rejects the memory for %.0f QPs", config->capacity[CAPACITY_QPS]);
  }
  for (unsigned index = 0; index < config->parameter_set_count; index++)
    parameters_write(&config->parameter_sets[index], engine_at(engine, ABI_PARAMETER_SETS_ADDRESS + index * ABI_PARAMETER_SET_BYTES));
  write_access_ranges(engine, ranges, range_count);
  free(ranges);
  if (!config_hash_keys(config, keys)) return fail(NULL, ROCE_CAPACITY, "the system gives no random numbers: set hashSeed");
  memcpy(engine_at(engine, ABI_HASH_KEYS_ADDRESS), keys, sizeof keys);
  write_settings(engine, range_count);
  Z_engineZ_configure(&engine->module);
  note_addresses(engine);
  return ROCE_OK;
}

static void release(roce_engine *engine) {
  Z_engine_free(&engine->module);
  if (engine->config) config_free(engine->config);
  free(engine->config);
  engine->config = NULL;
}

roce_status roce_engine_create(const roce_options *options, roce_engine **out) {
  if (!out) return fail(NULL, ROCE_INVALID_ARGUMENT, "roce_engine_create needs a place for the engine");
  *out = NULL;
  roce_status status = check_options(options);
  if (status) return status;
  roce_engine *engine = calloc(1, sizeof *engine);
  struct config *config = calloc(1, sizeof *config);
  if (!engine || !config) {
    free(engine);
    free(config);
    return fail(NULL, ROCE_CAPACITY, "no memory for an engine");
  }
  engine->config = config;
  status = config_read(options, config, NULL);
  if (!status) {
    WITH_TRAPS(release(engine); free(engine); return fail(NULL, ROCE_CAPACITY, "the system rejects the memory for an engine"))
    Z_engine_instantiate(&engine->module);
    status = set_up(engine);
    END_TRAPS
  }
  if (status) {
    release(engine);
    free(engine);
    return status;
  }
  atomic_store(&engine->magic, LIVE_MAGIC);
  *out = engine;
  return ROCE_OK;
}

roce_status roce_engine_destroy(roce_engine *engine) {
  if (!engine) return ROCE_OK;
  if (atomic_load_explicit(&engine->magic, memory_order_relaxed) != LIVE_MAGIC) return engine_unusable(engine);
  if (atomic_exchange_explicit(&engine->busy, 1, memory_order_acquire)) return fail(NULL, ROCE_BUSY, "another thread is using this engine");
  atomic_store(&engine->magic, 0);
  release(engine);
  handle_bury(engine);
  return ROCE_OK;
}

roce_status roce_state_bytes(roce_engine *engine, uint64_t *bytes) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (bytes) *bytes = engine_region(engine, ABI_REGION_END) - engine->first_state;
  return engine_leave(engine, ROCE_OK);
}

static void put_address(roce_engine *engine, const uint8_t *address) {
  if (address) memcpy(engine_at(engine, ABI_ADDRESS_ARGUMENT), address, ROCE_ADDRESS_BYTES);
  else memset(engine_at(engine, ABI_ADDRESS_ARGUMENT), 0, ROCE_ADDRESS_BYTES);
}

static roce_status add_addresses(roce_engine *engine, const uint8_t (*addresses)[ROCE_ADDRESS_BYTES], uint32_t count) {
  for (uint32_t index = 0; index < count; index++) {
    put_address(engine, addresses[index]);
    if (Z_engineZ_addAddress(&engine->module, engine->endpoints)) continue;
    while (index-- > 0) {
      put_address(engine, addresses[index]);
      Z_engineZ_removeAddress(&engine->module);
    }
    return fail(engine->error, ROCE_INVALID_ARGUMENT, "an address must be one that no endpoint has yet, of at most %.0f",
                engine->config->capacity[CAPACITY_ADDRESSES]);
  }
  return ROCE_OK;
}

roce_status roce_add_endpoint(roce_engine *engine, const uint8_t (*addresses)[ROCE_ADDRESS_BYTES], uint32_t count, uint32_t *endpoint) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (count > 0 && !addresses)
    return engine_leave(engine, fail(engine->error, ROCE_INVALID_ARGUMENT, "addresses is NULL"));
  if (engine->endpoints >= engine->config->capacity[CAPACITY_ENDPOINTS])
    return engine_leave(engine, fail(engine->error, ROCE_CAPACITY, "the engine's capacity for endpoints is full: %u", engine->endpoints));
  status = add_addresses(engine, addresses, count);
  if (!status) {
    if (endpoint) *endpoint = engine->endpoints;
    engine->endpoints++;
  }
  return engine_leave(engine, status);
}

static bool has_endpoint(const roce_engine *engine, uint32_t endpoint) {
  return endpoint < engine->endpoints || endpoint == 0;
}

static roce_status check_qp_options(roce_engine *engine, const roce_qp_options *options, uint32_t *parameter_set) {
  const struct config *config = engine->config;
  if (!options) return fail(engine->error, ROCE_INVALID_ARGUMENT, "the options of a QP are NULL");
  if (!has_endpoint(engine, options->endpoint))
    return fail(engine->error, ROCE_INVALID_ARGUMENT, "endpoint must be below %u, but is %u", engine->endpoints, options->endpoint);
  if (options->local_qpn < 1 || options->local_qpn > ABI_QPN_MAX)
    return fail(engine->error, ROCE_INVALID_ARGUMENT, "local_qpn must be 1 to 16777215, but is %u", options->local_qpn);
  if (options->peer_qpn > ABI_QPN_MAX && options->peer_qpn != ROCE_NONE)
    return fail(engine->error, ROCE_INVALID_ARGUMENT, "peer_qpn must be 0 to 16777215, but is %u", options->peer_qpn);
  *parameter_set = 0;
  if (!options->parameter_set) return ROCE_OK;
  while (*parameter_set < config->parameter_set_count && strcmp(config->parameter_sets[*parameter_set].name, options->parameter_set))
    ++*parameter_set;
  if (*parameter_set < config->parameter_set_count) return ROCE_OK;
  return fail(engine->error, ROCE_INVALID_ARGUMENT, "there is no parameter set \"%.60s\"", options->parameter_set);
}

static roce_status opening_fault(roce_engine *engine, uint32_t code, const roce_qp_options *options) {
  if (code == ABI_OPEN_FULL) return fail(engine->error, ROCE_CAPACITY, "the engine's capacity for QPs is full: %u", engine->qps);
  if (code == ABI_OPEN_DUPLICATE_FLOW)
    return fail(engine->error, ROCE_DUPLICATE_QP, "endpoint %u has an open QP to this peer address and QPN", options->endpoint);
  if (code == ABI_OPEN_DUPLICATE_LOCAL)
    return fail(engine->error, ROCE_DUPLICATE_QP, "endpoint %u has an open QP with local_qpn %u", options->endpoint, options->local_qpn);
  return fail(engine->error, ROCE_UNSUPPORTED, "the engine has no algorithm of that parameter set");
}

roce_status roce_open_qp(roce_engine *engine, const roce_qp_options *options, uint32_t *qp) {
  uint32_t parameter_set;
  roce_status status = engine_enter(engine);
  if (status) return status;
  status = check_qp_options(engine, options, &parameter_set);
  if (status) return engine_leave(engine, status);
  put_address(engine, options->peer_address);
  uint32_t peer = options->peer_qpn == ROCE_NONE ? options->local_qpn : options->peer_qpn;
  uint32_t opened = Z_engineZ_openQp(&engine->module, options->endpoint, options->local_qpn, peer, parameter_set);
  if (opened >= engine->qps) return engine_leave(engine, opening_fault(engine, opened, options));
  if (qp) *qp = opened;
  return engine_leave(engine, ROCE_OK);
}

roce_status roce_close_qp(roce_engine *engine, uint32_t qp) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!engine_has_open(engine, qp)) return engine_leave(engine, unknown_qp(engine, qp));
  Z_engineZ_closeQp(&engine->module, qp);
  return engine_leave(engine, ROCE_OK);
}

static bool is_open_in(const roce_engine *engine, uint32_t qp) {
  return engine_is_readable(engine) && engine_has_open(engine, qp);
}

int roce_is_open(const roce_engine *engine, uint32_t qp) {
  return is_open_in(engine, qp);
}

double roce_rate_bps(const roce_engine *engine, uint32_t qp) {
  return is_open_in(engine, qp) ? engine_state(engine, qp, ABI_QP_RATE) : (double)NAN;
}

double roce_next_send_ps(const roce_engine *engine, uint32_t qp) {
  return is_open_in(engine, qp) ? engine_state(engine, qp, ABI_QP_NEXT_SEND) : (double)NAN;
}

/* Whether the QP's parameter set is one of those: bits by its number. */
static bool is_of(const roce_engine *engine, uint32_t qp, uint32_t sets) {
  return (sets & (1u << (engine_flags(engine, qp) >> ABI_QP_PARAMETER_SET_SHIFT))) != 0;
}

static double window_of(const roce_engine *engine, uint32_t qp) {
  return is_of(engine, qp, engine->windowed) ? engine_state(engine, qp, ABI_CONTROLLER_WINDOW_BYTES) : 0;
}

static double credit_of(const roce_engine *engine, uint32_t qp) {
  return is_of(engine, qp, engine->credited) ? engine_state(engine, qp, ABI_RCCC_CREDIT_BYTES) : (double)NAN;
}

double roce_window_bytes(const roce_engine *engine, uint32_t qp) {
  return is_open_in(engine, qp) ? window_of(engine, qp) : (double)NAN;
}

double roce_credit_bytes(const roce_engine *engine, uint32_t qp) {
  return is_open_in(engine, qp) ? credit_of(engine, qp) : (double)NAN;
}

double roce_next_deadline_ps(roce_engine *engine, uint32_t qp) {
  if (engine_enter(engine)) return (double)NAN;
  double deadline = engine_has_open(engine, qp) ? Z_engineZ_nextDeadline(&engine->module, qp) : (double)NAN;
  engine_leave(engine, ROCE_OK);
  return deadline;
}

static roce_status check_bytes(roce_engine *engine, const char *field, double bytes) {
  if (bytes >= 0 && bytes <= ABI_TIME_MAX_PS && floor(bytes) == bytes) return ROCE_OK;
  return fail(engine->error, ROCE_INVALID_ARGUMENT, "%s must be whole, 0 to 2^53-1", field);
}

int roce_may_send(roce_engine *engine, uint32_t qp, double in_flight_bytes) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!engine_has_open(engine, qp)) return engine_leave(engine, unknown_qp(engine, qp));
  status = check_bytes(engine, "in_flight_bytes", in_flight_bytes);
  if (status) return engine_leave(engine, status);
  int may = Z_engineZ_maySend(&engine->module, qp, in_flight_bytes) != 0;
  engine_leave(engine, ROCE_OK);
  return may;
}

roce_status roce_pull_target(roce_engine *engine, uint32_t qp, double backlog_bytes, uint32_t senders, double *target) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!engine_has_open(engine, qp)) return engine_leave(engine, unknown_qp(engine, qp));
  status = check_bytes(engine, "backlog_bytes", backlog_bytes);
  if (!status && !is_of(engine, qp, engine->credited))
    status = fail(engine->error, ROCE_UNSUPPORTED, "the algorithm of QP %u has no receiver credit", qp);
  if (!status && target) *target = Z_engineZ_pullTarget(&engine->module, qp, backlog_bytes, senders);
  return engine_leave(engine, status);
}

roce_status roce_qp_get(roce_engine *engine, uint32_t qp, roce_qp_state *state) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!state) return engine_leave(engine, fail(engine->error, ROCE_INVALID_ARGUMENT, "state is NULL"));
  if (!engine_has_open(engine, qp)) return engine_leave(engine, unknown_qp(engine, qp));
  memset(state, 0, sizeof *state);
  state->rate_bps = engine_state(engine, qp, ABI_QP_RATE);
  state->window_bytes = window_of(engine, qp);
  state->credit_bytes = credit_of(engine, qp);
  state->next_send_ps = engine_state(engine, qp, ABI_QP_NEXT_SEND);
  state->last_event_ps = engine_state(engine, qp, ABI_QP_LAST_EVENT);
  state->is_limited = (engine_flags(engine, qp) & ABI_QP_LIMITED) != 0;
  state->parameter_set = engine_flags(engine, qp) >> ABI_QP_PARAMETER_SET_SHIFT;
  state->peer_qpn = Z_engineZ_describeQp(&engine->module, qp);
  state->endpoint = engine_u32(engine, ABI_ADDRESS_ARGUMENT + ABI_DESCRIBED_ENDPOINT);
  state->local_qpn = engine_u32(engine, ABI_ADDRESS_ARGUMENT + ABI_DESCRIBED_LOCAL_QPN);
  memcpy(state->peer_address, engine_at(engine, ABI_ADDRESS_ARGUMENT), ROCE_ADDRESS_BYTES);
  return engine_leave(engine, ROCE_OK);
}

static roce_status check_lookup(roce_engine *engine, uint32_t endpoint, uint32_t qpn, const void *out) {
  if (!out) return fail(engine->error, ROCE_INVALID_ARGUMENT, "a lookup needs a place for the QP");
  if (endpoint <= ABI_ENDPOINT_CAPACITY_MAX && qpn <= ABI_QPN_MAX) return ROCE_OK;
  return fail(engine->error, ROCE_INVALID_ARGUMENT, "endpoints are 0 to 65535 and QPNs 0 to 16777215, not %u and %u", endpoint, qpn);
}

roce_status roce_find_flow(roce_engine *engine, uint32_t endpoint, const uint8_t peer_address[ROCE_ADDRESS_BYTES], uint32_t peer_qpn,
                           uint32_t *qp) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  status = check_lookup(engine, endpoint, peer_qpn, peer_address ? (const void *)qp : NULL);
  if (!status) {
    put_address(engine, peer_address);
    *qp = Z_engineZ_findFlow(&engine->module, endpoint, peer_qpn);
  }
  return engine_leave(engine, status);
}

roce_status roce_find_local(roce_engine *engine, uint32_t endpoint, uint32_t local_qpn, uint32_t *qp) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  status = check_lookup(engine, endpoint, local_qpn, qp);
  if (!status) *qp = Z_engineZ_findLocal(&engine->module, endpoint, local_qpn);
  return engine_leave(engine, status);
}

static double counter(const roce_engine *engine, uint32_t index) {
  return engine_f64(engine, ABI_COUNTERS_ADDRESS + 8 * index);
}

roce_status roce_stats_get(roce_engine *engine, roce_stats *stats) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!stats) return engine_leave(engine, fail(engine->error, ROCE_INVALID_ARGUMENT, "stats is NULL"));
  memset(stats, 0, sizeof *stats);
  for (uint32_t code = 0; code < ABI_COUNTER_CLASSES - ABI_COUNTER_OUTCOMES; code++) {
    double count = counter(engine, ABI_COUNTER_OUTCOMES + code);
    stats->outcomes[code] = count;
    if (code < ABI_FIRST_IGNORED) stats->handled += count;
    else if (code < ABI_FIRST_REJECTED) stats->ignored += count;
    else stats->rejected += count;
  }
  for (uint32_t code = 0; code < ABI_CLASS_COUNT; code++) stats->classes[code] = counter(engine, ABI_COUNTER_CLASSES + code);
  stats->events_in = counter(engine, ABI_COUNTER_EVENTS_IN);
  stats->packets_in = counter(engine, ABI_COUNTER_PACKETS_IN);
  stats->packet_bytes_in = counter(engine, ABI_COUNTER_PACKET_BYTES_IN);
  stats->ecn_marked_packets = counter(engine, ABI_COUNTER_ECN_MARKED);
  stats->cnps_sent = counter(engine, ABI_COUNTER_CNP_SENT);
  stats->cnps_suppressed = counter(engine, ABI_COUNTER_CNP_SUPPRESSED);
  stats->cnps_handled = stats->outcomes[ABI_OUTCOME_CNP_HANDLED] + stats->outcomes[ABI_OUTCOME_FAST_CNP_ACCEPTED];
  stats->data_sent = counter(engine, ABI_COUNTER_DATA_SENT);
  stats->timer_steps = counter(engine, ABI_COUNTER_TIMER_STEPS);
  stats->late_clamped = counter(engine, ABI_COUNTER_LATE_CLAMPED);
  return engine_leave(engine, ROCE_OK);
}

roce_status roce_state_hash(roce_engine *engine, char hash[ROCE_HASH_CHARS]) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  if (!hash) return engine_leave(engine, fail(engine->error, ROCE_INVALID_ARGUMENT, "hash is NULL"));
  struct fingerprint lanes = FINGERPRINT_INIT;
  for (uint32_t qp = 0; qp < engine->qps; qp++) {
    if (!engine_has_open(engine, qp)) continue;
    fingerprint_mix(&lanes, qp);
    fingerprint_mix(&lanes, engine_flags(engine, qp) & 15u);
    uint32_t first = engine->first_state + qp * ABI_QP_BYTES;
    for (uint32_t at = 0; at < ABI_QP_BYTES; at += 4) fingerprint_mix(&lanes, engine_u32(engine, first + at));
  }
  fingerprint_write(&lanes, hash);
  return engine_leave(engine, ROCE_OK);
}

/* Misuse returns error codes: NULL, destroyed handles, options of another version, numbers out of range, a second thread. Prints "ok". */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roce_cc.h"

static int failures;

static void expect(int got, int wanted, int line) {
  if (got == wanted) return;
  printf("line %d: got %d (%s), wanted %d: %s\n", line, got, roce_status_text((roce_status)got), wanted, roce_last_error(NULL));
  failures++;
}

#define EXPECT(call, wanted) expect((call), (wanted), __LINE__)

static roce_engine *create(void) {
  static const roce_parameter_set SETS[] = {{"default", "dcqcn-sigcomm15", "lineRateBps=100e9"},
                                            {"hpcc", "hpcc-sigcomm19", "lineRateBps=100e9 baseRttPs=13e6"},
                                            {"nscc", "nscc-mrc", "lineRateBps=100e9 baseRttPs=13e6"},
                                            {"rccc", "rccc-uet", "lineRateBps=100e9 baseRttPs=12e6"}};
  roce_options options = ROCE_OPTIONS_INIT;
  options.qps = 8;
  options.events = 16;
  options.packets = 4;
  options.frame_bytes = 4096;
  options.parameter_sets = SETS;
  options.parameter_set_count = 4;
  options.settings = "hashSeed=1 fastCnp.enabled=true fastCnp.allow=2001:db8::/32";
  roce_engine *engine = NULL;
  EXPECT(roce_engine_create(&options, &engine), ROCE_OK);
  return engine;
}

static void expect_config(const char *preset, const char *overrides, const char *settings, const char *sentence) {
  roce_parameter_set set = {"p", preset, overrides};
  roce_options options = ROCE_OPTIONS_INIT;
  options.parameter_sets = &set;
  options.parameter_set_count = 1;
  options.settings = settings;
  roce_engine *engine = NULL;
  EXPECT(roce_engine_create(&options, &engine), ROCE_INVALID_CONFIG);
  if (engine || !strstr(roce_last_error(NULL), sentence)) {
    printf("wanted \"%s\" in: %s\n", sentence, roce_last_error(NULL));
    failures++;
  }
}

static void creation(void) {
  roce_options options = ROCE_OPTIONS_INIT;
  roce_engine *engine = NULL;
  EXPECT(roce_engine_create(NULL, &engine), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_engine_create(&options, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_engine_create(&options, &engine), ROCE_INVALID_CONFIG);
  options.abi = ROCE_CC_ABI + 1;
  EXPECT(roce_engine_create(&options, &engine), ROCE_VERSION);
  expect_config("dcqcn", "lineRateBps=1e11", NULL, "there is no preset");
  expect_config("dcqcn-sigcomm15", NULL, NULL, "needs lineRateBps");
  expect_config("dcqcn-sigcomm15", "lineRateBps=1e11 gain=1", NULL, "no parameter gain");
  expect_config("dcqcn-sigcomm15", "lineRateBps=1e11 alphaGain", NULL, "not key=value");
  expect_config("dcqcn-sigcomm15", "lineRateBps=1e11 alphaGain=2", NULL, "0, or 0.000244140625 to 1");
  expect_config("dcqcn-sigcomm15", "lineRateBps=1e11 minRateBps=2e11", NULL, "must not exceed the maximum rate");
  expect_config("dcqcn-ns3", "lineRateBps=1e11 set=paper", NULL, "has no set");
  expect_config("nscc-uet", "lineRateBps=1e11", NULL, "needs baseRttPs");
  expect_config("nscc-uet", "lineRateBps=1e11 baseRttPs=12e6 payloadBytes=4161", NULL, "payloadBytes must not exceed packetBytes");
  expect_config("nscc-mrc", "lineRateBps=1e11 baseRttPs=12e6 inferredLoss=none", NULL, "as-trimmed, reduce");
  expect_config("rccc-uet", "lineRateBps=1e11 baseRttPs=12e6 initialCreditBytes=225001", NULL, "must not exceed the largest window");
  expect_config("rccc-uet", "lineRateBps=1e11 baseRttPs=12e6 maxWindowBdps=65", NULL, "0.0009765625 to 64");
  expect_config("dcqcn-sigcomm15", "lineRateBps=1e11", "parser.mode=other", "fast-cnp-domain, strict-a17");
  expect_config("dcqcn-sigcomm15", "lineRateBps=1e11", "parser=x", "there is no setting parser");
  expect_config("dcqcn-sigcomm15", "lineRateBps=1e11", "fastCnp.allow=2001:db8::1/32", "must be an IPv6 address or prefix");
}

static void calls_of(roce_engine *engine, int wanted) {
  uint32_t number;
  double value;
  int flag;
  uint8_t address[16] = {0};
  char hash[ROCE_HASH_CHARS];
  size_t size;
  roce_stats stats;
  roce_qp_state state;
  roce_qp_options qp = ROCE_QP_INIT;
  roce_ack_info ack = ROCE_ACK_INIT;
  roce_nack_info nack = ROCE_NACK_INIT;
  roce_fast_cnp_info fast_cnp = {0};
  roce_event event = {0};
  roce_frame frame = {0};
  const roce_action *actions;
  qp.local_qpn = 1;
  EXPECT(roce_add_endpoint(engine, NULL, 0, &number), wanted);
  EXPECT(roce_open_qp(engine, &qp, &number), wanted);
  EXPECT(roce_close_qp(engine, 0), wanted);
  EXPECT(roce_sent(engine, 1, 0, 1, &value), wanted);
  EXPECT(roce_cnp(engine, 1, 0, &value), wanted);
  EXPECT(roce_touch(engine, 1, 0, &value), wanted);
  EXPECT(roce_loss(engine, 1, 0, 0, &value), wanted);
  EXPECT(roce_marked(engine, 1, 0, 1, &flag), wanted);
  EXPECT(roce_ack(engine, 1, 0, &ack, &value), wanted);
  EXPECT(roce_nack(engine, 1, 0, &nack, &value), wanted);
  EXPECT(roce_credit(engine, 1, 0, 1, &flag), wanted);
  EXPECT(roce_fast_cnp(engine, 1, &fast_cnp, &number), wanted);
  EXPECT(roce_may_send(engine, 0, 1), wanted);
  EXPECT(roce_pull_target(engine, 0, 1, 1, &value), wanted);
  EXPECT(roce_qp_get(engine, 0, &state), wanted);
  EXPECT(roce_find_flow(engine, 0, address, 1, &number), wanted);
  EXPECT(roce_find_local(engine, 0, 1, &number), wanted);
  EXPECT(roce_apply_events(engine, &event, 1, &number), wanted);
  EXPECT(roce_apply_buffer(engine, 1, &number), wanted);
  EXPECT(roce_apply_frames(engine, &frame, 1, NULL, &number), wanted);
  EXPECT(roce_advance(engine, 1, 0, &number), wanted);
  EXPECT(roce_stats_get(engine, &stats), wanted);
  EXPECT(roce_state_hash(engine, hash), wanted);
  EXPECT(roce_state_bytes(engine, NULL), wanted);
  EXPECT(roce_snapshot(engine, NULL, 0, &size), wanted);
  EXPECT(roce_restore(engine, (const uint8_t *)hash, 4), wanted);
  EXPECT(roce_is_open(engine, 0), 0);
  EXPECT(isnan(roce_rate_bps(engine, 0)) && isnan(roce_next_send_ps(engine, 0)) && isnan(roce_window_bytes(engine, 0)) &&
           isnan(roce_credit_bytes(engine, 0)) && isnan(roce_next_deadline_ps(engine, 0)), 1);
  EXPECT(roce_event_buffer(engine) == NULL, 1);
  EXPECT((int)roce_actions(engine, &actions), 0);
}

static void arguments(roce_engine *engine) {
  uint32_t qp = 0, number;
  double value;
  uint8_t address[16] = {0x20, 0x01};
  roce_qp_options options = ROCE_QP_INIT;
  EXPECT(roce_open_qp(engine, &options, &qp), ROCE_INVALID_ARGUMENT);
  options.local_qpn = 5;
  options.parameter_set = "other";
  EXPECT(roce_open_qp(engine, &options, &qp), ROCE_INVALID_ARGUMENT);
  options.parameter_set = "hpcc";
  options.endpoint = 1;
  EXPECT(roce_open_qp(engine, &options, &qp), ROCE_INVALID_ARGUMENT);
  options.endpoint = 0;
  EXPECT(roce_open_qp(engine, &options, &qp), ROCE_OK);
  EXPECT(roce_open_qp(engine, &options, &qp), ROCE_DUPLICATE_QP);
  EXPECT(roce_sent(engine, 1.5, qp, 1, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_sent(engine, NAN, qp, 1, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_sent(engine, -1, qp, 1, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_sent(engine, 1e300, qp, 1, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_sent(engine, 1, qp, 0xffffffffu, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_sent(engine, 1, 0xffffffffu, 1, NULL), ROCE_UNKNOWN_QP);
  EXPECT(roce_sent(engine, 1, 7, 1, NULL), ROCE_UNKNOWN_QP);
  EXPECT(roce_sent(engine, 1000, qp, 1, &value), ROCE_OK);
  EXPECT(roce_touch(engine, 999, qp, &value), ROCE_TIME_BACKWARDS);
  roce_ack_info ack = ROCE_ACK_INIT;
  roce_hop hop = {1000, 1, 1, 0.5, 0, 0};
  EXPECT(roce_ack(engine, 1000, qp, NULL, NULL), ROCE_INVALID_ARGUMENT);
  ack.telemetry = 9;
  EXPECT(roce_ack(engine, 1000, qp, &ack, NULL), ROCE_INVALID_ARGUMENT);
  ack.telemetry = ROCE_TELEMETRY_EXACT;
  ack.hop_count = 17;
  EXPECT(roce_ack(engine, 1000, qp, &ack, NULL), ROCE_INVALID_ARGUMENT);
  ack.hop_count = 1;
  EXPECT(roce_ack(engine, 1000, qp, &ack, NULL), ROCE_INVALID_ARGUMENT);
  ack.hops = &hop;
  EXPECT(roce_ack(engine, 1000, qp, &ack, NULL), ROCE_INVALID_ARGUMENT);
  hop.line_rate_bps = 1e11;
  EXPECT(roce_ack(engine, 1000, qp, &ack, NULL), ROCE_OK);
  EXPECT(roce_apply_events(engine, NULL, 1, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_apply_events(engine, NULL, 17, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_apply_buffer(engine, 17, NULL), ROCE_CAPACITY);
  roce_event event = {2000, qp, 9, 0, 0, {0}};
  EXPECT(roce_apply_events(engine, &event, 1, NULL), ROCE_INVALID_ARGUMENT);
  event.kind = ROCE_EVENT_ACK;
  EXPECT(roce_apply_events(engine, &event, 1, NULL), ROCE_INVALID_ARGUMENT);
  uint8_t bytes[5000] = {0};
  roce_frame frames[5] = {{1, bytes, 5000, 0, 0, 0}};
  EXPECT(roce_apply_frames(engine, frames, 1, NULL, NULL), ROCE_CAPACITY);
  EXPECT(roce_apply_frames(engine, frames, 5, NULL, NULL), ROCE_CAPACITY);
  frames[0].captured_bytes = 64;
  frames[0].link = 7;
  EXPECT(roce_apply_frames(engine, frames, 1, NULL, NULL), ROCE_INVALID_ARGUMENT);
  frames[0].link = 0;
  frames[0].bytes = NULL;
  EXPECT(roce_apply_frames(engine, frames, 1, NULL, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_find_flow(engine, 0, NULL, 1, &number), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_find_flow(engine, 0, address, 1u << 24, &number), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_advance(engine, 1, 0, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_may_send(engine, qp, -1), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_state_hash(engine, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_address("300.1.1.1", address), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_address("2001:db8::1::2", address), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_address("::ffff:192.0.2.1", address), ROCE_OK);
}

/* NACKs, credit and queries of NSCC and RCCC. */
static void nacks_and_credit(roce_engine *engine) {
  uint32_t nscc, rccc;
  double value;
  int applied;
  roce_nack_info nack = ROCE_NACK_INIT;
  roce_qp_options options = ROCE_QP_INIT;
  options.local_qpn = 6;
  options.parameter_set = "nscc";
  EXPECT(roce_open_qp(engine, &options, &nscc), ROCE_OK);
  options.local_qpn = 7;
  options.parameter_set = "rccc";
  EXPECT(roce_open_qp(engine, &options, &rccc), ROCE_OK);
  EXPECT(roce_nack(engine, 1000, nscc, NULL, NULL), ROCE_INVALID_ARGUMENT);
  nack.trimmed_bytes = 0.5;
  EXPECT(roce_nack(engine, 1000, nscc, &nack, NULL), ROCE_INVALID_ARGUMENT);
  nack.trimmed_bytes = 4096;
  nack.sent_ps = -1;
  EXPECT(roce_nack(engine, 1000, nscc, &nack, NULL), ROCE_INVALID_ARGUMENT);
  nack.sent_ps = NAN;
  EXPECT(roce_nack(engine, 1000, nscc, &nack, &value), ROCE_OK);
  EXPECT(roce_window_bytes(engine, nscc) == 243750 - 4096, 1);
  EXPECT(isnan(roce_credit_bytes(engine, nscc)), 1);
  EXPECT(roce_pull_target(engine, nscc, 1, 1, &value), ROCE_UNSUPPORTED);
  EXPECT(roce_credit(engine, 1000, nscc, 1, &applied), ROCE_OK);
  EXPECT(applied, 0);
  EXPECT(roce_credit(engine, 1000, rccc, -1, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_credit(engine, 1000, rccc, 1.5, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_credit(engine, 1000, rccc, NAN, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_credit(engine, 1000, rccc, ROCE_PULL_NUMBER_MAX + 1, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_pull_target(engine, rccc, -1, 1, &value), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_pull_target(engine, rccc, 1.5, 1, &value), ROCE_INVALID_ARGUMENT);
  /* It begins with 1.5 bandwidth-delay products of speculative credit, which the first event ends. */
  EXPECT(roce_credit_bytes(engine, rccc) == 225000 && roce_window_bytes(engine, rccc) == 0, 1);
  EXPECT(roce_credit(engine, 1000, rccc, 0, &applied), ROCE_OK);
  EXPECT(applied, 0);
  EXPECT(roce_may_send(engine, rccc, 0), 0);
  EXPECT(roce_pull_target(engine, rccc, 1000, 1, &value), ROCE_OK);
  EXPECT(value == 4, 1);
  EXPECT(roce_credit(engine, 1000, rccc, 4, &applied), ROCE_OK);
  EXPECT(applied, 1);
  EXPECT(roce_may_send(engine, rccc, 1e6), 1);
  roce_qp_state state;
  EXPECT(roce_qp_get(engine, rccc, &state), ROCE_OK);
  EXPECT(state.credit_bytes == 1024, 1);
  roce_event event = {2000, nscc, ROCE_EVENT_NACK, 0, 0, {0}};
  EXPECT(roce_apply_events(engine, &event, 1, NULL), ROCE_INVALID_ARGUMENT);
  event.kind = ROCE_EVENT_CREDIT;
  event.of.pull_number = 0.5;
  EXPECT(roce_apply_events(engine, &event, 1, NULL), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_close_qp(engine, nscc), ROCE_OK);
  EXPECT(roce_close_qp(engine, rccc), ROCE_OK);
}

/* Only DCQCN reads no ACKs. */
static void without_acks(void) {
  static const roce_parameter_set SET = {"default", "dcqcn-sigcomm15", "lineRateBps=100e9"};
  roce_options options = ROCE_OPTIONS_INIT;
  roce_qp_options one = ROCE_QP_INIT;
  roce_nack_info nack = ROCE_NACK_INIT;
  roce_engine *engine;
  options.parameter_sets = &SET;
  options.parameter_set_count = 1;
  one.local_qpn = 1;
  EXPECT(roce_engine_create(&options, &engine), ROCE_OK);
  EXPECT(roce_open_qp(engine, &one, NULL), ROCE_OK);
  EXPECT(roce_nack(engine, 1, 0, &nack, NULL), ROCE_UNSUPPORTED);
  EXPECT(roce_credit(engine, 1, 0, 1, NULL), ROCE_UNSUPPORTED);
  roce_event event = {1, 0, ROCE_EVENT_CREDIT, 0, 0, {0}};
  EXPECT(roce_apply_events(engine, &event, 1, NULL), ROCE_UNSUPPORTED);
  EXPECT(roce_engine_destroy(engine), ROCE_OK);
}

static void damaged_snapshots(roce_engine *engine) {
  size_t size;
  EXPECT(roce_snapshot(engine, NULL, 0, &size), ROCE_CAPACITY);
  uint8_t *bytes = malloc(size), *damaged = malloc(size);
  EXPECT(roce_snapshot(engine, bytes, size, &size), ROCE_OK);
  for (size_t at = 0; at < size; at += 97) {
    memcpy(damaged, bytes, size);
    damaged[at] ^= 1;
    EXPECT(roce_restore(engine, damaged, size), ROCE_SNAPSHOT_MISMATCH);
  }
  for (size_t length = 0; length < size; length += 1009) EXPECT(roce_restore(engine, bytes, length), ROCE_SNAPSHOT_MISMATCH);
  EXPECT(roce_restore(engine, bytes, size), ROCE_OK);
  free(bytes);
  free(damaged);
}

static void points(void) {
  roce_cp *cp = NULL;
  roce_cp_packet packet = {0};
  roce_cp_decision decision;
  EXPECT(roce_cp_create(0, 1, NULL, &cp), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_cp_create(1, 1, "kminBytes=5 kmaxBytes=1", &cp), ROCE_INVALID_CONFIG);
  EXPECT(roce_cp_create(1, 1, "pmax=2", &cp), ROCE_INVALID_CONFIG);
  EXPECT(roce_cp_create(2, 2, "enabled=true kminBytes=1000 kmaxBytes=2000", &cp), ROCE_OK);
  EXPECT(roce_cp_decide(NULL, &packet, &decision), ROCE_INVALID_ARGUMENT);
  EXPECT(roce_cp_decide(cp, NULL, &decision), ROCE_INVALID_ARGUMENT);
  packet = (roce_cp_packet){1e6, 1e6, 0, 0, 1, ROCE_CAPABILITY_ABLE, 1, 0};
  EXPECT(roce_cp_decide(cp, &packet, &decision), ROCE_OK);
  EXPECT(decision.send_fast_cnp, 1);
  packet.port = 99;
  EXPECT(roce_cp_decide(cp, &packet, &decision), ROCE_OK);
  EXPECT(decision.reason, 8);
  EXPECT(roce_cp_destroy(cp), ROCE_OK);
  EXPECT(roce_cp_destroy(cp), ROCE_CLOSED);
  EXPECT(roce_cp_decide(cp, &packet, &decision), ROCE_CLOSED);
}

#define ROUNDS 20000

static void *hammer(void *shared) {
  long codes = 0;
  for (int round = 0; round < ROUNDS; round++) {
    int status = roce_sent(shared, 2000.0 + round, 0, 1000, NULL);
    if (status != ROCE_OK && status != ROCE_BUSY && status != ROCE_TIME_BACKWARDS) return NULL;
    codes += status != ROCE_OK;
  }
  return (void *)(codes + 1);
}

static void two_threads(roce_engine *engine) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, hammer, engine);
  for (int i = 0; i < 2; i++) {
    void *result;
    pthread_join(threads[i], &result);
    EXPECT(result != NULL, 1);
  }
}

int main(void) {
  creation();
  calls_of(NULL, ROCE_INVALID_ARGUMENT);
  roce_engine *engine = create();
  arguments(engine);
  nacks_and_credit(engine);
  without_acks();
  damaged_snapshots(engine);
  two_threads(engine);
  EXPECT(roce_engine_destroy(NULL), ROCE_OK);
  EXPECT(roce_engine_destroy(engine), ROCE_OK);
  EXPECT(roce_engine_destroy(engine), ROCE_CLOSED);
  calls_of(engine, ROCE_CLOSED);
  points();
  if (!failures) puts("ok");
  return failures != 0;
}

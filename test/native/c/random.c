/*
 * Random events and frames, most of them sensible, for a build with sanitizers: random COUNT SEED. Prints the hash of the state, which
 * depends only on the two arguments.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roce_cc.h"

#define QPS 64
#define BATCH 256
#define FRAME_BYTES 192

static uint64_t state;

static uint32_t below(uint32_t limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) * limit >> 31);
}

static roce_engine *create(void) {
  static const roce_parameter_set SETS[] = {
    {"paper", "dcqcn-sigcomm15", "lineRateBps=100e9"},
    {"ns3", "dcqcn-ns3", "lineRateBps=100e9"},
    {"connectx", "dcqcn-connectx", "lineRateBps=100e9"},
    {"hpcc", "hpcc-sigcomm19", "lineRateBps=100e9 baseRttPs=13e6"},
    {"raw", "hpcc-ns3", "lineRateBps=100e9 baseRttPs=13e6"},
    {"pint", "hpcc-pint-ns3", "lineRateBps=100e9 baseRttPs=13e6"},
    {"plus", "hpcc-pp-draft", "lineRateBps=100e9 baseRttPs=13e6"},
    {"timely", "timely-sigcomm15", "lineRateBps=100e9"},
    {"dctcp", "dctcp-ns3", "lineRateBps=100e9"},
    {"swift", "swift-sigcomm20", "lineRateBps=100e9"},
    {"nscc", "nscc-uet", "lineRateBps=100e9 baseRttPs=13e6"},
    {"mrc", "nscc-mrc", "lineRateBps=100e9 baseRttPs=13e6"},
    {"rccc", "rccc-uet", "lineRateBps=100e9 baseRttPs=13e6"},
  };
  roce_options options = ROCE_OPTIONS_INIT;
  options.qps = QPS;
  options.events = BATCH;
  options.packets = BATCH;
  options.frame_bytes = BATCH * FRAME_BYTES;
  options.parameter_sets = SETS;
  options.parameter_set_count = sizeof SETS / sizeof *SETS;
  options.settings = "hashSeed=1 fastCnp.enabled=true fastCnp.defaultAction=allow notificationPoint.scope=destination";
  roce_engine *engine;
  if (roce_engine_create(&options, &engine)) {
    puts(roce_last_error(NULL));
    exit(1);
  }
  uint8_t address[1][16] = {{0x20, 0x01, 0x0d, 0xb8}};
  roce_add_endpoint(engine, address, 1, NULL);
  for (uint32_t qp = 0; qp < QPS; qp++) {
    roce_qp_options one = ROCE_QP_INIT;
    uint8_t peer[16] = {0x20, 0x01, 0x0d, 0xb8, 1, (uint8_t)(qp % 8)};
    one.local_qpn = qp + 1;
    one.peer_address = peer;
    one.parameter_set = SETS[qp % options.parameter_set_count].name;
    if (roce_open_qp(engine, &one, NULL)) exit(1);
  }
  return engine;
}

static double next_time(double *now) {
  *now += below(20) ? below(300000) : below(1u << 30);
  return below(50) ? *now : *now - below(1000000) - 0.0;
}

struct pools {
  roce_ack_info acks[BATCH];
  roce_hop hops[BATCH][ROCE_EXACT_HOPS_MAX];
  roce_raw_hop raw[BATCH][ROCE_INT64_HOPS_MAX];
  roce_fast_cnp_info fast_cnps[BATCH];
  roce_nack_info nacks[BATCH];
};

static void fill_ack(struct pools *pools, int index, double time_ps) {
  roce_ack_info ack = ROCE_ACK_INIT;
  ack.ack_seq = below(1u << 24);
  ack.snd_nxt = ack.ack_seq + below(64);
  ack.ecn_echo = (uint8_t)below(2);
  if (below(4)) ack.sent_ps = time_ps > 40e6 ? time_ps - below(40000000) : 0;
  if (below(4)) ack.acked_bytes = below(20000);
  ack.path_hops = below(8);
  ack.pint_power = below(3) ? below(256) : ROCE_NO_PINT_POWER;
  ack.telemetry = (uint8_t)below(3);
  ack.hop_count = below(ack.telemetry == ROCE_TELEMETRY_INT64 ? 9 : 7);
  ack.hops = pools->hops[index];
  ack.raw_hops = pools->raw[index];
  for (uint32_t hop = 0; hop < ROCE_EXACT_HOPS_MAX; hop++)
    pools->hops[index][hop] = (roce_hop){time_ps, time_ps / 80, below(200000), below(9) ? 1e11 : 0, hop, 0};
  for (uint32_t hop = 0; hop < ROCE_INT64_HOPS_MAX; hop++)
    pools->raw[index][hop] = (roce_raw_hop){below(8), below(1u << 24), below(1u << 20), below(1u << 17)};
  pools->acks[index] = ack;
}

static void fill_fast_cnp(struct pools *pools, int index) {
  roce_fast_cnp_info info = {0};
  uint8_t peer[16] = {0x20, 0x01, 0x0d, 0xb8, 1, (uint8_t)below(9)};
  info.dest_qpn = 1 + below(QPS);
  memcpy(info.source, peer, 16);
  memcpy(info.original_destination, peer, 16);
  info.hop_count = below(4);
  info.hops = pools->hops[index];
  pools->fast_cnps[index] = info;
}

static void fill_nack(struct pools *pools, int index, double time_ps) {
  roce_nack_info nack = ROCE_NACK_INIT;
  if (below(4)) nack.sent_ps = time_ps > 40e6 ? time_ps - below(40000000) : 0;
  nack.trimmed_bytes = below(5000);
  nack.last_hop = below(2);
  pools->nacks[index] = nack;
}

static void apply_events(roce_engine *engine, struct pools *pools, double *now) {
  static roce_event events[BATCH];
  memset(events, 0, sizeof events);
  for (int index = 0; index < BATCH; index++) {
    roce_event *event = &events[index];
    event->time_ps = next_time(now);
    if (event->time_ps < 0) event->time_ps = 0;
    event->qp = below(QPS + 2);
    event->kind = below(10) < 5 ? ROCE_EVENT_SENT : below(9);
    event->value = event->kind == ROCE_EVENT_MARKED ? below(65536) : event->kind == ROCE_EVENT_LOSS ? below(2) : below(9000);
    fill_ack(pools, index, event->time_ps);
    if (event->kind == ROCE_EVENT_ACK) event->of.ack = &pools->acks[index];
    if (event->kind == ROCE_EVENT_FAST_CNP) {
      fill_fast_cnp(pools, index);
      event->of.fast_cnp = &pools->fast_cnps[index];
    }
    if (event->kind == ROCE_EVENT_NACK) {
      fill_nack(pools, index, event->time_ps);
      event->of.nack = &pools->nacks[index];
    }
    /* Mostly a new pull number, which grows with time. */
    if (event->kind == ROCE_EVENT_CREDIT) event->of.pull_number = below(4) ? floor(event->time_ps / 1e4) + below(100) : below(1000);
  }
  if (roce_apply_events(engine, events, BATCH, NULL)) {
    puts(roce_last_error(engine));
    exit(1);
  }
}

/* IPv6, UDP to port 4791, a BTH, then random bytes. */
static uint32_t fill_frame(uint8_t *frame) {
  static const uint8_t HEAD[] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x86, 0xdd, 0x60, 3, 0, 0, 0, 80, 17, 64};
  uint32_t length = 62 + below(FRAME_BYTES - 62);
  for (uint32_t at = 0; at < length; at++) frame[at] = (uint8_t)below(256);
  memcpy(frame, HEAD, sizeof HEAD);
  uint8_t peer[16] = {0x20, 0x01, 0x0d, 0xb8, 1, (uint8_t)below(9)};
  uint8_t own[16] = {0x20, 0x01, 0x0d, 0xb8};
  memcpy(frame + 22, peer, 16);
  memcpy(frame + 38, own, 16);
  frame[18] = 0;
  frame[19] = (uint8_t)(length - 54);
  frame[20] = below(8) ? 17 : (uint8_t)(below(2) ? 60 : 0);
  frame[56] = 4791 >> 8;
  frame[57] = 4791 & 0xff;
  frame[58] = 0;
  frame[59] = (uint8_t)(length - 54);
  if (length > 74) {
    frame[62] = (uint8_t)(below(2) ? 0x81 : below(256));
    frame[67] = frame[68] = 0;
    frame[69] = (uint8_t)(1 + below(QPS));
  }
  for (uint32_t changes = below(3); changes > 0; changes--) frame[below(length)] = (uint8_t)below(256);
  return below(10) ? length : below(length);
}

static void apply_frames(roce_engine *engine, double *now) {
  static uint8_t bytes[BATCH][FRAME_BYTES];
  static roce_frame frames[BATCH];
  static roce_frame_report reports[BATCH];
  for (int index = 0; index < BATCH; index++) {
    double time_ps = next_time(now);
    frames[index] = (roce_frame){time_ps < 0 ? 0 : time_ps, bytes[index], fill_frame(bytes[index]), 0, below(20) ? 0 : 1, 0};
  }
  if (roce_apply_frames(engine, frames, BATCH, reports, NULL)) {
    puts(roce_last_error(engine));
    exit(1);
  }
}

int main(int count, char **arguments) {
  long total = count > 1 ? atol(arguments[1]) : 100000;
  state = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
  double now = 1e9;
  roce_engine *engine = create();
  struct pools *pools = calloc(1, sizeof *pools);
  for (long done = 0; done < total; done += 2 * BATCH) {
    apply_events(engine, pools, &now);
    apply_frames(engine, &now);
    if (now > 8e15) break;
  }
  roce_stats stats;
  char hash[ROCE_HASH_CHARS];
  roce_stats_get(engine, &stats);
  roce_state_hash(engine, hash);
  printf("%.0f events, %.0f frames, %.0f handled, state %s\n", stats.events_in, stats.packets_in, stats.handled, hash);
  free(pools);
  return roce_engine_destroy(engine);
}

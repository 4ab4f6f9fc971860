/*
 * A custom algorithm of roce-cc in C: the records that its handlers get, and how a module exports them.
 *
 * C99 or later, freestanding: no library is needed, and none may be linked. A module imports the engine's memory and nothing else.
 *
 *   clang --target=wasm32 -std=c11 -O3 -ffreestanding -ffp-contract=off -nostdlib -Wl,--no-entry -Wl,--import-memory \
 *     -Wl,--stack-first -Wl,-z,stack-size=24576 -Wl,--strip-all -I node_modules/roce-cc/include mine.c -o mine.wasm
 *
 * Records     little-endian, at addresses that hold for one call. Fields marked const are the engine's; whatever else a handler sets is
 *             checked when it returns: 0 < rate_bps <= line_rate_bps, window_bytes from 0 to 2^53, next_send_ps >= 0, timers not
 *             before the event.
 * Parameters  doubles in the order of the declaration; a word is its index in `values`. A struct of doubles gives them names.
 * State       doubles in the order of the declaration, lists flat; the same struct can name them.
 * Times       picoseconds.
 * Numbers     sums, products, quotients and roots of doubles are exact to the bit on every machine, as long as the compiler does not
 *             fuse them: -ffp-contract=off.
 *
 * Documentation: docs/guides/your-own-algorithm.md.
 */
#ifndef ROCE_CC_ALGORITHM_H
#define ROCE_CC_ALGORITHM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a handler returns. */
#define ROCE_USED 0
#define ROCE_NOT_USED 1
#define ROCE_NO_SIGNAL 2

/* A timer that does not run. */
#define ROCE_NEVER __builtin_inf()

#define ROCE_TIMER_COUNT 4
#define ROCE_STATE_BYTES_MAX 1024
#define ROCE_PARAMETER_COUNT_MAX 34

/* Flags of a QP: packets leave at its rate; this call has set the rate, even to the same one (a changed rate counts as set). */
#define ROCE_PACED 1u
#define ROCE_RATE_SET 2u

/* What the hops of an ACK are. */
#define ROCE_TELEMETRY_NONE 0
#define ROCE_TELEMETRY_EXACT 1
#define ROCE_TELEMETRY_INT64 2
/* From an IOAM trace: exact hops, times modulo 4,096 s, and without its seconds modulo 1 s. */
#define ROCE_TELEMETRY_TRACE 3
#define ROCE_TELEMETRY_TRACE_SECOND 4
#define ROCE_EXACT_HOPS_MAX 16
#define ROCE_INT64_HOPS_MAX 5

/* tx_bytes of a hop that does not report them. */
#define ROCE_NO_TX_BYTES (-1.0)
/* pint_power of an ACK without one. */
#define ROCE_NO_PINT_POWER 0xffffffffu

/* One QP. A new one has the line rate, no window, no timer running, and is paced. */
struct roce_qp {
  double rate_bps;
  /* 0: no window. */
  double window_bytes;
  double next_send_ps;
  /* ROCE_NEVER: not running. */
  double timers_ps[ROCE_TIMER_COUNT];
  const double line_rate_bps;
  const double last_event_ps;
  const uint32_t last_len_bytes;
  /* ROCE_PACED, without which packets leave at once; ROCE_RATE_SET. */
  uint32_t flags;
  /* Why the rate changes: 1 + index into the declaration's `reasons`, 0 = no reason given. */
  uint32_t reason;
  /* 1: PSNs of 24 bits; 0: numbers of 32 bits. */
  const uint32_t sequence;
  const double engine[5];
  /* In roce_timer: up to when timers expire now, for expiries that change nothing and can be taken at once. */
  const double until_ps;
  double state[];
};

/* One hop of an acknowledged packet's path. */
struct roce_hop {
  /* When the packet left the hop. */
  double time_ps;
  /* Bytes that the port had sent by then. */
  double tx_bytes;
  double queue_bytes;
  double line_rate_bps;
  uint32_t hop_id;
  uint32_t port;
};

/* The same under ROCE_TELEMETRY_INT64: raw fields of the 64-bit record, m its multiplier. */
struct roce_raw_hop {
  /* 25 Gb/s << code, up to 4. */
  uint32_t line_rate_code;
  /* Nanoseconds modulo 2^24. */
  uint32_t time;
  /* Units of 128 m bytes modulo 2^20. */
  uint32_t bytes;
  /* Units of 80 m bytes modulo 2^17. */
  uint32_t queue;
};

/* An acknowledgement, or the hops of a Fast CNP. */
struct roce_ack {
  /* The first sequence number that is not acknowledged, and the next one to be sent. */
  uint32_t ack_seq;
  uint32_t snd_nxt;
  /* When the acknowledged packet left; NaN = not known. */
  double sent_ps;
  /* Part of the round trip that the hosts' own queues took. */
  double host_delay_ps;
  /* Packets that this ACK newly acknowledges. */
  double acked_packets;
  /* 0: none given. */
  uint32_t path_id;
  uint32_t path_hops;
  uint32_t pint_power;
  /* 1: the acknowledged packet was marked. */
  uint8_t ecn_echo;
  /* ROCE_TELEMETRY_* */
  uint8_t telemetry;
  /* More than there are records where slots were overwritten. */
  uint8_t hop_count;
  /* 1: hops of the path are missing here. */
  uint8_t is_partial;
  /* Payload that this ACK newly acknowledges; NaN = not known. */
  double acked_bytes;
  struct roce_hop hops[];
};

/* A NACK: the receiver got a packet of which a switch left the headers only. */
struct roce_nack {
  const uint32_t engine[2];
  /* When the trimmed packet left; NaN = not known. */
  double sent_ps;
  const uint8_t unused[31];
  /* 1: the last switch on the path has trimmed it. */
  uint8_t is_last_hop;
  /* Payload that was cut off. */
  double trimmed_bytes;
};

/* Every offset of a record. test/algorithm/kits.test.ts compares them with src/abi/custom-layout.ts and src/abi/ack-layout.ts. */
#define ROCE_OFFSET(record, field, bytes) \
  _Static_assert(offsetof(struct record, field) == (bytes), #record "." #field)
#define ROCE_BYTES(record, bytes) _Static_assert(sizeof(struct record) == (bytes), #record)
ROCE_OFFSET(roce_qp, rate_bps, 0);
ROCE_OFFSET(roce_qp, window_bytes, 8);
ROCE_OFFSET(roce_qp, next_send_ps, 16);
ROCE_OFFSET(roce_qp, timers_ps, 24);
ROCE_OFFSET(roce_qp, line_rate_bps, 56);
ROCE_OFFSET(roce_qp, last_event_ps, 64);
ROCE_OFFSET(roce_qp, last_len_bytes, 72);
ROCE_OFFSET(roce_qp, flags, 76);
ROCE_OFFSET(roce_qp, reason, 80);
ROCE_OFFSET(roce_qp, sequence, 84);
ROCE_OFFSET(roce_qp, engine, 88);
ROCE_OFFSET(roce_qp, until_ps, 128);
ROCE_OFFSET(roce_qp, state, 136);
ROCE_OFFSET(roce_hop, time_ps, 0);
ROCE_OFFSET(roce_hop, tx_bytes, 8);
ROCE_OFFSET(roce_hop, queue_bytes, 16);
ROCE_OFFSET(roce_hop, line_rate_bps, 24);
ROCE_OFFSET(roce_hop, hop_id, 32);
ROCE_OFFSET(roce_hop, port, 36);
ROCE_BYTES(roce_hop, 40);
ROCE_OFFSET(roce_raw_hop, line_rate_code, 0);
ROCE_OFFSET(roce_raw_hop, time, 4);
ROCE_OFFSET(roce_raw_hop, bytes, 8);
ROCE_OFFSET(roce_raw_hop, queue, 12);
ROCE_OFFSET(roce_ack, ack_seq, 0);
ROCE_OFFSET(roce_ack, snd_nxt, 4);
ROCE_OFFSET(roce_ack, sent_ps, 8);
ROCE_OFFSET(roce_ack, host_delay_ps, 16);
ROCE_OFFSET(roce_ack, acked_packets, 24);
ROCE_OFFSET(roce_ack, path_id, 32);
ROCE_OFFSET(roce_ack, path_hops, 36);
ROCE_OFFSET(roce_ack, pint_power, 40);
ROCE_OFFSET(roce_ack, ecn_echo, 44);
ROCE_OFFSET(roce_ack, telemetry, 45);
ROCE_OFFSET(roce_ack, hop_count, 46);
ROCE_OFFSET(roce_ack, is_partial, 47);
ROCE_OFFSET(roce_ack, acked_bytes, 48);
ROCE_OFFSET(roce_ack, hops, 56);
ROCE_OFFSET(roce_nack, engine, 0);
ROCE_OFFSET(roce_nack, sent_ps, 8);
ROCE_OFFSET(roce_nack, unused, 16);
ROCE_OFFSET(roce_nack, is_last_hop, 47);
ROCE_OFFSET(roce_nack, trimmed_bytes, 48);

#ifdef __wasm__
#define ROCE_EXPORT(name) __attribute__((export_name(#name)))
#else
#define ROCE_EXPORT(name)
#endif

/*
 * The handlers. Each is optional, at least one is needed; defining one of these functions exports it.
 * They return ROCE_USED, or ROCE_NOT_USED or ROCE_NO_SIGNAL for an event that is counted so.
 */
ROCE_EXPORT(roce_open)
int32_t roce_open(struct roce_qp *qp, const double *parameters, double time_ps, uint32_t unused);
ROCE_EXPORT(roce_sent)
int32_t roce_sent(struct roce_qp *qp, const double *parameters, double time_ps, uint32_t len_bytes);
ROCE_EXPORT(roce_ack)
int32_t roce_ack(struct roce_qp *qp, const double *parameters, double time_ps, const struct roce_ack *ack);
ROCE_EXPORT(roce_cnp)
int32_t roce_cnp(struct roce_qp *qp, const double *parameters, double time_ps, uint32_t unused);
/* NULL: the Fast CNP reports no hops. Without this handler a Fast CNP is a CNP. */
ROCE_EXPORT(roce_fast_cnp)
int32_t roce_fast_cnp(struct roce_qp *qp, const double *parameters, double time_ps, const struct roce_ack *hops);
ROCE_EXPORT(roce_loss)
int32_t roce_loss(struct roce_qp *qp, const double *parameters, double time_ps, uint32_t is_timeout);
/* Without this handler a NACK is a loss, not found by a timeout. */
ROCE_EXPORT(roce_nack)
int32_t roce_nack(struct roce_qp *qp, const double *parameters, double time_ps, const struct roce_nack *nack);
/* A timer was due at time_ps; it is stopped already. */
ROCE_EXPORT(roce_timer)
int32_t roce_timer(struct roce_qp *qp, const double *parameters, double time_ps, uint32_t index);
ROCE_EXPORT(roce_abi_version)
int32_t roce_abi_version(void);

#define ROCE_ABI_VERSION 1

/*
 * What makes a file an algorithm, once: the version of this interface, and the declaration, which roce-cc finds in a custom section of
 * the module. ROCE_ALGORITHM({ "name": "mine", ... }) has it as JSON; ROCE_ALGORITHM_FILE("mine.json") reads a file next to the
 * include paths. Without either, define roce_abi_version, and put the declaration next to mine.wasm as mine.json.
 */
#define ROCE_ALGORITHM(...) ROCE_SECTION_(".ascii " ROCE_QUOTED_(#__VA_ARGS__))
#define ROCE_ALGORITHM_FILE(path) ROCE_SECTION_(".incbin " #path)
#define ROCE_QUOTED_(text) #text
#define ROCE_SECTION_(content) \
  __asm__(".section .custom_section.roce_cc_algorithm,\"\",@\n" content "\n"); \
  int32_t roce_abi_version(void) { return ROCE_ABI_VERSION; } \
  _Static_assert(1, "takes the semicolon")

/* Whether sequence number a is newer than b, as the QP counts. */
static inline bool roce_is_newer(const struct roce_qp *qp, uint32_t a, uint32_t b) {
  if (qp->sequence == 0) return a > b;
  const uint32_t ahead = (a - b) & 0xffffffu;
  return ahead > 0 && ahead < 0x800000u;
}

/* NaN where it is not known when the packet left. */
static inline double roce_rtt_ps(double time_ps, const struct roce_ack *ack) {
  return time_ps - ack->sent_ps;
}

static inline const struct roce_hop *roce_hop_at(const struct roce_ack *ack, uint32_t index) {
  return &ack->hops[index];
}

static inline const struct roce_raw_hop *roce_raw_hop_at(const struct roce_ack *ack, uint32_t index) {
  return (const struct roce_raw_hop *)(const void *)&ack->hops[index];
}

static inline bool roce_is_paced(const struct roce_qp *qp) {
  return (qp->flags & ROCE_PACED) != 0;
}

static inline void roce_set_paced(struct roce_qp *qp, bool is_paced) {
  qp->flags = is_paced ? qp->flags | ROCE_PACED : qp->flags & ~ROCE_PACED;
}

/* One instruction each. */
static inline double roce_floor(double x) { return __builtin_floor(x); }
static inline double roce_ceil(double x) { return __builtin_ceil(x); }
static inline double roce_sqrt(double x) { return __builtin_sqrt(x); }

static inline double roce_min(double a, double b) { return a < b ? a : b; }
static inline double roce_max(double a, double b) { return a > b ? a : b; }

#endif

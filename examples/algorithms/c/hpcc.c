/*
 * HPCC as a custom algorithm: the sender of the built-in one, with all its parameters, and equal to it to the bit.
 *
 * Inputs    the telemetry of each ACK: a record per hop of the acknowledged packet's path.
 * State     the reference R_c or W_c, u, the stage, the end of the running round trip; the last record of each hop.
 *
 *   measure   u' = txRate / B + min(qlen, previous qlen) L / (B W0) per hop; the busiest hop counts
 *   smooth    u = (u (T - tau) + u' tau) / T with tau at most T; or with a constant weight
 *   decide    c = u / eta; c >= 1 or stage >= maxStage: Q = Q_c / c + Q_AI, stage 0; else Q = Q_c + Q_AI, stage + 1;
 *             then at least its minimum, then at most its maximum
 *   commit    once per round trip Q_c = Q and the stage; else only Q moves
 *
 * With multiRate each hop smooths, decides and commits separately, and the smallest Q is used. A hop does not count when its queue is
 * empty (sampleFeedback) or its time has not moved (skip-hop), and keeps its older record then; or when its record runs backwards.
 *
 * Source    Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, algorithm 1; alibaba-edu/High-Precision-Congestion-
 *           Control at 9f4be2a; every parameter: hpcc.json. The running gap follows the rate (`pacing`), which the engine does.
 */
#include "roce_cc_algorithm.h"

ROCE_ALGORITHM_FILE("hpcc.json");

enum { FLOAT64, WHOLE_BPS };
enum { BY_WINDOW, BY_RATE };
enum { WINDOW_NONE, WINDOW_FIXED, WINDOW_VARIABLE };
enum { EWMA_ADAPTIVE, EWMA_CONSTANT };
enum { RECORDS_EXACT, RECORDS_INT64 };
enum { PATH_RESET, PATH_IGNORE };
enum { SKIP_HOP, ONE_NANOSECOND };

/* As in hpcc.json; words by their place there. */
struct parameters {
  double numbers, primary, min_rate_bps, base_rtt_ps, window_bytes, window_mode, target_utilization, max_stage, ai_rate_bps,
      ai_window_bytes, fast_react, multi_rate, sample_feedback, ewma, ewma_beta, records, int_multiplier, path_change,
      repeated_timestamp;
};

/* Behind the marks: what depends on the parameters only. Hops in bytes and picoseconds, or raw units; the last three for multiRate. */
struct state {
  double committed, utilization, stage, is_started, last_update_seq, path_id, hop_count;
  double base_rtt_ns, minimum, maximum, increment;
  double time[16], tx_bytes[16], queue[16], hop_id[16], hop_utilization[16], hop_committed[16], hop_stage[16];
};

static const double PS_BITS_PER_BYTE_SECOND = 8e12;
static const double TIME_SPAN = 0x1p24;
static const double BYTES_SPAN = 0x1p20;
static const double BYTES_UNIT = 128;
static const double QUEUE_UNIT = 80;
/* Instead of u' of a hop that does not count, and of a quantity where none does. */
static const double NOT_COUNTED = -1;

/* One QP during a call. */
struct view {
  struct roce_qp *qp;
  const struct parameters *p;
  struct state *s;
};

static inline struct view view_of(struct roce_qp *qp, const double *parameters) {
  return (struct view){ qp, (const struct parameters *)(const void *)parameters, (struct state *)(void *)qp->state };
}

static inline uint32_t hop_limit(const struct parameters *p) {
  return p->records == RECORDS_EXACT ? ROCE_EXACT_HOPS_MAX : ROCE_INT64_HOPS_MAX;
}

/* ---- Rates and windows. */

static inline double rate_of(struct view v, double quantity) {
  if (v.p->primary == BY_RATE) return quantity;
  return roce_min(quantity * PS_BITS_PER_BYTE_SECOND / v.p->base_rtt_ps, v.qp->line_rate_bps);
}

static inline double window_of(struct view v, double quantity, double rate_bps) {
  const double window_bytes = v.p->window_bytes;
  if (v.p->primary != BY_RATE) return quantity;
  if (v.p->window_mode != WINDOW_VARIABLE) return v.p->window_mode == WINDOW_NONE ? 0 : window_bytes;
  if (v.p->numbers == FLOAT64) return roce_max(window_bytes * rate_bps / v.qp->line_rate_bps, 1);
  return roce_max((double)((uint64_t)window_bytes * (uint64_t)rate_bps / (uint64_t)v.qp->line_rate_bps), 1);
}

static inline void apply(struct view v, double quantity) {
  v.qp->rate_bps = rate_of(v, quantity);
  v.qp->flags |= ROCE_RATE_SET;
  v.qp->window_bytes = window_of(v, quantity, v.qp->rate_bps);
}

/* ---- Hops. */

/* A hop's new record; under RECORDS_INT64 still in raw units. */
struct sample {
  double time, tx_bytes, queue, line_rate_bps;
};

static inline struct sample sample_at(const struct roce_ack *ack, uint32_t i, bool exact) {
  if (exact) {
    const struct roce_hop *hop = roce_hop_at(ack, i);
    return (struct sample){ hop->time_ps, hop->tx_bytes, hop->queue_bytes, hop->line_rate_bps };
  }
  const struct roce_raw_hop *raw = roce_raw_hop_at(ack, i);
  const uint32_t code = raw->line_rate_code;
  /* Code 5 is of ConWeave's simulator alone. */
  const double line_rate_bps = code <= 4 ? 25e9 * (double)(1u << code) : code == 5 ? 40e9 : 0;
  return (struct sample){ raw->time, raw->bytes, raw->queue, line_rate_bps };
}

static inline void keep(struct state *s, uint32_t i, struct sample hop) {
  s->time[i] = hop.time;
  s->tx_bytes[i] = hop.tx_bytes;
  s->queue[i] = hop.queue;
}

/* 64-bit records carry no identities. */
static inline double hop_id_at(const struct roce_ack *ack, uint32_t i, bool exact) {
  return exact ? (double)roce_hop_at(ack, i)->hop_id : 0;
}

static inline double path_id_of(const struct roce_ack *ack, bool exact) {
  return exact ? (double)ack->path_id : 0;
}

/* All records of an ACK, as a new start. */
static void keep_all(struct view v, const struct roce_ack *ack, bool exact) {
  const uint32_t limit = hop_limit(v.p);
  v.s->hop_count = ack->hop_count;
  v.s->path_id = path_id_of(ack, exact);
  for (uint32_t i = 0; i < ack->hop_count && i < limit; i++) {
    keep(v.s, i, sample_at(ack, i, exact));
    v.s->hop_id[i] = hop_id_at(ack, i, exact);
  }
}

static void restart_hops(struct view v, double committed) {
  for (uint32_t i = 0; i < ROCE_EXACT_HOPS_MAX; i++) {
    v.s->hop_utilization[i] = 1;
    v.s->hop_committed[i] = committed;
    v.s->hop_stage[i] = 0;
  }
}

static inline bool is_new_path(const struct state *s, const struct roce_ack *ack, bool exact) {
  if (ack->hop_count != s->hop_count || path_id_of(ack, exact) != s->path_id) return true;
  for (uint32_t i = 0; i < ack->hop_count; i++)
    if (s->hop_id[i] != hop_id_at(ack, i, exact)) return true;
  return false;
}

/* The remainder by a power of two: exact for whole numbers below 2^53. */
static inline double wrapped(double sum, double span) {
  return sum - span * __builtin_trunc(sum * (1 / span));
}

static inline double interval_ns(const struct state *s, uint32_t i, struct sample hop, bool exact) {
  return exact ? (hop.time - s->time[i]) / 1000 : wrapped(hop.time - s->time[i] + TIME_SPAN, TIME_SPAN);
}

/* As it counts; 0 is left only under ONE_NANOSECOND. */
static inline double counted_ns(double tau_ns) {
  return tau_ns == 0 ? 1 : tau_ns;
}

/* u' of a hop, whose record is replaced, or NOT_COUNTED. */
static inline double measure(struct view v, uint32_t i, struct sample hop, double tau_ns, bool exact, bool skips_empty) {
  const struct parameters *p = v.p;
  if (skips_empty && hop.queue == 0) return NOT_COUNTED;
  if (tau_ns == 0 && p->repeated_timestamp == SKIP_HOP) return NOT_COUNTED;
  double sent_bytes = hop.tx_bytes - v.s->tx_bytes[i];
  double queue_bytes = roce_min(hop.queue, v.s->queue[i]);
  if (!exact) {
    sent_bytes = wrapped(sent_bytes + BYTES_SPAN, BYTES_SPAN) * BYTES_UNIT * p->int_multiplier;
    queue_bytes = queue_bytes * (QUEUE_UNIT * p->int_multiplier);
  }
  keep(v.s, i, hop);
  if (tau_ns < 0 || sent_bytes < 0 || hop.line_rate_bps <= 0) return NOT_COUNTED;
  const double tx_rate_bps = sent_bytes * 8 / (counted_ns(tau_ns) * 1e-9);
  return tx_rate_bps / hop.line_rate_bps + queue_bytes * v.qp->line_rate_bps / hop.line_rate_bps / p->window_bytes;
}

/* ---- Steps. */

static inline double smooth(struct view v, double last, double sample, double tau_ns) {
  if (v.p->ewma == EWMA_CONSTANT) return last * (1 - v.p->ewma_beta) + sample * v.p->ewma_beta;
  const double base_ns = v.s->base_rtt_ns;
  const double weight = roce_min(tau_ns, base_ns);
  return (last * (base_ns - weight) + sample * weight) / base_ns;
}

static inline bool is_multiplicative(const struct parameters *p, double stage, double normalized) {
  return normalized >= 1 || stage >= p->max_stage;
}

/* Q after a step from a reference; normalized: c. */
static inline double step(struct view v, double committed, double normalized, bool multiplicative) {
  double base = committed;
  if (multiplicative) {
    base = committed / normalized;
    if (v.p->numbers == WHOLE_BPS) base = roce_floor(base);
  }
  return roce_min(roce_max(base + v.s->increment, v.s->minimum), v.s->maximum);
}

/* One utilisation, reference and stage for the QP. Returns Q, or NOT_COUNTED. */
static inline double busiest_hop(struct view v, const struct roce_ack *ack, bool exact, bool full) {
  struct state *s = v.s;
  const bool skips_empty = !full && v.p->sample_feedback != 0;
  bool counted = false;
  double largest = 0;
  double largest_ns = 0;
  for (uint32_t i = 0; i < ack->hop_count; i++) {
    const struct sample hop = sample_at(ack, i, exact);
    const double tau_ns = interval_ns(s, i, hop, exact);
    const double utilization = measure(v, i, hop, tau_ns, exact, skips_empty);
    if (utilization == NOT_COUNTED) continue;
    counted = true;
    if (utilization > largest) {
      largest = utilization;
      largest_ns = counted_ns(tau_ns);
    }
  }
  if (!counted) return NOT_COUNTED;
  s->utilization = smooth(v, s->utilization, largest, largest_ns);
  const double normalized = s->utilization / v.p->target_utilization;
  const bool multiplicative = is_multiplicative(v.p, s->stage, normalized);
  const double quantity = step(v, s->committed, normalized, multiplicative);
  if (full) {
    s->committed = quantity;
    s->stage = multiplicative ? 0 : s->stage + 1;
  }
  return quantity;
}

/* A utilisation, reference and stage per hop. Returns the smallest Q, or NOT_COUNTED. */
static double slowest_hop(struct view v, const struct roce_ack *ack, bool exact, bool full) {
  struct state *s = v.s;
  const bool skips_empty = !full && v.p->sample_feedback != 0;
  bool counted = false;
  double smallest = ROCE_NEVER;
  for (uint32_t i = 0; i < ack->hop_count; i++) {
    const struct sample hop = sample_at(ack, i, exact);
    const double tau_ns = interval_ns(s, i, hop, exact);
    const double utilization = measure(v, i, hop, tau_ns, exact, skips_empty);
    double quantity = s->hop_committed[i];
    if (utilization != NOT_COUNTED) {
      counted = true;
      s->hop_utilization[i] = smooth(v, s->hop_utilization[i], utilization, counted_ns(tau_ns));
      const double normalized = s->hop_utilization[i] / v.p->target_utilization;
      const bool multiplicative = is_multiplicative(v.p, s->hop_stage[i], normalized);
      quantity = step(v, quantity, normalized, multiplicative);
      if (full) {
        s->hop_committed[i] = quantity;
        s->hop_stage[i] = multiplicative ? 0 : s->hop_stage[i] + 1;
      }
    }
    smallest = roce_min(quantity, smallest);
  }
  if (!counted) return NOT_COUNTED;
  if (full) s->committed = smallest;
  return smallest;
}

static inline double react(struct view v, const struct roce_ack *ack, bool full) {
  const bool exact = v.p->records == RECORDS_EXACT;
  if (v.p->multi_rate != 0) return slowest_hop(v, ack, exact, full);
  return exact ? busiest_hop(v, ack, true, full) : busiest_hop(v, ack, false, full);
}

/* ---- Round trips. */

static inline uint32_t sequence_of(const struct roce_qp *qp, uint32_t value) {
  return qp->sequence != 0 ? value & 0xffffffu : value;
}

static inline bool begins_round_trip(struct view v, uint32_t ack_seq) {
  if (v.qp->sequence != 0 && v.s->is_started == 0) return true;
  return roce_is_newer(v.qp, sequence_of(v.qp, ack_seq), (uint32_t)v.s->last_update_seq);
}

/* The running round trip ends with an ACK of what is sent from now on. */
static inline void move_mark(struct view v, uint32_t snd_nxt) {
  const uint32_t next = sequence_of(v.qp, snd_nxt);
  if (v.s->is_started == 0 || roce_is_newer(v.qp, next, (uint32_t)v.s->last_update_seq)) v.s->last_update_seq = next;
  v.s->is_started = v.qp->sequence != 0 || v.s->last_update_seq != 0;
}

/* ---- Handlers. */

int32_t roce_open(struct roce_qp *qp, const double *parameters, double time_ps, uint32_t unused) {
  (void)time_ps, (void)unused;
  const struct view v = view_of(qp, parameters);
  const struct parameters *p = v.p;
  const bool by_rate = p->primary == BY_RATE;
  v.s->base_rtt_ns = p->base_rtt_ps / 1000;
  v.s->minimum = by_rate ? p->min_rate_bps : p->min_rate_bps * p->base_rtt_ps / PS_BITS_PER_BYTE_SECOND;
  v.s->maximum = by_rate ? qp->line_rate_bps : p->window_bytes;
  v.s->increment = by_rate ? p->ai_rate_bps : p->ai_window_bytes;
  v.s->committed = v.s->maximum;
  v.s->utilization = 1;
  restart_hops(v, v.s->maximum);
  apply(v, v.s->maximum);
  return ROCE_USED;
}

int32_t roce_ack(struct roce_qp *qp, const double *parameters, double time_ps, const struct roce_ack *ack) {
  (void)time_ps;
  const struct view v = view_of(qp, parameters);
  const bool exact = v.p->records == RECORDS_EXACT;
  if (ack->telemetry != (exact ? ROCE_TELEMETRY_EXACT : ROCE_TELEMETRY_INT64)) return ROCE_NO_SIGNAL;
  const bool full = begins_round_trip(v, ack->ack_seq);
  if (!full && v.p->fast_react == 0) return ROCE_NOT_USED;
  if (v.s->is_started == 0) {
    keep_all(v, ack, exact);
    move_mark(v, ack->snd_nxt);
    return ROCE_USED;
  }
  if (ack->hop_count <= hop_limit(v.p)) {
    if (v.p->path_change == PATH_RESET && is_new_path(v.s, ack, exact)) {
      keep_all(v, ack, exact);
      restart_hops(v, v.p->primary == BY_RATE ? qp->rate_bps : qp->window_bytes);
      return ROCE_USED;
    }
    const double quantity = react(v, ack, full);
    if (quantity != NOT_COUNTED) apply(v, quantity);
  }
  if (full) move_mark(v, ack->snd_nxt);
  return ROCE_USED;
}

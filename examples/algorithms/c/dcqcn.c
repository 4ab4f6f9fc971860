/*
 * DCQCN as a custom algorithm: the reaction point of the built-in one, with all its parameters, and equal to it to the bit.
 *
 * Inputs    bytes sent, CNPs, three timers.
 * State     R_C (rate_bps), R_T, alpha, stages T and B of the timer and of the byte counter; a QP is paced while it is limited.
 *
 *   unlimited --first CNP: timers start--> limited --an increase step ends at the maximum rate--> unlimited
 *
 *   cut       R_T = R_C (clamp rules); R_C = R_C (1 - alpha cutScale); T = B = 0; the increase timer restarts
 *   alpha     up (1 - g) alpha + g, down (1 - g) alpha; on the CNP or once a period
 *   increase  each period and each byteCounterBytes; hi = max(T, B), lo = min(T, B), F = fastRecoverySteps:
 *             hi < F fast recovery; lo at or above F R_T += R_HAI; else R_T += R_AI; then R_C = (R_C + R_T) / 2
 *
 * Timers    at one instant alpha first; of cut and increase the one with the longer period: timers at one instant expire by index.
 *           While expiries change nothing, all that are due are taken at once, so that an idle hour costs nothing.
 * Source    Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3; NVIDIA "DCQCN CC
 *           parameters"; every parameter: dcqcn.json.
 */
#include "roce_cc_algorithm.h"

ROCE_ALGORITHM_FILE("dcqcn.json");

enum { FLOAT64, WHOLE_BPS, ALPHA_Q10 };
enum { ON_CNP, PER_PERIOD };
enum { CUT_FIRST, ALPHA_FIRST };
enum { FROM_FIRST_CNP };
enum { TIME_AND_BYTES, TIME_ONLY };
enum { HYPER_AT };
enum { HYPER_CONSTANT };
enum { AT_MAX_RATE };

/* As in dcqcn.json; words by their place there. */
struct parameters {
  double numbers, min_rate_bps, alpha_gain, initial_alpha, alpha_update, alpha_period_ps, cut_trigger, cut_period_ps, cut_offset_ps,
      cut_alpha_order, cut_scale, min_decrease_factor, rate_on_first_cnp_bps, rate_on_first_cnp_fraction, first_cnp_cuts,
      clamp_target_rate, clamp_target_rate_after_time_increase, increase_period_ps, increase_timer_start, byte_counter_bytes,
      fast_recovery_steps, stages, ai_rate_bps, hai_rate_bps, hyper_threshold, hyper_factor, hyper_halves_periods, target_reduction,
      limiter_release, release_gap_bps, simultaneous;
};

/* Alpha is an integer of 2^-10 under alpha-q10. */
struct state {
  double target_bps, alpha, time_stage, byte_stage, bytes_counted, alpha_cnp, cut_pending;
};

enum { ALPHA_TIMER = 0, CUT_TIMER = 1, INCREASE_TIMER = 2, LATE_CUT_TIMER = 3 };

static const double LAST_TIME_STAGE = 65535;
static const double LAST_BYTE_STAGE = 255;
/* Below this no later state can depend on alpha: 0, so that decay ends. */
static const double ALPHA_FLOOR = 0x1p-64;
static const double Q10 = 1024;

/* One QP during a call. */
struct view {
  struct roce_qp *qp;
  const struct parameters *p;
  struct state *s;
};

static inline struct view view_of(struct roce_qp *qp, const double *parameters) {
  return (struct view){ qp, (const struct parameters *)(const void *)parameters, (struct state *)(void *)qp->state };
}

/* ---- Numbers: three ways to round. */

static inline double rounded(const struct parameters *p, double rate_bps) {
  return p->numbers == FLOAT64 ? rate_bps : roce_floor(rate_bps);
}

static inline double average(const struct parameters *p, double rate_bps, double target_bps) {
  if (p->numbers == FLOAT64) return (rate_bps + target_bps) * 0.5;
  if (p->numbers == WHOLE_BPS) return roce_floor(rate_bps * 0.5) + roce_floor(target_bps * 0.5);
  return roce_floor((rate_bps + target_bps) * 0.5);
}

static inline double cut_rate(const struct parameters *p, double rate_bps, double alpha) {
  if (p->numbers == ALPHA_Q10) {
    const double by_alpha = roce_floor(rate_bps * alpha * (p->cut_scale / Q10));
    return rate_bps - roce_min(by_alpha, roce_floor(rate_bps * (1 - p->min_decrease_factor)));
  }
  const double cut = rounded(p, rate_bps * (1 - alpha * p->cut_scale));
  return roce_max(cut, rounded(p, rate_bps * p->min_decrease_factor));
}

static inline double alpha_up(const struct parameters *p, double alpha) {
  if (p->numbers != ALPHA_Q10) return (1 - p->alpha_gain) * alpha + p->alpha_gain;
  const double retention = (1 - p->alpha_gain) * Q10;
  return roce_min(Q10 - 1, roce_floor(retention * alpha / Q10) + (Q10 - retention));
}

static inline double alpha_down(const struct parameters *p, double alpha) {
  if (p->numbers == ALPHA_Q10) return roce_floor((1 - p->alpha_gain) * Q10 * alpha / Q10);
  const double down = (1 - p->alpha_gain) * alpha;
  return down < ALPHA_FLOOR ? 0 : down;
}

/* ---- Stages and periods. */

static inline double high_stage(struct view v) {
  return v.p->stages == TIME_ONLY ? v.s->time_stage : roce_max(v.s->time_stage, v.s->byte_stage);
}

static inline double low_stage(struct view v) {
  return v.p->stages == TIME_ONLY ? v.s->time_stage : roce_min(v.s->time_stage, v.s->byte_stage);
}

static inline bool is_hyper(struct view v) {
  if (high_stage(v) < v.p->fast_recovery_steps) return false;
  return v.p->hyper_threshold == HYPER_AT ? low_stage(v) >= v.p->fast_recovery_steps : low_stage(v) > v.p->fast_recovery_steps;
}

static inline double increment(struct view v) {
  if (high_stage(v) < v.p->fast_recovery_steps) return 0;
  if (!is_hyper(v)) return v.p->ai_rate_bps;
  if (v.p->hyper_factor == HYPER_CONSTANT) return v.p->hai_rate_bps;
  return v.p->hai_rate_bps * (low_stage(v) - v.p->fast_recovery_steps + 1);
}

static inline double period_now(struct view v, double period) {
  return v.p->hyper_halves_periods != 0 && is_hyper(v) ? roce_max(1, roce_floor(period / 2)) : period;
}

/* The last of due, due + period, ... up to the time until which timers expire; due itself where it is later. */
static inline double last_due(struct view v, double due_ps, double period_ps) {
  const double until_ps = v.qp->until_ps;
  return due_ps > until_ps ? due_ps : due_ps + roce_floor((until_ps - due_ps) / period_ps) * period_ps;
}

static inline uint32_t cut_timer(const struct parameters *p) {
  return p->cut_period_ps >= p->increase_period_ps ? CUT_TIMER : LATE_CUT_TIMER;
}

/* ---- Steps. */

/* Without a limiter: line rate, no timer. */
static void reset(struct view v) {
  v.qp->rate_bps = v.qp->line_rate_bps;
  v.qp->next_send_ps = 0;
  roce_set_paced(v.qp, false);
  for (uint32_t i = 0; i < ROCE_TIMER_COUNT; i++) v.qp->timers_ps[i] = ROCE_NEVER;
  v.s->target_bps = v.qp->line_rate_bps;
  v.s->time_stage = 0;
  v.s->byte_stage = 0;
  v.s->bytes_counted = 0;
  v.s->alpha_cnp = 0;
  v.s->cut_pending = 0;
}

static void cut(struct view v, double time_ps) {
  const bool after_time = v.p->clamp_target_rate_after_time_increase != 0 && v.s->time_stage != 0;
  if (v.p->clamp_target_rate != 0 || v.s->byte_stage != 0 || after_time) v.s->target_bps = v.qp->rate_bps;
  v.qp->rate_bps = roce_max(v.p->min_rate_bps, cut_rate(v.p, v.qp->rate_bps, v.s->alpha));
  v.s->time_stage = 0;
  v.s->byte_stage = 0;
  v.s->bytes_counted = 0;
  v.qp->timers_ps[INCREASE_TIMER] = time_ps + v.p->increase_period_ps;
}

static inline bool releases(struct view v) {
  return v.p->limiter_release == AT_MAX_RATE && v.s->cut_pending == 0 &&
         v.qp->rate_bps >= v.qp->line_rate_bps - v.p->release_gap_bps;
}

/* One step of the timer or of the byte counter, whichever has this stage. */
static void increase(struct view v, double *stage, double last_stage) {
  const double raised = v.s->target_bps + increment(v);
  double target = roce_min(raised, v.qp->line_rate_bps);
  if (v.p->target_reduction != 0 && *stage == 0 && target > 10 * v.qp->rate_bps) target = rounded(v.p, target / 8);
  v.s->target_bps = target;
  v.qp->rate_bps = average(v.p, v.qp->rate_bps, target);
  *stage = roce_min(*stage + 1, last_stage);
  if (releases(v)) reset(v);
}

/* Whether further steps of this counter move nothing but its stage, until an event. */
static inline bool is_frozen(struct view v, double stage) {
  if (stage <= v.p->fast_recovery_steps + 1) return false;
  if (v.s->target_bps != v.qp->line_rate_bps && increment(v) != 0) return false;
  return average(v.p, v.qp->rate_bps, v.s->target_bps) == v.qp->rate_bps;
}

static void count_bytes(struct view v, double len_bytes) {
  struct state *s = v.s;
  s->bytes_counted += len_bytes;
  while (roce_is_paced(v.qp)) {
    const double limit = period_now(v, v.p->byte_counter_bytes);
    if (s->bytes_counted < limit) return;
    if (is_frozen(v, s->byte_stage)) {
      const double steps = roce_floor(s->bytes_counted / limit);
      s->bytes_counted -= steps * limit;
      s->byte_stage = roce_min(s->byte_stage + steps, LAST_BYTE_STAGE);
      return;
    }
    s->bytes_counted -= limit;
    increase(v, &s->byte_stage, LAST_BYTE_STAGE);
  }
}

/* ---- CNPs. */

static void start_limiter(struct view v, double time_ps) {
  const struct parameters *p = v.p;
  double rate_bps = v.qp->rate_bps;
  if (p->rate_on_first_cnp_bps > 0) rate_bps = p->rate_on_first_cnp_bps;
  else if (p->rate_on_first_cnp_fraction != 1) rate_bps = rounded(p, rate_bps * p->rate_on_first_cnp_fraction);
  v.qp->rate_bps = roce_min(v.qp->line_rate_bps, roce_max(p->min_rate_bps, rate_bps));
  v.s->target_bps = v.qp->rate_bps;
  v.s->alpha = p->numbers == ALPHA_Q10 ? p->initial_alpha * Q10 : p->initial_alpha;
  roce_set_paced(v.qp, true);
  v.qp->timers_ps[ALPHA_TIMER] = time_ps + p->alpha_period_ps;
  if (p->increase_timer_start == FROM_FIRST_CNP) v.qp->timers_ps[INCREASE_TIMER] = time_ps + p->increase_period_ps;
  if (p->cut_trigger == PER_PERIOD) v.qp->timers_ps[cut_timer(p)] = time_ps + p->cut_offset_ps + p->cut_period_ps;
}

static void raise_alpha(struct view v, double time_ps) {
  v.s->alpha = alpha_up(v.p, v.s->alpha);
  v.qp->timers_ps[ALPHA_TIMER] = time_ps + v.p->alpha_period_ps;
}

static void react_at_once(struct view v, double time_ps) {
  const bool raises = v.p->alpha_update == ON_CNP;
  if (raises && v.p->cut_alpha_order == ALPHA_FIRST) raise_alpha(v, time_ps);
  if (v.p->cut_trigger == ON_CNP) cut(v, time_ps);
  if (raises && v.p->cut_alpha_order == CUT_FIRST) raise_alpha(v, time_ps);
}

/* ---- Timers. */

static void expire_alpha(struct view v, double time_ps) {
  const bool up = v.s->alpha_cnp != 0;
  double next_ps = time_ps + v.p->alpha_period_ps;
  v.s->alpha_cnp = 0;
  v.s->alpha = up ? alpha_up(v.p, v.s->alpha) : alpha_down(v.p, v.s->alpha);
  if (alpha_down(v.p, v.s->alpha) == v.s->alpha) next_ps = last_due(v, next_ps, v.p->alpha_period_ps);
  v.qp->timers_ps[ALPHA_TIMER] = next_ps;
}

static void expire_cut(struct view v, double time_ps) {
  if (v.s->cut_pending != 0) {
    v.s->cut_pending = 0;
    cut(v, time_ps);
  }
  v.qp->timers_ps[cut_timer(v.p)] = last_due(v, time_ps + v.p->cut_period_ps, v.p->cut_period_ps);
}

static void expire_increase(struct view v, double time_ps) {
  const double period_ps = period_now(v, v.p->increase_period_ps);
  const double next_ps = time_ps + period_ps;
  increase(v, &v.s->time_stage, LAST_TIME_STAGE);
  if (!roce_is_paced(v.qp)) return;
  double due_ps = next_ps;
  if (is_frozen(v, v.s->time_stage)) {
    due_ps = last_due(v, next_ps, period_ps);
    v.s->time_stage = roce_min(v.s->time_stage + (due_ps - next_ps) / period_ps, LAST_TIME_STAGE);
  }
  v.qp->timers_ps[INCREASE_TIMER] = due_ps;
}

/* ---- Handlers. */

int32_t roce_open(struct roce_qp *qp, const double *parameters, double time_ps, uint32_t unused) {
  (void)time_ps, (void)unused;
  reset(view_of(qp, parameters));
  return ROCE_USED;
}

int32_t roce_sent(struct roce_qp *qp, const double *parameters, double time_ps, uint32_t len_bytes) {
  (void)time_ps;
  const struct view v = view_of(qp, parameters);
  if (v.p->byte_counter_bytes != 0 && roce_is_paced(qp)) count_bytes(v, len_bytes);
  return ROCE_USED;
}

int32_t roce_cnp(struct roce_qp *qp, const double *parameters, double time_ps, uint32_t unused) {
  (void)unused;
  const struct view v = view_of(qp, parameters);
  const bool is_first = !roce_is_paced(qp);
  if (is_first) start_limiter(v, time_ps);
  if (is_first && v.p->first_cnp_cuts == 0) return ROCE_USED;
  if (!is_first && v.p->alpha_update == PER_PERIOD) v.s->alpha_cnp = 1;
  if (v.p->cut_trigger == PER_PERIOD) v.s->cut_pending = 1;
  react_at_once(v, time_ps);
  return ROCE_USED;
}

int32_t roce_timer(struct roce_qp *qp, const double *parameters, double time_ps, uint32_t index) {
  const struct view v = view_of(qp, parameters);
  if (index == ALPHA_TIMER) expire_alpha(v, time_ps);
  else if (index == INCREASE_TIMER) expire_increase(v, time_ps);
  else expire_cut(v, time_ps);
  return ROCE_USED;
}

/* Parameters as the engine reads them: field by field in the order of src/config/algorithms/<name>.ts. */
#include <string.h>

#include "abi.h"
#include "parameters.h"

#define PS_PER_NS 1000
#define PS_BITS_PER_BYTE_SECOND 8e12
#define Q10 1024
/* NSCC states its constants for 100 Gb/s times 12 us, and that delay. */
#define NSCC_REFERENCE_BDP_BYTES 150000
#define NSCC_REFERENCE_DELAY_PS 12e6

struct writer {
  uint8_t *at;
};

static void f64(struct writer *w, double value) {
  memcpy(w->at, &value, sizeof value);
  w->at += sizeof value;
}

static void u32(struct writer *w, double value) {
  uint32_t word = (uint32_t)value;
  memcpy(w->at, &word, sizeof word);
  w->at += sizeof word;
}

static void common(struct writer *w, double switches, double max_rate, double min_rate) {
  u32(w, switches);
  f64(w, max_rate);
  f64(w, min_rate);
}

static void sender(struct writer *w, double numbers, double sequence, double send_gap) {
  f64(w, numbers);
  f64(w, sequence);
  f64(w, send_gap);
}

static uint32_t dcqcn_switches(const double *v) {
  const struct {
    bool on;
    uint32_t bit;
  } all[] = {
    {v[DCQCN__CUT_TRIGGER] == 0, ABI_DCQCN_CUT_ON_CNP},
    {v[DCQCN__ALPHA_UPDATE] == 0, ABI_DCQCN_ALPHA_ON_CNP},
    {v[DCQCN__CUT_ALPHA_ORDER] == 1, ABI_DCQCN_ALPHA_FIRST},
    {v[DCQCN__CLAMP_TARGET_RATE] == 1, ABI_DCQCN_CLAMP_TARGET},
    {v[DCQCN__CLAMP_TARGET_RATE_AFTER_TIME_INCREASE] == 1, ABI_DCQCN_CLAMP_TARGET_AFTER_TIME},
    {v[DCQCN__FIRST_CNP_CUTS] == 1, ABI_DCQCN_FIRST_CNP_CUTS},
    {v[DCQCN__INCREASE_TIMER_START] == 0, ABI_DCQCN_INCREASE_FROM_FIRST_CNP},
    {v[DCQCN__STAGES] == 1, ABI_DCQCN_TIME_STAGE_ONLY},
    {v[DCQCN__HYPER_THRESHOLD] == 1, ABI_DCQCN_HYPER_ABOVE},
    {v[DCQCN__HYPER_FACTOR] == 1, ABI_DCQCN_HYPER_BY_STAGE},
    {v[DCQCN__HYPER_HALVES_PERIODS] == 1, ABI_DCQCN_HYPER_HALVES_PERIODS},
    {v[DCQCN__TARGET_REDUCTION] == 1, ABI_DCQCN_TARGET_REDUCTION},
  };
  uint32_t bits = 0;
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) bits |= all[i].on ? all[i].bit : 0;
  return bits;
}

static void write_dcqcn(struct writer *w, const double *v) {
  double unit = v[DCQCN__NUMBERS] == 2 ? Q10 : 1;
  double max_rate = v[DCQCN__MAX_RATE_BPS];
  common(w, dcqcn_switches(v), max_rate, v[DCQCN__MIN_RATE_BPS]);
  f64(w, v[DCQCN__ALPHA_GAIN] * unit);
  f64(w, (1 - v[DCQCN__ALPHA_GAIN]) * unit);
  f64(w, v[DCQCN__INITIAL_ALPHA] * unit);
  f64(w, v[DCQCN__ALPHA_PERIOD_PS]);
  f64(w, v[DCQCN__INCREASE_PERIOD_PS]);
  f64(w, v[DCQCN__CUT_PERIOD_PS]);
  f64(w, v[DCQCN__CUT_OFFSET_PS]);
  f64(w, v[DCQCN__AI_RATE_BPS]);
  f64(w, v[DCQCN__HAI_RATE_BPS]);
  f64(w, v[DCQCN__RATE_ON_FIRST_CNP_BPS]);
  f64(w, v[DCQCN__RATE_ON_FIRST_CNP_FRACTION]);
  f64(w, v[DCQCN__MIN_DECREASE_FACTOR]);
  f64(w, v[DCQCN__CUT_SCALE]);
  f64(w, v[DCQCN__LIMITER_RELEASE] == 1 ? ROCE_INFINITY : max_rate - v[DCQCN__RELEASE_GAP_BPS]);
  f64(w, v[DCQCN__SIMULTANEOUS] == 1);
  u32(w, v[DCQCN__BYTE_COUNTER_BYTES]);
  u32(w, v[DCQCN__FAST_RECOVERY_STEPS]);
  u32(w, v[DCQCN__NUMBERS]);
}

/* What HPCC and its kin share, with the floor, cap and step of the controlled quantity. */
struct steps {
  double minimum, maximum, increment;
};

static void write_hpcc(struct writer *w, const double *v) {
  bool rate = v[HPCC__PRIMARY] == 1;
  struct steps steps = rate ?
    (struct steps){v[HPCC__MIN_RATE_BPS], v[HPCC__MAX_RATE_BPS], v[HPCC__AI_RATE_BPS]} :
    (struct steps){(v[HPCC__MIN_RATE_BPS] * v[HPCC__BASE_RTT_PS]) / PS_BITS_PER_BYTE_SECOND, v[HPCC__WINDOW_BYTES],
                   v[HPCC__AI_WINDOW_BYTES]};
  common(w, 0, v[HPCC__MAX_RATE_BPS], v[HPCC__MIN_RATE_BPS]);
  f64(w, steps.minimum);
  f64(w, steps.maximum);
  f64(w, steps.increment);
  f64(w, v[HPCC__TARGET_UTILIZATION]);
  f64(w, v[HPCC__MAX_STAGE]);
  f64(w, v[HPCC__WINDOW_BYTES]);
  f64(w, v[HPCC__WINDOW_MODE]);
  f64(w, v[HPCC__FAST_REACT]);
  sender(w, v[HPCC__NUMBERS], v[HPCC__SEQUENCE], v[HPCC__SEND_GAP]);
  f64(w, v[HPCC__BASE_RTT_PS]);
  f64(w, v[HPCC__BASE_RTT_PS] / PS_PER_NS);
  f64(w, v[HPCC__PRIMARY]);
  f64(w, v[HPCC__MULTI_RATE]);
  f64(w, v[HPCC__SAMPLE_FEEDBACK]);
  f64(w, v[HPCC__EWMA]);
  f64(w, v[HPCC__EWMA_BETA]);
  f64(w, 1 - v[HPCC__EWMA_BETA]);
  f64(w, v[HPCC__RECORDS]);
  f64(w, v[HPCC__INT_MULTIPLIER]);
  f64(w, v[HPCC__PATH_CHANGE]);
  f64(w, v[HPCC__REPEATED_TIMESTAMP]);
}

static void write_pint(struct writer *w, const double *v) {
  common(w, 0, v[HPCC_PINT__MAX_RATE_BPS], v[HPCC_PINT__MIN_RATE_BPS]);
  f64(w, v[HPCC_PINT__MIN_RATE_BPS]);
  f64(w, v[HPCC_PINT__MAX_RATE_BPS]);
  f64(w, v[HPCC_PINT__AI_RATE_BPS]);
  f64(w, v[HPCC_PINT__TARGET_UTILIZATION]);
  f64(w, v[HPCC_PINT__MAX_STAGE]);
  f64(w, v[HPCC_PINT__WINDOW_BYTES]);
  f64(w, v[HPCC_PINT__WINDOW_MODE]);
  f64(w, v[HPCC_PINT__FAST_REACT]);
  sender(w, v[HPCC_PINT__NUMBERS], v[HPCC_PINT__SEQUENCE], v[HPCC_PINT__SEND_GAP]);
  f64(w, v[HPCC_PINT__PINT_BASE]);
  f64(w, v[HPCC_PINT__PINT_BITS]);
}

/* HPCC++'s core has exact records, one utilisation, and feedback of each ACK. */
static void write_plus(struct writer *w, const double *v) {
  static const struct {
    int core, own;
  } SAME[] = {
    {HPCC__NUMBERS, HPCC_PP__NUMBERS},
    {HPCC__PRIMARY, HPCC_PP__PRIMARY},
    {HPCC__MAX_RATE_BPS, HPCC_PP__MAX_RATE_BPS},
    {HPCC__MIN_RATE_BPS, HPCC_PP__MIN_RATE_BPS},
    {HPCC__BASE_RTT_PS, HPCC_PP__BASE_RTT_PS},
    {HPCC__WINDOW_BYTES, HPCC_PP__WINDOW_BYTES},
    {HPCC__WINDOW_MODE, HPCC_PP__WINDOW_MODE},
    {HPCC__TARGET_UTILIZATION, HPCC_PP__TARGET_UTILIZATION},
    {HPCC__MAX_STAGE, HPCC_PP__MAX_STAGE},
    {HPCC__AI_RATE_BPS, HPCC_PP__AI_RATE_BPS},
    {HPCC__AI_WINDOW_BYTES, HPCC_PP__AI_WINDOW_BYTES},
    {HPCC__FAST_REACT, HPCC_PP__FAST_REACT},
    {HPCC__EWMA, HPCC_PP__EWMA},
    {HPCC__EWMA_BETA, HPCC_PP__EWMA_BETA},
    {HPCC__PATH_CHANGE, HPCC_PP__PATH_CHANGE},
    {HPCC__REPEATED_TIMESTAMP, HPCC_PP__REPEATED_TIMESTAMP},
    {HPCC__SEQUENCE, HPCC_PP__SEQUENCE},
    {HPCC__SEND_GAP, HPCC_PP__SEND_GAP},
  };
  double core[PARAMETER_FIELDS_MAX] = {0};
  for (unsigned i = 0; i < sizeof SAME / sizeof *SAME; i++) core[SAME[i].core] = v[SAME[i].own];
  core[HPCC__INT_MULTIPLIER] = 1;
  write_hpcc(w, core);
  f64(w, v[HPCC_PP__SIGNAL_SOURCES]);
  f64(w, v[HPCC_PP__CLOCK]);
  f64(w, v[HPCC_PP__FIRST_SAMPLE]);
  f64(w, v[HPCC_PP__NOTIFIED_UTILIZATION]);
  f64(w, v[HPCC_PP__RECOVERY_AFTER_PS]);
  f64(w, v[HPCC_PP__RECOVERY_PERIOD_PS]);
  f64(w, v[HPCC_PP__FAST_RECOVERY_STEPS]);
}

static void write_timely(struct writer *w, const double *v) {
  common(w, 0, v[TIMELY__MAX_RATE_BPS], v[TIMELY__MIN_RATE_BPS]);
  f64(w, v[TIMELY__EWMA_ALPHA]);
  f64(w, 1 - v[TIMELY__EWMA_ALPHA]);
  f64(w, v[TIMELY__DECREASE_BETA]);
  f64(w, v[TIMELY__LOW_RTT_PS] / PS_PER_NS);
  f64(w, v[TIMELY__HIGH_RTT_PS] / PS_PER_NS);
  f64(w, v[TIMELY__MIN_RTT_PS] / PS_PER_NS);
  f64(w, v[TIMELY__AI_RATE_BPS]);
  f64(w, v[TIMELY__HAI_RATE_BPS]);
  f64(w, v[TIMELY__HYPER_AFTER_STEPS]);
  f64(w, v[TIMELY__LOW_RTT_INCREASE]);
  f64(w, v[TIMELY__UPDATE_ON]);
  sender(w, v[TIMELY__NUMBERS], v[TIMELY__SEQUENCE], v[TIMELY__SEND_GAP]);
}

static void write_swift(struct writer *w, const double *v) {
  double at_max = 1 / sqrt(v[SWIFT__FLOW_SCALE_MAX_CWND]);
  double slope = v[SWIFT__FLOW_SCALE_RANGE_PS] / (1 / sqrt(v[SWIFT__FLOW_SCALE_MIN_CWND]) - at_max);
  common(w, 0, v[SWIFT__MAX_RATE_BPS], 0);
  f64(w, v[SWIFT__PACKET_BYTES]);
  f64(w, v[SWIFT__BASE_TARGET_PS]);
  f64(w, v[SWIFT__HOP_SCALE_PS]);
  f64(w, v[SWIFT__FLOW_SCALE_RANGE_PS]);
  f64(w, slope);
  f64(w, slope * at_max);
  f64(w, v[SWIFT__AI_PACKETS]);
  f64(w, v[SWIFT__DECREASE_BETA]);
  f64(w, 1 - v[SWIFT__MAX_DECREASE]);
  f64(w, v[SWIFT__MIN_CWND]);
  f64(w, v[SWIFT__MAX_CWND]);
  f64(w, v[SWIFT__INITIAL_CWND]);
  f64(w, v[SWIFT__TIMEOUTS_TO_RESET]);
}

static void write_dctcp(struct writer *w, const double *v) {
  common(w, 0, v[DCTCP__MAX_RATE_BPS], v[DCTCP__MIN_RATE_BPS]);
  f64(w, v[DCTCP__ALPHA_GAIN]);
  f64(w, 1 - v[DCTCP__ALPHA_GAIN]);
  f64(w, v[DCTCP__AI_RATE_BPS]);
  f64(w, v[DCTCP__SEQUENCE_PER_PACKET]);
  sender(w, v[DCTCP__NUMBERS], v[DCTCP__SEQUENCE], v[DCTCP__SEND_GAP]);
}

static double bdp_bytes(double base_rtt_ps, double rate_bps) {
  return floor((base_rtt_ps / 1e12) * floor(rate_bps / 8));
}

static void write_nscc(struct writer *w, const double *v) {
  double payload = v[NSCC__PAYLOAD_BYTES];
  double target = v[NSCC__TARGET_DELAY_PS];
  double bdp = bdp_bytes(v[NSCC__BASE_RTT_PS], v[NSCC__MAX_RATE_BPS]);
  double scale = bdp / NSCC_REFERENCE_BDP_BYTES;
  common(w, 0, v[NSCC__MAX_RATE_BPS], 0);
  f64(w, v[NSCC__PACKET_BYTES]);
  f64(w, v[NSCC__BASE_RTT_PS]);
  f64(w, target);
  f64(w, bdp);
  f64(w, v[NSCC__MAX_WINDOW_BDPS]);
  f64(w, v[NSCC__INITIAL_WINDOW_BYTES]);
  f64(w, (v[NSCC__PROPORTIONAL_GAIN] * payload * scale * (target / NSCC_REFERENCE_DELAY_PS)) / target);
  f64(w, v[NSCC__FAIR_GAIN] * payload * scale);
  f64(w, v[NSCC__FIXED_GAIN] * payload * scale);
  f64(w, v[NSCC__FAST_GAIN] * scale);
  f64(w, v[NSCC__FAST_DELAY_PS]);
  f64(w, v[NSCC__DECREASE_GAIN]);
  f64(w, 1 - v[NSCC__MAX_DECREASE]);
  f64(w, v[NSCC__DELAY_WEIGHT]);
  f64(w, v[NSCC__FULFIL_PACKETS] * v[NSCC__PACKET_BYTES]);
  f64(w, v[NSCC__QUICK_ADAPT]);
  f64(w, ldexp(1, -(int)v[NSCC__ADAPT_GATE]));
  f64(w, v[NSCC__ADAPT_TARGETS] == 0 ? ROCE_INFINITY : v[NSCC__ADAPT_TARGETS] * target);
  f64(w, v[NSCC__INFERRED_LOSS]);
  f64(w, v[NSCC__LAST_HOP_TRIMS]);
  f64(w, v[NSCC__NACK_RTT]);
  f64(w, v[NSCC__INCREASE_SUM]);
}

double parameters_rccc_window(const double *v) {
  return fmax(v[RCCC__PACKET_BYTES], floor(v[RCCC__MAX_WINDOW_BDPS] * bdp_bytes(v[RCCC__BASE_RTT_PS], v[RCCC__MAX_RATE_BPS])));
}

static void write_rccc(struct writer *w, const double *v) {
  double window = parameters_rccc_window(v);
  common(w, 0, v[RCCC__MAX_RATE_BPS], 0);
  f64(w, v[RCCC__PACKET_BYTES]);
  f64(w, window);
  f64(w, v[RCCC__INITIAL_CREDIT_BYTES] == 0 ? window : v[RCCC__INITIAL_CREDIT_BYTES]);
  f64(w, v[RCCC__TIMEOUT_CREDIT] == 0 ? v[RCCC__PACKET_BYTES] : 0);
}

void parameters_write(const struct parameters *p, uint8_t *at) {
  struct writer writer = {at};
  u32(&writer, p->algorithm->code);
  switch (p->algorithm->code) {
    case ABI_ALGORITHM_DCQCN:
      write_dcqcn(&writer, p->values);
      break;
    case ABI_ALGORITHM_HPCC:
      write_hpcc(&writer, p->values);
      break;
    case ABI_ALGORITHM_HPCC_PINT:
      write_pint(&writer, p->values);
      break;
    case ABI_ALGORITHM_HPCC_PP:
      write_plus(&writer, p->values);
      break;
    case ABI_ALGORITHM_TIMELY:
      write_timely(&writer, p->values);
      break;
    case ABI_ALGORITHM_SWIFT:
      write_swift(&writer, p->values);
      break;
    case ABI_ALGORITHM_NSCC:
      write_nscc(&writer, p->values);
      break;
    case ABI_ALGORITHM_RCCC:
      write_rccc(&writer, p->values);
      break;
    default:
      write_dctcp(&writer, p->values);
  }
}

unsigned parameters_hops(const struct parameters *p) {
  if (p->algorithm->code == ABI_ALGORITHM_HPCC_PP) return ABI_EXACT_HOPS_MAX;
  if (p->algorithm->code == ABI_ALGORITHM_NSCC) return (ABI_NSCC_MORE_BYTES + ABI_KEPT_HOP_BYTES - 1) / ABI_KEPT_HOP_BYTES;
  if (p->algorithm->code != ABI_ALGORITHM_HPCC) return 0;
  return p->values[HPCC__RECORDS] == 0 ? ABI_EXACT_HOPS_MAX : ABI_INT64_HOPS_MAX;
}

uint32_t parameters_table_bytes(const struct parameters *p) {
  return p->algorithm->code == ABI_ALGORITHM_HPCC_PINT ? 8u << (unsigned)p->values[HPCC_PINT__PINT_BITS] : 0;
}

bool parameters_read_acks(const struct parameters *p) {
  return (p->algorithm->traits & ABI_READS_ACKS) != 0;
}

bool parameters_read_credit(const struct parameters *p) {
  return (p->algorithm->traits & ABI_READS_CREDIT) != 0;
}

bool parameters_cut_per_period(const struct parameters *p) {
  return p->algorithm->code == ABI_ALGORITHM_DCQCN && p->values[DCQCN__CUT_TRIGGER] == 1;
}

/* What the parameters of a set demand of each other, as the checks of src/config/algorithms. */
#include "abi.h"
#include "parameters.h"

#define INCREASE_MIN_PART (1.0 / 1048576)
#define Q10_ONE 1024
#define PRODUCT_LIMIT 18446744073709551616.0
#define PINT_LARGEST_POWER_BITS 900

#define CHECK(holds, at, sentence) \
  if (!(holds)) {                  \
    *field = (at);                 \
    return (sentence);             \
  }

static const char BELOW_MAX[] = "must not exceed the maximum rate";
static const char WHOLE[] = "must be a whole number of bits per second, except under numbers=float64";
static const char PART_OF_RATE[] = "must be 0, or at least the maximum rate / 2^20";
static const char PRODUCT[] = "times maxRateBps must be below 2^64 under windowMode=variable, except under numbers=float64";

static bool is_whole(double value) {
  return floor(value) == value;
}

static const char *dcqcn_fault(const double *v, int *field) {
  bool exact = v[DCQCN__NUMBERS] == 0;
  bool q10 = v[DCQCN__NUMBERS] == 2;
  double max = v[DCQCN__MAX_RATE_BPS];
  double first = v[DCQCN__RATE_ON_FIRST_CNP_BPS];
  double gain = v[DCQCN__ALPHA_GAIN] * Q10_ONE;
  double alpha = v[DCQCN__INITIAL_ALPHA];
  static const int RATES[] = {DCQCN__MIN_RATE_BPS, DCQCN__RATE_ON_FIRST_CNP_BPS, DCQCN__AI_RATE_BPS, DCQCN__HAI_RATE_BPS,
                              DCQCN__RELEASE_GAP_BPS};
  CHECK(v[DCQCN__MIN_RATE_BPS] <= max, DCQCN__MIN_RATE_BPS, BELOW_MAX)
  CHECK(first == 0 || (first >= v[DCQCN__MIN_RATE_BPS] && first <= max), DCQCN__RATE_ON_FIRST_CNP_BPS,
        "must be 0, or from the minimum rate to the maximum rate")
  CHECK(v[DCQCN__RELEASE_GAP_BPS] < max, DCQCN__RELEASE_GAP_BPS, "must be below the maximum rate")
  CHECK(!q10 || is_whole(gain), DCQCN__ALPHA_GAIN, "must be a multiple of 1/1024 under numbers=alpha-q10")
  CHECK(!q10 || (is_whole(alpha * Q10_ONE) && alpha < 1), DCQCN__INITIAL_ALPHA,
        "must be a multiple of 1/1024, up to 1023/1024, under numbers=alpha-q10")
  for (unsigned i = 0; i < sizeof RATES / sizeof *RATES; i++) CHECK(exact || is_whole(v[RATES[i]]), RATES[i], WHOLE)
  CHECK(v[DCQCN__AI_RATE_BPS] == 0 || v[DCQCN__AI_RATE_BPS] >= max * INCREASE_MIN_PART, DCQCN__AI_RATE_BPS, PART_OF_RATE)
  CHECK(v[DCQCN__HAI_RATE_BPS] == 0 || v[DCQCN__HAI_RATE_BPS] >= max * INCREASE_MIN_PART, DCQCN__HAI_RATE_BPS, PART_OF_RATE)
  return NULL;
}

/* The fields of HPCC and HPCC++ by index, which are the same rules under other numbers. */
struct core {
  int numbers, primary, max_rate, min_rate, base_rtt, window, window_mode, ai_rate, ai_window, ewma, beta;
};

static const char *core_fault(const double *v, const struct core *f, int *field) {
  bool exact = v[f->numbers] == 0;
  bool rate = v[f->primary] == 1;
  CHECK(v[f->min_rate] <= v[f->max_rate], f->min_rate, BELOW_MAX)
  CHECK(exact || is_whole(v[f->min_rate]), f->min_rate, WHOLE)
  CHECK(exact || is_whole(v[f->ai_rate]), f->ai_rate, WHOLE)
  CHECK(exact || v[f->window_mode] != 2 || v[f->window] * v[f->max_rate] < PRODUCT_LIMIT, f->window, PRODUCT)
  CHECK(exact || rate, f->primary, "must be rate, except under numbers=float64")
  CHECK(rate || v[f->window_mode] == 2, f->window_mode, "must be variable under primary=window")
  CHECK(rate || (v[f->min_rate] * v[f->base_rtt]) / 8e12 <= v[f->window], f->min_rate,
        "times baseRttPs must not exceed the window under primary=window")
  CHECK(rate || v[f->ai_rate] == 0, f->ai_rate, "must be 0 under primary=window, which has aiWindowBytes")
  CHECK(!rate || v[f->ai_window] == 0, f->ai_window, "must be 0 under primary=rate, which has aiRateBps")
  CHECK((v[f->ewma] == 0) == (v[f->beta] == 0), f->beta, "must be 0 under ewma=adaptive and above 0 under ewma=constant")
  return NULL;
}

static const char *hpcc_fault(const double *v, int *field) {
  static const struct core CORE = {HPCC__NUMBERS,      HPCC__PRIMARY,     HPCC__MAX_RATE_BPS,  HPCC__MIN_RATE_BPS,
                                   HPCC__BASE_RTT_PS,  HPCC__WINDOW_BYTES, HPCC__WINDOW_MODE, HPCC__AI_RATE_BPS,
                                   HPCC__AI_WINDOW_BYTES, HPCC__EWMA,     HPCC__EWMA_BETA};
  const char *fault = core_fault(v, &CORE, field);
  if (fault) return fault;
  CHECK(v[HPCC__RECORDS] == 1 || v[HPCC__INT_MULTIPLIER] == 1, HPCC__INT_MULTIPLIER, "must be 1 under records=exact")
  return NULL;
}

static const char *pint_fault(const double *v, int *field) {
  bool exact = v[HPCC_PINT__NUMBERS] == 0;
  CHECK(v[HPCC_PINT__MIN_RATE_BPS] <= v[HPCC_PINT__MAX_RATE_BPS], HPCC_PINT__MIN_RATE_BPS, BELOW_MAX)
  CHECK(exact || is_whole(v[HPCC_PINT__MIN_RATE_BPS]), HPCC_PINT__MIN_RATE_BPS, WHOLE)
  CHECK(exact || is_whole(v[HPCC_PINT__AI_RATE_BPS]), HPCC_PINT__AI_RATE_BPS, WHOLE)
  CHECK(exact || v[HPCC_PINT__WINDOW_MODE] != 2 || v[HPCC_PINT__WINDOW_BYTES] * v[HPCC_PINT__MAX_RATE_BPS] < PRODUCT_LIMIT,
        HPCC_PINT__WINDOW_BYTES, PRODUCT)
  CHECK(log2(v[HPCC_PINT__PINT_BASE]) * (exp2(v[HPCC_PINT__PINT_BITS]) - 1) < PINT_LARGEST_POWER_BITS, HPCC_PINT__PINT_BITS,
        "makes codes too large: pintBase^(2^pintBits - 1) must be below 2^900")
  CHECK(v[HPCC_PINT__PINT_PROBABILITY] == 1, HPCC_PINT__PINT_PROBABILITY, "must be 1: an engine draws no random numbers")
  return NULL;
}

static const char *plus_fault(const double *v, int *field) {
  static const struct core CORE = {HPCC_PP__NUMBERS,     HPCC_PP__PRIMARY,      HPCC_PP__MAX_RATE_BPS, HPCC_PP__MIN_RATE_BPS,
                                   HPCC_PP__BASE_RTT_PS, HPCC_PP__WINDOW_BYTES, HPCC_PP__WINDOW_MODE,  HPCC_PP__AI_RATE_BPS,
                                   HPCC_PP__AI_WINDOW_BYTES, HPCC_PP__EWMA,     HPCC_PP__EWMA_BETA};
  const char *fault = core_fault(v, &CORE, field);
  if (fault) return fault;
  bool recovers = v[HPCC_PP__RECOVERY_PERIOD_PS] != 0;
  double rate = v[HPCC_PP__AI_RATE_BPS];
  double window = v[HPCC_PP__AI_WINDOW_BYTES];
  CHECK(v[HPCC_PP__NOTIFIED_UTILIZATION] >= v[HPCC_PP__TARGET_UTILIZATION], HPCC_PP__NOTIFIED_UTILIZATION,
        "must not be below the target utilization: a notification would raise the rate")
  CHECK(!recovers || rate == 0 || rate >= v[HPCC_PP__MAX_RATE_BPS] / 1048576, HPCC_PP__AI_RATE_BPS,
        "must be 0, or at least the maximum rate / 2^20, for recovery in time")
  CHECK(!recovers || window == 0 || window >= v[HPCC_PP__WINDOW_BYTES] / 1048576, HPCC_PP__AI_WINDOW_BYTES,
        "must be 0, or at least the window / 2^20, for recovery in time")
  return NULL;
}

static const char *timely_fault(const double *v, int *field) {
  bool exact = v[TIMELY__NUMBERS] == 0;
  CHECK(v[TIMELY__MIN_RATE_BPS] <= v[TIMELY__MAX_RATE_BPS], TIMELY__MIN_RATE_BPS, BELOW_MAX)
  CHECK(exact || is_whole(v[TIMELY__MIN_RATE_BPS]), TIMELY__MIN_RATE_BPS, WHOLE)
  CHECK(exact || is_whole(v[TIMELY__AI_RATE_BPS]), TIMELY__AI_RATE_BPS, WHOLE)
  CHECK(exact || is_whole(v[TIMELY__HAI_RATE_BPS]), TIMELY__HAI_RATE_BPS, WHOLE)
  CHECK(v[TIMELY__LOW_RTT_PS] <= v[TIMELY__HIGH_RTT_PS], TIMELY__LOW_RTT_PS, "must not exceed highRttPs")
  return NULL;
}

static const char *swift_fault(const double *v, int *field) {
  double initial = v[SWIFT__INITIAL_CWND];
  CHECK(v[SWIFT__FLOW_SCALE_MIN_CWND] < v[SWIFT__FLOW_SCALE_MAX_CWND], SWIFT__FLOW_SCALE_MIN_CWND, "must be below flowScaleMaxCwnd")
  CHECK(v[SWIFT__MIN_CWND] <= v[SWIFT__MAX_CWND], SWIFT__MIN_CWND, "must not exceed maxCwnd")
  CHECK(initial >= v[SWIFT__MIN_CWND] && initial <= v[SWIFT__MAX_CWND], SWIFT__INITIAL_CWND, "must be from minCwnd to maxCwnd")
  return NULL;
}

static const char *nscc_fault(const double *v, int *field) {
  CHECK(v[NSCC__PAYLOAD_BYTES] <= v[NSCC__PACKET_BYTES], NSCC__PAYLOAD_BYTES, "must not exceed packetBytes")
  return NULL;
}

static const char *rccc_fault(const double *v, int *field) {
  CHECK(v[RCCC__INITIAL_CREDIT_BYTES] <= parameters_rccc_window(v), RCCC__INITIAL_CREDIT_BYTES,
        "must not exceed the largest window, maxWindowBdps bandwidth-delay products and at least a packet")
  return NULL;
}

static const char *dctcp_fault(const double *v, int *field) {
  bool exact = v[DCTCP__NUMBERS] == 0;
  CHECK(v[DCTCP__MIN_RATE_BPS] <= v[DCTCP__MAX_RATE_BPS], DCTCP__MIN_RATE_BPS, BELOW_MAX)
  CHECK(exact || is_whole(v[DCTCP__MIN_RATE_BPS]), DCTCP__MIN_RATE_BPS, WHOLE)
  CHECK(exact || is_whole(v[DCTCP__AI_RATE_BPS]), DCTCP__AI_RATE_BPS, WHOLE)
  return NULL;
}

const char *parameters_fault(const struct parameters *p, int *field) {
  switch (p->algorithm->code) {
    case ABI_ALGORITHM_DCQCN:
      return dcqcn_fault(p->values, field);
    case ABI_ALGORITHM_HPCC:
      return hpcc_fault(p->values, field);
    case ABI_ALGORITHM_HPCC_PINT:
      return pint_fault(p->values, field);
    case ABI_ALGORITHM_HPCC_PP:
      return plus_fault(p->values, field);
    case ABI_ALGORITHM_TIMELY:
      return timely_fault(p->values, field);
    case ABI_ALGORITHM_SWIFT:
      return swift_fault(p->values, field);
    case ABI_ALGORITHM_NSCC:
      return nscc_fault(p->values, field);
    case ABI_ALGORITHM_RCCC:
      return rccc_fault(p->values, field);
    default:
      return dctcp_fault(p->values, field);
  }
}

/*
 * DCQCN's reaction point in C: transition by transition what assembly/algorithms/dcqcn does, in the same order of floating-point
 * operations, so that both leave the same bytes. The equations and their sources stand there. Written plainly, with a
 * branch for each question: the wasm's branch-free common case (dcqcn/fast-path.ts) is left out on purpose.
 * Compile with -ffp-contract=off: a fused multiply-add would round once instead of twice.
 */
#pragma once
#include "engine.h"
#include <math.h>

static inline double averageRate(const Profile *p, double rate, double target) {
  if (p->numbers == NUMBERS_FLOAT64) return (rate + target) * 0.5;
  if (p->numbers == NUMBERS_WHOLE_BPS) return floor(rate * 0.5) + floor(target * 0.5);
  return floor((rate + target) * 0.5);
}

static inline double cutRate(const Profile *p, double rate, double alpha) {
  if (p->numbers == NUMBERS_ALPHA_Q10) {
    double byAlpha = floor(rate * alpha * (p->cutScale * (1.0 / 1024.0)));
    double most = floor(rate * (1 - p->minDecreaseFactor));
    return rate - (byAlpha < most ? byAlpha : most);
  }
  double cut = rate * (1 - alpha * p->cutScale);
  double least = rate * p->minDecreaseFactor;
  if (p->numbers == NUMBERS_WHOLE_BPS) {
    cut = floor(cut);
    least = floor(least);
  }
  return cut < least ? least : cut;
}

static inline double alphaUp(const Profile *p, double alpha) {
  if (p->numbers != NUMBERS_ALPHA_Q10) return p->alphaRetention * alpha + p->alphaGain;
  double up = floor(p->alphaRetention * alpha * (1.0 / 1024.0)) + p->alphaGain;
  return up > 1023 ? 1023 : up;
}

static inline double alphaDown(const Profile *p, double alpha) {
  if (p->numbers == NUMBERS_ALPHA_Q10) return floor(p->alphaRetention * alpha * (1.0 / 1024.0));
  double down = p->alphaRetention * alpha;
  return down < ALPHA_FLOOR ? 0 : down;
}

static inline double wholeRate(const Profile *p, double rate) {
  return p->numbers == NUMBERS_FLOAT64 ? rate : floor(rate);
}

static inline bool timersDue(const QpState *q, uint32_t flags, double upToPs) {
  return q->nextAlphaPs <= upToPs || q->nextIncreasePs <= upToPs || (flags & QP_CUT_PENDING);
}

static inline double lastUpTo(double next, double period, double upToPs) {
  return next + floor((upToPs - next) / period) * period;
}

static inline double firstAfter(double next, double period, double upToPs) {
  return next > upToPs ? next : lastUpTo(next, period, upToPs) + period;
}

static inline uint32_t nextStage(uint32_t stage, uint32_t most) { return stage + (stage != most); }

static inline uint32_t laterStage(uint32_t stage, double steps, uint32_t most) {
  double later = stage + steps;
  return later > most ? most : (uint32_t)later;
}

static inline uint32_t highStage(const QpState *q, const Profile *p) {
  if (p->switches & DCQCN_TIME_STAGE_ONLY) return q->timeStage;
  return q->timeStage > q->byteStage ? q->timeStage : q->byteStage;
}

static inline uint32_t lowStage(const QpState *q, const Profile *p) {
  if (p->switches & DCQCN_TIME_STAGE_ONLY) return q->timeStage;
  return q->timeStage < q->byteStage ? q->timeStage : q->byteStage;
}

static inline bool isHyper(const QpState *q, const Profile *p) {
  uint32_t low = lowStage(q, p);
  return p->switches & DCQCN_HYPER_ABOVE ? low > p->fastRecoverySteps : low >= p->fastRecoverySteps;
}

static inline bool halvesPeriods(const QpState *q, const Profile *p) {
  return (p->switches & DCQCN_HYPER_HALVES_PERIODS) && isHyper(q, p);
}

static inline double increment(const QpState *q, const Profile *p) {
  if (!isHyper(q, p)) return p->aiRateBps;
  if (!(p->switches & DCQCN_HYPER_BY_STAGE)) return p->haiRateBps;
  return p->haiRateBps * (double)(lowStage(q, p) - p->fastRecoverySteps + 1);
}

static inline void increase(QpState *q, const Profile *p, bool first) {
  double target = q->targetBps;
  if (highStage(q, p) >= p->fastRecoverySteps) {
    target += increment(q, p);
    if (target > p->maxRateBps) target = p->maxRateBps;
  }
  if (first && (p->switches & DCQCN_TARGET_REDUCTION) && target > 10 * q->rateBps) target = wholeRate(p, target * 0.125);
  q->targetBps = target;
  q->rateBps = averageRate(p, q->rateBps, target);
}

static inline bool releases(const QpState *q, const Profile *p, uint32_t flags) {
  return q->rateBps >= p->releaseRateBps && !(flags & QP_CUT_PENDING);
}

static inline uint32_t release(QpState *q, const Profile *p, uint32_t flags) {
  q->rateBps = p->maxRateBps;
  q->targetBps = p->maxRateBps;
  q->alpha = p->initialAlpha;
  q->nextAlphaPs = INFINITY;
  q->nextIncreasePs = INFINITY;
  q->nextSendPs = 0;
  q->bytesCounted = 0;
  q->timeStage = 0;
  q->byteStage = 0;
  return flags & ~(uint32_t)(QP_LIMITED | QP_ALPHA_CNP);
}

static inline void cut(QpState *q, const Profile *p, double timePs) {
  bool afterTime = (p->switches & DCQCN_CLAMP_TARGET_AFTER_TIME) && q->timeStage != 0;
  if ((p->switches & DCQCN_CLAMP_TARGET) || q->byteStage != 0 || afterTime) q->targetBps = q->rateBps;
  double rate = cutRate(p, q->rateBps, q->alpha);
  q->rateBps = rate < p->minRateBps ? p->minRateBps : rate;
  q->timeStage = 0;
  q->byteStage = 0;
  q->bytesCounted = 0;
  q->nextIncreasePs = timePs + p->increasePeriodPs;
}

static inline uint32_t runAlpha(QpState *q, const Profile *p, uint32_t flags, double upToPs) {
  double next = q->nextAlphaPs;
  if (next > upToPs) return flags;
  double alpha = q->alpha;
  double steps = 0;
  if (flags & QP_ALPHA_CNP) {
    alpha = alphaUp(p, alpha);
    next += p->alphaPeriodPs;
    flags &= ~(uint32_t)QP_ALPHA_CNP;
    steps++;
  }
  while (next <= upToPs) {
    double down = alphaDown(p, alpha);
    steps++;
    next += p->alphaPeriodPs;
    if (down == alpha) next = firstAfter(next, p->alphaPeriodPs, upToPs);
    alpha = down;
  }
  q->alpha = alpha;
  q->nextAlphaPs = next;
  count(COUNTER_TIMER_STEPS, steps);
  return flags;
}

static inline uint32_t runIncrease(QpState *q, const Profile *p, uint32_t flags, double upToPs) {
  double next = q->nextIncreasePs;
  if (next > upToPs) return flags;
  double steps = 0;
  while (next <= upToPs) {
    double rate = q->rateBps, target = q->targetBps;
    double period = halvesPeriods(q, p) ? floor(p->increasePeriodPs * 0.5) : p->increasePeriodPs;
    increase(q, p, q->timeStage == 0);
    q->timeStage = (uint16_t)nextStage(q->timeStage, STAGE_MAX);
    next += period;
    steps++;
    if (releases(q, p, flags)) {
      flags = release(q, p, flags);
      next = INFINITY;
    } else if (next <= upToPs && q->rateBps == rate && q->targetBps == target && q->timeStage > p->fastRecoverySteps + 1) {
      double last = lastUpTo(next, period, upToPs);
      q->timeStage = (uint16_t)laterStage(q->timeStage, (last - next) / period + 1, STAGE_MAX);
      next = last + period;
    }
  }
  q->nextIncreasePs = next;
  count(COUNTER_TIMER_STEPS, steps);
  return flags;
}

static inline uint32_t byteLimit(const QpState *q, const Profile *p) {
  return halvesPeriods(q, p) ? p->byteCounterBytes >> 1 : p->byteCounterBytes;
}

static inline uint32_t runByteCounter(QpState *q, const Profile *p, uint32_t flags, uint32_t bytes) {
  uint32_t limit = byteLimit(q, p);
  double steps = 0;
  while (bytes >= limit) {
    double rate = q->rateBps, target = q->targetBps;
    increase(q, p, q->byteStage == 0);
    q->byteStage = (uint8_t)nextStage(q->byteStage, BYTE_STAGE_MAX);
    bytes -= limit;
    steps++;
    if (releases(q, p, flags)) {
      flags = release(q, p, flags);
      bytes = 0;
      break;
    }
    limit = byteLimit(q, p);
    if (q->rateBps == rate && q->targetBps == target && q->byteStage > p->fastRecoverySteps + 1) {
      q->byteStage = (uint8_t)laterStage(q->byteStage, bytes / limit, BYTE_STAGE_MAX);
      bytes %= limit;
    }
  }
  q->bytesCounted = bytes;
  count(COUNTER_TIMER_STEPS, steps);
  return flags;
}

static inline void skipCutChecks(uint32_t qp, const Profile *p, double upToPs) {
  engine.cutTimes[qp] = firstAfter(engine.cutTimes[qp], p->cutPeriodPs, upToPs);
}

static inline uint32_t catchUp(uint32_t qp, QpState *q, const Profile *p, uint32_t flags, double upToPs) {
  if (flags & QP_CUT_PENDING) {
    double cutPs = engine.cutTimes[qp];
    if (cutPs <= upToPs) {
      flags = runAlpha(q, p, flags, cutPs);
      flags = runIncrease(q, p, flags, p->increasePeriodPs > p->cutPeriodPs ? cutPs : cutPs - 1);
      cut(q, p, cutPs);
      engine.cutTimes[qp] = cutPs + p->cutPeriodPs;
      flags &= ~(uint32_t)QP_CUT_PENDING;
    }
  }
  flags = runAlpha(q, p, flags, upToPs);
  return runIncrease(q, p, flags, upToPs);
}

static inline uint32_t onSent(QpState *q, const Profile *p, uint32_t flags, double timePs, uint32_t lenBytes) {
  if (p->byteCounterBytes) {
    uint32_t bytes = q->bytesCounted + lenBytes;
    if (bytes < p->byteCounterBytes && !(p->switches & DCQCN_HYPER_HALVES_PERIODS)) q->bytesCounted = bytes;
    else flags = runByteCounter(q, p, flags, bytes);
  }
  if (flags & QP_LIMITED) q->nextSendPs = timePs + ceil(lenBytes * 8e12 / q->rateBps);
  return flags;
}

static inline void raiseAlphaOnCnp(QpState *q, const Profile *p, double timePs) {
  if (!(p->switches & DCQCN_ALPHA_ON_CNP)) return;
  q->alpha = alphaUp(p, q->alpha);
  q->nextAlphaPs = timePs + p->alphaPeriodPs;
}

static inline void startLimiter(uint32_t qp, QpState *q, const Profile *p, double timePs) {
  q->alpha = p->initialAlpha;
  q->nextAlphaPs = timePs + p->alphaPeriodPs;
  q->nextIncreasePs = p->switches & DCQCN_INCREASE_FROM_FIRST_CNP ? timePs + p->increasePeriodPs : INFINITY;
  if (!(p->switches & DCQCN_CUT_ON_CNP)) engine.cutTimes[qp] = timePs + p->cutOffsetPs + p->cutPeriodPs;
  double rate = q->rateBps;
  if (p->rateOnFirstCnpBps > 0) rate = p->rateOnFirstCnpBps;
  else if (p->rateOnFirstCnpFraction != 1) rate = wholeRate(p, rate * p->rateOnFirstCnpFraction);
  if (rate < p->minRateBps) rate = p->minRateBps;
  q->rateBps = rate > p->maxRateBps ? p->maxRateBps : rate;
  q->targetBps = q->rateBps;
}

static inline uint32_t onCnp(uint32_t qp, QpState *q, const Profile *p, uint32_t flags, double timePs, double upToPs) {
  uint32_t switches = p->switches;
  bool first = !(flags & QP_LIMITED);
  if (first) {
    startLimiter(qp, q, p, timePs);
    flags |= QP_LIMITED;
    if (!(switches & DCQCN_FIRST_CNP_CUTS)) return flags;
  }
  if (switches & DCQCN_ALPHA_FIRST) raiseAlphaOnCnp(q, p, timePs);
  if (switches & DCQCN_CUT_ON_CNP) {
    cut(q, p, timePs);
  } else if (!(flags & QP_CUT_PENDING)) {
    skipCutChecks(qp, p, upToPs);
    flags |= QP_CUT_PENDING;
  }
  if (!(switches & DCQCN_ALPHA_FIRST)) raiseAlphaOnCnp(q, p, timePs);
  return first || (switches & DCQCN_ALPHA_ON_CNP) ? flags : flags | QP_ALPHA_CNP;
}

/*
 * The reaction point and the notification point in C: assembly/rp/reaction-point.ts,
 * assembly/rp/notifications.ts and assembly/np/notification-point.ts (scope qp, reading "suppress").
 */
#pragma once
#include "dcqcn.h"

static inline uint32_t openFlags(uint32_t qp) {
  if (qp >= engine.qpCapacity) return 0;
  uint32_t flags = engine.flags[qp];
  return flags & QP_OPEN ? flags : 0;
}

static inline bool isTime(double timePs) { return timePs >= 0 && timePs <= TIME_MAX_PS; }

static inline uint32_t sent(uint32_t qp, double timePs, uint32_t lenBytes) {
  uint32_t flags = openFlags(qp);
  if (!flags) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  if (!(flags & QP_LIMITED)) return OUTCOME_SENT;
  QpState *q = engine.qps + qp;
  const Profile *p = profileOf(flags);
  if (timePs < q->lastEventPs) {
    if (!engine.clampLate) return OUTCOME_TIME_BACKWARDS;
    count(COUNTER_LATE_CLAMPED, 1);
    timePs = q->lastEventPs;
  }
  double before = q->rateBps;
  double upToPs = timePs - p->tieGapPs;
  uint32_t after = timersDue(q, flags, upToPs) ? catchUp(qp, q, p, flags, upToPs) : flags;
  double afterTimers = q->rateBps;
  if (after & QP_LIMITED) after = onSent(q, p, after, timePs, lenBytes);
  if (after != flags) engine.flags[qp] = (uint8_t)after;
  q->lastEventPs = timePs;
  if (q->rateBps != before) emitRate(timePs, qp, q->rateBps == afterTimers ? CAUSE_TIME : CAUSE_BYTES, q->rateBps);
  return OUTCOME_SENT;
}

static inline uint32_t congestionNotified(uint32_t qp, double timePs, uint32_t cause) {
  uint32_t flags = openFlags(qp);
  if (!flags) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  QpState *q = engine.qps + qp;
  if (timePs < q->lastEventPs) {
    if (!engine.clampLate) return OUTCOME_TIME_BACKWARDS;
    count(COUNTER_LATE_CLAMPED, 1);
    timePs = q->lastEventPs;
  }
  const Profile *p = profileOf(flags);
  double upToPs = timePs - p->tieGapPs;
  double before = q->rateBps;
  uint32_t after = flags;
  if ((flags & QP_LIMITED) && timersDue(q, flags, upToPs)) after = catchUp(qp, q, p, flags, upToPs);
  after = onCnp(qp, q, p, after, timePs, upToPs);
  if (after != flags) engine.flags[qp] = (uint8_t)after;
  q->lastEventPs = timePs;
  if (q->rateBps != before) emitRate(timePs, qp, cause, q->rateBps);
  return OUTCOME_CNP_HANDLED;
}

static inline uint32_t touched(uint32_t qp, double timePs) {
  uint32_t flags = openFlags(qp);
  if (!flags) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  if (!(flags & QP_LIMITED)) return OUTCOME_TOUCHED;
  QpState *q = engine.qps + qp;
  const Profile *p = profileOf(flags);
  if (timePs < q->lastEventPs) {
    if (!engine.clampLate) return OUTCOME_TIME_BACKWARDS;
    count(COUNTER_LATE_CLAMPED, 1);
    timePs = q->lastEventPs;
  }
  double before = q->rateBps;
  uint32_t after = catchUp(qp, q, p, flags, timePs);
  if (!(p->switches & DCQCN_CUT_ON_CNP) && !(after & QP_CUT_PENDING)) skipCutChecks(qp, p, timePs);
  if (after != flags) engine.flags[qp] = (uint8_t)after;
  q->lastEventPs = timePs;
  if (q->rateBps != before) emitRate(timePs, qp, CAUSE_TIME, q->rateBps);
  return OUTCOME_TOUCHED;
}

static inline FlowEntry *flowEntryOf(uint32_t qp) { return (FlowEntry *)(engine.base + engine.flowEntries[qp]); }

/* A stamp is 2 (t + 1), and one more for a CNP; 0: none came. */
static inline int isRepeated(uint64_t stamp, double timePs) {
  return timePs - (double)((stamp >> 1) - 1) < engine.duplicateWindowPs;
}

static inline uint64_t stampOf(double timePs) { return ((uint64_t)timePs + 1) << 1; }

static inline uint32_t cnpReceived(uint32_t qp, double timePs) {
  if (!engine.fastCnpEnabled || !openFlags(qp)) return congestionNotified(qp, timePs, CAUSE_CNP);
  FlowEntry *entry = flowEntryOf(qp);
  if (entry->stamp && !(entry->stamp & 1) && isRepeated(entry->stamp, timePs)) return OUTCOME_CNP_DUPLICATE;
  uint32_t outcome = congestionNotified(qp, timePs, CAUSE_CNP);
  if (outcome == OUTCOME_CNP_HANDLED) entry->stamp = stampOf(timePs) | 1;
  return outcome;
}

static inline uint32_t marked(uint32_t qp, double timePs, uint32_t pKey) {
  if (!openFlags(qp)) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  count(COUNTER_ECN_MARKED, 1);
  double *window = engine.windows + (uint64_t)qp * engine.windowStride;
  if (*window == 0 || engine.npMinTimePs == 0 || timePs >= *window) {
    *window = timePs + engine.npMinTimePs;
    count(COUNTER_CNP_SENT, 1);
    emit(timePs, qp, ACTION_CNP, 0, pKey);
    return OUTCOME_CNP_DUE;
  }
  count(COUNTER_CNP_SUPPRESSED, 1);
  return OUTCOME_CNP_SUPPRESSED;
}

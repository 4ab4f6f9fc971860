/* Acknowledgements in C: assembly/rp/reaction-point.ts, for HPCC. */
#pragma once
#include "hpcc.h"
#include "reaction-point.h"

static inline const AckEvent *ackEventAt(uint32_t index) {
  return (const AckEvent *)(engine.ackEvents + (uint64_t)index * engine.ackEventBytes);
}

static inline KeptHop *keptHopsOf(uint32_t qp) { return (KeptHop *)(engine.keptHops + (uint64_t)qp * engine.hopsPerQp * KEPT_HOP_BYTES); }

static inline uint32_t acknowledged(uint32_t qp, double timePs, uint32_t index) {
  uint32_t flags = openFlags(qp);
  if (!flags) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  const Profile *p = profileOf(flags);
  if (p->algorithm == ALGORITHM_DCQCN) return OUTCOME_ACK_NOT_USED;
  if (p->algorithm != ALGORITHM_HPCC) return OUTCOME_UNKNOWN_KIND;
  Hpcc *q = (Hpcc *)(engine.qps + qp);
  if (timePs < q->lastEventPs) {
    if (!engine.clampLate) return OUTCOME_TIME_BACKWARDS;
    count(COUNTER_LATE_CLAMPED, 1);
    timePs = q->lastEventPs;
  }
  double before = q->rateBps;
  AckResult result = hpccAck(q, (const HpccProfile *)p, keptHopsOf(qp), ackEventAt(index));
  if (result == ACK_NO_SIGNAL) return OUTCOME_ACK_NO_SIGNAL;
  q->lastEventPs = timePs;
  if (q->rateBps != before) emitRate(timePs, qp, CAUSE_ACK, q->rateBps);
  return result == ACK_SKIPPED ? OUTCOME_ACK_NOT_USED : OUTCOME_ACK_APPLIED;
}

/* As many lines as five hops take. Inlined by force: gcc takes a call that only prefetches for one that does nothing. */
__attribute__((always_inline)) static inline void prefetchAck(uint32_t qp, uint32_t index) {
  const uint8_t *hops = (const uint8_t *)keptHopsOf(qp), *ack = (const uint8_t *)ackEventAt(index);
  for (int line = 0; line < 4; line++) {
    __builtin_prefetch(ack + 64 * line);
    if (line < 3) __builtin_prefetch(hops + 64 * line, 1);
  }
}

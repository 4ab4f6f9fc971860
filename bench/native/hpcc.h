/*
 * HPCC's reaction to an ACK in C: step by step what assembly/algorithms/hpcc does for exact hop records and one utilisation
 * per QP, in the same order of floating-point operations, so that both leave the same bytes. Written plainly: hop by hop,
 * with a branch for each question. Compile with -ffp-contract=off, as dcqcn.h.
 */
#pragma once
#include "engine.h"
#include <math.h>

typedef struct {
  double timePs, txBytes, qlenBytes, lineRateBps;
  uint32_t hopId, free36;
} ExactHop;

typedef struct {
  uint32_t ackSeq, sndNxt;
  double sentTimePs, hostDelayPs, ackedPackets;
  uint32_t pathId, pathHops, pintPower;
  uint8_t ecnEcho, telemetry, hopCount, free47;
  double ackedBytes;
  ExactHop hops[];
} AckEvent;

typedef struct {
  double time, txBytes, qlen;
  uint32_t hopId, incStage;
} KeptHop;

/* Behind the records of all hops that have room. */
typedef struct {
  double utilization, committed;
} HopStep;

enum { EXACT_HOPS_MAX = 16, KEPT_HOP_BYTES = 48 };

typedef struct {
  double rateBps, committed, utilization, windowBytes;
  uint32_t pathId;
  uint16_t incStage;
  uint8_t hopCount, flags;
  double lastEventPs, nextSendPs;
  uint32_t lastLenBytes, lastUpdateSeq;
} Hpcc;

typedef struct {
  uint32_t algorithm, switches;
  double maxRateBps, minRateBps, stepMinimum, stepMaximum, stepIncrement, targetUtilization, maxStage;
  double windowBytes, windowMode, fastReact, numbers, sequence, sendGap, baseRttPs, baseRttNs, primary;
  double multiRate, sampleFeedback, ewma, ewmaBeta, ewmaRetention, records, intMultiplier, pathChange, repeatedTimestamp;
} HpccProfile;

_Static_assert(sizeof(Hpcc) == 64 && sizeof(KeptHop) == 32 && sizeof(HopStep) == 16 && sizeof(ExactHop) == 40 && sizeof(AckEvent) == 56, "record sizes");

enum { TELEMETRY_EXACT = 1, CONTROLLER_STARTED = 1, PSN_MASK = 0xffffff, PSN_HALF = 0x800000 };
typedef enum { ACK_FIRST, ACK_UPDATE, ACK_FAST, ACK_NEW_PATH, ACK_SKIPPED, ACK_NO_SIGNAL } AckResult;

static inline bool isNewer(const HpccProfile *p, uint32_t a, uint32_t b) {
  if (p->sequence == 0) return a > b;
  return ((a - b) & PSN_MASK) - 1 < PSN_HALF - 1;
}

static inline uint32_t sequenceOf(const HpccProfile *p, uint32_t value) { return p->sequence == 0 ? value : value & PSN_MASK; }

static inline bool beginsRoundTrip(const HpccProfile *p, const Hpcc *q, uint32_t ackSeq) {
  if (p->sequence != 0 && !(q->flags & CONTROLLER_STARTED)) return true;
  return isNewer(p, sequenceOf(p, ackSeq), q->lastUpdateSeq);
}

static inline void moveMark(const HpccProfile *p, Hpcc *q, uint32_t sndNxt) {
  uint32_t next = sequenceOf(p, sndNxt);
  if (!(q->flags & CONTROLLER_STARTED) || isNewer(p, next, q->lastUpdateSeq)) q->lastUpdateSeq = next;
  if (p->sequence != 0 || q->lastUpdateSeq != 0) q->flags |= CONTROLLER_STARTED;
  else q->flags &= (uint8_t)~CONTROLLER_STARTED;
}

static inline void keepHop(KeptHop *hop, const ExactHop *sample) {
  hop->time = sample->timePs;
  hop->txBytes = sample->txBytes;
  hop->qlen = sample->qlenBytes;
}

static inline void takeRecords(Hpcc *q, KeptHop *hops, const AckEvent *ack) {
  q->hopCount = ack->hopCount;
  q->pathId = ack->pathId;
  for (uint32_t i = 0; i < ack->hopCount; i++) {
    keepHop(hops + i, ack->hops + i);
    hops[i].hopId = ack->hops[i].hopId;
  }
}

static inline bool isNewPath(const Hpcc *q, const KeptHop *hops, const AckEvent *ack) {
  if (ack->hopCount != q->hopCount || ack->pathId != q->pathId) return true;
  for (uint32_t i = 0; i < ack->hopCount; i++)
    if (hops[i].hopId != ack->hops[i].hopId) return true;
  return false;
}

static inline double smooth(const HpccProfile *p, double last, double sample, double tauNs) {
  if (p->ewma != 0) return last * p->ewmaRetention + sample * p->ewmaBeta;
  double weight = tauNs < p->baseRttNs ? tauNs : p->baseRttNs;
  return (last * (p->baseRttNs - weight) + sample * weight) / p->baseRttNs;
}

static inline double rateOf(const HpccProfile *p, double quantity) {
  if (p->primary != 0) return quantity;
  double rateBps = quantity * 8e12 / p->baseRttPs;
  return rateBps < p->maxRateBps ? rateBps : p->maxRateBps;
}

static inline double windowOf(const HpccProfile *p, double quantity, double rateBps) {
  if (p->primary == 0) return quantity;
  if (p->windowMode == 0) return 0;
  if (p->windowMode == 1) return p->windowBytes;
  double window = p->windowBytes * rateBps / p->maxRateBps;
  return window > 1 ? window : 1;
}

static inline double sendGapPs(uint32_t lenBytes, double rateBps) { return ceil((double)lenBytes * 8e12 / rateBps); }

/* The step of the busiest hop; 0 when no hop counted. */
static inline double busiestHop(Hpcc *q, const HpccProfile *p, KeptHop *hops, const AckEvent *ack, bool full) {
  bool counted = false;
  double largest = 0, largestNs = 0;
  for (uint32_t i = 0; i < ack->hopCount; i++) {
    KeptHop *hop = hops + i;
    const ExactHop *sample = ack->hops + i;
    double tauNs = (sample->timePs - hop->time) / 1000;
    if (!full && p->sampleFeedback != 0 && sample->qlenBytes == 0) continue;
    if (tauNs == 0 && p->repeatedTimestamp == 0) continue;
    double sentBytes = sample->txBytes - hop->txBytes;
    double qlenBytes = sample->qlenBytes < hop->qlen ? sample->qlenBytes : hop->qlen;
    keepHop(hop, sample);
    if (tauNs < 0 || sentBytes < 0 || sample->lineRateBps <= 0) continue;
    if (tauNs == 0) tauNs = 1;
    double txRateBps = sentBytes * 8 / (tauNs * 1e-9);
    double utilization = txRateBps / sample->lineRateBps + qlenBytes * p->maxRateBps / sample->lineRateBps / p->windowBytes;
    counted = true;
    if (utilization > largest) {
      largest = utilization;
      largestNs = tauNs;
    }
  }
  if (!counted) return 0;
  q->utilization = smooth(p, q->utilization, largest, largestNs);
  double normalized = q->utilization / p->targetUtilization;
  bool multiplicative = normalized >= 1 || q->incStage >= p->maxStage;
  double quantity = (multiplicative ? q->committed / normalized : q->committed) + p->stepIncrement;
  if (!(quantity > p->stepMinimum)) quantity = p->stepMinimum;
  if (!(quantity < p->stepMaximum)) quantity = p->stepMaximum;
  if (full) {
    q->committed = quantity;
    q->incStage = multiplicative ? 0 : (uint16_t)(q->incStage + 1);
  }
  return quantity;
}

static inline void react(Hpcc *q, const HpccProfile *p, KeptHop *hops, const AckEvent *ack, bool full) {
  double quantity = busiestHop(q, p, hops, ack, full);
  if (quantity == 0) return;
  double rateBps = rateOf(p, quantity);
  if (q->rateBps != rateBps) q->nextSendPs += sendGapPs(q->lastLenBytes, rateBps) - sendGapPs(q->lastLenBytes, q->rateBps);
  q->rateBps = rateBps;
  q->windowBytes = windowOf(p, quantity, rateBps);
}

static inline AckResult hpccAck(Hpcc *q, const HpccProfile *p, KeptHop *hops, const AckEvent *ack) {
  if (ack->telemetry != TELEMETRY_EXACT) return ACK_NO_SIGNAL;
  bool full = beginsRoundTrip(p, q, ack->ackSeq);
  if (!full && p->fastReact == 0) return ACK_SKIPPED;
  if (!(q->flags & CONTROLLER_STARTED)) {
    takeRecords(q, hops, ack);
    moveMark(p, q, ack->sndNxt);
    return ACK_FIRST;
  }
  if (p->pathChange == 0 && isNewPath(q, hops, ack)) {
    takeRecords(q, hops, ack);
    double committed = p->primary != 0 ? q->rateBps : q->windowBytes;
    HopStep *steps = (HopStep *)(hops + EXACT_HOPS_MAX);
    for (uint32_t i = 0; i < EXACT_HOPS_MAX; i++) {
      steps[i].utilization = 1;
      steps[i].committed = committed;
      hops[i].incStage = 0;
    }
    return ACK_NEW_PATH;
  }
  react(q, p, hops, ack, full);
  if (full) moveMark(p, q, ack->sndNxt);
  return full ? ACK_UPDATE : ACK_FAST;
}

/*
 * The engine's memory as C sees it: the records of src/abi/layout.ts at the addresses where engine.wasm put them.
 *
 * The native variants work on the very memory of a wasm instance, so both sides pay for the same cache lines and
 * their results can be compared byte by byte. Numbers of codes and offsets: src/abi/codes.ts, src/abi/layout.ts.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define NONE 0xffffffffu

enum { EVENT_SENT, EVENT_CNP, EVENT_FAST_CNP, EVENT_MARKED, EVENT_TOUCH, EVENT_ACK };
enum {
  OUTCOME_SENT = 0,
  OUTCOME_RECEIVED = 1,
  OUTCOME_CNP_DUE = 2,
  OUTCOME_CNP_SUPPRESSED = 3,
  OUTCOME_CNP_HANDLED = 4,
  OUTCOME_FAST_CNP_ACCEPTED = 5,
  OUTCOME_TOUCHED = 6,
  OUTCOME_ACK_APPLIED = 7,
  OUTCOME_ACK = 19,
  OUTCOME_NAK = 20,
  OUTCOME_NOT_LOCAL = 21,
  OUTCOME_CNP_DUPLICATE = 22,
  OUTCOME_ACK_NOT_USED = 24,
  OUTCOME_ACK_NO_SIGNAL = 25,
  OUTCOME_UNKNOWN_QP = 36,
  OUTCOME_UNKNOWN_KIND = 37,
  OUTCOME_BAD_TIME = 38,
  OUTCOME_TIME_BACKWARDS = 39,
  OUTCOME_FAST_CNP_DISABLED = 41,
  OUTCOME_FAST_CNP_DENIED = 42,
  OUTCOME_FAST_CNP_UNKNOWN_FLOW = 44,
  OUTCOME_FAST_CNP_DUPLICATE = 45
};
enum { ACTION_RATE, ACTION_CNP, ACTION_FAST_CNP_ACCEPTED, ACTION_FAST_CNP_REJECTED };
enum { CAUSE_TIME, CAUSE_BYTES, CAUSE_CNP, CAUSE_FAST_CNP, CAUSE_ACK };
enum { ALGORITHM_DCQCN, ALGORITHM_HPCC };
enum { QP_OPEN = 1, QP_LIMITED = 2, QP_ALPHA_CNP = 4, QP_CUT_PENDING = 8, QP_PROFILE_SHIFT = 4 };
enum { NUMBERS_FLOAT64, NUMBERS_WHOLE_BPS, NUMBERS_ALPHA_Q10 };
enum {
  DCQCN_CUT_ON_CNP = 1,
  DCQCN_ALPHA_ON_CNP = 2,
  DCQCN_ALPHA_FIRST = 4,
  DCQCN_CLAMP_TARGET = 8,
  DCQCN_CLAMP_TARGET_AFTER_TIME = 16,
  DCQCN_FIRST_CNP_CUTS = 32,
  DCQCN_INCREASE_FROM_FIRST_CNP = 64,
  DCQCN_TIME_STAGE_ONLY = 128,
  DCQCN_HYPER_ABOVE = 256,
  DCQCN_HYPER_BY_STAGE = 512,
  DCQCN_HYPER_HALVES_PERIODS = 1024,
  DCQCN_TARGET_REDUCTION = 2048
};
enum {
  COUNTER_CLASSES = 48,
  COUNTER_EVENTS_IN = 64,
  COUNTER_PACKETS_IN = 65,
  COUNTER_PACKET_BYTES_IN = 66,
  COUNTER_ECN_MARKED = 67,
  COUNTER_CNP_SENT = 68,
  COUNTER_CNP_SUPPRESSED = 69,
  COUNTER_TIMER_STEPS = 70,
  COUNTER_LATE_CLAMPED = 72,
  COUNTER_DATA_SENT = 73
};

#define STAGE_MAX 65535
#define BYTE_STAGE_MAX 255
#define ALPHA_FLOOR 5.421010862427522e-20
#define TIME_MAX_PS 9007199254740991.0

typedef struct {
  double timePs;
  uint32_t qp;
  uint32_t argument;
} Event;

typedef struct {
  double timePs;
  uint32_t qp;
  uint32_t kindAndReason;
  double value;
} Action;

typedef struct {
  double rateBps, targetBps, alpha;
  double nextAlphaPs, nextIncreasePs, lastEventPs, nextSendPs;
  uint32_t bytesCounted;
  uint16_t timeStage;
  uint8_t byteStage, touched;
} QpState;

/* The fields that the host writes. engine.wasm keeps the values it derives from them after these fields. */
typedef struct {
  uint32_t algorithm, switches;
  double maxRateBps, minRateBps, alphaGain, alphaRetention, initialAlpha;
  double alphaPeriodPs, increasePeriodPs, cutPeriodPs, cutOffsetPs;
  double aiRateBps, haiRateBps, rateOnFirstCnpBps, rateOnFirstCnpFraction, minDecreaseFactor, cutScale, releaseRateBps;
  double tieGapPs;
  uint32_t byteCounterBytes, fastRecoverySteps, numbers, hyperFrom;
  double derived[20];
} Profile;

typedef struct {
  uint64_t low, high, key;
  uint64_t stamp;
} FlowEntry;

typedef struct {
  uint32_t tags, entries, groups, used, capacity, backReferences, passes;
} AddressTable;

_Static_assert(sizeof(QpState) == 64, "QP_BYTES");
_Static_assert(sizeof(Profile) == 320, "PROFILE_BYTES");
_Static_assert(sizeof(Event) == 16 && sizeof(Action) == 24 && sizeof(FlowEntry) == 32, "record sizes");

/* Where things are; filled by engine_attach from the numbers that bench/support/memory-map.ts names. */
typedef struct {
  uint8_t *base;
  double *counters;
  const uint8_t *profiles;
  const double *settings;
  const Event *events;
  Action *actions;
  QpState *qps;
  uint8_t *flags;
  uint32_t *flowEntries;
  double *windows;
  double *cutTimes;
  const AddressTable *flows, *endpoints;
  const uint64_t *hashKeys;
  const uint8_t *qpnTable;
  const uint8_t *descriptors;
  uint8_t *packets;
  const uint8_t *frames;
  uint8_t *ranges;
  const uint8_t *ackEvents;
  uint8_t *keptHops;
  uint32_t qpCapacity, qpnBuckets, windowStride, profileBytes, ackEventBytes, hopsPerQp;
  double npMinTimePs, duplicateWindowPs;
  uint32_t accessRanges;
  bool clampLate, rateActions, fastCnpEnabled;
} Engine;

extern Engine engine;
extern uint32_t engine_written;

static inline void count(uint32_t counter, double amount) { engine.counters[counter] += amount; }

static inline const Profile *profileOf(uint32_t flags) {
  return (const Profile *)(engine.profiles + (uint64_t)(flags >> QP_PROFILE_SHIFT) * engine.profileBytes);
}

static inline void emit(double timePs, uint32_t qp, uint32_t kind, uint32_t reason, double value) {
  Action *action = engine.actions + engine_written++;
  action->timePs = timePs;
  action->qp = qp;
  action->kindAndReason = kind | reason << 8;
  action->value = value;
}

static inline void emitRate(double timePs, uint32_t qp, uint32_t cause, double rateBps) {
  if (engine.rateActions) emit(timePs, qp, ACTION_RATE, cause, rateBps);
}

uint32_t native_apply_events(uint32_t n);
uint32_t native_apply_events_prefetching(uint32_t n);
uint32_t native_apply_packets(uint32_t n);
void native_find_flows(const uint8_t *keys, uint32_t *results, uint32_t n);
void native_find_flows_prefetching(const uint8_t *keys, uint32_t *results, uint32_t n);

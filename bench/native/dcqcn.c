/* The event loop of assembly/batch/events.ts in C: one pass, in order; once plainly, once with prefetching. */
#include "acknowledgements.h"
#include "reaction-point.h"

#define AHEAD 12

static inline uint32_t applyEvent(const Event *event) {
  uint32_t kind = event->argument >> 28;
  uint32_t value = event->argument & 0x0fffffff;
  if (kind == EVENT_SENT) return sent(event->qp, event->timePs, value);
  if (kind == EVENT_CNP) return cnpReceived(event->qp, event->timePs);
  if (kind == EVENT_MARKED) return marked(event->qp, event->timePs, value & 0xffff);
  if (kind == EVENT_TOUCH) return touched(event->qp, event->timePs);
  if (kind == EVENT_ACK) return acknowledged(event->qp, event->timePs, value);
  return OUTCOME_UNKNOWN_KIND;
}

uint32_t native_apply_events(uint32_t n) {
  engine_written = 0;
  for (const Event *event = engine.events, *end = event + n; event < end; event++) count(applyEvent(event), 1);
  count(COUNTER_EVENTS_IN, n);
  return engine_written;
}

uint32_t native_apply_events_prefetching(uint32_t n) {
  engine_written = 0;
  for (const Event *event = engine.events, *end = event + n; event < end; event++) {
    if (event + AHEAD < end) {
      uint32_t qp = event[AHEAD].qp;
      if (qp < engine.qpCapacity) {
        __builtin_prefetch(engine.qps + qp, 1);
        __builtin_prefetch(engine.flags + qp);
        if (event[AHEAD].argument >> 28 == EVENT_ACK) prefetchAck(qp, event[AHEAD].argument & 0x0fffffff);
      }
    }
    count(applyEvent(event), 1);
  }
  count(COUNTER_EVENTS_IN, n);
  return engine_written;
}

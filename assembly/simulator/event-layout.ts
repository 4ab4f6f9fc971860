/** Adds the event sources in a fixed order. Their numbers follow the events of ports, which run.ts handles. */
import { addReceipts } from './arrivals';
import { EVENTS_PER_PORT } from './event-numbers';
import { eventCount, resetSources } from './event-sources';
import { addTimeouts } from './flow-timers';
import { addOperationTimer } from './graph/timers';
import { addOperations } from './graph/step';
import { addPauseCheck } from './hazards/pause-check';
import { addStorms } from './hazards/storms';
import { addPolls } from './hazards/watchdog';
import { addLinkChanges } from './links';
import { addEndCheck } from './lossy/end-checks';
import { addFlushes } from './lossy/forward';
import { addExpiries } from './lossy/pause-expiries';
import { portCount } from './network';
import { addPulls } from './receiver-credit/pacer';
import { addDelayedCnps } from './receiver';
import { addSample } from './sampling';
import { addStartEvent } from './sender';
import { addProbes } from './transport/mrc-probes';
import { addStatusTimers } from './transport/port-status';
import { addLossChecks } from './transport/tolerant-events';
import { addRnrWaits } from './verbs/not-ready';
import { addArnEvents } from './wan/forward';

/** Numbers all events; returns their number. */
export function layOutEvents(): u32 {
  resetSources(portCount * EVENTS_PER_PORT);
  addTimeouts();
  addDelayedCnps();
  addStartEvent();
  addLinkChanges();
  addOperations();
  addOperationTimer();
  addSample();
  addEndCheck();
  addPauseCheck();
  addFlushes();
  addExpiries();
  addStorms();
  addReceipts();
  addPolls();
  addArnEvents();
  addLossChecks();
  addRnrWaits();
  addProbes();
  addPulls();
  addStatusTimers();
  return eventCount;
}

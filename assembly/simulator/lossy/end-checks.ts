/**
 * Periodic checks for the end of a run: once all flows are done, it stops a nanosecond later, even with packets in flight.
 *
 * Source: docs/specs/reference-lossy.md, section 1.
 */
import { RUN_IDLE } from '../../../src/abi/sim-codes';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { addEvent } from '../event-sources';
import { areFlowsDone, halt } from '../halt';
import { checkEveryPs, checkFromPs } from './network';

const STOP_PS: i64 = 1000;

let checkEvent: u32 = 0;
let stops: bool = false;

/** Adds the event that checks whether the run has ended. */
export function addEndCheck(): void {
  checkEvent = addEvent(checkEnd);
}

export function beginEndChecks(): void {
  stops = false;
  schedule(checkEvent, checkFromPs, drawOrder());
}

function checkEnd(): void {
  if (stops) return halt(RUN_IDLE);
  stops = areFlowsDone();
  schedule(checkEvent, nowPs + (stops ? STOP_PS : checkEveryPs), drawOrder());
}

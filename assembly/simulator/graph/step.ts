/**
 * Advances a graph of operations at one instant, after its other events and in a fixed order (ready.ts):
 *
 *   timer ─► lapse      last byte ─► offer      last ACK ─► done      dependencies met ─► send, post or compute
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { addEvent } from '../event-sources';
import { claim, lapse } from './lanes';
import { offer, post } from './matching';
import { allocateRecords, clearQueues, operationAt, operationCount } from './memory';
import { becomeReady, finish } from './operations';
import { allocateReady, clearReady, endRounds, isAnyReady, placeOperations, removeReady, STAGE_ACKNOWLEDGED,
  STAGE_LAPSED, STAGE_OFFER, STAGE_RECEIVE, stageOf } from './ready';
import { allocateTimers, clearTimers } from './timers';

/** Adds the event at which operations of a graph proceed. */
export function addOperations(): void {
  placeOperations(addEvent(stepOperations));
}

export function allocateGraph(): void {
  allocateRecords();
  allocateReady();
  allocateTimers();
}

/** Makes operations without dependencies ready at time 0. */
export function beginGraph(): void {
  clearQueues();
  clearReady();
  clearTimers();
  for (let index: u32 = 0; index < operationCount; index++) {
    const operation = operationAt(index);
    operation.cause = operation.match = SIM_NONE;
    if (operation.waitsFor == 0) becomeReady(index);
  }
}

/** Starts every operation that can start now. */
function stepOperations(): void {
  while (isAnyReady()) {
    const key = removeReady();
    const index = <u32>key;
    const stage = stageOf(key);
    if (stage == STAGE_OFFER) offer(index);
    else if (stage == STAGE_RECEIVE) post(index);
    else if (stage == STAGE_ACKNOWLEDGED) finish(index);
    else if (stage == STAGE_LAPSED) lapse(index);
    else claim(index);
  }
  endRounds();
}

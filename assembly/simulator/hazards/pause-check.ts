/** The periodic check of pauses: accounts for held flows, and searches for deadlocks. */
import { RUN_DEADLOCK } from '../../../src/abi/sim-codes';
import { addEvent } from '../event-sources';
import { halt } from '../halt';
import { portAt, portCount } from '../network';
import { isEndedByDeadlock, seekDeadlock } from './deadlock';
import { placePauseCheck, scheduleNextCheck, pauseCheckStarts } from './pause-check-schedule';
import { accountVictims } from './victims';
import { CLASSES } from '../classes';

/** Adds the event of the check. */
export function addPauseCheck(): void {
  placePauseCheck(addEvent(checkPauses));
}

function checkPauses(): void {
  pauseCheckStarts();
  const paused = accountAll();
  seekDeadlock();
  if (isEndedByDeadlock()) return halt(RUN_DEADLOCK);
  if (paused) scheduleNextCheck();
}

/** Accounts for the flows held by all pauses; returns whether any port is paused. */
export function accountAll(): bool {
  let paused: u32 = 0;
  for (let index: u32 = 0; index < portCount; index++) {
    const port = portAt(index);
    paused |= port.paused;
    if (!port.paused) continue;
    for (let cls: u32 = 0; cls < CLASSES; cls++) {
      if (port.paused & (1 << cls)) accountVictims(port, cls, true);
    }
  }
  return paused != 0;
}

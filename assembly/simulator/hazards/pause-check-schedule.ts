/**
 * Schedules the checks of pauses, while any port is paused.
 *
 *   interval   the plan's interval after the beginning of a pause; doubled at each check, up to 64 times the interval, until another
 *              pause begins
 *
 * So the cost of a long pause decreases over time, and without pauses there are no checks.
 */
import { cancel, drawOrder, nowPs, schedule } from '../event-queue';
import { hazardNetwork } from './memory';

const INTERVALS_MAX: i64 = 64;

let checkEvent: u32 = 0;
/** Time of the next check; -1 if there is none. */
let duePs: i64 = -1;
let intervalPs: i64 = 0;

/** Sets the event number of the check. */
export function placePauseCheck(event: u32): void {
  checkEvent = event;
}

export function resetPauseChecks(): void {
  duePs = -1;
}

/** Called when a pause began. */
export function schedulePauseCheck(): void {
  const checkIntervalPs = <i64>hazardNetwork().checkIntervalPs;
  if (checkIntervalPs == 0) return;
  intervalPs = checkIntervalPs;
  if (duePs >= 0 && duePs <= nowPs + checkIntervalPs) return;
  if (duePs >= 0) cancel(checkEvent);
  scheduleAt(checkIntervalPs);
}

/** Called when the scheduled check begins. */
export function pauseCheckStarts(): void {
  duePs = -1;
}

/** Schedules the next check. */
export function scheduleNextCheck(): void {
  scheduleAt(intervalPs);
  intervalPs = min<i64>(intervalPs << 1, <i64>hazardNetwork().checkIntervalPs * INTERVALS_MAX);
}

function scheduleAt(afterPs: i64): void {
  duePs = nowPs + afterPs;
  schedule(checkEvent, duePs, drawOrder());
}

/**
 * When pauses are checked: while any port is paused.
 *
 *   interval   as the plan has it behind a pause's begin; twice as long each time until another begins, up to 64 times
 *
 * So a long pause costs less the longer it lasts, and without pauses nothing is checked.
 */
import { pauseCheckEvent } from '../event-numbers';
import { cancel, drawOrder, nowPs, schedule } from '../event-queue';
import { hazardNetwork } from './memory';

const INTERVALS_MAX: i64 = 64;

/** When the next check is due; -1: none is. */
let duePs: i64 = -1;
let intervalPs: i64 = 0;

export function resetPauseChecks(): void {
  duePs = -1;
}

/** A pause began. */
export function schedulePauseCheck(): void {
  const checkIntervalPs = <i64>hazardNetwork().checkIntervalPs;
  if (checkIntervalPs == 0) return;
  intervalPs = checkIntervalPs;
  if (duePs >= 0 && duePs <= nowPs + checkIntervalPs) return;
  if (duePs >= 0) cancel(pauseCheckEvent());
  scheduleAt(checkIntervalPs);
}

/** The check that was due starts. */
export function pauseCheckStarts(): void {
  duePs = -1;
}

/** Schedules another one. */
export function scheduleNextCheck(): void {
  scheduleAt(intervalPs);
  intervalPs = min<i64>(intervalPs << 1, <i64>hazardNetwork().checkIntervalPs * INTERVALS_MAX);
}

function scheduleAt(afterPs: i64): void {
  duePs = nowPs + afterPs;
  schedule(pauseCheckEvent(), duePs, drawOrder());
}

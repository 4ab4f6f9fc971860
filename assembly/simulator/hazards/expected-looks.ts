/**
 * When pauses are looked at: while any port is paused.
 *
 *   interval   as the plan has it behind a pause's begin; twice as long each time until another begins, up to 64 times
 *
 * So a pause that lasts costs less the longer it lasts, and without pauses nothing is looked at.
 */
import { lookEvent } from '../event-numbers';
import { cancel, drawOrder, nowPs, schedule } from '../event-queue';
import { hazardNetwork } from './memory';

const LONGEST_LOOKS: i64 = 64;

/** When the next look is due; -1: none is. */
let duePs: i64 = -1;
let intervalPs: i64 = 0;

export function beginLooks(): void {
  duePs = -1;
}

/** A pause has begun. */
export function expectLook(): void {
  const lookPs = <i64>hazardNetwork().lookPs;
  if (lookPs == 0) return;
  intervalPs = lookPs;
  if (duePs >= 0 && duePs <= nowPs + lookPs) return;
  if (duePs >= 0) cancel(lookEvent());
  setLook(lookPs);
}

/** The look that was due is under way. */
export function lookBegins(): void {
  duePs = -1;
}

/** And there has to be another one. */
export function lookAgain(): void {
  setLook(intervalPs);
  intervalPs = min<i64>(intervalPs << 1, <i64>hazardNetwork().lookPs * LONGEST_LOOKS);
}

function setLook(afterPs: i64): void {
  duePs = nowPs + afterPs;
  schedule(lookEvent(), duePs, drawOrder());
}

/**
 * DCQCN's timers and events of the same instant, in the order of the reference simulator.
 *
 * There a timer is an event like any other, and of two at one instant the one goes first that was scheduled first. A timer that is
 * due at t was scheduled a period before; so it goes before an event at t that was scheduled less than a period ago. The
 * engine's own rule is one per parameter set ("events first"); this file applies, before an event, the timers that precede it.
 */
import { QP_CUT_PENDING, QP_LIMITED } from '../../src/abi/codes';
import { catchUp, cutTime } from '../algorithms/dcqcn/timers';
import { flagsOf, parameterSetOf, setFlags, stateOf } from '../memory/map';
import { DcqcnParameterSet, QpState } from '../memory/records';
import { nowPs } from './event-queue';

/** Applies what is due before now, and of what is due now what was scheduled before `sincePs`. */
export function runTimersBefore(qp: u32, sincePs: i64): void {
  const flags = flagsOf(qp);
  if (!(flags & QP_LIMITED)) return;
  const q = stateOf(qp);
  const p = parameterSetOf(flags);
  const now = <f64>nowPs;
  const before = catchUp(qp, q, p, flags, now - 1);
  setFlags(qp, before);
  if (isDueNow(qp, q, before, now)) runTied(qp, q, p, before, now - <f64>sincePs);
}

@inline function isDueNow(qp: u32, q: QpState, flags: u32, now: f64): bool {
  return q.nextAlphaPs == now || q.nextIncreasePs == now || ((flags & QP_CUT_PENDING) != 0 && cutTime(qp) == now);
}

/** `age`: how long ago the present event was scheduled. Timers that come after it are out of sight meanwhile. */
function runTied(qp: u32, q: QpState, p: DcqcnParameterSet, flags: u32, age: f64): void {
  const now = <f64>nowPs;
  const alphaPs = q.nextAlphaPs;
  const increasePs = q.nextIncreasePs;
  const hideAlpha = alphaPs == now && p.alphaPeriodPs <= age;
  const hideIncrease = increasePs == now && p.increasePeriodPs <= age;
  const hideCut = (flags & QP_CUT_PENDING) != 0 && cutTime(qp) == now && p.cutPeriodPs <= age;
  if (hideAlpha) q.nextAlphaPs = Infinity;
  if (hideIncrease) q.nextIncreasePs = Infinity;
  let after = catchUp(qp, q, p, hideCut ? flags & ~QP_CUT_PENDING : flags, now);
  if (hideCut) after |= QP_CUT_PENDING;
  if (hideAlpha) q.nextAlphaPs = alphaPs;
  if (hideIncrease) q.nextIncreasePs = increasePs;
  setFlags(qp, after);
}

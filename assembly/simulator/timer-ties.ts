/**
 * Orders timers of DCQCN, and of custom algorithms without ACKs, among events of the same instant as in the reference simulator.
 *
 * There a timer is an ordinary event, and simultaneous events run in the order in which they were scheduled. A timer due at t was
 * scheduled one period earlier, so it precedes an event at t that was scheduled less than a period ago. The engine only has a fixed
 * rule per parameter set ("events first"); this file applies, before an event, the timers that precede it.
 */
import { CAUSE_TIME, QP_CUT_PENDING, QP_LIMITED } from '../../src/abi/codes';
import { touchBefore } from '../algorithms/by-table';
import { asDcqcn, DcqcnParameterSet } from '../algorithms/dcqcn/record';
import { catchUp, catchUpEach, cutsPerPeriod, cutTime, skipCutChecks } from '../algorithms/dcqcn/timers';
import { isBuiltIn } from '../algorithms/registry';
import { flagsOf, parameterSetOf, setFlags, stateOf } from '../memory/map';
import { QpState } from '../memory/records';
import { beginEvent, TRACING, tracing } from '../trace/ring';
import { nowPs } from './event-queue';

/** Applies timers due before now, and those due now that precede the current event, which was scheduled at `sincePs`. */
export function runTimersBefore(qp: u32, sincePs: i64): void {
  const flags = flagsOf(qp);
  if (!(flags & QP_LIMITED)) return;
  const q = stateOf(qp);
  if (!isBuiltIn(parameterSetOf(flags).algorithm)) {
    touchBefore(qp, q, parameterSetOf(flags), <f64>nowPs, <f64>sincePs);
    return;
  }
  const p = asDcqcn(parameterSetOf(flags));
  if (TRACING && tracing) beginEvent(CAUSE_TIME, q.rateBps);
  const now = <f64>nowPs;
  let after = catchUp(qp, q, p, flags, now - 1);
  const agePs = now - <f64>sincePs;
  if (isDueNow(qp, q, after, now)) {
    after = catchUpEach(qp, q, p, after, upTo(p.alphaPeriodPs, agePs), upTo(p.increasePeriodPs, agePs),
      upTo(p.cutPeriodPs, agePs));
  }
  if (!(after & QP_CUT_PENDING) && cutsPerPeriod(p)) passIdleCheck(qp, p, agePs);
  setFlags(qp, after);
}

/** Consumes a cut check due now that precedes the event and has no pending cut, so that a CNP of this event waits for the next one. */
@inline function passIdleCheck(qp: u32, p: DcqcnParameterSet, agePs: f64): void {
  const now = <f64>nowPs;
  if (cutTime(qp) <= now && upTo(p.cutPeriodPs, agePs) == now) skipCutChecks(qp, p, now);
}

@inline function isDueNow(qp: u32, q: QpState, flags: u32, now: f64): bool {
  return q.nextAlphaPs == now || q.nextIncreasePs == now || ((flags & QP_CUT_PENDING) != 0 && cutTime(qp) == now);
}

/** Time up to which a timer with this period is applied before an event that was scheduled `agePs` ago. */
@inline function upTo(periodPs: f64, agePs: f64): f64 {
  return <f64>nowPs - <f64>(<u32>(periodPs <= agePs));
}

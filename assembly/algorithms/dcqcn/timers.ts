/**
 * DCQCN's lazy timers: apply everything that has become due since a QP was last updated, in the order of eager timers.
 *
 * Order     by time; alpha before the cut check; of cut check and increase the one with the longer period first (it
 *           was armed earlier), the cut check if both are equal. Alpha and increase interact only in a cut, so each runs in
 *           its own loop up to the next cut.
 * Bounded   alpha reaches a fixed point (at worst 0), and at some step the increase changes neither rate nor target any
 *           more; from there whole periods are skipped arithmetically.
 */
import { BYTE_STAGE_MAX, CAUSE_BYTES, CAUSE_TIME, DCQCN_CUT_ON_CNP, QP_ALPHA_CNP, QP_CUT_PENDING,
  STAGE_MAX } from '../../../src/abi/codes';
import { COUNTER_TIMER_STEPS } from '../../../src/abi/layout';
import { TRACE_CUT, TRACE_RELEASE } from '../../../src/abi/trace-layout';
import { count } from '../../memory/counters';
import { cutTimes } from '../../memory/map';
import { QpState } from '../../memory/records';
import { DcqcnParameterSet } from './record';
import { because, TRACING, tracing } from '../../trace/ring';
import { alphaDown, alphaUp } from './arithmetic';
import { byteLimit, cut, increase, increasePeriod, laterStage, nextStage, release, releases, traceCut,
  traceStep } from './steps';

/** Applies all expiries up to and including `upToPs`; returns the new flags. */
export function catchUp(qp: u32, q: QpState, p: DcqcnParameterSet, flags: u32, upToPs: f64): u32 {
  return catchUpEach(qp, q, p, flags, upToPs, upToPs, upToPs);
}

/** Like `catchUp`, with a separate time limit for each timer. */
@inline export function catchUpEach(qp: u32, q: QpState, p: DcqcnParameterSet, flags: u32, alphaUpToPs: f64,
  increaseUpToPs: f64, cutUpToPs: f64): u32 {
  if (flags & QP_CUT_PENDING) {
    const cutPs = cutTime(qp);
    if (cutPs <= cutUpToPs) {
      flags = runAlpha(q, p, flags, min(cutPs, alphaUpToPs));
      flags = runIncrease(q, p, flags, min(p.increasePeriodPs > p.cutPeriodPs ? cutPs : cutPs - 1, increaseUpToPs));
      cut(q, p, p.numbers, cutPs, q.alpha);
      if (TRACING && tracing) traceCut(TRACE_CUT, cutPs, CAUSE_TIME, q, p, q.alpha);
      setCutTime(qp, cutPs + p.cutPeriodPs);
      flags &= ~QP_CUT_PENDING;
    }
  }
  flags = runAlpha(q, p, flags, alphaUpToPs);
  return runIncrease(q, p, flags, increaseUpToPs);
}

/** Like `catchUp`, but also moves cut checks without a pending cut past `upToPs`: for touches that complete an instant. */
export function catchUpThrough(qp: u32, q: QpState, p: DcqcnParameterSet, flags: u32, upToPs: f64): u32 {
  flags = catchUp(qp, q, p, flags, upToPs);
  if (cutsPerPeriod(p) && !(flags & QP_CUT_PENDING)) skipCutChecks(qp, p, upToPs);
  return flags;
}

function runAlpha(q: QpState, p: DcqcnParameterSet, flags: u32, upToPs: f64): u32 {
  let next = q.nextAlphaPs;
  if (next > upToPs) return flags;
  const period = p.alphaPeriodPs;
  let alpha = q.alpha;
  let steps: f64 = 0;
  if (flags & QP_ALPHA_CNP) {
    alpha = alphaUp(p, p.numbers, alpha);
    next += period;
    flags &= ~QP_ALPHA_CNP;
    steps++;
  }
  while (next <= upToPs) {
    const down = alphaDown(p, p.numbers, alpha);
    steps++;
    next += period;
    if (down == alpha) next = firstAfter(next, period, upToPs);
    alpha = down;
  }
  q.alpha = alpha;
  q.nextAlphaPs = next;
  count(COUNTER_TIMER_STEPS, steps);
  return flags;
}

function runIncrease(q: QpState, p: DcqcnParameterSet, flags: u32, upToPs: f64): u32 {
  let next = q.nextIncreasePs;
  if (next > upToPs) return flags;
  let steps: f64 = 0;
  while (next <= upToPs) {
    const rate = q.rateBps;
    const target = q.targetBps;
    const period = increasePeriod(q, p);
    increase(q, p, q.timeStage == 0);
    q.timeStage = <u16>nextStage(q.timeStage, STAGE_MAX);
    if (TRACING && tracing) traceStep(next, CAUSE_TIME, q);
    steps++;
    if (releases(q, p, flags)) {
      flags = releaseAt(next, CAUSE_TIME, q, p, flags);
      next = Infinity;
      break;
    }
    next += period;
    if (next <= upToPs && q.rateBps == rate && q.targetBps == target && <u32>q.timeStage > p.fastRecoverySteps + 1) {
      const last = lastUpTo(next, period, upToPs);
      q.timeStage = <u16>laterStage(q.timeStage, (last - next) / period + 1, STAGE_MAX);
      next = last + period;
    }
  }
  q.nextIncreasePs = next;
  count(COUNTER_TIMER_STEPS, steps);
  return flags;
}

/** Runs the steps of the byte counter after `bytes` since its last one; returns the new flags. */
export function runByteCounter(q: QpState, p: DcqcnParameterSet, flags: u32, bytes: u32, timePs: f64): u32 {
  let limit = byteLimit(q, p);
  let steps: f64 = 0;
  while (bytes >= limit) {
    const rate = q.rateBps;
    const target = q.targetBps;
    increase(q, p, q.byteStage == 0);
    q.byteStage = <u8>nextStage(q.byteStage, BYTE_STAGE_MAX);
    if (TRACING && tracing) traceStep(timePs, CAUSE_BYTES, q);
    bytes -= limit;
    steps++;
    if (releases(q, p, flags)) {
      flags = releaseAt(timePs, CAUSE_BYTES, q, p, flags);
      bytes = 0;
      break;
    }
    limit = byteLimit(q, p);
    if (q.rateBps == rate && q.targetBps == target && <u32>q.byteStage > p.fastRecoverySteps + 1) {
      q.byteStage = <u8>laterStage(q.byteStage, <f64>(bytes / limit), BYTE_STAGE_MAX);
      bytes %= limit;
    }
  }
  q.bytesCounted = bytes;
  count(COUNTER_TIMER_STEPS, steps);
  return flags;
}

@inline function releaseAt(timePs: f64, cause: u32, q: QpState, p: DcqcnParameterSet, flags: u32): u32 {
  if (TRACING && tracing) because(TRACE_RELEASE);
  const released = release(q, p, flags);
  if (TRACING && tracing) traceStep(timePs, cause, q);
  return released;
}

/**
 * The last of next, next + period, … up to and including `upToPs`, which is not before `next`. All are whole numbers below
 * 2^53, so the result is exact: such a quotient never rounds up to the next whole number.
 */
@inline function lastUpTo(next: f64, period: f64, upToPs: f64): f64 {
  return next + floor<f64>((upToPs - next) / period) * period;
}

/** The first of next, next + period, … after `upToPs`. It can exceed 2^53 and is then rounded as a single step would be. */
function firstAfter(next: f64, period: f64, upToPs: f64): f64 {
  return next > upToPs ? next : lastUpTo(next, period, upToPs) + period;
}

/** Whether cuts are checked once per period instead of made at each CNP. */
@inline export function cutsPerPeriod(p: DcqcnParameterSet): bool {
  return !(p.switches & DCQCN_CUT_ON_CNP);
}

/** Moves the next cut check past `upToPs`. */
export function skipCutChecks(qp: u32, p: DcqcnParameterSet, upToPs: f64): void {
  setCutTime(qp, firstAfter(cutTime(qp), p.cutPeriodPs, upToPs));
}

/** Time of the next cut check. */
@inline export function cutTime(qp: u32): f64 {
  return load<f64>(cutTimes + (<usize>qp << 3));
}

@inline export function setCutTime(qp: u32, timePs: f64): void {
  store<f64>(cutTimes + (<usize>qp << 3), timePs);
}

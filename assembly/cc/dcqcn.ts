/**
 * DCQCN's reaction point: transitions on one 64-byte record, with lazy timers.
 *
 * Role      gets what happened to one QP (bytes sent, a CNP, time) and moves its rate.
 * State     QpState: R_C, R_T, alpha, next expiries, stages T and B; four flag bits; the time of the next cut check.
 * Cut       R_T = R_C (clamp rule); R_C = R_C (1 - alpha cutScale); T = B = 0; increase timer restarts.
 * Alpha     up (1-g) alpha + g, down (1-g) alpha; on the CNP or once a period.
 * Increase  each period and each byteCounterBytes: hi < F fast recovery; lo at or above F hyper; else additive;
 *           R_C = (R_C + R_T) / 2.
 * Source    Zhu et al., SIGCOMM 2015, section 3; NVIDIA DCQCN parameters; see src/config/dcqcn-parameters.ts for every
 *           switch and docs/sources.md for where sources disagree.
 * Lazy      No timer event exists. Touching a QP at t first applies all its expiries up to t in the order of eager
 *           timers: by time; alpha before the cut; of cut and increase the one with the longer period first (it was
 *           armed earlier), the cut when both are equal. Alpha and increase only meet in a cut, so each runs in a loop
 *           of its own up to the next cut.
 * Bounded   Alpha stops at a fixed point (0 at the latest), the increase when a step moves neither rate nor target
 *           any more; whole periods are then skipped by arithmetic.
 * Deviation Times are whole picoseconds; "before t" is "up to t - 1" (DcqcnProfile.tieGapPs).
 */
import {
  DCQCN_ALPHA_FIRST,
  DCQCN_ALPHA_ON_CNP,
  DCQCN_CLAMP_TARGET,
  DCQCN_CLAMP_TARGET_AFTER_TIME,
  DCQCN_CUT_ON_CNP,
  DCQCN_FIRST_CNP_CUTS,
  DCQCN_HYPER_ABOVE,
  DCQCN_HYPER_BY_STAGE,
  DCQCN_HYPER_HALVES_PERIODS,
  DCQCN_INCREASE_FROM_FIRST_CNP,
  DCQCN_TARGET_REDUCTION,
  DCQCN_TIME_STAGE_ONLY,
  QP_ALPHA_CNP,
  QP_CUT_PENDING,
  QP_LIMITED,
  STAGE_MAX,
} from '../../src/abi/codes';
import { COUNTER_TIMER_STEPS } from '../../src/abi/layout';
import { count } from '../memory/counters';
import { cutTimes } from '../memory/map';
import { DcqcnProfile, QpState } from '../memory/records';
import { alphaDown, alphaUp, averageRate, cutRate, wholeRate } from './dcqcn-arithmetic';

const PS_BITS_PER_BYTE_SECOND: f64 = 8e12;

/** The state of a QP without a limiter: line rate, nothing armed. */
export function reset(q: QpState, p: DcqcnProfile): void {
  q.rateBps = p.maxRateBps;
  q.targetBps = p.maxRateBps;
  q.alpha = p.initialAlpha;
  q.nextAlphaPs = Infinity;
  q.nextIncreasePs = Infinity;
  q.nextSendPs = 0;
  q.bytesCounted = 0;
  q.timeStage = 0;
  q.byteStage = 0;
}

/** Is anything to be applied before an event whose timers count up to `upToPs`? */
@inline export function timersDue(q: QpState, flags: u32, upToPs: f64): bool {
  return q.nextAlphaPs <= upToPs || q.nextIncreasePs <= upToPs || (flags & QP_CUT_PENDING) != 0;
}

/** Applies all expiries up to and including `upToPs`; returns the new flags. */
export function catchUp(qp: u32, q: QpState, p: DcqcnProfile, flags: u32, upToPs: f64): u32 {
  if (flags & QP_CUT_PENDING) {
    const cutPs = cutTime(qp);
    if (cutPs <= upToPs) {
      flags = runAlpha(q, p, flags, cutPs);
      flags = runIncrease(q, p, flags, p.increasePeriodPs > p.cutPeriodPs ? cutPs : cutPs - 1);
      cut(q, p, cutPs);
      setCutTime(qp, cutPs + p.cutPeriodPs);
      flags &= ~QP_CUT_PENDING;
    }
  }
  flags = runAlpha(q, p, flags, upToPs);
  return runIncrease(q, p, flags, upToPs);
}

/** As `catchUp`, and moves the cut checks that nobody waits for past `upToPs`: for touches that end an instant. */
export function catchUpThrough(qp: u32, q: QpState, p: DcqcnProfile, flags: u32, upToPs: f64): u32 {
  flags = catchUp(qp, q, p, flags, upToPs);
  if (cutsPerPeriod(p) && !(flags & QP_CUT_PENDING)) skipCutChecks(qp, p, upToPs);
  return flags;
}

/** A data packet left at `timePs`; timers are already applied. Returns the new flags. */
@inline export function onSent(q: QpState, p: DcqcnProfile, flags: u32, timePs: f64, lenBytes: u32): u32 {
  if (p.byteCounterBytes) {
    const bytes = q.bytesCounted + lenBytes;
    if (bytes < p.byteCounterBytes && !(p.switches & DCQCN_HYPER_HALVES_PERIODS)) q.bytesCounted = bytes;
    else flags = runByteCounter(q, p, flags, bytes);
  }
  if (flags & QP_LIMITED) {
    q.nextSendPs = timePs + ceil<f64>((<f64>lenBytes * PS_BITS_PER_BYTE_SECOND) / q.rateBps);
  }
  return flags;
}

/** A CNP came at `timePs`; timers are already applied up to `upToPs`. Returns the new flags. */
export function onCnp(qp: u32, q: QpState, p: DcqcnProfile, flags: u32, timePs: f64, upToPs: f64): u32 {
  const switches = p.switches;
  const first = !(flags & QP_LIMITED);
  if (first) {
    startLimiter(qp, q, p, timePs);
    flags |= QP_LIMITED;
    if (!(switches & DCQCN_FIRST_CNP_CUTS)) return flags;
  }
  if (switches & DCQCN_ALPHA_FIRST) raiseAlphaOnCnp(q, p, timePs);
  if (switches & DCQCN_CUT_ON_CNP) {
    cut(q, p, timePs);
  } else if (!(flags & QP_CUT_PENDING)) {
    skipCutChecks(qp, p, upToPs);
    flags |= QP_CUT_PENDING;
  }
  if (!(switches & DCQCN_ALPHA_FIRST)) raiseAlphaOnCnp(q, p, timePs);
  return first || switches & DCQCN_ALPHA_ON_CNP ? flags : flags | QP_ALPHA_CNP;
}

/** When the rate can next change by itself; Infinity when it can't. */
export function nextDeadline(qp: u32, q: QpState, p: DcqcnProfile, flags: u32): f64 {
  if (!(flags & QP_LIMITED)) return Infinity;
  const increasePs = isFrozen(q, p, flags) ? Infinity : q.nextIncreasePs;
  if (!(flags & QP_CUT_PENDING)) return increasePs;
  const cutPs = cutTime(qp);
  return cutPs < increasePs ? cutPs : increasePs;
}

function startLimiter(qp: u32, q: QpState, p: DcqcnProfile, timePs: f64): void {
  q.alpha = p.initialAlpha;
  q.nextAlphaPs = timePs + p.alphaPeriodPs;
  q.nextIncreasePs = p.switches & DCQCN_INCREASE_FROM_FIRST_CNP ? timePs + p.increasePeriodPs : Infinity;
  if (cutsPerPeriod(p)) setCutTime(qp, timePs + p.cutOffsetPs + p.cutPeriodPs);
  q.rateBps = firstCnpRate(q, p);
  q.targetBps = q.rateBps;
}

function firstCnpRate(q: QpState, p: DcqcnProfile): f64 {
  let rate = q.rateBps;
  if (p.rateOnFirstCnpBps > 0) rate = p.rateOnFirstCnpBps;
  else if (p.rateOnFirstCnpFraction != 1) rate = wholeRate(p, rate * p.rateOnFirstCnpFraction);
  if (rate < p.minRateBps) rate = p.minRateBps;
  return rate > p.maxRateBps ? p.maxRateBps : rate;
}

@inline function raiseAlphaOnCnp(q: QpState, p: DcqcnProfile, timePs: f64): void {
  if (!(p.switches & DCQCN_ALPHA_ON_CNP)) return;
  q.alpha = alphaUp(p, q.alpha);
  q.nextAlphaPs = timePs + p.alphaPeriodPs;
}

@inline function cut(q: QpState, p: DcqcnProfile, timePs: f64): void {
  const switches = p.switches;
  const afterTime = (switches & DCQCN_CLAMP_TARGET_AFTER_TIME) != 0 && q.timeStage != 0;
  if (switches & DCQCN_CLAMP_TARGET || q.byteStage != 0 || afterTime) q.targetBps = q.rateBps;
  const rate = cutRate(p, q.rateBps, q.alpha);
  q.rateBps = rate < p.minRateBps ? p.minRateBps : rate;
  q.timeStage = 0;
  q.byteStage = 0;
  q.bytesCounted = 0;
  q.nextIncreasePs = timePs + p.increasePeriodPs;
}

function runAlpha(q: QpState, p: DcqcnProfile, flags: u32, upToPs: f64): u32 {
  let next = q.nextAlphaPs;
  if (next > upToPs) return flags;
  const period = p.alphaPeriodPs;
  let alpha = q.alpha;
  let steps: f64 = 0;
  if (flags & QP_ALPHA_CNP) {
    alpha = alphaUp(p, alpha);
    next += period;
    flags &= ~QP_ALPHA_CNP;
    steps++;
  }
  while (next <= upToPs) {
    const down = alphaDown(p, alpha);
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

function runIncrease(q: QpState, p: DcqcnProfile, flags: u32, upToPs: f64): u32 {
  let next = q.nextIncreasePs;
  if (next > upToPs) return flags;
  let steps: f64 = 0;
  while (next <= upToPs) {
    const rate = q.rateBps;
    const target = q.targetBps;
    const period = increasePeriod(q, p);
    increase(q, p, q.timeStage == 0);
    q.timeStage = raiseStage(q.timeStage, 1);
    next += period;
    steps++;
    if (releases(q, p, flags)) {
      flags = release(q, p, flags);
      next = Infinity;
    } else if (next <= upToPs && q.rateBps == rate && q.targetBps == target && <u32>q.timeStage > p.fastRecoverySteps + 1) {
      const last = lastUpTo(next, period, upToPs);
      q.timeStage = raiseStage(q.timeStage, (last - next) / period + 1);
      next = last + period;
    }
  }
  q.nextIncreasePs = next;
  count(COUNTER_TIMER_STEPS, steps);
  return flags;
}

function runByteCounter(q: QpState, p: DcqcnProfile, flags: u32, bytes: u32): u32 {
  let limit = byteLimit(q, p);
  let steps: f64 = 0;
  while (bytes >= limit) {
    const rate = q.rateBps;
    const target = q.targetBps;
    increase(q, p, q.byteStage == 0);
    q.byteStage = raiseStage(q.byteStage, 1);
    bytes -= limit;
    steps++;
    if (releases(q, p, flags)) {
      flags = release(q, p, flags);
      bytes = 0;
      break;
    }
    limit = byteLimit(q, p);
    if (q.rateBps == rate && q.targetBps == target && <u32>q.byteStage > p.fastRecoverySteps + 1) {
      q.byteStage = raiseStage(q.byteStage, <f64>(bytes / limit));
      bytes %= limit;
    }
  }
  q.bytesCounted = bytes;
  count(COUNTER_TIMER_STEPS, steps);
  return flags;
}

/** One increase step; `first`: the counter that expires has not expired since the last cut. */
function increase(q: QpState, p: DcqcnProfile, first: bool): void {
  let target = q.targetBps;
  if (highStage(q, p) >= p.fastRecoverySteps) {
    target += increment(q, p);
    if (target > p.maxRateBps) target = p.maxRateBps;
  }
  if (first && p.switches & DCQCN_TARGET_REDUCTION && target > 10 * q.rateBps) target = wholeRate(p, target * 0.125);
  q.targetBps = target;
  q.rateBps = averageRate(p, q.rateBps, target);
}

@inline function increment(q: QpState, p: DcqcnProfile): f64 {
  if (!isHyper(q, p)) return p.aiRateBps;
  if (!(p.switches & DCQCN_HYPER_BY_STAGE)) return p.haiRateBps;
  return p.haiRateBps * <f64>(lowStage(q, p) - p.fastRecoverySteps + 1);
}

@inline function highStage(q: QpState, p: DcqcnProfile): u32 {
  return p.switches & DCQCN_TIME_STAGE_ONLY ? q.timeStage : max<u32>(q.timeStage, q.byteStage);
}

@inline function lowStage(q: QpState, p: DcqcnProfile): u32 {
  return p.switches & DCQCN_TIME_STAGE_ONLY ? q.timeStage : min<u32>(q.timeStage, q.byteStage);
}

@inline function isHyper(q: QpState, p: DcqcnProfile): bool {
  const low = lowStage(q, p);
  return p.switches & DCQCN_HYPER_ABOVE ? low > p.fastRecoverySteps : low >= p.fastRecoverySteps;
}

@inline function halvesPeriods(q: QpState, p: DcqcnProfile): bool {
  return (p.switches & DCQCN_HYPER_HALVES_PERIODS) != 0 && isHyper(q, p);
}

@inline function increasePeriod(q: QpState, p: DcqcnProfile): f64 {
  return halvesPeriods(q, p) ? floor<f64>(p.increasePeriodPs * 0.5) : p.increasePeriodPs;
}

@inline function byteLimit(q: QpState, p: DcqcnProfile): u32 {
  return halvesPeriods(q, p) ? p.byteCounterBytes >> 1 : p.byteCounterBytes;
}

@inline function raiseStage(stage: u16, steps: f64): u16 {
  const raised = <f64>stage + steps;
  return raised > STAGE_MAX ? <u16>STAGE_MAX : <u16>raised;
}

@inline function releases(q: QpState, p: DcqcnProfile, flags: u32): bool {
  return q.rateBps >= p.releaseRateBps && !(flags & QP_CUT_PENDING);
}

function release(q: QpState, p: DcqcnProfile, flags: u32): u32 {
  reset(q, p);
  return flags & ~(QP_LIMITED | QP_ALPHA_CNP);
}

/** No further step of the timer can move the rate: both are where the next step leaves them, for good. */
function isFrozen(q: QpState, p: DcqcnProfile, flags: u32): bool {
  if (<u32>q.timeStage <= p.fastRecoverySteps + 1 || releases(q, p, flags)) return false;
  const atMax = q.targetBps == p.maxRateBps || increment(q, p) == 0;
  return atMax && averageRate(p, q.rateBps, q.targetBps) == q.rateBps;
}

/**
 * The last of next, next + period, … up to and including `upToPs`, which is not before `next`. All are whole and below
 * 2^53: exact, because such a quotient never rounds up to the next whole number.
 */
@inline function lastUpTo(next: f64, period: f64, upToPs: f64): f64 {
  return next + floor<f64>((upToPs - next) / period) * period;
}

/** The first of next, next + period, … that lies after `upToPs`; it can lie beyond 2^53 and rounds as a step would. */
function firstAfter(next: f64, period: f64, upToPs: f64): f64 {
  return next > upToPs ? next : lastUpTo(next, period, upToPs) + period;
}

@inline function cutsPerPeriod(p: DcqcnProfile): bool {
  return !(p.switches & DCQCN_CUT_ON_CNP);
}

function skipCutChecks(qp: u32, p: DcqcnProfile, upToPs: f64): void {
  setCutTime(qp, firstAfter(cutTime(qp), p.cutPeriodPs, upToPs));
}

@inline function cutTime(qp: u32): f64 {
  return load<f64>(cutTimes + (<usize>qp << 3));
}

@inline function setCutTime(qp: u32, timePs: f64): void {
  store<f64>(cutTimes + (<usize>qp << 3), timePs);
}

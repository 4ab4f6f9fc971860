/**
 * DCQCN's reaction point: transitions on one 64-byte record.
 *
 * Role      updates the rate of one QP on events: bytes sent, a CNP, time.
 * State     QpState: R_C, R_T, alpha, next expiries, stages T and B; four flag bits; the time of the next cut check.
 * Cut       R_T = R_C (clamp rule); R_C = R_C (1 - alpha cutScale); T = B = 0; increase timer restarts.
 * Alpha     up (1-g) alpha + g, down (1-g) alpha; at each CNP or once per period.
 * Increase  each period and each byteCounterBytes: hi < F fast recovery; lo at or above F hyper; else additive;
 *           R_C = (R_C + R_T) / 2.
 * Source    Zhu et al., SIGCOMM 2015, section 3; NVIDIA DCQCN parameters; see src/config/algorithms/dcqcn.ts for every
 *           setting and docs/reference/sources.md for where sources disagree.
 * Files     This one: events. timers.ts: timers. steps.ts: single steps. arithmetic.ts: numeric policies.
 *           fast-path.ts, fast-event.ts: the common case.
 * Deviation Times are whole picoseconds; "before t" is "up to t - 1" (DcqcnParameterSet.tieGapPs).
 */
import { ALGORITHM_DCQCN, DCQCN_TRAITS } from '../../../src/abi/algorithms';
import { CAUSE_BYTES, CAUSE_TIME, DCQCN_ALPHA_FIRST, DCQCN_ALPHA_ON_CNP, DCQCN_CUT_ON_CNP, DCQCN_FIRST_CNP_CUTS,
  DCQCN_INCREASE_FROM_FIRST_CNP, QP_ALPHA_CNP, QP_CUT_PENDING, QP_LIMITED } from '../../../src/abi/codes';
import { TRACE_CUT, TRACE_FIRST_CNP } from '../../../src/abi/trace-layout';
import { emitRate } from '../../memory/actions';
import { setFlags } from '../../memory/map';
import { QpState } from '../../memory/records';
import { DcqcnParameterSet } from './record';
import { beginEvent, eventCause, TRACING, tracing } from '../../trace/ring';
import { SEND_GAP_PICOSECONDS, sendGapPs } from '../rate-numbers';
import { registerTraits } from '../registry';
import { alphaUp, averageRate, wholeRate } from './arithmetic';
import { cut, isTargetFinal, releases, reset, traceCut } from './steps';
import { catchUp, catchUpThrough, cutTime, cutsPerPeriod, runByteCounter, setCutTime, skipCutChecks } from './timers';

/** Registers DCQCN, whose events are compiled in. */
export function register(): void {
  registerTraits(ALGORITHM_DCQCN, DCQCN_TRAITS);
}

/** Opens a QP at the line rate without a limiter. */
export function open(q: QpState, p: DcqcnParameterSet): void {
  reset(q, p);
  q.lastEventPs = 0;
}

/** A data packet was sent; `before`: the rate last reported to the host. */
export function sent(qp: u32, q: QpState, p: DcqcnParameterSet, flags: u32, timePs: f64, lenBytes: u32,
  before: f64): void {
  if (TRACING && tracing) beginEvent(CAUSE_TIME, before);
  if (flags & QP_LIMITED) flags = catchUp(qp, q, p, flags, timePs - p.tieGapPs);
  const afterTimers = q.rateBps;
  if (flags & QP_LIMITED) {
    if (p.byteCounterBytes) flags = runByteCounter(q, p, flags, q.bytesCounted + lenBytes, timePs);
    if (flags & QP_LIMITED) pace(q, timePs, lenBytes);
  }
  setFlags(qp, flags);
  q.lastEventPs = timePs;
  emitRate(timePs, qp, q.rateBps == afterTimers ? CAUSE_TIME : CAUSE_BYTES, q.rateBps, before);
}

/** A CNP or Fast CNP arrived (`cause`); `before`: the rate last reported to the host. */
export function cnp(qp: u32, q: QpState, p: DcqcnParameterSet, flags: u32, timePs: f64, cause: u32, before: f64): void {
  const upToPs = timePs - p.tieGapPs;
  if (TRACING && tracing) beginEvent(cause, before);
  if (flags & QP_LIMITED) flags = catchUp(qp, q, p, flags, upToPs);
  setFlags(qp, react(qp, q, p, flags, timePs, upToPs));
  q.lastEventPs = timePs;
  emitRate(timePs, qp, cause, q.rateBps, before);
}

/** Applies everything that is due up to and including `timePs` to a limited QP. */
export function touch(qp: u32, q: QpState, p: DcqcnParameterSet, flags: u32, timePs: f64): void {
  const before = q.rateBps;
  if (TRACING && tracing) beginEvent(CAUSE_TIME, before);
  const after = catchUpThrough(qp, q, p, flags, timePs);
  if (after != flags) setFlags(qp, after);
  q.lastEventPs = timePs;
  emitRate(timePs, qp, CAUSE_TIME, q.rateBps, before);
}

/** Pacing: the next packet may leave after the transmission time of this one, sent at `timePs`, at the QP's rate. */
@inline export function pace(q: QpState, timePs: f64, lenBytes: u32): void {
  q.nextSendPs = timePs + sendGapPs(SEND_GAP_PICOSECONDS, lenBytes, q.rateBps);
}

/** The reaction to a CNP, after timers up to `upToPs` have been applied. Returns the new flags. */
function react(qp: u32, q: QpState, p: DcqcnParameterSet, flags: u32, timePs: f64, upToPs: f64): u32 {
  const switches = p.switches;
  const first = !(flags & QP_LIMITED);
  if (first) {
    startLimiter(qp, q, p, timePs);
    if (TRACING && tracing) traceCut(TRACE_FIRST_CNP, timePs, eventCause, q, p, q.alpha);
    flags |= QP_LIMITED;
    if (!(switches & DCQCN_FIRST_CNP_CUTS)) return flags;
  }
  let cutAlpha = q.alpha;
  if (switches & DCQCN_ALPHA_ON_CNP) {
    q.alpha = alphaUp(p, p.numbers, q.alpha);
    q.nextAlphaPs = timePs + p.alphaPeriodPs;
    if (switches & DCQCN_ALPHA_FIRST) cutAlpha = q.alpha;
  }
  if (switches & DCQCN_CUT_ON_CNP) {
    cut(q, p, p.numbers, timePs, cutAlpha);
    if (TRACING && tracing) traceCut(TRACE_CUT, timePs, eventCause, q, p, cutAlpha);
  } else if (!(flags & QP_CUT_PENDING)) {
    skipCutChecks(qp, p, upToPs);
    flags |= QP_CUT_PENDING;
  }
  return first || switches & DCQCN_ALPHA_ON_CNP ? flags : flags | QP_ALPHA_CNP;
}

/** Next time when the rate can change without an event; Infinity if it can't. */
export function deadline(qp: u32, q: QpState, p: DcqcnParameterSet, flags: u32): f64 {
  if (!(flags & QP_LIMITED)) return Infinity;
  const increasePs = isFrozen(q, p, flags) ? Infinity : q.nextIncreasePs;
  if (!(flags & QP_CUT_PENDING)) return increasePs;
  const cutPs = cutTime(qp);
  return cutPs < increasePs ? cutPs : increasePs;
}

function startLimiter(qp: u32, q: QpState, p: DcqcnParameterSet, timePs: f64): void {
  q.alpha = p.initialAlpha;
  q.nextAlphaPs = timePs + p.alphaPeriodPs;
  q.nextIncreasePs = p.switches & DCQCN_INCREASE_FROM_FIRST_CNP ? timePs + p.increasePeriodPs : Infinity;
  if (cutsPerPeriod(p)) setCutTime(qp, timePs + p.cutOffsetPs + p.cutPeriodPs);
  q.rateBps = firstCnpRate(q, p);
  q.targetBps = q.rateBps;
}

function firstCnpRate(q: QpState, p: DcqcnParameterSet): f64 {
  let rate = q.rateBps;
  if (p.rateOnFirstCnpBps > 0) rate = p.rateOnFirstCnpBps;
  else if (p.rateOnFirstCnpFraction != 1) rate = wholeRate(p.numbers, rate * p.rateOnFirstCnpFraction);
  if (rate < p.minRateBps) rate = p.minRateBps;
  return rate > p.maxRateBps ? p.maxRateBps : rate;
}

/** Whether no further timer step can change rate or target. */
function isFrozen(q: QpState, p: DcqcnParameterSet, flags: u32): bool {
  if (<u32>q.timeStage <= p.fastRecoverySteps + 1 || releases(q, p, flags)) return false;
  return isTargetFinal(q, p) && averageRate(p.numbers, q.rateBps, q.targetBps) == q.rateBps;
}

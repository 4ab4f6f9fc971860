/**
 * The single steps of DCQCN: one cut, one rise of alpha, one increase, the release of the limiter.
 *
 * Equations and sources: src/config/algorithms/dcqcn.ts; their numeric policies: arithmetic.ts.
 */
import { DCQCN_CLAMP_TARGET, DCQCN_CLAMP_TARGET_AFTER_TIME, DCQCN_HYPER_HALVES_PERIODS, DCQCN_TARGET_REDUCTION,
  DCQCN_TIME_STAGE_ONLY, QP_ALPHA_CNP, QP_CUT_PENDING, QP_LIMITED } from '../../../src/abi/codes';
import { NUMBERS_ALPHA_Q10 } from '../../../src/abi/codes';
import { TRACE_ADDITIVE, TRACE_FAST_RECOVERY, TRACE_HYPER } from '../../../src/abi/trace-layout';
import { QpState } from '../../memory/records';
import { DcqcnParameterSet } from './record';
import { because, input, keepStep, TRACING, tracing } from '../../trace/ring';
import { averageRate, cutRate, Q10_UNIT, wholeRate } from './arithmetic';

/** Resets a QP to the state without a limiter: line rate, no timers. */
export function reset(q: QpState, p: DcqcnParameterSet): void {
  q.rateBps = p.maxRateBps;
  q.targetBps = p.maxRateBps;
  q.alpha = p.initialAlpha;
  q.nextAlphaPs = Infinity;
  q.nextIncreasePs = Infinity;
  q.nextSendPs = 0;
  resetStages(q);
}

/** Cuts R_C by `alpha` and restarts increases: stages and byte count 0, the timer starts now. */
@inline export function cut(q: QpState, p: DcqcnParameterSet, numbers: u32, timePs: f64, alpha: f64): void {
  const before = q.rateBps;
  clampTarget(q, p.switches, before);
  const rate = cutRate(p, numbers, before, alpha);
  q.rateBps = rate < p.minRateBps ? p.minRateBps : rate;
  resetStages(q);
  q.nextIncreasePs = timePs + p.increasePeriodPs;
}

/** Sets R_T at a cut to the rate before it: always, or only if R_C was raised since the last cut. */
@inline function clampTarget(q: QpState, switches: u32, rateBps: f64): void {
  const afterTime = (switches & DCQCN_CLAMP_TARGET_AFTER_TIME) != 0 && q.timeStage != 0;
  if (switches & DCQCN_CLAMP_TARGET || q.byteStage != 0 || afterTime) q.targetBps = rateBps;
}

/** Clears byte count, both stages and the following byte with one 64-bit store. */
@inline function resetStages(q: QpState): void {
  store<u64>(changetype<usize>(q), 0, offsetof<QpState>('bytesCounted'));
}

/** One increase step; `first`: the counter that expires has not expired since the last cut. */
export function increase(q: QpState, p: DcqcnParameterSet, first: bool): void {
  if (TRACING && tracing) because(regimeOf(q, p));
  let target = raisedTarget(p, q.targetBps, lowStage(q, p), highStage(q, p));
  if (first && p.switches & DCQCN_TARGET_REDUCTION && target > 10 * q.rateBps)
    target = wholeRate(p.numbers, target * 0.125);
  q.targetBps = target;
  q.rateBps = averageRate(p.numbers, q.rateBps, target);
}

/** R_T after an increase step: unchanged in fast recovery, otherwise raised by R_AI or R_HAI, up to the maximum. */
@inline export function raisedTarget(p: DcqcnParameterSet, targetBps: f64, low: u32, high: u32): f64 {
  if (high < p.fastRecoverySteps) return targetBps;
  const target = targetBps + increment(p, low);
  return target > p.maxRateBps ? p.maxRateBps : target;
}

/** Increment of R_T in an increase step beyond fast recovery; `low`: the lower of both stages. */
@inline function increment(p: DcqcnParameterSet, low: u32): f64 {
  const hyper = p.haiRateBps * <f64>(1 + ((low - p.fastRecoverySteps) & p.hyperStageMask));
  return low >= p.hyperFrom ? hyper : p.aiRateBps;
}

/** Whether no further increase step raises R_T. */
@inline export function isTargetFinal(q: QpState, p: DcqcnParameterSet): bool {
  return q.targetBps == p.maxRateBps || increment(p, lowStage(q, p)) == 0;
}

/** The TRACE_* code for the regime of an increase step. */
function regimeOf(q: QpState, p: DcqcnParameterSet): u32 {
  if (highStage(q, p) < p.fastRecoverySteps) return TRACE_FAST_RECOVERY;
  return isHyper(q, p) ? TRACE_HYPER : TRACE_ADDITIVE;
}

@inline function highStage(q: QpState, p: DcqcnParameterSet): u32 {
  return p.switches & DCQCN_TIME_STAGE_ONLY ? q.timeStage : max<u32>(q.timeStage, q.byteStage);
}

@inline function lowStage(q: QpState, p: DcqcnParameterSet): u32 {
  return p.switches & DCQCN_TIME_STAGE_ONLY ? q.timeStage : min<u32>(q.timeStage, q.byteStage);
}

@inline function isHyper(q: QpState, p: DcqcnParameterSet): bool {
  return lowStage(q, p) >= p.hyperFrom;
}

@inline function halvesPeriods(q: QpState, p: DcqcnParameterSet): bool {
  return (p.switches & DCQCN_HYPER_HALVES_PERIODS) != 0 && isHyper(q, p);
}

/** Time from this step of the timer to the next. */
@inline export function increasePeriod(q: QpState, p: DcqcnParameterSet): f64 {
  return halvesPeriods(q, p) ? floor<f64>(p.increasePeriodPs * 0.5) : p.increasePeriodPs;
}

/** Bytes until the next step of the byte counter. */
@inline export function byteLimit(q: QpState, p: DcqcnParameterSet): u32 {
  return halvesPeriods(q, p) ? p.byteCounterBytes >> 1 : p.byteCounterBytes;
}

/** A stage counter after one more step; it stops at `most`. */
@inline export function nextStage(stage: u32, most: u32): u32 {
  return stage + <u32>(stage != most);
}

/** A stage counter after many steps. */
export function laterStage(stage: u32, steps: f64, most: u32): u32 {
  return <u32>min<f64>(<f64>stage + steps, <f64>most);
}

/** Whether an increase step removes the limiter. */
@inline export function releases(q: QpState, p: DcqcnParameterSet, flags: u32): bool {
  return q.rateBps >= p.releaseRateBps && !(flags & QP_CUT_PENDING);
}

/** Removes the limiter; returns the new flags. */
export function release(q: QpState, p: DcqcnParameterSet, flags: u32): u32 {
  reset(q, p);
  return flags & ~(QP_LIMITED | QP_ALPHA_CNP);
}

/** Records a cut, or the rate set by the first CNP, in the trace, with the alpha that it used. */
export function traceCut(reason: u32, timePs: f64, cause: u32, q: QpState, p: DcqcnParameterSet, alpha: f64): void {
  because(reason);
  input(0, p.numbers == NUMBERS_ALPHA_Q10 ? alpha * Q10_UNIT : alpha);
  traceStep(timePs, cause, q);
}

/** Records an increase step in the trace, with R_T, T and B after it. Alpha is not an input of an increase: 0. */
export function traceStep(timePs: f64, cause: u32, q: QpState): void {
  input(1, q.targetBps);
  input(2, <f64>q.timeStage);
  input(3, <f64>q.byteStage);
  keepStep(timePs, cause, changetype<usize>(q), q.rateBps);
}

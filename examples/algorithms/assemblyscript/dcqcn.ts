/**
 * DCQCN as a custom algorithm in AssemblyScript: the reaction point of the built-in one, with all its parameters, and equal to it to
 * the bit.
 *
 *   npx asc dcqcn.ts --importMemory --memoryBase 16384 --runtime stub -O3 --use abort= -o dcqcn.wasm
 *
 * Inputs    bytes sent, CNPs, three timers.
 * State     R_C (rateBps), R_T, alpha, stages T and B of the timer and of the byte counter; a QP is paced while it is limited.
 *
 *   unlimited --first CNP: timers start--> limited --an increase step ends at the maximum rate--> unlimited
 *
 *   cut       R_T = R_C (clamp rules); R_C = R_C (1 - alpha cutScale); T = B = 0; the increase timer restarts
 *   alpha     up (1 - g) alpha + g, down (1 - g) alpha; on the CNP or once a period
 *   increase  each period and each byteCounterBytes; hi = max(T, B), lo = min(T, B), F = fastRecoverySteps:
 *             hi < F fast recovery; lo at or above F R_T += R_HAI; else R_T += R_AI; then R_C = (R_C + R_T) / 2
 *
 * Timers    at one instant alpha first; of cut and increase the one with the longer period: timers at one instant expire by index.
 *           While expiries change nothing, all that are due are taken at once, so that an idle hour costs nothing.
 * Source    Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3; NVIDIA "DCQCN CC
 *           parameters"; every parameter: dcqcn.json.
 */
import { NEVER, Qp, TIMER_COUNT, USED } from 'roce-cc/algorithm/as';
import { ALPHA_Q10, ALPHA_FIRST, FROM_FIRST_CUT, HYPER_ABOVE, HYPER_STAGE, NEVER_RELEASED, Parameters, parametersAt,
  PER_PERIOD, State, stateOf, TIME_ONLY, WHOLE_BPS } from './dcqcn-record';

export { roce_abi_version } from 'roce-cc/algorithm/as';

const ALPHA_TIMER: u32 = 0;
const CUT_TIMER: u32 = 1;
const INCREASE_TIMER: u32 = 2;
const LATE_CUT_TIMER: u32 = 3;

const LAST_TIME_STAGE: f64 = 65535;
const LAST_BYTE_STAGE: f64 = 255;
/** 2^-64: below it no later state can depend on alpha, so 0. */
const ALPHA_FLOOR: f64 = 1.0 / 18446744073709551616.0;
const Q10: f64 = 1024;

// ---- Numbers: three ways to round.

@inline function rounded(p: Parameters, rateBps: f64): f64 {
  return p.numbers == 0 ? rateBps : floor<f64>(rateBps);
}

@inline function average(p: Parameters, rateBps: f64, targetBps: f64): f64 {
  if (p.numbers == 0) return (rateBps + targetBps) * 0.5;
  if (p.numbers == WHOLE_BPS) return floor<f64>(rateBps * 0.5) + floor<f64>(targetBps * 0.5);
  return floor<f64>((rateBps + targetBps) * 0.5);
}

function cutRate(p: Parameters, rateBps: f64, alpha: f64): f64 {
  if (p.numbers == ALPHA_Q10) {
    const byAlpha = floor<f64>(rateBps * alpha * (p.cutScale / Q10));
    return rateBps - min<f64>(byAlpha, floor<f64>(rateBps * (1 - p.minDecreaseFactor)));
  }
  const cut = rounded(p, rateBps * (1 - alpha * p.cutScale));
  return max<f64>(cut, rounded(p, rateBps * p.minDecreaseFactor));
}

@inline function alphaUp(p: Parameters, alpha: f64): f64 {
  if (p.numbers != ALPHA_Q10) return (1 - p.alphaGain) * alpha + p.alphaGain;
  const retention = (1 - p.alphaGain) * Q10;
  return min<f64>(Q10 - 1, floor<f64>((retention * alpha) / Q10) + (Q10 - retention));
}

@inline function alphaDown(p: Parameters, alpha: f64): f64 {
  if (p.numbers == ALPHA_Q10) return floor<f64>(((1 - p.alphaGain) * Q10 * alpha) / Q10);
  const down = (1 - p.alphaGain) * alpha;
  return down < ALPHA_FLOOR ? 0 : down;
}

// ---- Stages and periods.

@inline function highStage(p: Parameters, s: State): f64 {
  return p.stages == TIME_ONLY ? s.timeStage : max<f64>(s.timeStage, s.byteStage);
}

@inline function lowStage(p: Parameters, s: State): f64 {
  return p.stages == TIME_ONLY ? s.timeStage : min<f64>(s.timeStage, s.byteStage);
}

@inline function isHyper(p: Parameters, s: State): bool {
  if (highStage(p, s) < p.fastRecoverySteps) return false;
  const low = lowStage(p, s);
  return p.hyperThreshold == HYPER_ABOVE ? low > p.fastRecoverySteps : low >= p.fastRecoverySteps;
}

function increment(p: Parameters, s: State): f64 {
  if (highStage(p, s) < p.fastRecoverySteps) return 0;
  if (!isHyper(p, s)) return p.aiRateBps;
  return p.hyperFactor == HYPER_STAGE ? p.haiRateBps * (lowStage(p, s) - p.fastRecoverySteps + 1) : p.haiRateBps;
}

@inline function periodNow(p: Parameters, s: State, period: f64): f64 {
  return p.hyperHalvesPeriods != 0 && isHyper(p, s) ? max<f64>(1, floor<f64>(period / 2)) : period;
}

/** The last of due, due + period, … up to the time until which timers expire; due itself where it is later. */
@inline function lastDue(qp: Qp, duePs: f64, periodPs: f64): f64 {
  return duePs > qp.untilPs ? duePs : duePs + floor<f64>((qp.untilPs - duePs) / periodPs) * periodPs;
}

@inline function cutTimer(p: Parameters): u32 {
  return p.cutPeriodPs >= p.increasePeriodPs ? CUT_TIMER : LATE_CUT_TIMER;
}

// ---- Steps.

/** Without a limiter: line rate, no timer. */
function reset(qp: Qp, s: State): void {
  qp.rateBps = qp.lineRateBps;
  qp.nextSendPs = 0;
  qp.isPaced = false;
  for (let i: u32 = 0; i < TIMER_COUNT; i++) qp.setTimer(i, NEVER);
  s.targetBps = qp.lineRateBps;
  s.timeStage = 0;
  s.byteStage = 0;
  s.bytesCounted = 0;
  s.alphaCnp = 0;
  s.cutPending = 0;
}

function cut(qp: Qp, p: Parameters, s: State, timePs: f64): void {
  const afterTime = p.clampTargetRateAfterTimeIncrease != 0 && s.timeStage != 0;
  if (p.clampTargetRate != 0 || s.byteStage != 0 || afterTime) s.targetBps = qp.rateBps;
  qp.rateBps = max<f64>(p.minRateBps, cutRate(p, qp.rateBps, s.alpha));
  s.timeStage = 0;
  s.byteStage = 0;
  s.bytesCounted = 0;
  qp.setTimer(INCREASE_TIMER, timePs + p.increasePeriodPs);
}

@inline function releases(qp: Qp, p: Parameters, s: State): bool {
  return p.limiterRelease != NEVER_RELEASED && s.cutPending == 0 && qp.rateBps >= qp.lineRateBps - p.releaseGapBps;
}

/** What one step of a counter does to target and rate. */
function increase(qp: Qp, p: Parameters, s: State, stage: f64): void {
  let target = min<f64>(s.targetBps + increment(p, s), qp.lineRateBps);
  if (p.targetReduction != 0 && stage == 0 && target > 10 * qp.rateBps) target = rounded(p, target / 8);
  s.targetBps = target;
  qp.rateBps = average(p, qp.rateBps, target);
}

/** Whether further steps of this counter move nothing but its stage, until an event. */
function isFrozen(qp: Qp, p: Parameters, s: State, stage: f64): bool {
  if (stage <= p.fastRecoverySteps + 1) return false;
  if (s.targetBps != qp.lineRateBps && increment(p, s) != 0) return false;
  return average(p, qp.rateBps, s.targetBps) == qp.rateBps;
}

function countBytes(qp: Qp, p: Parameters, s: State, lenBytes: f64): void {
  s.bytesCounted += lenBytes;
  while (qp.isPaced) {
    const limit = periodNow(p, s, p.byteCounterBytes);
    if (s.bytesCounted < limit) return;
    if (isFrozen(qp, p, s, s.byteStage)) {
      const steps = floor<f64>(s.bytesCounted / limit);
      s.bytesCounted -= steps * limit;
      s.byteStage = min<f64>(s.byteStage + steps, LAST_BYTE_STAGE);
      return;
    }
    s.bytesCounted -= limit;
    increase(qp, p, s, s.byteStage);
    s.byteStage = min<f64>(s.byteStage + 1, LAST_BYTE_STAGE);
    if (releases(qp, p, s)) reset(qp, s);
  }
}

// ---- CNPs.

function startLimiter(qp: Qp, p: Parameters, s: State, timePs: f64): void {
  let rateBps = qp.rateBps;
  if (p.rateOnFirstCnpBps > 0) rateBps = p.rateOnFirstCnpBps;
  else if (p.rateOnFirstCnpFraction != 1) rateBps = rounded(p, rateBps * p.rateOnFirstCnpFraction);
  qp.rateBps = min<f64>(qp.lineRateBps, max<f64>(p.minRateBps, rateBps));
  s.targetBps = qp.rateBps;
  s.alpha = p.numbers == ALPHA_Q10 ? p.initialAlpha * Q10 : p.initialAlpha;
  qp.isPaced = true;
  qp.setTimer(ALPHA_TIMER, timePs + p.alphaPeriodPs);
  if (p.increaseTimerStart != FROM_FIRST_CUT) qp.setTimer(INCREASE_TIMER, timePs + p.increasePeriodPs);
  if (p.cutTrigger == PER_PERIOD) qp.setTimer(cutTimer(p), timePs + p.cutOffsetPs + p.cutPeriodPs);
}

function raiseAlpha(qp: Qp, p: Parameters, s: State, timePs: f64): void {
  s.alpha = alphaUp(p, s.alpha);
  qp.setTimer(ALPHA_TIMER, timePs + p.alphaPeriodPs);
}

@inline function reactAtOnce(qp: Qp, p: Parameters, s: State, timePs: f64): void {
  const raises = p.alphaUpdate != PER_PERIOD;
  if (raises && p.cutAlphaOrder == ALPHA_FIRST) raiseAlpha(qp, p, s, timePs);
  if (p.cutTrigger != PER_PERIOD) cut(qp, p, s, timePs);
  if (raises && p.cutAlphaOrder != ALPHA_FIRST) raiseAlpha(qp, p, s, timePs);
}

// ---- Timers.

function expireAlpha(qp: Qp, p: Parameters, s: State, timePs: f64): void {
  const up = s.alphaCnp != 0;
  const nextPs = timePs + p.alphaPeriodPs;
  s.alphaCnp = 0;
  s.alpha = up ? alphaUp(p, s.alpha) : alphaDown(p, s.alpha);
  const isFinal = alphaDown(p, s.alpha) == s.alpha;
  qp.setTimer(ALPHA_TIMER, isFinal ? lastDue(qp, nextPs, p.alphaPeriodPs) : nextPs);
}

function expireCut(qp: Qp, p: Parameters, s: State, timePs: f64): void {
  if (s.cutPending != 0) {
    s.cutPending = 0;
    cut(qp, p, s, timePs);
  }
  qp.setTimer(cutTimer(p), lastDue(qp, timePs + p.cutPeriodPs, p.cutPeriodPs));
}

function expireIncrease(qp: Qp, p: Parameters, s: State, timePs: f64): void {
  const periodPs = periodNow(p, s, p.increasePeriodPs);
  const nextPs = timePs + periodPs;
  increase(qp, p, s, s.timeStage);
  s.timeStage = min<f64>(s.timeStage + 1, LAST_TIME_STAGE);
  if (releases(qp, p, s)) {
    reset(qp, s);
    return;
  }
  let duePs = nextPs;
  if (isFrozen(qp, p, s, s.timeStage)) {
    duePs = lastDue(qp, nextPs, periodPs);
    s.timeStage = min<f64>(s.timeStage + (duePs - nextPs) / periodPs, LAST_TIME_STAGE);
  }
  qp.setTimer(INCREASE_TIMER, duePs);
}

// ---- Handlers.

export function roce_open(qp: Qp, parameters: usize, timePs: f64, unused: u32): i32 {
  reset(qp, stateOf(qp));
  return USED;
}

export function roce_sent(qp: Qp, parameters: usize, timePs: f64, lenBytes: u32): i32 {
  const p = parametersAt(parameters);
  if (p.byteCounterBytes != 0 && qp.isPaced) countBytes(qp, p, stateOf(qp), lenBytes);
  return USED;
}

export function roce_cnp(qp: Qp, parameters: usize, timePs: f64, unused: u32): i32 {
  const p = parametersAt(parameters);
  const s = stateOf(qp);
  const isFirst = !qp.isPaced;
  if (isFirst) startLimiter(qp, p, s, timePs);
  if (isFirst && p.firstCnpCuts == 0) return USED;
  if (!isFirst && p.alphaUpdate == PER_PERIOD) s.alphaCnp = 1;
  if (p.cutTrigger == PER_PERIOD) s.cutPending = 1;
  reactAtOnce(qp, p, s, timePs);
  return USED;
}

export function roce_timer(qp: Qp, parameters: usize, timePs: f64, index: u32): i32 {
  const p = parametersAt(parameters);
  const s = stateOf(qp);
  if (index == ALPHA_TIMER) expireAlpha(qp, p, s, timePs);
  else if (index == INCREASE_TIMER) expireIncrease(qp, p, s, timePs);
  else expireCut(qp, p, s, timePs);
  return USED;
}

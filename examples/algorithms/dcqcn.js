/**
 * DCQCN's reaction point: rate R, target R_T, alpha, stages T (timer) and B (bytes). Every published variant is a parameter.
 *
 *   unlimited --first CNP: the timers start--> limited --an increase step ends at the maximum rate--> unlimited
 *
 *   cut       [R_T = R, by the clamp rules]; R = R (1 - alpha cutScale); T = B = 0; the increase timer restarts
 *   alpha     up: alpha = (1 - g) alpha + g; down: alpha = (1 - g) alpha; on the CNP, or once per period
 *   increase  per increasePeriodPs (then T + 1) and per byteCounterBytes (then B + 1), with hi = max(T, B), lo = min(T, B):
 *             hi < F fast recovery: R_T stays;  lo >= F hyper: R_T += R_HAI (lo - F + 1);  else R_T += R_AI
 *             then R_T at most R_max and R = (R + R_T) / 2
 *
 *   numbers   float64    doubles
 *             whole-bps  each new rate truncated, halves before they are added (the ns-3 simulator of HPCC's authors)
 *             alpha-q10  whole rates, and alpha an integer of 2^-10 with floor division (ConnectX)
 *
 * Timers expire one by one, by time and at one instant by index: alpha is 0; of cut and increase the longer period comes first,
 * cut if they are equal. Expiries that change nothing are passed over up to the last one that is due: so an event takes
 * few steps, however long a QP was silent.
 *
 * Source: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3, whose values are the
 * defaults; NVIDIA, "DCQCN CC Parameters". Known deviations: T stops at 65535, B at 255; an alpha below 2^-64 is 0.
 */
import { defineAlgorithm } from 'roce-cc/algorithm';

const RATE = { min: 0, max: 2 ** 43, unit: 'b/s' };
const PERIOD = { min: 1000, max: Math.floor(Number.MAX_SAFE_INTEGER / 4), whole: true, unit: 'ps' };
const BYTES = { min: 0, max: 2 ** 31, whole: true, unit: 'bytes' };
const PART = { min: 0, max: 1 };
/** A parameter that is one of some words, the first unless another is given. */
const words = (...values) => ({ default: values[0], values });

const ALPHA_TIMER = 0;
const LAST_STAGE = { timeStage: 65535, byteStage: 255 };
const ALPHA_FLOOR = 2 ** -64;
const Q10 = 1024;

export default defineAlgorithm({
  name: 'dcqcn-js',
  title: 'DCQCN in JavaScript',
  source: 'Zhu et al., SIGCOMM 2015',
  parameters: {
    numbers: { ...words('float64', 'whole-bps', 'alpha-q10'), description: 'arithmetic' },
    minRateBps: { default: 100e6, ...RATE, min: 1000, description: 'floor of R [rpg_min_rate]' },
    alphaGain: { default: 1 / 256, ...PART, description: 'g [1 - dce_tcp_g]' },
    initialAlpha: { default: 1, ...PART, description: 'alpha at the first CNP [initial_alpha_value]' },
    alphaUpdate: { ...words('on-cnp', 'per-period'), description: 'when alpha rises' },
    alphaPeriodPs: { default: 55e6, ...PERIOD, description: 'period of the alpha timer [dce_tcp_rtt]' },
    cutTrigger: { ...words('on-cnp', 'per-period'), description: 'when the rate is cut' },
    cutPeriodPs: { default: 50e6, ...PERIOD, description: 'period of cut checks [rate_reduce_monitor_period]' },
    cutOffsetPs: { default: 0, ...PERIOD, min: 0, description: 'added to the first check' },
    cutAlphaOrder: { ...words('cut-first', 'alpha-first'), description: 'order of cut and alpha on a CNP' },
    cutScale: { default: 0.5, ...PART, description: 'factor of alpha in a cut [rpg_gd]' },
    minDecreaseFactor: { default: 0, ...PART, description: 'a cut leaves at least this part [rpg_min_dec_fac]' },
    rateOnFirstCnpBps: { default: 0, ...RATE, description: 'R at the first CNP [rate_to_set_on_first_cnp]' },
    rateOnFirstCnpFraction: { default: 1, ...PART, description: 'where that is 0: this part of R' },
    firstCnpCuts: { default: true, description: 'the first CNP cuts too' },
    clampTargetRate: { default: true, description: 'R_T = R at every cut [clamp_tgt_rate]' },
    clampTargetRateAfterTimeIncrease: { default: false, description: 'R_T = R at a cut with T > 0' },
    increasePeriodPs: { default: 55e6, ...PERIOD, description: 'period of the increase timer [rpg_time_reset]' },
    increaseTimerStart: { ...words('first-cnp', 'first-cut'), description: 'what starts it' },
    byteCounterBytes: { default: 10e6, ...BYTES, description: 'between two steps; 0: none [rpg_byte_reset]' },
    fastRecoverySteps: { default: 5, min: 0, max: 253, whole: true, description: 'F [rpg_threshold]' },
    stages: { ...words('time-and-bytes', 'time'), description: 'time: hi = lo = T' },
    aiRateBps: { default: 40e6, ...RATE, description: 'R_AI [rpg_ai_rate]' },
    haiRateBps: { default: 200e6, ...RATE, description: 'R_HAI [rpg_hai_rate]' },
    hyperThreshold: { ...words('at', 'above'), description: 'hyper increase from lo = F on, or above it' },
    hyperFactor: { ...words('stage', 'constant'), description: 'whether R_HAI grows with lo' },
    hyperHalvesPeriods: { default: false, description: 'hyper increase halves timer and byte counter (QCN)' },
    targetReduction: { default: false, description: 'a first step divides R_T by 8 if it is above 10 R (QCN)' },
    limiterRelease: { ...words('at-max-rate', 'never'), description: 'when the limiter is removed' },
    releaseGapBps: { default: 0, ...RATE, description: 'removed this much below the maximum rate' },
    simultaneous: { ...words('timers-first', 'event-first'), description: 'order at one instant' },
  },
  state: { targetBps: 0, alpha: 0, hasCnp: 0, isCutPending: 0, timeStage: 0, byteStage: 0, bytesCounted: 0 },
  timers: (p) => (p.simultaneous === 'timers-first' ? 'before-event' : 'after-event'),

  open(qp) {
    removeLimiter(qp);
  },

  cnp(qp, { timePs }) {
    const { state, parameters: p } = qp;
    if (!qp.isPaced) {
      startLimiter(qp, timePs);
      if (p.firstCnpCuts) reactAtOnce(qp, timePs);
      return;
    }
    if (p.alphaUpdate === 'per-period') state.hasCnp = 1;
    if (p.cutTrigger === 'per-period') state.isCutPending = 1;
    reactAtOnce(qp, timePs);
  },

  sent(qp, { lenBytes }) {
    const { state, parameters: p } = qp;
    if (!qp.isPaced || p.byteCounterBytes === 0) return;
    state.bytesCounted += lenBytes;
    while (qp.isPaced) {
      const limitBytes = periodIn(p, regimeOf(state, p), p.byteCounterBytes);
      if (state.bytesCounted < limitBytes) return;
      state.bytesCounted -= limitBytes;
      increase(qp, 'byteStage');
    }
  },

  timer(qp, timer) {
    if (timer.index === ALPHA_TIMER) expireAlpha(qp, timer);
    else if (timer.index === cutTimer(qp.parameters)) expireCut(qp, timer);
    else expireIncrease(qp, timer);
  },
});

/** Index of the timer of cut checks. */
function cutTimer(p) {
  return p.cutPeriodPs >= p.increasePeriodPs ? 1 : 2;
}

function increaseTimer(p) {
  return 3 - cutTimer(p);
}

/** The state of a QP that no CNP has limited: line rate, nothing runs. */
function removeLimiter(qp) {
  const { state, parameters: p } = qp;
  qp.isPaced = false;
  qp.rateBps = p.maxRateBps;
  qp.nextSendPs = 0;
  for (let index = 0; index < 3; index += 1) qp.setTimer(index, Infinity);
  state.targetBps = p.maxRateBps;
  state.hasCnp = 0;
  state.isCutPending = 0;
  state.timeStage = 0;
  state.byteStage = 0;
  state.bytesCounted = 0;
}

function startLimiter(qp, timePs) {
  const { state, parameters: p } = qp;
  const cutsPerPeriod = p.cutTrigger === 'per-period';
  qp.reason('first CNP');
  qp.isPaced = true;
  qp.rateBps = rateOnFirstCnp(p, qp.rateBps);
  state.targetBps = qp.rateBps;
  state.alpha = p.numbers === 'alpha-q10' ? p.initialAlpha * Q10 : p.initialAlpha;
  qp.setTimer(ALPHA_TIMER, timePs + p.alphaPeriodPs);
  if (cutsPerPeriod) qp.setTimer(cutTimer(p), timePs + p.cutOffsetPs + p.cutPeriodPs);
  if (p.increaseTimerStart === 'first-cnp') qp.setTimer(increaseTimer(p), timePs + p.increasePeriodPs);
  state.isCutPending = Number(cutsPerPeriod && p.firstCnpCuts);
}

function rateOnFirstCnp(p, rateBps) {
  const part = p.rateOnFirstCnpFraction === 1 ? rateBps : round(p, rateBps * p.rateOnFirstCnpFraction);
  const wanted = p.rateOnFirstCnpBps > 0 ? p.rateOnFirstCnpBps : part;
  return Math.min(p.maxRateBps, Math.max(p.minRateBps, wanted));
}

/** The effect of a CNP, as far as it does not wait for the end of a period. */
function reactAtOnce(qp, timePs) {
  const { cutTrigger, alphaUpdate, cutAlphaOrder } = qp.parameters;
  if (alphaUpdate === 'on-cnp' && cutAlphaOrder === 'alpha-first') raiseAlpha(qp, timePs);
  if (cutTrigger === 'on-cnp') cut(qp, timePs);
  if (alphaUpdate === 'on-cnp' && cutAlphaOrder === 'cut-first') raiseAlpha(qp, timePs);
}

function raiseAlpha(qp, timePs) {
  const { state, parameters: p } = qp;
  state.alpha = alphaUp(p, state.alpha);
  qp.setTimer(ALPHA_TIMER, timePs + p.alphaPeriodPs);
}

function cut(qp, timePs) {
  const { state, parameters: p } = qp;
  const { timeStage, byteStage } = state;
  qp.reason('cut');
  if (p.clampTargetRate || byteStage !== 0 || (p.clampTargetRateAfterTimeIncrease && timeStage !== 0)) {
    state.targetBps = qp.rateBps;
  }
  qp.rateBps = Math.max(p.minRateBps, rateAfterCut(p, qp.rateBps, state.alpha));
  state.timeStage = 0;
  state.byteStage = 0;
  state.bytesCounted = 0;
  qp.setTimer(increaseTimer(p), timePs + p.increasePeriodPs);
}

function expireAlpha(qp, timer) {
  const { state, parameters: p } = qp;
  const before = state.alpha;
  const rises = p.alphaUpdate === 'per-period' && state.hasCnp;
  state.hasCnp = 0;
  state.alpha = rises ? alphaUp(p, before) : alphaDown(p, before);
  restart(qp, timer, p.alphaPeriodPs, !rises && state.alpha === before);
}

function expireCut(qp, timer) {
  const { state, parameters: p } = qp;
  const isIdle = !state.isCutPending;
  restart(qp, timer, p.cutPeriodPs, isIdle);
  if (isIdle) return;
  state.isCutPending = 0;
  cut(qp, timer.timePs);
}

function expireIncrease(qp, timer) {
  const { state, parameters: p } = qp;
  const { rateBps } = qp;
  const { targetBps } = state;
  const periodPs = periodIn(p, regimeOf(state, p), p.increasePeriodPs);
  increase(qp, 'timeStage');
  if (!qp.isPaced) return;
  const isFinal = qp.rateBps === rateBps && state.targetBps === targetBps && state.timeStage > p.fastRecoverySteps + 1;
  const passed = restart(qp, timer, periodPs, isFinal);
  state.timeStage = Math.min(state.timeStage + passed, LAST_STAGE.timeStage);
}

/**
 * Restarts a timer that has expired. An idle one, whose expiries change nothing until another event, continues with the last of
 * those that are due by now. Returns how many were passed over.
 */
function restart(qp, timer, periodPs, isIdle) {
  const nextPs = timer.timePs + periodPs;
  const passed = isIdle && nextPs < timer.untilPs ? Math.floor((timer.untilPs - nextPs) / periodPs) : 0;
  qp.setTimer(timer.index, nextPs + passed * periodPs);
  return passed;
}

/** One step of the increase, by the timer or by the byte counter. */
function increase(qp, stage) {
  const { state, parameters: p } = qp;
  const regime = regimeOf(state, p);
  qp.reason(regime);
  const raisedBps = state.targetBps + incrementBps(state, p, regime);
  const targetBps = raisedBps > p.maxRateBps ? p.maxRateBps : raisedBps;
  const isReduced = p.targetReduction && state[stage] === 0 && targetBps > 10 * qp.rateBps;
  state.targetBps = isReduced ? round(p, targetBps / 8) : targetBps;
  qp.rateBps = average(p, qp.rateBps, state.targetBps);
  state[stage] = Math.min(state[stage] + 1, LAST_STAGE[stage]);
  const isReleased = p.limiterRelease === 'at-max-rate' && !state.isCutPending;
  if (isReleased && qp.rateBps >= p.maxRateBps - p.releaseGapBps) removeLimiter(qp);
}

function regimeOf(state, p) {
  const lo = lowerStage(state, p);
  const hi = p.stages === 'time' ? lo : Math.max(state.timeStage, state.byteStage);
  if (hi < p.fastRecoverySteps) return 'fast recovery';
  const isHyper = p.hyperThreshold === 'at' ? lo >= p.fastRecoverySteps : lo > p.fastRecoverySteps;
  return isHyper ? 'hyper increase' : 'additive increase';
}

function lowerStage(state, p) {
  return p.stages === 'time' ? state.timeStage : Math.min(state.timeStage, state.byteStage);
}

function incrementBps(state, p, regime) {
  if (regime === 'fast recovery') return 0;
  if (regime === 'additive increase') return p.aiRateBps;
  if (p.hyperFactor === 'constant') return p.haiRateBps;
  return p.haiRateBps * (lowerStage(state, p) - p.fastRecoverySteps + 1);
}

/** Time or bytes until the next step, in the regime of this one; never 0. */
function periodIn(p, regime, period) {
  return p.hyperHalvesPeriods && regime === 'hyper increase' ? Math.max(1, Math.floor(period / 2)) : period;
}

function alphaUp(p, alpha) {
  if (p.numbers !== 'alpha-q10') return (1 - p.alphaGain) * alpha + p.alphaGain;
  const retention = (1 - p.alphaGain) * Q10;
  return Math.min(Q10 - 1, Math.floor((retention * alpha) / Q10) + Q10 - retention);
}

function alphaDown(p, alpha) {
  if (p.numbers === 'alpha-q10') return Math.floor(((1 - p.alphaGain) * Q10 * alpha) / Q10);
  const lower = (1 - p.alphaGain) * alpha;
  return lower < ALPHA_FLOOR ? 0 : lower;
}

function rateAfterCut(p, rateBps, alpha) {
  if (p.numbers === 'alpha-q10') {
    const byAlpha = Math.floor(rateBps * alpha * (p.cutScale / Q10));
    const atMost = Math.floor(rateBps * (1 - p.minDecreaseFactor));
    return rateBps - (byAlpha < atMost ? byAlpha : atMost);
  }
  const cutBps = round(p, rateBps * (1 - alpha * p.cutScale));
  const floorBps = round(p, rateBps * p.minDecreaseFactor);
  return cutBps < floorBps ? floorBps : cutBps;
}

function average(p, rateBps, targetBps) {
  if (p.numbers === 'whole-bps') return Math.floor(rateBps * 0.5) + Math.floor(targetBps * 0.5);
  return round(p, (rateBps + targetBps) * 0.5);
}

/** A computed rate in the precision of the policy. */
function round(p, rateBps) {
  return p.numbers === 'float64' ? rateBps : Math.floor(rateBps);
}

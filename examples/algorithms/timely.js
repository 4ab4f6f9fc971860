/**
 * TIMELY's sender: a rate that follows the gradient of round-trip times.
 *
 *   first ACK        only notes rtt and lastUpdateSeq
 *   completion event d = (1 - a) d + a (rtt - last rtt);  gradient = d / minRtt;  then one of
 *     rtt < T_low      increase
 *     rtt > T_high     decrease by 1 - b (1 - T_high / rtt)
 *     gradient <= 0    increase
 *     else             decrease by max(0, 1 - b gradient)
 *   increase         R = min(R_max, R + (stage < hyperAfterSteps ? R_AI : R_HAI)); stage + 1
 *   decrease         R = max(R_min, R factor); stage = 0
 *
 * A completion event is an ACK with ackSeq > lastUpdateSeq (then lastUpdateSeq = sndNxt), or each ACK (`updateOn`). Times enter the
 * formulas in nanoseconds. A new rate holds from the next packet on. An ACK without a round-trip time is not used.
 *
 * Source: Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015, algorithm 1; the recommended
 * values of Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY", CoNEXT 2016, are the defaults.
 */
import { defineAlgorithm } from 'roce-cc/algorithm';

const RATE_MAX_BPS = 2 ** 43;
const PERIOD_PS = { min: 1000, max: Math.floor(Number.MAX_SAFE_INTEGER / 4), whole: true, unit: 'ps' };
const FACTOR = { min: 2 ** -12, max: 1 };
/** Stages count up to here. */
const STAGE_MAX = 65535;

export default defineAlgorithm({
  name: 'timely-js',
  title: 'TIMELY in JavaScript',
  source: 'Mittal et al., SIGCOMM 2015',
  parameters: {
    numbers: { default: 'float64', values: ['float64', 'whole-bps'], description: 'arithmetic of rates' },
    minRateBps: { default: 10e6, min: 1000, max: RATE_MAX_BPS, unit: 'b/s', description: 'floor of the rate' },
    ewmaAlpha: { default: 0.875, ...FACTOR, description: 'a, weight of a new difference of round-trip times' },
    decreaseBeta: { default: 0.8, ...FACTOR, description: 'b, depth of a decrease' },
    lowRttPs: { default: 50e6, ...PERIOD_PS, description: 'T_low: below it the rate always rises' },
    highRttPs: { default: 500e6, ...PERIOD_PS, description: 'T_high: above it the rate always falls' },
    minRttPs: { default: 20e6, ...PERIOD_PS, description: 'round-trip time without queues' },
    aiRateBps: { default: 10e6, min: 0, max: RATE_MAX_BPS, unit: 'b/s', description: 'delta, the additive step' },
    haiRateBps: {
      default: 50e6,
      min: 0,
      max: RATE_MAX_BPS,
      unit: 'b/s',
      description: 'N delta, the step of hyper increase',
    },
    hyperAfterSteps: {
      default: 5,
      min: 0,
      max: STAGE_MAX,
      whole: true,
      description: 'additive steps before hyper increase',
    },
    lowRttIncrease: {
      default: 'additive',
      values: ['staged', 'additive'],
      description: 'below T_low: always the additive step (the paper), or staged as all others (the ns-3 simulator)',
    },
    updateOn: {
      default: 'ack',
      values: ['round-trip', 'ack'],
      description: 'a completion event per ACK (of a segment in the paper), or per round trip (the ns-3 simulator)',
    },
  },
  state: { isStarted: 0, lastUpdateSeq: 0, lastRttNs: 0, rttDiffNs: 0, stage: 0 },
  referenceBytes: 8,
  readsMarks: false,

  ack(qp, ack) {
    const { state, parameters: p } = qp;
    const rttNs = ack.rttPs / 1000;
    if (!(rttNs >= 0)) return false;
    if (p.updateOn === 'round-trip' && !beginsRoundTrip(qp, ack.ackSeq)) return false;
    if (state.isStarted) update(qp, rttNs);
    noteRoundTrip(qp, rttNs, ack.sndNxt);
    return true;
  },
});

function update(qp, rttNs) {
  const { state, parameters: p } = qp;
  state.rttDiffNs = (1 - p.ewmaAlpha) * state.rttDiffNs + p.ewmaAlpha * (rttNs - state.lastRttNs);
  const gradient = state.rttDiffNs / (p.minRttPs / 1000);
  const highNs = p.highRttPs / 1000;
  if (rttNs < p.lowRttPs / 1000) {
    qp.reason('low round-trip time');
    if (p.lowRttIncrease === 'staged') increaseStaged(qp);
    else increaseBy(qp, p.aiRateBps);
  } else if (rttNs > highNs) {
    qp.reason('high round-trip time');
    decrease(qp, 1 - p.decreaseBeta * (1 - highNs / rttNs));
  } else {
    qp.reason('gradient');
    if (gradient <= 0) increaseStaged(qp);
    else decrease(qp, 1 - p.decreaseBeta * gradient);
  }
}

/** As in the ns-3 simulator, an ACK after which no more has been sent notes nothing. */
function noteRoundTrip(qp, rttNs, sndNxt) {
  const { state, parameters: p } = qp;
  const isFurther = !state.isStarted || qp.isNewer(sndNxt, state.lastUpdateSeq);
  if (isFurther) state.lastUpdateSeq = sndNxt;
  if (isFurther || p.updateOn === 'ack') state.lastRttNs = rttNs;
  state.isStarted = Number(p.sequence === 'psn24' || p.updateOn === 'ack' || state.lastUpdateSeq !== 0);
}

function increaseStaged(qp) {
  const { state, parameters: p } = qp;
  increaseBy(qp, state.stage < p.hyperAfterSteps ? p.aiRateBps : p.haiRateBps);
  state.stage = state.stage < STAGE_MAX ? state.stage + 1 : STAGE_MAX;
}

function increaseBy(qp, stepBps) {
  const { maxRateBps } = qp.parameters;
  const raisedBps = qp.rateBps + stepBps;
  qp.rateBps = raisedBps < maxRateBps ? raisedBps : maxRateBps;
}

function decrease(qp, factor) {
  const { numbers, minRateBps } = qp.parameters;
  const scaledBps = qp.rateBps * (factor > 0 ? factor : 0);
  const cutBps = numbers === 'whole-bps' ? Math.floor(scaledBps) : scaledBps;
  qp.rateBps = cutBps > minRateBps ? cutBps : minRateBps;
  qp.state.stage = 0;
}

/** Whether an ACK of this number is the first of a new round trip. */
function beginsRoundTrip(qp, ackSeq) {
  const { state, parameters: p } = qp;
  const isFirst = p.sequence === 'psn24' && !state.isStarted;
  return isFirst || qp.isNewer(ackSeq, state.lastUpdateSeq);
}

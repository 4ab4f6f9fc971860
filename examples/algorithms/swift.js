/**
 * Swift's sender: a window controlled by delay, whose target grows with the path and with the number of flows.
 *
 *   target           base + hops hopScale + max(0, min(slope / sqrt(cwnd) - slope / sqrt(fsMax), fsRange))
 *                    slope = fsRange / (1 / sqrt(fsMin) - 1 / sqrt(fsMax))
 *   ACK              timeouts = 0; delay = round trip - host delay
 *     delay < target   cwnd += ai acked / cwnd     (cwnd below 1: ai acked)
 *     else             if now - last decrease >= round trip:
 *                      cwnd *= max(1 - beta (delay - target) / delay, 1 - maxMdf)
 *   fast loss        timeouts = 0; if a decrease is due: cwnd *= 1 - maxMdf
 *   timeout          timeouts + 1; from timeoutsToReset on cwnd = minCwnd; else as a fast loss
 *   always           cwnd within minCwnd .. maxCwnd; if it fell: last decrease = now
 *   rate             min(line rate, cwnd packet / round trip);  window  max(1, cwnd) packet
 *   pacing           cwnd < 1: the next packet goes round trip / cwnd after the last one; else none
 *
 * Source: Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the Datacenter", SIGCOMM 2020, section 3 and
 * algorithm 1. Known deviations: the paper runs two windows, for fabric and host delay, and uses the smaller; this is the fabric's,
 * and the host's delay is only taken off. Until a round trip has been measured the base target is used instead.
 */
import { defineAlgorithm } from 'roce-cc/algorithm';

const PERIOD_MAX_PS = Math.floor(Number.MAX_SAFE_INTEGER / 4);
const CWND_MIN = 2 ** -16;
const CWND_MAX = 2 ** 24;
const CWND = { min: CWND_MIN, max: CWND_MAX, unit: 'packets' };
/** A base target below the base round trip would starve flows: the paper's, or this much above it. */
const QUEUE_PS = 10e6;

export default defineAlgorithm({
  name: 'swift-js',
  title: 'Swift in JavaScript',
  source: 'Kumar et al., SIGCOMM 2020',
  parameters: {
    packetBytes: {
      default: (network) => network.mtuBytes,
      min: 1,
      max: 65535,
      whole: true,
      unit: 'bytes',
      description: 'a full packet, as which the window counts',
    },
    baseTargetPs: {
      default: (network) => Math.max(25e6, network.baseRttPs + QUEUE_PS),
      min: 1000,
      max: PERIOD_MAX_PS,
      whole: true,
      unit: 'ps',
      description: 'target delay of the shortest path',
    },
    hopScalePs: {
      default: 1e6,
      min: 0,
      max: PERIOD_MAX_PS,
      whole: true,
      unit: 'ps',
      description: 'target delay per hop',
    },
    flowScaleRangePs: {
      default: 100e6,
      min: 0,
      max: PERIOD_MAX_PS,
      whole: true,
      unit: 'ps',
      description: 'most that flow scaling adds to the target [fs_range]',
    },
    flowScaleMinCwnd: {
      default: 0.1,
      ...CWND,
      description: 'up to this window the target gets all of it [fs_min_cwnd]',
    },
    flowScaleMaxCwnd: { default: 100, ...CWND, description: 'from this window on it gets nothing [fs_max_cwnd]' },
    aiPackets: { default: 1, min: 0, max: CWND_MAX, unit: 'packets', description: 'additive step per round trip [ai]' },
    decreaseBeta: { default: 0.8, min: CWND_MIN, max: 1, description: 'depth of a decrease [beta]' },
    maxDecrease: {
      default: 0.5,
      min: CWND_MIN,
      max: 1 - CWND_MIN,
      description: 'most that a decrease takes [max_mdf]',
    },
    minCwnd: { default: 0.001, ...CWND, description: 'smallest window' },
    maxCwnd: { default: 1000, ...CWND, description: 'largest window' },
    initialCwnd: { default: 10, ...CWND, description: 'window of a new QP' },
    timeoutsToReset: {
      default: 5,
      min: 1,
      max: 255,
      whole: true,
      description: 'timeouts in a row after which the window falls to the smallest [RETX_RESET_THRESHOLD]',
    },
  },
  state: { cwnd: 1, rttPs: 0, lastDecreasePs: 0, timeouts: 0 },
  pacing: 'own',
  window: 'always',
  readsMarks: false,

  open(qp) {
    const { state, parameters: p } = qp;
    state.cwnd = p.initialCwnd;
    state.rttPs = p.baseTargetPs;
    state.lastDecreasePs = -Infinity;
    followWindow(qp);
  },

  sent(qp, packet) {
    const { cwnd, rttPs } = qp.state;
    qp.nextSendPs = cwnd < 1 ? packet.timePs + Math.ceil(rttPs / cwnd) : packet.timePs;
  },

  ack(qp, ack) {
    const { state, parameters: p } = qp;
    const { timePs, rttPs } = ack;
    const delayPs = rttPs - ack.hostDelayPs;
    if (!(rttPs > 0 && delayPs >= 0)) return false;
    const targetPs = targetDelayPs(p, state.cwnd, ack.pathHops);
    state.timeouts = 0;
    state.rttPs = rttPs;
    // The rate follows the round trip even where the window stays.
    qp.reason('round trip');
    if (delayPs < targetPs) {
      qp.reason('delay below target');
      moveTo(qp, timePs, increased(state.cwnd, p.aiPackets * ack.ackedPackets));
    } else if (mayDecrease(state, timePs)) {
      qp.reason('delay above target');
      moveTo(qp, timePs, state.cwnd * decreaseFactor(p, delayPs, targetPs));
    }
    followWindow(qp);
    return true;
  },

  loss(qp, loss) {
    const { state, parameters: p } = qp;
    state.timeouts = loss.isTimeout ? Math.min(state.timeouts + 1, p.timeoutsToReset) : 0;
    if (state.timeouts >= p.timeoutsToReset) {
      qp.reason('timeouts in a row');
      moveTo(qp, loss.timePs, p.minCwnd);
    } else if (mayDecrease(state, loss.timePs)) {
      qp.reason('loss');
      moveTo(qp, loss.timePs, state.cwnd * (1 - p.maxDecrease));
    }
    followWindow(qp);
  },
});

/** The delay that a window targets over a path of this many hops. */
function targetDelayPs(p, cwnd, hops) {
  const atMax = 1 / Math.sqrt(p.flowScaleMaxCwnd);
  const slope = p.flowScaleRangePs / (1 / Math.sqrt(p.flowScaleMinCwnd) - atMax);
  const scaled = slope / Math.sqrt(cwnd) - slope * atMax;
  const capped = scaled < p.flowScaleRangePs ? scaled : p.flowScaleRangePs;
  return p.baseTargetPs + hops * p.hopScalePs + (capped > 0 ? capped : 0);
}

function increased(cwnd, step) {
  return cwnd >= 1 ? cwnd + step / cwnd : cwnd + step;
}

function decreaseFactor(p, delayPs, targetPs) {
  const byDelay = 1 - p.decreaseBeta * ((delayPs - targetPs) / delayPs);
  return byDelay > 1 - p.maxDecrease ? byDelay : 1 - p.maxDecrease;
}

/** At most one decrease per round trip. */
function mayDecrease(state, timePs) {
  return timePs - state.lastDecreasePs >= state.rttPs;
}

function moveTo({ state, parameters: p }, timePs, wanted) {
  const floored = wanted > p.minCwnd ? wanted : p.minCwnd;
  const cwnd = floored < p.maxCwnd ? floored : p.maxCwnd;
  if (cwnd < state.cwnd) state.lastDecreasePs = timePs;
  state.cwnd = cwnd;
}

/** Rate and window of the congestion window: the window is at least one packet, as pacing enforces a smaller one. */
function followWindow(qp) {
  const { packetBytes, maxRateBps } = qp.parameters;
  const { cwnd, rttPs } = qp.state;
  const rateBps = (cwnd * packetBytes * 8e12) / rttPs;
  qp.rateBps = rateBps < maxRateBps ? rateBps : maxRateBps;
  qp.windowBytes = (cwnd > 1 ? cwnd : 1) * packetBytes;
}

/**
 * NSCC, the sender's congestion control of Ultra Ethernet Transport: a window driven by queueing delay and congestion marks, which falls at
 * once to what got through when much was lost.
 *
 *   delay            round trip - base; base = least round trip seen; average = w delay + (1 - w) average
 *   quick adapt      once per base + target, after a loss, or with delay > 4 target and achieved < maxWindow / 2^gate:
 *                    cwnd = achieved; then nothing until what was in flight is acknowledged
 *   ACK              not marked, delay >= target   inc += fi acked                     (fair increase)
 *                    not marked, delay < target    inc += alpha acked (target - delay) (proportional increase)
 *                      without delay for a window  cwnd += acked fiScale               (fast increase)
 *                    marked, delay >= target       once per base: cwnd *= max(1 - gamma (average - target) / average, 1/2)
 *   fulfil           each 8 packets or base round trip: cwnd += inc / cwnd; each base round trip also cwnd += eta
 *   loss             quick adapt as above, else cwnd -= packet;  timeout  cwnd -= packet
 *   always           cwnd within a packet .. 1.5 base line rate
 *
 * alpha, fi, eta and fiScale scale with the network: A = bandwidth-delay product over that of 100 Gb/s and 12 us, B = target over 12 us.
 *
 * Source: UE Specification 1.0, NSCC, as the Ultra Ethernet Consortium's public simulator has it (uet-htsim, commit 40ccb052); bytes and
 * picoseconds are whole, as there. Its traces are the test. Known deviations: acknowledgements of RoCEv2 state no received bytes, so
 * `ackedBytes` replaces them; a loss replaces the NACK of a trimmed packet, and measures no round trip; packets in flight count at most as
 * full payloads; the window's last packet may exceed it, as with all algorithms here.
 */
import { defineAlgorithm } from 'roce-cc/algorithm';

const PERIOD_MAX_PS = Math.floor(Number.MAX_SAFE_INTEGER / 4);
const WORD = 2 ** 32;
/** Without queueing delay: less than this. */
const NO_DELAY_PS = 1e6;
const AVERAGE_WEIGHT = 0.0125;
const FULFIL_PACKETS = 8;
const ADAPT_TARGETS = 4;
const REFERENCE_BDP_BYTES = 150_000;
const REFERENCE_DELAY_PS = 12e6;

const bytes = (description) => ({
  default: (network) => network.mtuBytes,
  min: 64,
  max: 65535,
  whole: true,
  unit: 'bytes',
  description,
});
const factor = (value, description) => ({ default: value, min: 0, max: 100, description });

export default defineAlgorithm({
  name: 'nscc',
  title: 'NSCC (Ultra Ethernet)',
  source: 'UE Specification 1.0; uet-htsim',
  parameters: {
    packetBytes: bytes('a full packet, and the least window'),
    payloadBytes: bytes('payload of a full packet'),
    baseRttPs: {
      default: (network) => network.baseRttPs,
      min: 1000,
      max: PERIOD_MAX_PS,
      whole: true,
      unit: 'ps',
      description: 'base round trip before one was measured',
    },
    targetDelayPs: {
      default: (network) => network.baseRttPs,
      min: 1000,
      max: PERIOD_MAX_PS,
      whole: true,
      unit: 'ps',
      description: 'target queueing delay; with trimming switches 0.75 of a base round trip [target_Qdelay]',
    },
    adaptGate: {
      default: 3,
      min: 0,
      max: 16,
      whole: true,
      description: 'quick adapt below maxWindow / 2^gate [qa_gate]',
    },
    proportionalGain: factor(4, 'proportional increase [alpha]'),
    fairGain: factor(5, 'fair increase [fi]'),
    fixedGain: factor(0.15, 'increase per round trip [eta]'),
    fastGain: factor(0.25, 'fast increase [fi_scale]'),
    decreaseGain: factor(0.8, 'multiplicative decrease [gamma]'),
    maxDecrease: { default: 0.5, min: 0, max: 1, description: 'most that a decrease takes [max_md_jump]' },
  },
  state: {
    cwnd: 0,
    basePs: 0,
    bdpBytes: 0,
    averagePs: 0,
    inFlightBytes: 0,
    inc: 0,
    receivedBytes: 0,
    achievedBytes: 0,
    toIgnoreBytes: 0,
    ignoredBytes: 0,
    adaptEndPs: 0,
    lastDecreasePs: 0,
    lastFulfilPs: 0,
    fastBytes: 0,
    isFast: 0,
    hasLost: 0,
  },
  pacing: 'own',
  window: 'always',

  open(qp) {
    const { state, parameters: p } = qp;
    state.basePs = p.baseRttPs;
    state.bdpBytes = bandwidthDelay(p.baseRttPs, qp.lineRateBps);
    state.cwnd = maxWindow(qp);
    qp.windowBytes = state.cwnd;
  },

  sent(qp, { timePs, lenBytes }) {
    const { state, parameters: p } = qp;
    state.inFlightBytes += lenBytes < p.packetBytes ? lenBytes : p.packetBytes;
    qp.nextSendPs = timePs;
  },

  ack(qp, { timePs, rttPs, ackedBytes, ecnEcho }) {
    const { state } = qp;
    state.achievedBytes += ackedBytes;
    state.receivedBytes += ackedBytes;
    state.ignoredBytes += ackedBytes;
    state.inFlightBytes -= ackedBytes;
    let delayPs = state.averagePs;
    if (rttPs > 0) {
      if (rttPs < state.basePs) measureBase(qp, rttPs);
      delayPs = rttPs - state.basePs;
      average(qp, delayPs, ecnEcho);
    }
    if (!adapts(qp, { timePs, delayPs, isMarked: ecnEcho, isLoss: false })) {
      if (ecnEcho) decrease(qp, timePs, delayPs);
      else increase(qp, delayPs, ackedBytes);
      bound(qp);
      fulfil(qp, timePs);
    }
    bound(qp);
    qp.windowBytes = state.cwnd;
  },

  loss(qp, { timePs, isTimeout }) {
    const { state, parameters: p } = qp;
    qp.reason(isTimeout ? 'timeout' : 'loss');
    if (!isTimeout) {
      state.ignoredBytes += p.packetBytes;
      average(qp, p.baseRttPs, true);
      state.hasLost = 1;
      if (!adapts(qp, { timePs, delayPs: 0, isMarked: true, isLoss: true })) state.cwnd -= p.packetBytes;
    } else {
      state.cwnd -= p.packetBytes;
    }
    state.inFlightBytes -= p.packetBytes;
    bound(qp);
    qp.windowBytes = state.cwnd;
  },
});

/** 1.5 bandwidth-delay products. */
function maxWindow({ state }) {
  return Math.floor(1.5 * state.bdpBytes);
}

/** The least round trip so far, with its product as the simulator computes that of a measured one. */
function measureBase({ state, lineRateBps }, rttPs) {
  state.basePs = rttPs;
  state.bdpBytes = Math.floor(((rttPs / 1e6) * lineRateBps) / 8e6);
}

function bandwidthDelay(rttPs, lineRateBps) {
  return Math.floor((rttPs / 1e12) * Math.floor(lineRateBps / 8));
}

/** Bandwidth-delay product in units of that for which the constants are stated. */
function scale({ parameters: p, lineRateBps }) {
  return bandwidthDelay(p.baseRttPs, lineRateBps) / REFERENCE_BDP_BYTES;
}

/** A long delay without a mark counts as a quarter of the base. */
function average({ state, parameters: p }, delayPs, isMarked) {
  const counted = !isMarked && delayPs > p.targetDelayPs ? state.basePs * 0.25 : delayPs;
  state.averagePs = Math.floor(AVERAGE_WEIGHT * counted + (1 - AVERAGE_WEIGHT) * state.averagePs);
}

/** Quick adapt. Whether it took the event: then nothing else follows. */
function adapts(qp, { timePs, delayPs, isMarked, isLoss }) {
  const { state, parameters: p } = qp;
  let isTaken = false;
  if (state.ignoredBytes < state.toIgnoreBytes && isMarked) {
    isTaken = true;
  } else if (timePs > state.adaptEndPs) {
    const isCongested = state.hasLost || isLoss || delayPs > ADAPT_TARGETS * p.targetDelayPs;
    if (state.adaptEndPs !== 0 && isCongested && state.achievedBytes < maxWindow(qp) >> p.adaptGate) {
      qp.reason('quick adapt');
      state.cwnd = Math.max(state.achievedBytes, p.packetBytes);
      state.toIgnoreBytes = state.inFlightBytes;
      state.ignoredBytes = 0;
      state.hasLost = 0;
      isTaken = true;
    }
    state.achievedBytes = 0;
    state.adaptEndPs = timePs + state.basePs + p.targetDelayPs;
  }
  if (isTaken) {
    state.inc = 0;
    state.receivedBytes = 0;
  }
  return isTaken;
}

function increase(qp, delayPs, ackedBytes) {
  const { state, parameters: p } = qp;
  if (delayPs >= p.targetDelayPs) {
    qp.reason('fair increase');
    state.inc = word(state.inc + p.fairGain * p.payloadBytes * scale(qp) * ackedBytes);
  } else if (!isFastIncrease(qp, delayPs, ackedBytes)) {
    qp.reason('proportional increase');
    const byTarget = p.targetDelayPs / REFERENCE_DELAY_PS;
    const gain = (p.proportionalGain * p.payloadBytes * scale(qp) * byTarget) / p.targetDelayPs;
    state.inc = word(state.inc + gain * ackedBytes * (p.targetDelayPs - delayPs));
  }
}

/** A whole window without queueing delay: faster, until there is some. */
function isFastIncrease(qp, delayPs, ackedBytes) {
  const { state, parameters: p } = qp;
  if (delayPs < NO_DELAY_PS) {
    state.fastBytes += ackedBytes;
    if (state.fastBytes > state.cwnd || state.isFast) {
      qp.reason('fast increase');
      state.cwnd = Math.floor(state.cwnd + ackedBytes * (p.fastGain * scale(qp)));
      state.isFast = 1;
      return true;
    }
  } else {
    state.fastBytes = 0;
  }
  state.isFast = 0;
  return false;
}

function decrease(qp, timePs, delayPs) {
  const { state, parameters: p } = qp;
  if (delayPs < p.targetDelayPs) return;
  state.isFast = 0;
  state.fastBytes = 0;
  const { averagePs, basePs } = state;
  if (!(averagePs > p.targetDelayPs && timePs - state.lastDecreasePs > basePs)) return;
  qp.reason('multiplicative decrease');
  const kept = 1 - (p.decreaseGain * (averagePs - p.targetDelayPs)) / averagePs;
  state.cwnd = Math.max(Math.floor(state.cwnd * Math.max(kept, 1 - p.maxDecrease)), p.packetBytes);
  state.lastDecreasePs = timePs;
}

/** What was gained becomes the window. */
function fulfil(qp, timePs) {
  const { state, parameters: p } = qp;
  const sincePs = timePs - state.lastFulfilPs;
  if (!(state.receivedBytes > FULFIL_PACKETS * p.packetBytes || sincePs > p.baseRttPs)) return;
  state.cwnd += Math.floor(state.inc / state.cwnd);
  if (sincePs >= p.baseRttPs) {
    state.cwnd = Math.floor(state.cwnd + p.fixedGain * p.payloadBytes * scale(qp));
    state.lastFulfilPs = timePs;
  }
  state.inc = 0;
  state.receivedBytes = 0;
}

function bound(qp) {
  const { state, parameters: p } = qp;
  const least = Math.max(state.cwnd, p.packetBytes);
  state.cwnd = Math.min(least, Math.max(maxWindow(qp), p.packetBytes));
}

/** Sums are kept in 32 bits. */
function word(value) {
  return Math.floor(value) % WORD;
}

/**
 * NSCC, the sender's congestion control of Ultra Ethernet Transport: a window driven by queueing delay and congestion marks, which falls at
 * once to what got through when much was lost. The built-in one, whose file has the equations: assembly/algorithms/nscc/transitions.ts.
 */
import { defineAlgorithm } from 'roce-cc/algorithm';

const PERIOD_MAX_PS = Math.floor(Number.MAX_SAFE_INTEGER / 4);
const WORD = 2 ** 32;
const REFERENCE_BDP_BYTES = 150_000;
const REFERENCE_DELAY_PS = 12e6;

const bytes = { default: (network) => network.mtuBytes, min: 64, max: 65535, whole: true, unit: 'bytes' };
const time = { min: 1000, max: PERIOD_MAX_PS, whole: true, unit: 'ps' };
const factor = (value, description) => ({ default: value, min: 0, max: 100, description });

export default defineAlgorithm({
  name: 'nscc',
  title: 'NSCC (Ultra Ethernet)',
  source: 'UE Specification 1.0; uet-htsim',
  parameters: {
    packetBytes: { ...bytes, description: 'a full packet, and the least window' },
    payloadBytes: { ...bytes, description: 'payload of a full packet' },
    baseRttPs: {
      ...time,
      default: (network) => network.baseRttPs,
      description: 'base round trip before one was measured',
    },
    targetDelayPs: {
      ...time,
      default: (network) => network.baseRttPs,
      description: 'target queueing delay; with trimming switches 0.75 of a base round trip [target_Qdelay]',
    },
    initialWindowBytes: {
      default: 0,
      min: 0,
      max: WORD - 1,
      whole: true,
      unit: 'bytes',
      description: 'first window; 0 = the largest',
    },
    maxWindowBdps: { default: 1.5, min: 2 ** -10, max: 64, description: 'largest window, bandwidth-delay products' },
    proportionalGain: factor(4, 'proportional increase [alpha]'),
    fairGain: factor(5, 'fair increase [fi]'),
    fixedGain: factor(0.15, 'increase per round trip [eta]'),
    fastGain: factor(0.25, 'fast increase [fi_scale]'),
    fastDelayPs: { ...time, default: 1e6, description: 'below it there is no queueing delay' },
    decreaseGain: factor(0.8, 'multiplicative decrease [gamma]'),
    maxDecrease: { default: 0.5, min: 0, max: 1, description: 'most that a decrease takes [max_md_jump]' },
    delayWeight: { default: 0.0125, min: 2 ** -16, max: 1, description: 'of a sample in the average delay' },
    fulfilPackets: {
      default: 8,
      min: 1,
      max: 65535,
      whole: true,
      description: 'increases become window [adjust_bytes]',
    },
    quickAdapt: { default: true, description: 'whether there is quick adapt' },
    adaptGate: { default: 3, min: 0, max: 16, whole: true, description: 'below maxWindow / 2^gate [qa_gate]' },
    adaptTargets: { default: 4, min: 0, max: 1000, description: 'delay for quick adapt, targets; 0 = none' },
    inferredLoss: { default: 'as-trimmed', values: ['as-trimmed', 'reduce'], description: 'what a fast loss is' },
    lastHopTrims: {
      default: 'reduce',
      values: ['reduce', 'leave'],
      description: 'whether a packet trimmed at the last hop lowers the window',
    },
    nackRtt: {
      default: 'measure',
      values: ['measure', 'ignore'],
      description: 'whether a NACK measures the round trip',
    },
    increaseSum: { default: 'u32', values: ['u32', 'exact'], description: 'bits of the sum of increases' },
  },
  state: {
    cwnd: 0,
    basePs: 0,
    maxWindow: 0,
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
    state.maxWindow = Math.floor(p.maxWindowBdps * bandwidthDelay(qp));
    state.cwnd = p.initialWindowBytes === 0 ? state.maxWindow : p.initialWindowBytes;
    follow(qp);
  },

  sent(qp, { timePs, lenBytes }) {
    const { state, parameters: p } = qp;
    state.inFlightBytes += lenBytes < p.packetBytes ? lenBytes : p.packetBytes;
    qp.nextSendPs = timePs;
  },

  ack(qp, { timePs, ackSeq, sndNxt, rttPs, ackedBytes, ecnEcho }) {
    if (!(ackedBytes >= 0)) return false;
    const { state } = qp;
    state.achievedBytes += ackedBytes;
    state.receivedBytes += ackedBytes;
    state.ignoredBytes += ackedBytes;
    state.inFlightBytes = ackSeq === sndNxt ? 0 : state.inFlightBytes - ackedBytes;
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
    follow(qp);
  },

  nack(qp, { timePs, rttPs, trimmedBytes, isLastHop }) {
    const { state, parameters: p } = qp;
    if (p.nackRtt === 'measure' && rttPs > 0 && rttPs < state.basePs) measureBase(qp, rttPs);
    trimmed(qp, timePs, trimmedBytes, isLastHop && p.lastHopTrims === 'leave');
    follow(qp);
  },

  loss(qp, { timePs, isTimeout }) {
    const { state, parameters: p } = qp;
    if (!isTimeout && p.inferredLoss === 'as-trimmed') {
      trimmed(qp, timePs, p.packetBytes, false);
    } else {
      qp.reason(isTimeout ? 'timeout' : 'loss');
      if (!isTimeout) state.hasLost = 1;
      state.cwnd -= p.packetBytes;
      state.inFlightBytes -= p.packetBytes;
    }
    follow(qp);
  },
});

/** One packet was cut to its headers. `isLeft`: the window is the receiver's concern. */
function trimmed(qp, timePs, trimmedBytes, isLeft) {
  const { state, parameters: p } = qp;
  qp.reason('loss');
  state.hasLost = 1;
  state.ignoredBytes += trimmedBytes;
  average(qp, p.baseRttPs, true);
  if (!adapts(qp, { timePs, delayPs: 0, isMarked: true, isLoss: true }) && !isLeft) state.cwnd -= trimmedBytes;
  state.inFlightBytes -= trimmedBytes;
}

/** The least round trip so far, with its window as the simulator computes that of a measured one. */
function measureBase({ state, parameters: p, lineRateBps }, rttPs) {
  state.basePs = rttPs;
  state.maxWindow = Math.floor(p.maxWindowBdps * Math.floor(((rttPs / 1e6) * lineRateBps) / 8e6));
}

/** Of the network. */
function bandwidthDelay({ parameters: p, lineRateBps }) {
  return Math.floor((p.baseRttPs / 1e12) * Math.floor(lineRateBps / 8));
}

/** Bandwidth-delay product in units of that for which the constants are stated. */
function scale(qp) {
  return bandwidthDelay(qp) / REFERENCE_BDP_BYTES;
}

/** A long delay without a mark counts as a quarter of the base. */
function average({ state, parameters: p }, delayPs, isMarked) {
  const { delayWeight: weight } = p;
  const sample = !isMarked && delayPs > p.targetDelayPs ? weight * state.basePs * 0.25 : weight * delayPs;
  state.averagePs = Math.floor(sample + (1 - weight) * state.averagePs);
}

/** Quick adapt. Whether it took the event: then nothing else follows. */
function adapts(qp, { timePs, delayPs, isMarked, isLoss }) {
  const { state, parameters: p } = qp;
  if (!p.quickAdapt) return false;
  let isTaken = false;
  if (state.ignoredBytes < state.toIgnoreBytes && isMarked) {
    isTaken = true;
  } else if (timePs > state.adaptEndPs) {
    const isLate = p.adaptTargets !== 0 && delayPs > p.adaptTargets * p.targetDelayPs;
    const isCongested = state.hasLost || isLoss || isLate;
    const isLittle = state.achievedBytes < Math.floor(state.maxWindow * 2 ** -p.adaptGate);
    if (state.adaptEndPs !== 0 && isCongested && isLittle) {
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
  const { parameters: p } = qp;
  if (delayPs >= p.targetDelayPs) {
    qp.reason('fair increase');
    gain(qp, p.fairGain * p.payloadBytes * scale(qp) * ackedBytes);
  } else if (!isFastIncrease(qp, delayPs, ackedBytes)) {
    qp.reason('proportional increase');
    const byTarget = p.targetDelayPs / REFERENCE_DELAY_PS;
    const alpha = (p.proportionalGain * p.payloadBytes * scale(qp) * byTarget) / p.targetDelayPs;
    gain(qp, alpha * ackedBytes * (p.targetDelayPs - delayPs));
  }
}

/** A whole window without queueing delay: faster, until there is some. */
function isFastIncrease(qp, delayPs, ackedBytes) {
  const { state, parameters: p } = qp;
  if (delayPs < p.fastDelayPs) {
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
  state.cwnd = Math.floor(state.cwnd * Math.max(kept, 1 - p.maxDecrease));
  state.lastDecreasePs = timePs;
}

/** What was gained becomes the window. */
function fulfil(qp, timePs) {
  const { state, parameters: p } = qp;
  const sincePs = timePs - state.lastFulfilPs;
  if (!(state.receivedBytes > p.fulfilPackets * p.packetBytes || sincePs > p.baseRttPs)) return;
  state.cwnd += Math.floor(state.inc / state.cwnd);
  if (sincePs >= p.baseRttPs) {
    state.cwnd = Math.floor(state.cwnd + p.fixedGain * p.payloadBytes * scale(qp));
    state.lastFulfilPs = timePs;
  }
  state.inc = 0;
  state.receivedBytes = 0;
}

/** For the next fulfilment. */
function gain({ state, parameters: p }, bytesSquared) {
  const sum = Math.floor(state.inc + bytesSquared);
  state.inc = p.increaseSum === 'u32' ? sum % WORD : sum;
}

function bound({ state, parameters: p }) {
  state.cwnd = Math.max(Math.min(state.cwnd, state.maxWindow), p.packetBytes);
}

/** Window and rate follow from what was decided. */
function follow(qp) {
  bound(qp);
  const { state, lineRateBps } = qp;
  qp.windowBytes = state.cwnd;
  qp.rateBps = Math.min((state.cwnd * 8e12) / state.basePs, lineRateBps);
}

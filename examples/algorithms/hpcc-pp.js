/**
 * HPCC++'s sender: HPCC's step behind three kinds of signals, and recovery where signals stop coming.
 *
 *   signal                          what happens
 *   ACK with exact records          as HPCC, hops known by identity; full update by sequence numbers, or by the timer (`clock`)
 *   trace of an ACK frame           the same by the timer: frames do not carry sndNxt
 *   Fast CNP with readable records  u at least that of a notification; full update by the timer
 *   CNP, other Fast CNP             u is that of a notification; full update by the timer
 *
 *   measure   a hop with an earlier record: u' = (sent 8) / tau / B + min(q, last q) L / B / W0; a hop whose throughput is not
 *             known: q L / B / W0, and 1 more while there is a queue (`firstSample`); a hop without an earlier record counts in
 *             Fast CNPs only, as one whose throughput is not known
 *   smooth    u = (u (T - tau) + u' tau) / T with tau at most T; or u = u (1 - beta) + u' beta
 *   decide    c = u / eta; nothing if hops are missing or only estimated, and c < 1; else
 *             c >= 1 or stage >= maxStage: Q = Q_c / c + Q_AI, stage 0; else Q = Q_c + Q_AI, stage + 1; within its limits
 *   commit    on a full update Q_c = Q and the stage, and Q_t = Q_c if it falls; else only Q moves
 *   timer     a full update may come T after the last one; one by a notification holds off those by ACKs as long
 *   recovery  recoveryAfterPs after the last news, then per recoveryPeriodPs, until the maximum: F steps Q = (Q + Q_t) / 2,
 *             Q_t at least Q_c and Q; then Q = Q + Q_AI. Each commits
 *
 * Source: Li et al., "HPCC", SIGCOMM 2019, algorithm 1; draft-miao-ccwg-hpcc; draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4; Zhu et
 * al., SIGCOMM 2015, section 5, for recovery. What no source states: docs/reference/sources.md, section HPCC++.
 */
import { defineAlgorithm } from 'roce-cc/algorithm';

const RATE = { min: 0, max: 2 ** 43, unit: 'b/s' };
const PERIOD = { min: 1000, max: Math.floor(Number.MAX_SAFE_INTEGER / 4), whole: true, unit: 'ps' };
const COUNT = { min: 0, max: 65535, whole: true };
const WINDOW = { min: 1, max: 2 ** 32 - 1, unit: 'bytes' };
/** A parameter that is one of some words, the first unless another is given. */
const words = (...values) => ({ default: values[0], values });
/** N, how many flows a link is expected to carry: W_AI = W0 (1 - eta) / N. */
const EXPECTED_FLOWS = 100;
const ETA = 0.95;
const SIGNAL_SOURCES = [
  'acks+fast-cnps+cnps',
  'acks',
  'fast-cnps',
  'cnps',
  'acks+fast-cnps',
  'acks+cnps',
  'fast-cnps+cnps',
];
const SOURCES = new Map(SIGNAL_SOURCES.map((words) => [words, new Set(words.split('+'))]));

/** Hops that are kept; for one more the one not seen for the longest time makes room. */
const HOPS = 15;
/** Values of `telemetryKind`. */
const EXACT = 1;
const TRACE = 3;
const TRACE_SECOND = 4;
/** Where the times of traces wrap: with and without seconds. */
const TRACE_SPAN_PS = 4096e12;
const TRACE_SECOND_PS = 1e12;
/** More than this many times the line rate is a counter that was restarted. */
const RATE_SLACK = 2;
/** Identity of a hop that was given none: its place is added. */
const PLACE_ID = 0xffffff00;
/** Instead of a utilization, where a hop does not count. */
const NOT_COUNTED = -1;
const RECOVERY = 0;
const STEPS_MAX = 65535;

const perHop = () => new Array(HOPS).fill(0);

/** Of the hop that was measured last, and of the signal: set by `measureHop`. */
let measuredNs = 0;
let isIncomplete = false;

export default defineAlgorithm({
  name: 'hpcc-pp-js',
  title: 'HPCC++ in JavaScript',
  source: 'draft-miao-ccwg-hpcc',
  parameters: {
    numbers: { ...words('float64', 'whole-bps'), description: 'arithmetic of rates' },
    primary: { ...words('window', 'rate'), description: 'what Q is' },
    minRateBps: { default: 100e6, ...RATE, min: 1000, description: 'floor of the rate' },
    baseRttPs: { default: ({ baseRttPs }) => baseRttPs, ...PERIOD, description: 'T' },
    windowBytes: { default: ({ windowBytes }) => windowBytes, ...WINDOW, whole: true, description: 'W0' },
    targetUtilization: { default: ETA, min: 2 ** -10, max: 1, description: 'eta, the utilization aimed at' },
    maxStage: { default: 5, ...COUNT, description: 'additive steps before a multiplicative one' },
    aiRateBps: { default: 0, ...RATE, description: 'Q_AI of rates' },
    aiWindowBytes: {
      default: ({ windowBytes }) => (windowBytes * (1 - ETA)) / EXPECTED_FLOWS,
      ...WINDOW,
      min: 0,
      description: 'Q_AI of windows',
    },
    fastReact: { default: true, description: 'every signal moves Q, not only full updates' },
    ewma: { ...words('adaptive', 'constant'), description: 'weight tau / T, or beta' },
    ewmaBeta: { default: 0, min: 0, max: 1, description: 'beta' },
    pathChange: { ...words('reset', 'ignore'), description: 'whether another path is a new start' },
    repeatedTimestamp: { ...words('skip-hop', 'one-nanosecond'), description: 'two records of one time' },
    signalSources: { ...words(...SIGNAL_SOURCES), description: 'signals that change the rate' },
    clock: { ...words('acks', 'timer'), description: 'what ends a round trip' },
    firstSample: { ...words('assume-line-rate', 'queue-only'), description: 'unknown throughput' },
    notifiedUtilization: { default: 1, min: 0, max: 64, description: 'the least u that a notification means' },
    recoveryAfterPs: { default: 55e6, ...PERIOD, description: 'recovery begins this long after the last news' },
    recoveryPeriodPs: {
      default: ({ baseRttPs }) => baseRttPs,
      ...PERIOD,
      min: 0,
      description: 'between its steps; 0: none',
    },
    fastRecoverySteps: { default: 5, ...COUNT, description: 'F, steps that halve the distance' },
  },
  state: {
    isStarted: 0,
    lastUpdateSeq: 0,
    committed: 0,
    utilization: 1,
    stage: 0,
    target: 0,
    nextFullPs: 0,
    heldUntilPs: 0,
    recoverySteps: 0,
    pathId: 0,
    hopCount: 0,
    hopKind: perHop(),
    hopId: perHop(),
    hopPort: perHop(),
    hopTimePs: perHop(),
    hopBytes: perHop(),
    hopQueue: perHop(),
    hopSeenPs: perHop(),
  },
  pacing: 'running-gap',
  window: 'by-mode',
  telemetry: () => ({ records: 'exact', intMultiplier: 1 }),

  open(qp) {
    const { state, parameters: p } = qp;
    state.committed = maximumOf(p);
    state.target = state.committed;
    applyQuantity(qp, state.committed);
  },

  ack(qp, ack) {
    const { state, parameters: p } = qp;
    const { timePs, telemetryKind: kind } = ack;
    const isReadable = kind === EXACT || kind === TRACE || kind === TRACE_SECOND;
    if (!isReadable || !reads(p, 'acks')) return false;
    const isNumbered = p.clock === 'acks' && kind === EXACT;
    const isFull = isNumbered ?
      beginsRoundTrip(qp, ack.ackSeq) && timePs >= state.heldUntilPs :
      timePs >= state.nextFullPs;
    if (isFull && isNumbered) moveMark(qp, ack.sndNxt);
    return takeSignal(qp, ack, false, isFull);
  },

  cnp(qp, cnp) {
    if (!reads(qp.parameters, 'cnps')) return false;
    return takeSignal(qp, cnp, true, cnp.timePs >= qp.state.nextFullPs);
  },

  fastCnp(qp, cnp) {
    if (!reads(qp.parameters, cnp.hopCount > 0 ? 'fast-cnps' : 'cnps')) return false;
    return takeSignal(qp, cnp, true, cnp.timePs >= qp.state.nextFullPs);
  },

  timer(qp, { timePs }) {
    const mayContinue = recover(qp);
    if (mayContinue) qp.setTimer(RECOVERY, timePs + qp.parameters.recoveryPeriodPs);
  },
});

function reads(p, source) {
  return SOURCES.get(p.signalSources).has(source);
}

/** Moves rate and state by a signal; any that does is news, and restarts recovery. */
function takeSignal(qp, signal, isNotified, isFull) {
  const { state, parameters: p } = qp;
  const { timePs } = signal;
  if (!isFull && !p.fastReact) return false;
  if (!react(qp, signal, isNotified, isFull)) return true;
  if (isFull) state.nextFullPs = timePs + p.baseRttPs;
  if (isFull && isNotified) state.heldUntilPs = state.nextFullPs;
  const maximum = maximumOf(p);
  const isWhole = state.committed >= maximum && quantityInUse(qp) >= maximum;
  state.recoverySteps = 0;
  qp.setTimer(RECOVERY, p.recoveryPeriodPs === 0 || isWhole ? Infinity : timePs + p.recoveryAfterPs);
  return true;
}

/** Whether a signal was news. */
function react(qp, signal, isNotified, isFull) {
  const { state, parameters: p } = qp;
  let utilization = smoothedBusiest(qp, signal, isNotified);
  if (isNotified) utilization = Math.max(utilization, p.notifiedUtilization);
  else if (utilization === NOT_COUNTED) return false;
  const normalized = utilization / p.targetUtilization;
  if (isIncomplete && normalized < 1) return false;
  state.utilization = utilization;
  const divides = normalized >= 1 || state.stage >= p.maxStage;
  qp.reason(divides ? 'multiplicative step' : 'additive step');
  const quantity = stepFrom(p, state.committed, normalized, divides);
  if (isFull) {
    if (quantity < state.committed) state.target = state.committed;
    state.committed = quantity;
    state.stage = divides ? 0 : state.stage + 1;
  }
  applyQuantity(qp, quantity);
  return true;
}

/** u with the busiest hop of a signal, NOT_COUNTED if none counts; notes whether anything is missing. */
function smoothedBusiest(qp, signal, isNotified) {
  const { state, parameters: p } = qp;
  const inspected = Math.min(signal.hopCount ?? 0, HOPS);
  isIncomplete = inspected === 0 || signal.isPartial || inspected !== signal.hopCount;
  if (inspected === 0 && isNotified) return NOT_COUNTED;
  forgetOtherPath(state, p, signal);
  let isCounted = false;
  let largest = 0;
  let largestNs = 0;
  for (let place = 0; place < inspected; place += 1) {
    const utilization = measureHop(qp, signal, place, isNotified);
    if (utilization === NOT_COUNTED) continue;
    isCounted = true;
    if (utilization > largest) {
      largest = utilization;
      largestNs = measuredNs;
    }
  }
  return isCounted ? smooth(p, state.utilization, largest, largestNs) : NOT_COUNTED;
}

/** Hops of another path are forgotten, where records name their path. */
function forgetOtherPath(state, p, { pathId, telemetryKind }) {
  if (telemetryKind !== EXACT || pathId === 0) return;
  if (p.pathChange === 'reset' && pathId !== state.pathId) state.hopCount = 0;
  state.pathId = pathId;
}

/** u' of one hop, whose record is kept. */
function measureHop(qp, signal, place, isNotified) {
  const { state, parameters: p } = qp;
  const lineRateBps = signal.hopLineRateBps(place);
  if (!(lineRateBps > 0)) {
    isIncomplete = true;
    return NOT_COUNTED;
  }
  const kind = signal.telemetryKind;
  const ownId = signal.hopId(place);
  const hopId = kind === EXACT && ownId === 0 ? PLACE_ID + place : ownId;
  const port = signal.hopPort(place);
  const known = isHop(state, place, kind, hopId, port) ? place : findHop(state, kind, hopId, port);
  if (known >= 0) return measureKnown(qp, known, signal, place);
  const hop = placeForHop(state);
  state.hopKind.set(hop, kind);
  state.hopId.set(hop, hopId);
  state.hopPort.set(hop, port);
  keepRecord(state, hop, signal, place);
  state.hopCount = Math.max(state.hopCount, hop + 1);
  isIncomplete = true;
  return isNotified ? estimate(p, lineRateBps, signal.hopQueueBytes(place)) : NOT_COUNTED;
}

/** On an unchanged path, a hop is kept at its place. */
function isHop({ hopCount, hopKind, hopId, hopPort }, i, kind, id, port) {
  return i < hopCount && hopKind.get(i) === kind && hopId.get(i) === id && hopPort.get(i) === port;
}

function findHop(state, kind, hopId, port) {
  for (let i = 0; i < state.hopCount; i += 1) if (isHop(state, i, kind, hopId, port)) return i;
  return -1;
}

/** The next free place, or that of the hop not seen for the longest time. */
function placeForHop({ hopCount, hopSeenPs }) {
  if (hopCount < HOPS) return hopCount;
  let oldest = 0;
  for (let i = 1; i < HOPS; i += 1) if (hopSeenPs.get(i) < hopSeenPs.get(oldest)) oldest = i;
  return oldest;
}

function keepRecord(state, hop, signal, place) {
  state.hopTimePs.set(hop, signal.hopTimePs(place));
  state.hopBytes.set(hop, signal.hopTxBytes(place));
  state.hopQueue.set(hop, signal.hopQueueBytes(place));
  state.hopSeenPs.set(hop, signal.timePs);
}

/** u' of a hop with an earlier record, which is replaced. */
function measureKnown({ state, parameters: p }, hop, signal, place) {
  const intervalNs = timeBetween(signal.telemetryKind, state.hopTimePs.get(hop), signal.hopTimePs(place)) / 1000;
  if (intervalNs === 0 && p.repeatedTimestamp === 'skip-hop') return NOT_COUNTED;
  const tauNs = intervalNs === 0 ? 1 : intervalNs;
  const queueBytes = Math.min(signal.hopQueueBytes(place), state.hopQueue.get(hop));
  const lineRateBps = signal.hopLineRateBps(place);
  const sentBytes = bytesBetween(signal, state.hopBytes.get(hop), place, tauNs);
  keepRecord(state, hop, signal, place);
  if (intervalNs < 0) return NOT_COUNTED;
  if (sentBytes < 0) {
    isIncomplete = true;
    return estimate(p, lineRateBps, queueBytes);
  }
  measuredNs = tauNs;
  const txRateBps = (sentBytes * 8) / (tauNs * 1e-9);
  return txRateBps / lineRateBps + (queueBytes * p.maxRateBps) / lineRateBps / p.windowBytes;
}

/** u' of a hop whose throughput is not known, as of a whole round trip. */
function estimate(p, lineRateBps, queueBytes) {
  measuredNs = p.baseRttPs / 1000;
  const queueing = (queueBytes * p.maxRateBps) / lineRateBps / p.windowBytes;
  return p.firstSample === 'assume-line-rate' && queueBytes > 0 ? 1 + queueing : queueing;
}

/** Picoseconds from one time to another; below 0 where they run backwards. Times of traces wrap. */
function timeBetween(kind, fromPs, toPs) {
  const differencePs = toPs - fromPs;
  if (kind === EXACT) return differencePs;
  const spanPs = kind === TRACE ? TRACE_SPAN_PS : TRACE_SECOND_PS;
  const aheadPs = differencePs < 0 ? differencePs + spanPs : differencePs;
  return aheadPs > spanPs / 2 ? aheadPs - spanPs : aheadPs;
}

/** Bytes sent in an interval; below 0 if they can't be known. */
function bytesBetween(signal, fromBytes, place, tauNs) {
  const toBytes = signal.hopTxBytes(place);
  if (fromBytes < 0 || toBytes < 0) return -1;
  const differenceBytes = toBytes - fromBytes;
  if (signal.telemetryKind === EXACT) return differenceBytes;
  const lineBytes = (signal.hopLineRateBps(place) * (tauNs * 1e-9)) / 8;
  const sentBytes = differenceBytes < 0 ? differenceBytes + signal.txSpanBytes : differenceBytes;
  return lineBytes >= signal.txSpanBytes || sentBytes > lineBytes * RATE_SLACK ? -1 : sentBytes;
}

/** One step of recovery; whether a further one changes anything. */
function recover(qp) {
  const { state, parameters: p } = qp;
  const maximum = maximumOf(p);
  const increment = incrementOf(p);
  const before = quantityInUse(qp);
  if (state.recoverySteps === 0) state.target = Math.max(state.target, state.committed, before);
  const isFast = state.recoverySteps < p.fastRecoverySteps;
  qp.reason(isFast ? 'recovery, halfway' : 'recovery, additive');
  const raised = isFast ? roundRate(p, (before + state.target) / 2) : before + increment;
  const quantity = Math.min(raised, maximum);
  state.recoverySteps = Math.min(state.recoverySteps + 1, STEPS_MAX);
  state.committed = quantity;
  applyQuantity(qp, quantity);
  return quantity < maximum && (isFast || increment > 0);
}

function smooth(p, last, sample, tauNs) {
  if (p.ewma === 'constant') return last * (1 - p.ewmaBeta) + sample * p.ewmaBeta;
  const baseRttNs = p.baseRttPs / 1000;
  const weight = tauNs < baseRttNs ? tauNs : baseRttNs;
  return (last * (baseRttNs - weight) + sample * weight) / baseRttNs;
}

/** Q after one step from a reference. */
function stepFrom(p, committed, normalized, divides) {
  const base = divides ? roundRate(p, committed / normalized) : committed;
  const raised = base + incrementOf(p);
  const minimum = p.primary === 'rate' ? p.minRateBps : (p.minRateBps * p.baseRttPs) / 8e12;
  const maximum = maximumOf(p);
  const floored = raised > minimum ? raised : minimum;
  return floored < maximum ? floored : maximum;
}

function maximumOf(p) {
  return p.primary === 'rate' ? p.maxRateBps : p.windowBytes;
}

function incrementOf(p) {
  return p.primary === 'rate' ? p.aiRateBps : p.aiWindowBytes;
}

function quantityInUse(qp) {
  return qp.parameters.primary === 'rate' ? qp.rateBps : qp.windowBytes;
}

/** Rate and window become those of a quantity. */
function applyQuantity(qp, quantity) {
  const p = qp.parameters;
  if (p.primary === 'rate') {
    qp.rateBps = quantity;
    qp.windowBytes = windowAt(p, quantity);
  } else {
    const rateBps = (quantity * 8e12) / p.baseRttPs;
    qp.rateBps = rateBps < p.maxRateBps ? rateBps : p.maxRateBps;
    qp.windowBytes = quantity;
  }
}

/** The window that the mode allows at a rate; 0 = none. */
function windowAt(p, rateBps) {
  if (p.windowMode === 'none') return 0;
  if (p.windowMode === 'fixed') return p.windowBytes;
  const product = p.windowBytes * rateBps;
  if (p.numbers === 'float64') return Math.max(1, product / p.maxRateBps);
  // A whole quotient, exactly: products of 2^53 and more are rounded already.
  if (product < 2 ** 53) return Math.max(1, Math.floor(product / p.maxRateBps));
  return Math.max(1, Number((BigInt(p.windowBytes) * BigInt(rateBps)) / BigInt(p.maxRateBps)));
}

function roundRate(p, rateBps) {
  return p.numbers === 'whole-bps' ? Math.floor(rateBps) : rateBps;
}

/** Whether an ACK of this number begins a new round trip. */
function beginsRoundTrip(qp, ackSeq) {
  const { state, parameters: p } = qp;
  const isFirst = p.sequence === 'psn24' && !state.isStarted;
  return isFirst || qp.isNewer(ackSeq, state.lastUpdateSeq);
}

/** Moves the mark of the round trip to what has been sent by now. */
function moveMark(qp, sndNxt) {
  const { state, parameters: p } = qp;
  if (!state.isStarted || qp.isNewer(sndNxt, state.lastUpdateSeq)) state.lastUpdateSeq = sndNxt;
  state.isStarted = Number(p.sequence === 'psn24' || state.lastUpdateSeq !== 0);
}

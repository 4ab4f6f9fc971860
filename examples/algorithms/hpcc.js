/**
 * HPCC's sender: a window (or rate) Q divided by how busy the busiest hop is.
 *
 *   measure   u' = (sent 8) / tau / B + min(q, last q) L / B / W0, from two records of a hop; busiest hop: u' largest, above 0
 *   smooth    u = (u (T - tau) + u' tau) / T with tau at most T; or u = u (1 - beta) + u' beta
 *   decide    c = u / eta; c >= 1 or stage >= maxStage: Q = Q_c / c + Q_AI, stage 0; else Q = Q_c + Q_AI, stage + 1;
 *             within its limits
 *   commit    on a full update Q_c = Q and the stage; else only Q moves
 *
 * A full update is an ACK with ackSeq > lastUpdateSeq, so one comes per round trip; then lastUpdateSeq = sndNxt. With
 * `multiRate` each hop smooths, decides and commits for itself, and the smallest Q is used; a hop that this ACK passes over
 * counts with its Q_c. The first ACK, and one of another path, only give a start.
 *
 * Records are exact, or the 64-bit ones of the ns-3 simulator: time in ns mod 2^24, bytes in 128 m mod 2^20, queue in 80 m.
 *
 * Source: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, algorithm 1, whose values are the defaults;
 * alibaba-edu/High-Precision-Congestion-Control at 9f4be2a. Known deviations: a quotient beyond 64 bits ends at the maximum.
 */
import { defineAlgorithm } from 'roce-cc/algorithm';

const RATE = { min: 0, max: 2 ** 43, unit: 'b/s' };
const PERIOD = { min: 1000, max: Math.floor(Number.MAX_SAFE_INTEGER / 4), whole: true, unit: 'ps' };
const WINDOW = { min: 1, max: 2 ** 32 - 1, unit: 'bytes' };
const COUNT = { min: 0, max: 65535, whole: true };
/** A parameter that is one of some words, the first unless another is given. */
const words = (...values) => ({ default: values[0], values });
/** N, how many flows a link is expected to carry: W_AI = W0 (1 - eta) / N. */
const EXPECTED_FLOWS = 100;
const ETA = 0.95;

const HOPS_MAX = 16;
const TIME_SPAN = 2 ** 24;
const BYTES_SPAN = 2 ** 20;
/** Line rates of the codes in 64-bit records. */
const CODE_RATES_BPS = [25e9, 50e9, 100e9, 200e9, 400e9, 40e9];
/** Raw fields of such a record. */
const [CODE, TIME, BYTES, QUEUE] = [0, 1, 2, 3];

/** By kind of records: telemetryKind of an ACK, most hops, the fields of a record, and what two of them say; m: intMultiplier. */
const RECORDS = {
  exact: {
    kind: 1,
    hopsMax: HOPS_MAX,
    pathId: (ack) => ack.pathId,
    hopId: (ack, i) => ack.hopId(i),
    time: (ack, i) => ack.hopTimePs(i),
    bytes: (ack, i) => ack.hopTxBytes(i),
    queue: (ack, i) => ack.hopQueueBytes(i),
    lineRateBps: (ack, i) => ack.hopLineRateBps(i),
    tauNs: (timePs, lastPs) => (timePs - lastPs) / 1000,
    sentBytes: (bytes, last) => bytes - last,
    queueBytes: (queue) => queue,
  },
  int64: {
    kind: 2,
    hopsMax: 5,
    pathId: () => 0,
    hopId: () => 0,
    time: (ack, i) => ack.rawHop(i, TIME),
    bytes: (ack, i) => ack.rawHop(i, BYTES),
    queue: (ack, i) => ack.rawHop(i, QUEUE),
    lineRateBps: (ack, i) => CODE_RATES_BPS[ack.rawHop(i, CODE)] ?? 0,
    tauNs: (time, last) => (time - last + TIME_SPAN) % TIME_SPAN,
    sentBytes: (bytes, last, m) => ((bytes - last + BYTES_SPAN) % BYTES_SPAN) * 128 * m,
    queueBytes: (queue, m) => queue * (80 * m),
  },
};
/** Instead of a utilization, where a hop does not count. */
const NOT_COUNTED = -1;
/** Instead of a quantity, where no hop counts. */
const NONE = 0;

/** Interval of the hop that was measured last; two records of one time are 1 ns apart. */
let measuredNs = 0;

const perHop = (initial) => new Array(HOPS_MAX).fill(initial);

export default defineAlgorithm({
  name: 'hpcc-js',
  title: 'HPCC in JavaScript',
  source: 'Li et al., SIGCOMM 2019',
  parameters: {
    numbers: { ...words('float64', 'whole-bps'), description: 'arithmetic of rates' },
    primary: { ...words('window', 'rate'), description: "Q: the paper's window, or the ns-3 simulator's rate" },
    minRateBps: { default: 100e6, ...RATE, min: 1000, description: 'floor of the rate' },
    baseRttPs: { default: ({ baseRttPs }) => baseRttPs, ...PERIOD, description: 'T, the base round trip' },
    windowBytes: {
      default: ({ windowBytes }) => windowBytes,
      ...WINDOW,
      whole: true,
      description: 'W0, the window at line rate',
    },
    targetUtilization: { default: ETA, min: 2 ** -10, max: 1, description: 'eta, the utilization aimed at' },
    maxStage: { default: 5, ...COUNT, description: 'additive steps before a multiplicative one' },
    aiRateBps: { default: 0, ...RATE, description: 'Q_AI of rates' },
    aiWindowBytes: {
      default: ({ windowBytes }) => (windowBytes * (1 - ETA)) / EXPECTED_FLOWS,
      ...WINDOW,
      min: 0,
      description: 'Q_AI of windows',
    },
    fastReact: { default: true, description: 'every ACK moves Q, not only full updates' },
    multiRate: { default: false, description: 'a reference per hop' },
    sampleFeedback: { default: false, description: 'outside of full updates, empty queues do not count' },
    ewma: { ...words('adaptive', 'constant'), description: 'weight tau / T, or beta' },
    ewmaBeta: { default: 0, min: 0, max: 1, description: 'beta' },
    records: { ...words('exact', 'int64'), description: 'kind of hop records' },
    intMultiplier: { default: 1, min: 1, max: 256, whole: true, description: 'm, of 64-bit records' },
    pathChange: { ...words('reset', 'ignore'), description: 'whether another path is a new start' },
    repeatedTimestamp: { ...words('skip-hop', 'one-nanosecond'), description: 'two records of one time' },
  },
  state: {
    isStarted: 0,
    lastUpdateSeq: 0,
    committed: 0,
    utilization: 1,
    stage: 0,
    hopCount: 0,
    pathId: 0,
    hopId: perHop(0),
    hopTime: perHop(0),
    hopBytes: perHop(0),
    hopQueue: perHop(0),
    hopUtilization: perHop(1),
    hopCommitted: perHop(0),
    hopStage: perHop(0),
  },
  pacing: 'running-gap',
  window: 'by-mode',
  telemetry: ({ records, intMultiplier }) => ({ records, intMultiplier }),
  referenceBytes: 42,
  readsMarks: false,

  open(qp) {
    const { state, parameters: p } = qp;
    state.committed = maximumOf(p);
    for (let i = 0; i < HOPS_MAX; i += 1) state.hopCommitted.set(i, state.committed);
    applyQuantity(qp, state.committed);
  },

  ack(qp, ack) {
    const { state, parameters: p } = qp;
    const { kind, hopsMax } = RECORDS[p.records];
    if (ack.telemetryKind !== kind) return false;
    const isFull = beginsRoundTrip(qp, ack.ackSeq);
    if (!isFull && !p.fastReact) return false;
    if (!state.isStarted) {
      keepRecords(qp, ack);
      moveMark(qp, ack.sndNxt);
      return true;
    }
    if (ack.hopCount <= hopsMax) {
      if (p.pathChange === 'reset' && isNewPath(qp, ack)) {
        restartHops(qp, ack);
        return true;
      }
      const quantity = p.multiRate ? slowestHop(qp, ack, isFull) : busiestHop(qp, ack, isFull);
      if (quantity !== NONE) applyQuantity(qp, quantity);
    }
    if (isFull) moveMark(qp, ack.sndNxt);
    return true;
  },
});

/** One utilization, reference and stage for the QP. */
function busiestHop(qp, ack, isFull) {
  const { state, parameters: p } = qp;
  const { hopCount } = ack;
  let isCounted = false;
  let largest = 0;
  let largestNs = 0;
  for (let i = 0; i < hopCount; i += 1) {
    const utilization = measureHop(qp, ack, i, isFull);
    if (utilization === NOT_COUNTED) continue;
    isCounted = true;
    if (utilization > largest) {
      largest = utilization;
      largestNs = measuredNs;
    }
  }
  if (!isCounted) return NONE;
  state.utilization = smooth(p, state.utilization, largest, largestNs);
  const normalized = state.utilization / p.targetUtilization;
  const divides = normalized >= 1 || state.stage >= p.maxStage;
  qp.reason(divides ? 'multiplicative step' : 'additive step');
  const quantity = stepFrom(p, state.committed, normalized, divides);
  if (isFull) {
    state.committed = quantity;
    state.stage = divides ? 0 : state.stage + 1;
  }
  return quantity;
}

/** A utilization, reference and stage per hop; the smallest result. */
function slowestHop(qp, ack, isFull) {
  const { state, parameters: p } = qp;
  const { hopUtilization, hopCommitted, hopStage } = state;
  const { hopCount } = ack;
  let isCounted = false;
  let smallest = Infinity;
  for (let i = 0; i < hopCount; i += 1) {
    const utilization = measureHop(qp, ack, i, isFull);
    let quantity = hopCommitted.get(i);
    if (utilization !== NOT_COUNTED) {
      isCounted = true;
      const smoothed = smooth(p, hopUtilization.get(i), utilization, measuredNs);
      hopUtilization.set(i, smoothed);
      const normalized = smoothed / p.targetUtilization;
      const divides = normalized >= 1 || hopStage.get(i) >= p.maxStage;
      quantity = stepFrom(p, quantity, normalized, divides);
      if (isFull) {
        hopCommitted.set(i, quantity);
        hopStage.set(i, divides ? 0 : hopStage.get(i) + 1);
      }
    }
    if (quantity < smallest) smallest = quantity;
  }
  if (!isCounted) return NONE;
  qp.reason('slowest hop');
  if (isFull) state.committed = smallest;
  return smallest;
}

/** u' of a hop, whose record is replaced; NOT_COUNTED where it does not count. */
function measureHop({ state, parameters: p }, ack, i, isFull) {
  const { hopTime, hopBytes, hopQueue } = state;
  const records = RECORDS[p.records];
  const time = records.time(ack, i);
  const queue = records.queue(ack, i);
  const tauNs = records.tauNs(time, hopTime.get(i));
  if (p.sampleFeedback && !isFull && queue === 0) return NOT_COUNTED;
  if (tauNs === 0 && p.repeatedTimestamp === 'skip-hop') return NOT_COUNTED;
  const bytes = records.bytes(ack, i);
  const lastQueue = hopQueue.get(i);
  const sentBytes = records.sentBytes(bytes, hopBytes.get(i), p.intMultiplier);
  hopTime.set(i, time);
  hopBytes.set(i, bytes);
  hopQueue.set(i, queue);
  const lineRateBps = records.lineRateBps(ack, i);
  if (tauNs < 0 || sentBytes < 0 || lineRateBps <= 0) return NOT_COUNTED;
  measuredNs = tauNs === 0 ? 1 : tauNs;
  const txRateBps = (sentBytes * 8) / (measuredNs * 1e-9);
  const minQueueBytes = records.queueBytes(queue < lastQueue ? queue : lastQueue, p.intMultiplier);
  return txRateBps / lineRateBps + (minQueueBytes * p.maxRateBps) / lineRateBps / p.windowBytes;
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
  const isRate = p.primary === 'rate';
  const raised = base + (isRate ? p.aiRateBps : p.aiWindowBytes);
  const minimum = isRate ? p.minRateBps : (p.minRateBps * p.baseRttPs) / 8e12;
  const maximum = maximumOf(p);
  const floored = raised > minimum ? raised : minimum;
  return floored < maximum ? floored : maximum;
}

function maximumOf(p) {
  return p.primary === 'rate' ? p.maxRateBps : p.windowBytes;
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

/** Keeps all records of an ACK, as a new start. */
function keepRecords(qp, ack) {
  const { state, parameters: p } = qp;
  const records = RECORDS[p.records];
  state.hopCount = ack.hopCount;
  state.pathId = records.pathId(ack);
  for (let i = 0; i < ack.hopCount && i < records.hopsMax; i += 1) {
    state.hopId.set(i, records.hopId(ack, i));
    state.hopTime.set(i, records.time(ack, i));
    state.hopBytes.set(i, records.bytes(ack, i));
    state.hopQueue.set(i, records.queue(ack, i));
  }
}

/** Whether the path differs from the one whose records are kept. */
function isNewPath({ state, parameters: p }, ack) {
  const { pathId, hopId } = RECORDS[p.records];
  if (ack.hopCount !== state.hopCount || pathId(ack) !== state.pathId) return true;
  for (let i = 0; i < ack.hopCount; i += 1) if (hopId(ack, i) !== state.hopId.get(i)) return true;
  return false;
}

/** The hops of a new path start with u = 1 and the rate in use, so that nothing jumps. */
function restartHops(qp, ack) {
  const { state, parameters: p } = qp;
  keepRecords(qp, ack);
  const inUse = p.primary === 'rate' ? qp.rateBps : qp.windowBytes;
  for (let i = 0; i < HOPS_MAX; i += 1) {
    state.hopUtilization.set(i, 1);
    state.hopCommitted.set(i, inUse);
    state.hopStage.set(i, 0);
  }
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

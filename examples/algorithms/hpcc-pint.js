/**
 * HPCC-PINT's sender: HPCC's step from one number per packet, in which the switches have encoded how busy the busiest hop is.
 *
 *   decode   u = base^power / 512
 *   step     c = u / eta; c >= 1 or stage >= maxStage: R = R_c / c + R_AI, stage 0; else R = R_c + R_AI, stage + 1;
 *            within R_min .. R_max
 *   commit   on a full update R_c = R and the stage; else only R moves
 *
 * A full update is an ACK with ackSeq > lastUpdateSeq, so one comes per round trip; then lastUpdateSeq = sndNxt. The first ACK only
 * sets lastUpdateSeq.
 *
 * Source: Ben Basat et al., "PINT: Probabilistic In-band Network Telemetry", SIGCOMM 2020; Li et al., "HPCC", SIGCOMM 2019; the
 * values of alibaba-edu/High-Precision-Congestion-Control at 9f4be2a are the defaults. Known deviations: each ACK is looked at.
 */
import { defineAlgorithm } from 'roce-cc/algorithm';

const RATE = { min: 0, max: 2 ** 43, unit: 'b/s' };
/** The simulator states R_AI, 10 Mb/s, for this rate. */
const REFERENCE_BPS = 25e9;
const NO_POWER = 0xffffffff;
/** Units of an encoded value per 1.0 of utilization. */
const PINT_SCALE = 512;

export default defineAlgorithm({
  name: 'hpcc-pint-js',
  title: 'HPCC-PINT in JavaScript',
  source: 'Ben Basat et al., SIGCOMM 2020',
  parameters: {
    numbers: { default: 'whole-bps', values: ['float64', 'whole-bps'], description: 'arithmetic of rates' },
    minRateBps: { default: 1e9, ...RATE, min: 1000, description: 'floor of the rate' },
    windowBytes: {
      default: (network) => network.windowBytes,
      min: 1,
      max: 2 ** 32 - 1,
      whole: true,
      unit: 'bytes',
      description: 'window at the maximum rate',
    },
    targetUtilization: { default: 0.95, min: 2 ** -10, max: 1, description: 'eta, the utilization aimed at' },
    maxStage: {
      default: 0,
      min: 0,
      max: 65535,
      whole: true,
      description: 'additive steps before a multiplicative one',
    },
    aiRateBps: {
      default: (network) => Math.trunc((10e6 * network.lineRateBps) / REFERENCE_BPS),
      ...RATE,
      description: 'R_AI',
    },
    fastReact: { default: true, description: 'every ACK moves the rate, not only full updates' },
    pintBase: { default: 1.05, min: 1 + 2 ** -10, max: 2, description: 'base of the encoding' },
    pintBits: { default: 8, min: 1, max: 16, whole: true, description: 'bits of an encoded value' },
  },
  state: { isStarted: 0, lastUpdateSeq: 0, committed: 0, stage: 0 },
  pacing: 'running-gap',
  window: 'by-mode',
  pint: ({ pintBase, pintBits }) => ({ pintBase, pintBits }),
  referenceBytes: 2,
  readsMarks: false,

  open(qp) {
    const p = qp.parameters;
    qp.state.committed = p.maxRateBps;
    qp.windowBytes = windowAt(p, p.maxRateBps);
  },

  ack(qp, ack) {
    const { state, parameters: p } = qp;
    if (ack.pintPower === NO_POWER) return false;
    const isFull = beginsRoundTrip(qp, ack.ackSeq);
    if (!isFull && !p.fastReact) return false;
    const isFirst = !state.isStarted;
    if (!isFirst) react(qp, ack.pintPower, isFull);
    if (isFirst || isFull) moveMark(qp, ack.sndNxt);
    return true;
  },
});

function react(qp, power, isFull) {
  const { state, parameters: p } = qp;
  const table = decodeTable(p);
  const normalized = table[power & (table.length - 1)] / p.targetUtilization;
  const divides = normalized >= 1 || state.stage >= p.maxStage;
  qp.reason(divides ? 'multiplicative step' : 'additive step');
  const raisedBps = (divides ? roundRate(p, state.committed / normalized) : state.committed) + p.aiRateBps;
  const flooredBps = raisedBps > p.minRateBps ? raisedBps : p.minRateBps;
  const rateBps = flooredBps < p.maxRateBps ? flooredBps : p.maxRateBps;
  if (isFull) {
    state.committed = rateBps;
    state.stage = divides ? 0 : state.stage + 1;
  }
  qp.rateBps = rateBps;
  qp.windowBytes = windowAt(p, rateBps);
}

/** Decode tables by parameter set. */
const tables = new WeakMap();

function decodeTable(p) {
  const known = tables.get(p);
  if (known !== undefined) return known;
  const table = makeTable(p.pintBase, p.pintBits);
  tables.set(p, table);
  return table;
}

/**
 * Two powers of 1.01 that the C library of the simulator's machine rounds to the other neighbour; taken over, so that decoded values
 * equal the simulator's.
 */
const NEIGHBOURS = [
  [346, 0.061083704540329672],
  [668, 1.5045538136006624],
];

/** u of each power. Powers are sums of two doubles, so that each is rounded correctly. */
function makeTable(base, bits) {
  const table = new Float64Array(2 ** bits);
  let high = 1;
  let low = 0;
  for (let power = 0; power < table.length; power += 1) {
    table[power] = high / PINT_SCALE;
    const product = high * base;
    const tail = productError(high, base, product) + low * base;
    high = product + tail;
    low = tail - (high - product);
  }
  if (base === 1.01) { for (const [power, u] of NEIGHBOURS) if (power < table.length) table[power] = u; }
  return table;
}

/** a b - product, exactly (Dekker). */
function productError(a, b, product) {
  const aUpper = upperHalf(a);
  const aLower = a - aUpper;
  const bUpper = upperHalf(b);
  const bLower = b - bUpper;
  return aUpper * bUpper - product + aUpper * bLower + aLower * bUpper + aLower * bLower;
}

/** Upper half of a double's digits (Veltkamp); the lower half is the rest. */
function upperHalf(x) {
  const scaled = x * (2 ** 27 + 1);
  return scaled - (scaled - x);
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

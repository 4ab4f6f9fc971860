/**
 * HPCC-PINT's sender, one QP: the readable model.
 *
 * Like HPCC (hpcc/model.ts), but with the utilisation that the switches have measured, smoothed and encoded:
 *
 *   an ACK is evaluated with probability pintProbability
 *   the first one only sets lastUpdateSeq = sndNxt
 *   then c = decode(power) / eta and HPCC's step; a full update (ackSeq > lastUpdateSeq) commits R_c and the stage
 *
 * Citation: Ben Basat et al., "PINT", SIGCOMM 2020; Li et al., "HPCC", SIGCOMM 2019.
 * Known deviations: no random number is drawn at probability 1.
 */
import type { HpccPintState } from '../../../abi/state/hpcc.js';
import { TRACE_DETAIL_FULL, TRACE_PINT_ADDITIVE, TRACE_PINT_MULTIPLICATIVE } from '../../../abi/trace-layout.js';
import type { HpccPintParameters } from '../../../config/algorithms/hpcc-pint.js';
import { RoceError, type Allowed } from '../../../errors.js';
import { beginsRoundTrip, moveMark, type Ack, type AckOutcome } from '../ack.js';
import { commit, decideStep } from '../hpcc/model.js';
import { paceRateChange, windowInUse } from '../rate-numbers.js';
import { NO_ROUND_TRIP, RateSender } from '../sender-frame.js';

/*
 * PINT's utilisation in one or two bytes: encoded by the switches, decoded by the sender.
 *
 *   decode   u = base^p / 512
 *   encode   n = max(1, ceil(512 u));  p with base^p <= n < base^(p+1);  p + 1 instead of p with probability
 *            (n - base^p) / (base^(p+1) - base^p), so that the mean of the decoded values is n / 512
 *   switch   the packet keeps the larger of its power and the port's, truncated to the field: the simulator's number wraps
 *
 *   port     u = (B: bytes per second, T: base round trip, dt = min(time since the last packet left, T), s: bytes of
 *            that last packet, q: bytes queued now)
 *            u = dt q / (B T^2) + s / (B T) + u (T - dt) / T
 *
 * Powers are computed in double-double arithmetic, with + - * only, so they are correctly rounded on every
 * machine. No logarithm is needed, because encoding searches the table.
 *
 * Sources: Ben Basat et al., "PINT", SIGCOMM 2020; alibaba-edu/High-Precision-Congestion-Control at 9f4be2a.
 * Known deviations: `encode` limits values to the largest power, whereas `powerOf` continues; a port's u is computed
 * in doubles, whereas the simulator uses 16-bit logarithms with random rounding, known only in outline.
 */

/** Source of random numbers from 0 up to, but not including, 1. */
export interface RandomSource {
  next(): number;
}

/** Units per 1.0 of utilisation. */
const PINT_SCALE = 512;

/** A number as the sum of two non-overlapping doubles: about 106 bits. */
interface DoubleDouble {
  readonly high: number;
  readonly low: number;
}

const SPLITTER = 2 ** 27 + 1;

/** Upper half of a double's digits (Veltkamp); the lower half is the rest. */
function upperHalf(x: number): number {
  const scaled = x * SPLITTER;
  return scaled - (scaled - x);
}

/** The exact product of a and b (Dekker). */
function exactProduct(a: number, b: number): DoubleDouble {
  const high = a * b;
  const aUpper = upperHalf(a);
  const aLower = a - aUpper;
  const bUpper = upperHalf(b);
  const bLower = b - bUpper;
  const low = aUpper * bUpper - high + aUpper * bLower + aLower * bUpper + aLower * bLower;
  return { high, low };
}

function timesDouble(a: DoubleDouble, b: number): DoubleDouble {
  const product = exactProduct(a.high, b);
  const tail = product.low + a.low * b;
  const high = product.high + tail;
  return { high, low: tail - (high - product.high) };
}

/**
 * Two powers of 1.01 that the C library of the reference's machine rounds to the other neighbour. They are kept, so that
 * decoded values equal the reference's.
 */
const NEIGHBOURS: ReadonlyMap<number, number> = new Map([
  [346, 0.061083704540329672],
  [668, 1.5045538136006624],
]);
const NEIGHBOURS_BASE = 1.01;

/**
 * Makes the decode table: u of each power 0 .. 2^bits - 1.
 *
 * @param base above 1 to 2. @param bits 1 to 16.
 * @throws RoceError `invalid-argument` if a parameter is out of range or the largest power is beyond 2^900.
 */
export function pintDecodeTable(base: number, bits: number): Float64Array {
  requirePint(base > 1 && base <= 2, 'base', base, { above: 1, max: 2 });
  requirePint(Number.isInteger(bits) && bits >= 1 && bits <= 16, 'bits', bits, { min: 1, max: 16, multipleOf: 1 });
  const table = new Float64Array(2 ** bits);
  let power: DoubleDouble = { high: 1, low: 0 };
  for (let p = 0; p < table.length; p += 1) {
    table[p] = power.high / PINT_SCALE;
    power = timesDouble(power, base);
  }
  const largest = table[table.length - 1];
  requirePint(largest < 2 ** 900, 'base', base, 'one whose largest power stays below 2^900');
  if (base === NEIGHBOURS_BASE) replaceNeighbours(table);
  return table;
}

function replaceNeighbours(table: Float64Array): void {
  for (const [p, u] of NEIGHBOURS) if (p < table.length) table[p] = u;
}

/** A codec for one base: decodes with a table, encodes by searching it. */
export class PintCodec {
  /** Decode table: u of each power. */
  readonly table: Float64Array;
  readonly #base: number;

  /**
   * @param base above 1 to 2: 1.05 with 8 bits (one byte), 1.01 with 11 bits (two) in the reference.
   * @throws RoceError `invalid-argument`
   */
  constructor(base: number, bits: number) {
    this.table = pintDecodeTable(base, bits);
    this.#base = base;
  }

  /** Length of an encoded value in a packet, bytes. */
  get bytes(): number {
    return this.table.length > 256 ? 2 : 1;
  }

  /** The utilisation that a power represents; higher bits are ignored. */
  decode(power: number): number {
    return this.table[power & (this.table.length - 1)];
  }

  /**
   * Encodes a utilisation as a power, rounded up or down at random so that decoded values are correct on average.
   *
   * @param utilization 0 or more. @param random draws one number, or none for values at or beyond the table's end.
   */
  encode(utilization: number, random: RandomSource): number {
    const last = this.table.length - 1;
    return wantedOf(utilization) < this.table[last] ? this.powerOf(utilization, random) : last;
  }

  /**
   * Like `encode`, but continues beyond the table's end; a packet stores only the lowest bits of the result.
   *
   * @param utilization 0 or more. @param random draws one number.
   */
  powerOf(utilization: number, random: RandomSource): number {
    const wanted = wantedOf(utilization);
    if (!(wanted < this.table[this.table.length - 1])) return this.#beyond(wanted, random);
    const lower = this.#lastAtMost(wanted);
    const share = (wanted - this.table[lower]) / (this.table[lower + 1] - this.table[lower]);
    return random.next() < share ? lower + 1 : lower;
  }

  #beyond(wanted: number, random: RandomSource): number {
    let lower = this.table.length - 1;
    let below = this.table[lower];
    while (below * this.#base <= wanted) {
      below *= this.#base;
      lower += 1;
    }
    return random.next() * (below * this.#base - below) < wanted - below ? lower + 1 : lower;
  }

  /** The largest power whose value does not exceed `wanted`. */
  #lastAtMost(wanted: number): number {
    let low = 0;
    let high = this.table.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.table[middle] <= wanted) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** A utilisation in whole units, rounded up, at least 1. */
function wantedOf(utilization: number): number {
  return Math.max(1, Math.ceil(utilization * PINT_SCALE)) / PINT_SCALE;
}

/** Measurement of a switch port when a packet leaves it. */
export interface PintPortSample {
  /** Time since the previous packet left, nanoseconds. */
  readonly sinceLastNs: number;
  /** Length of the previous packet, bytes. */
  readonly lastLenBytes: number;
  /** Queue behind the departing packet, bytes. */
  readonly qlenBytes: number;
}

/**
 * A port's smoothed utilisation after a packet has left it, in doubles.
 *
 * @param last previous u. @param lineRateBps rate of the port. @param baseRttNs T, the base round trip.
 */
export function pintPortUtilization(last: number, sample: PintPortSample, lineRateBps: number,
  baseRttNs: number): number {
  const dtNs = sample.sinceLastNs < baseRttNs ? sample.sinceLastNs : baseRttNs;
  const bytesPerRtt = ((lineRateBps / 8) * baseRttNs) / 1e9;
  const queue = (dtNs * sample.qlenBytes) / (bytesPerRtt * baseRttNs);
  const sent = sample.lastLenBytes / bytesPerRtt;
  return queue + sent + (last * (baseRttNs - dtNs)) / baseRttNs;
}

function requirePint(holds: boolean, field: string, got: number, allowed: Allowed): void {
  if (holds) return;
  throw new RoceError('invalid-argument', { got, allowed, where: `pintCodec.${field}` });
}

/** HPCC-PINT's sender for one QP. The parameters must have been validated. */
export class HpccPintModel extends RateSender<HpccPintParameters, HpccPintState> {
  readonly #random: RandomSource;
  readonly #codec: PintCodec;

  constructor(parameters: HpccPintParameters, random: RandomSource) {
    super(parameters, {
      rateBps: parameters.maxRateBps,
      committed: parameters.maxRateBps,
      incStage: 0,
      ...NO_ROUND_TRIP,
    }, parameters.sendGap);
    this.#random = random;
    this.#codec = new PintCodec(parameters.pintBase, parameters.pintBits);
  }

  get windowBytes(): number {
    const { windowMode, numbers, windowBytes, maxRateBps } = this.parameters;
    return windowInUse(windowMode, numbers, windowBytes, this.live.rateBps, maxRateBps);
  }

  protected takeAck(ack: Ack): AckOutcome {
    if (ack.pintPower === undefined) return 'no-signal';
    const { pintProbability, sequence, fastReact } = this.parameters;
    this.live.lastEventPs = ack.timePs;
    if (pintProbability < 1 && this.#random.next() >= pintProbability) return 'skipped';
    const full = beginsRoundTrip(sequence, this.live, ack.ackSeq);
    if (!full && !fastReact) return 'skipped';
    return this.#takePower(ack.pintPower, ack.sndNxt, full);
  }

  #takePower(power: number, sndNxt: number, full: boolean): AckOutcome {
    const first = !this.live.started;
    if (!first) this.#react(power, full);
    if (first || full) moveMark(this.parameters.sequence, this.live, sndNxt);
    if (first) return 'first';
    return full ? 'update' : 'fast';
  }

  #react(power: number, full: boolean): void {
    const { minRateBps, maxRateBps, aiRateBps, targetUtilization } = this.parameters;
    const state = this.live;
    const limits = { minimum: minRateBps, maximum: maxRateBps, increment: aiRateBps };
    const utilization = this.#codec.decode(power);
    const step = decideStep(this.parameters, limits, state, utilization / targetUtilization);
    const reason = step.multiplicative ? TRACE_PINT_MULTIPLICATIVE : TRACE_PINT_ADDITIVE;
    const inputs = [utilization, power, state.committed, state.incStage];
    this.tracer?.describe(reason, inputs, full ? TRACE_DETAIL_FULL : 0);
    if (full) commit(state, step);
    paceRateChange(this.sendGap, state, state.rateBps, step.quantity);
    state.rateBps = step.quantity;
  }
}

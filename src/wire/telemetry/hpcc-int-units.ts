/**
 * Converts a hop of HPCC's INT header to bits per second, nanoseconds and bytes (reference simulator, int-header).
 *
 *   line rate  code 0..4 = 25, 50, 100, 200, 400 Gb/s; no others
 *   time       ns mod 2^24 (16.78 ms)
 *   tx bytes   floor(bytes / (128 x multi)) mod 2^20 (134 MB x multi)
 *   queue      floor(bytes / (80 x multi)) mod 2^17 (10.5 MB x multi)
 *
 * Readers compute differences modulo the wrap, so a gap longer than one wrap looks like a shorter one.
 */
import { ALL_ONES_32 } from '../wide-bytes.js';
import { invalidArgument, invalidPacket, requireField, requireRecord } from '../bytes.js';
import { HPCC_INT_QUEUE_BITS, HPCC_INT_TIME_BITS, HPCC_INT_TX_BITS, type HpccIntHop } from './hpcc-int-hop.js';

const MULTI = 1;

/** Hop records of HPCC INT in bits per second, nanoseconds and bytes. */
export const HpccIntUnits = {
  /** Unit of bytes sent, for multi = 1. */
  TX_UNIT_BYTES: 128,
  /** Unit of the queue length, for multi = 1. */
  QUEUE_UNIT_BYTES: 80,
  /** Default of `multi`, the simulator's INT_MULTI: plain units. Its run.py sets 1 per 25 Gb/s, so 4 at 100 Gb/s. */
  MULTI,
  /** Line rates by code, bit/s. */
  LINE_RATES_BPS: [25e9, 50e9, 100e9, 200e9, 400e9] as const,
  /**
   * Quantises like the reference: rounds down to units, then wraps around.
   *
   * @param multi 1..65535; the units are multiplied by it.
   * @throws RoceError `invalid-argument` for a line rate without a code, or a number that is not an integer in 0..2^53
   * - 1.
   */
  encode(sample: HpccIntSample, multi = MULTI): HpccIntHop {
    requireRecord('sample', sample);
    requireMulti(multi);
    return {
      lineRateCode: lineRateCodeOf(sample.lineRateBps),
      timeNs: quantise('timeNs', sample.timeNs, 1, TIME_WRAP),
      txUnits: quantise('txBytes', sample.txBytes, HpccIntUnits.TX_UNIT_BYTES * multi, TX_WRAP),
      queueUnits: quantise('queueBytes', sample.queueBytes, HpccIntUnits.QUEUE_UNIT_BYTES * multi, QUEUE_WRAP),
    };
  },
  /**
   * Decodes a record, modulo its wraps.
   *
   * @param multi the sender's `multi`.
   * @throws RoceError `invalid-packet` for a line rate code above 4.
   */
  decode(hop: HpccIntHop, multi = MULTI): HpccIntSample {
    requireMulti(multi);
    requireHop('hop', hop);
    return {
      lineRateBps: HpccIntUnits.lineRateBps(hop.lineRateCode),
      timeNs: hop.timeNs,
      txBytes: hop.txUnits * HpccIntUnits.TX_UNIT_BYTES * multi,
      queueBytes: hop.queueUnits * HpccIntUnits.QUEUE_UNIT_BYTES * multi,
    };
  },
  /** Time and bytes between an older and a newer record of the same hop, modulo their wraps. */
  delta(newer: HpccIntHop, older: HpccIntHop, multi = MULTI): HpccIntDelta {
    requireMulti(multi);
    requireHop('newer', newer);
    requireHop('older', older);
    const txUnits = (newer.txUnits - older.txUnits + TX_WRAP) % TX_WRAP;
    return {
      timeNs: (newer.timeNs - older.timeNs + TIME_WRAP) % TIME_WRAP,
      txBytes: txUnits * HpccIntUnits.TX_UNIT_BYTES * multi,
    };
  },
  /**
   * The line rate of a code, bit/s.
   * @throws RoceError `invalid-packet` for a code above 4.
   */
  lineRateBps(code: number): number {
    if (typeof code !== 'number') throw invalidArgument('code', code, { min: 0, max: 4 });
    const rate: number | undefined = HpccIntUnits.LINE_RATES_BPS[code];
    if (rate !== undefined) return rate;
    throw invalidPacket('hpcc int hop', 0, 'has an unknown line rate code', code, { min: 0, max: 4 });
  },
} as const;

const TIME_WRAP = 2 ** HPCC_INT_TIME_BITS;
const TX_WRAP = 2 ** HPCC_INT_TX_BITS;
const QUEUE_WRAP = 2 ** HPCC_INT_QUEUE_BITS;
/** Maximum of `multi`; keeps 128 x multi far below 2^53. */
const MULTI_MAX = 0xffff;

/** State of a port at the moment a packet leaves it. */
export interface HpccIntSample {
  /** 25, 50, 100, 200 or 400 Gb/s. */
  readonly lineRateBps: number;
  /** Nanoseconds; `HpccIntUnits.decode` returns them modulo 2^24. */
  readonly timeNs: number;
  /** Bytes sent by the port; `HpccIntUnits.decode` returns them modulo 2^20 units. */
  readonly txBytes: number;
  /** Bytes queued; `HpccIntUnits.decode` returns them modulo 2^17 units. */
  readonly queueBytes: number;
}

/** Differences between two records of one hop. */
export interface HpccIntDelta {
  /** Nanoseconds, 0..2^24 - 1: modulo the wrap. */
  readonly timeNs: number;
  /** Bytes sent, a multiple of 128 x multi, below 2^20 units: modulo the wrap. */
  readonly txBytes: number;
}

function lineRateCodeOf(rateBps: number): number {
  const code = HpccIntUnits.LINE_RATES_BPS.findIndex((rate) => rate === rateBps);
  if (code >= 0) return code;
  throw invalidArgument('hpcc int hop.lineRateBps', rateBps, HpccIntUnits.LINE_RATES_BPS);
}

function quantise(name: string, value: number, unit: number, wrap: number): number {
  requireField(`hpcc int hop.${name}`, value, Number.MAX_SAFE_INTEGER);
  return Math.floor(value / unit) % wrap;
}

function requireMulti(multi: number): void {
  requireField('multi', multi, MULTI_MAX, 1);
}

/** Guards against untyped callers: rejects values that are not numbers. */
function requireHop(where: string, hop: HpccIntHop): void {
  requireRecord(where, hop);
  for (const name of ['timeNs', 'txUnits', 'queueUnits'] as const)
    requireField(`${where}.${name}`, hop[name], ALL_ONES_32);
}

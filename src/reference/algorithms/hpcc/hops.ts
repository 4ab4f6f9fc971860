/**
 * HPCC's hop records: what a switch writes into a packet, and the utilisation derived from two records of one hop.
 *
 *   exact   {time ps, txBytes, qlen bytes, line rate} in full precision, up to 16 hops
 *   int64   the 64-bit record of the ns-3 reference simulator, up to 5 hops, from the lowest bit on:
 *           line rate code 3 | time 24 (ns mod 2^24) | bytes 20 (128 m bytes, mod 2^20) | queue 17 (80 m bytes, mod 2^17)
 *
 * Differences of int64 records are modular, so a gap longer than a wrap (16.8 ms; 134 MB times m) is not detected. A
 * packet has five slots: hop n is written to slot n mod 5, while the hop count continues, so a count above 5 shows that
 * slots were overwritten.
 *
 *   utilisation of a hop   u' = (sentBytes 8) / (tau 1e-9) / B + minQlen L / B / W0       (that order of operations)
 *
 * An exact record that runs backwards (time or byte counter below the previous one's, due to a late ACK or a restarted
 * switch) gives no utilisation; it replaces the stored record, so that the next interval is valid again.
 *
 * Sources: Li et al., SIGCOMM 2019, section 3 and figure 7; alibaba-edu/High-Precision-Congestion-Control at 9f4be2a.
 */
import type { LinkRecord } from '../../../abi/state/hpcc.js';
import { RoceError } from '../../../errors.js';

/** Report of one hop, in full precision. */
export interface HopSample {
  /** Time when the packet left the hop, picoseconds. */
  readonly timePs: number;
  /** Bytes that the port had sent until then. */
  readonly txBytes: number;
  /** Bytes in the port's queue. */
  readonly qlenBytes: number;
  /** B, rate of the port, bits per second. */
  readonly lineRateBps: number;
  /** Identity of the hop, any whole number; default 0. A change means another path. */
  readonly hopId?: number;
  /** Egress port, if `hopId` only identifies a node; default 0. Read by HPCC++. */
  readonly portId?: number;
}

/** The fields of a 64-bit hop record in a packet. */
export interface RawHop {
  /** Code of the line rate, 0..4: 25, 50, 100, 200, 400 Gb/s. */
  readonly lineRateCode: number;
  /** Timestamp, nanoseconds modulo 2^24. */
  readonly time: number;
  /** Bytes sent, in units of 128 m bytes modulo 2^20. */
  readonly bytes: number;
  /** Queue, in units of 80 m bytes modulo 2^17. */
  readonly qlen: number;
}

export interface ExactTelemetry {
  readonly kind: 'exact';
  /** Hops from the sender on, at most 16. */
  readonly hops: readonly HopSample[];
  /** Identity of the path, if the packet carries one; default 0. */
  readonly pathId?: number;
  /** Whether hops of the path are missing. Default false. Read by HPCC++. */
  readonly partial?: boolean;
}

export interface Int64Telemetry {
  readonly kind: 'int64';
  /** Number of hops passed; above 5, slots have been overwritten. */
  readonly hopCount: number;
  /** The slots of the packet, at least min(hopCount, 5). */
  readonly hops: readonly RawHop[];
}

export type Telemetry = ExactTelemetry | Int64Telemetry;

/** Maximum number of hops for each kind of record. */
export const MAX_EXACT_HOPS = 16;
export const MAX_INT64_HOPS = 5;

const TIME_SPAN = 2 ** 24;
const BYTES_SPAN = 2 ** 20;
const QLEN_SPAN = 2 ** 17;
const BYTES_UNIT = 128;
const QLEN_UNIT = 80;

/** Line rates of the codes 0..4, bits per second. */
export const INT64_LINE_RATES_BPS: readonly number[] = [25e9, 50e9, 100e9, 200e9, 400e9];

/** Line rates of all codes; only ConWeave's simulator has code 5. */
const RATES_OF_CODES_BPS: readonly number[] = [...INT64_LINE_RATES_BPS, 40e9];

/** Difference between two records of one hop. */
export interface HopInterval {
  /** Time between the records, nanoseconds. */
  readonly tauNs: number;
  /** Bytes sent between the records. */
  readonly sentBytes: number;
  /** The shorter of the two queues, bytes. */
  readonly minQlenBytes: number;
  /** The queue of the newer record, bytes. */
  readonly qlenBytes: number;
  /** B, rate of the port, bits per second. */
  readonly lineRateBps: number;
}

/** The interval between a stored record and an exact one. Negative if the records run backwards. */
export function exactInterval(last: Readonly<LinkRecord>, sample: HopSample): HopInterval {
  const { qlenBytes, lineRateBps } = sample;
  return {
    tauNs: (sample.timePs - last.time) / 1000,
    sentBytes: sample.txBytes - last.txBytes,
    minQlenBytes: qlenBytes < last.qlen ? qlenBytes : last.qlen,
    qlenBytes,
    lineRateBps,
  };
}

/** The interval between a stored record and a 64-bit one, both in raw fields. */
export function int64Interval(last: Readonly<LinkRecord>, raw: RawHop, multiplier: number): HopInterval {
  const unitBytes = QLEN_UNIT * multiplier;
  return {
    tauNs: (raw.time - last.time + TIME_SPAN) % TIME_SPAN,
    sentBytes: ((raw.bytes - last.txBytes + BYTES_SPAN) % BYTES_SPAN) * BYTES_UNIT * multiplier,
    minQlenBytes: (raw.qlen < last.qlen ? raw.qlen : last.qlen) * unitBytes,
    qlenBytes: raw.qlen * unitBytes,
    lineRateBps: RATES_OF_CODES_BPS[raw.lineRateCode] ?? 0,
  };
}

/** u' of a hop and its components. */
export interface HopMeasure {
  readonly utilization: number;
  readonly tauNs: number;
  readonly txRateBps: number;
  readonly lineRateBps: number;
  /** The shorter queue of its two records. */
  readonly qlenBytes: number;
}

/** u', the utilisation of a hop over an interval of `tauNs` > 0: its throughput and its persistent queue. */
export function measureInterval({ sentBytes, lineRateBps, minQlenBytes: qlenBytes }: HopInterval, tauNs: number,
  maxRateBps: number, windowBytes: number): HopMeasure {
  const txRateBps = (sentBytes * 8) / (tauNs * 1e-9);
  const utilization = txRateBps / lineRateBps + (qlenBytes * maxRateBps) / lineRateBps / windowBytes;
  return { utilization, tauNs, txRateBps, lineRateBps, qlenBytes };
}

/** An exact record in the form in which it is stored. */
export function linkOf({ timePs: time, txBytes, qlenBytes: qlen }: HopSample): LinkRecord {
  return { time, txBytes, qlen };
}

/** A 64-bit record in the form in which it is stored, in raw fields. */
export function rawLinkOf({ time, bytes: txBytes, qlen }: RawHop): LinkRecord {
  return { time, txBytes, qlen };
}

/**
 * The 64-bit record that a switch of the reference simulator writes: all values are rounded down, then wrapped.
 *
 * @param sample the values; time is truncated to whole nanoseconds.
 * @param multiplier m, 1 or more.
 * @throws RoceError `invalid-argument` for a line rate without a code, for which the simulator prints an error.
 */
export function quantizeHop(sample: HopSample, multiplier: number): RawHop {
  const lineRateCode = INT64_LINE_RATES_BPS.indexOf(sample.lineRateBps);
  if (lineRateCode < 0) {
    const { lineRateBps: got } = sample;
    throw new RoceError('invalid-argument', { got, allowed: INT64_LINE_RATES_BPS, where: 'hopSample.lineRateBps' });
  }
  return {
    lineRateCode,
    time: Math.floor(sample.timePs / 1000) % TIME_SPAN,
    bytes: Math.floor(sample.txBytes / (BYTES_UNIT * multiplier)) % BYTES_SPAN,
    qlen: Math.floor(sample.qlenBytes / (QLEN_UNIT * multiplier)) % QLEN_SPAN,
  };
}

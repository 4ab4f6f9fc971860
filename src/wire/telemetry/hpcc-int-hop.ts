/**
 * One hop's record in the INT header of HPCC's reference simulator (alibaba-edu/High-Precision-Congestion-Control,
 * int-header), as a codec and in bits per second, nanoseconds and bytes. `hpcc-int.ts` has the header.
 *
 *   a 64-bit number, from its least significant bit: line rate code 3 | time 24 | tx bytes 20 | queue 17
 *
 *   line rate  code 0..4 = 25, 50, 100, 200, 400 Gb/s; no others
 *   time       ns mod 2^24 (16.78 ms)
 *   tx bytes   floor(bytes / (128 x multi)) mod 2^20 (134 MB x multi)
 *   queue      floor(bytes / (80 x multi)) mod 2^17 (10.5 MB x multi)
 *
 * Readers compute differences modulo the wrap, so they cannot tell a gap longer than one wrap from a shorter one. The byte order
 * is not specified: the record is a C structure, sent as it is in memory. The default, least significant byte first, is
 * the simulator's order; `big-endian` is for devices that use network order.
 */
import { requireChoice, readU32, ALL_ONES_32, invalidArgument, invalidPacket, requireField,
  requireRecord } from '../bytes.js';
import { type ValueOf, defineHeader, HeaderView, extendHeader } from '../header/define-header.js';

/** Width of the line rate code, bits (source of all widths: reference simulator, int-header). */
export const HPCC_INT_LINE_RATE_BITS = 3;
/** Width of the time in nanoseconds, bits: it wraps around after 16.78 ms. */
export const HPCC_INT_TIME_BITS = 24;
/** Width of the bytes sent, bits, in units of 128 x multi. */
export const HPCC_INT_TX_BITS = 20;
/** Width of the queue, bits, in units of 80 x multi. */
export const HPCC_INT_QUEUE_BITS = 17;

/** Offset of the time, bits from the least significant one of the record; the line rate is at 0. */
export const HPCC_INT_TIME_SHIFT = HPCC_INT_LINE_RATE_BITS;
/** Offset of the bytes sent, bits from the least significant one of the record. */
export const HPCC_INT_TX_SHIFT = HPCC_INT_TIME_SHIFT + HPCC_INT_TIME_BITS;

/** The layout with the most significant byte first. */
const HPCC_INT_HOP = /* @__PURE__ */ defineHeader({
  title: 'HPCC INT hop record, big-endian',
  source: 'alibaba-edu/High-Precision-Congestion-Control, int-header',
  layer: 'hpcc int hop',
  fields: (field) => ({
    /** 17 bits: bytes queued, in units of 80 x multi, wraps around. */
    queueUnits: field.bits(HPCC_INT_QUEUE_BITS),
    /** 20 bits: bytes sent, in units of 128 x multi, wraps around. */
    txUnits: field.bits(HPCC_INT_TX_BITS),
    /** 24 bits, ns, wraps around. */
    timeNs: field.bits(HPCC_INT_TIME_BITS),
    /** 3 bits: 0..4 are 25, 50, 100, 200 and 400 Gb/s. */
    lineRateCode: field.bits(HPCC_INT_LINE_RATE_BITS),
  }),
});

const HPCC_INT_BYTE_ORDERS = ['little-endian', 'big-endian'] as const;

/** Byte order of a record and of the hop count. */
export type HpccIntByteOrder = (typeof HPCC_INT_BYTE_ORDERS)[number];

const HPCC_INT_BYTE_ORDER = 'little-endian';

const HALF_BYTES = 4;
/**
 * The low half holds line rate, time and this many bits of tx bytes; the high half holds the rest of tx bytes and the
 * queue.
 */
const TX_LOW_BITS = 32 - HPCC_INT_TX_SHIFT;
const TX_HIGH_BITS = HPCC_INT_TX_BITS - TX_LOW_BITS;

/** One hop's record, in quantised units. */
export interface HpccIntHop extends ValueOf<typeof HPCC_INT_HOP> {}

/** Reads a hop record in place. */
export class HpccIntHopView extends HeaderView {
  /** Byte order of the record. */
  readonly byteOrder: HpccIntByteOrder;

  /** @throws RoceError `invalid-packet` if the bytes there cannot be such a record. */
  constructor(bytes: Uint8Array, offset = 0, byteOrder: HpccIntByteOrder = HPCC_INT_BYTE_ORDER) {
    requireChoice('byteOrder', byteOrder, HPCC_INT_BYTE_ORDERS);
    super(bytes, offset);
    this.byteOrder = byteOrder;
  }

  /** 3 bits: 0..4 are 25, 50, 100, 200 and 400 Gb/s. */
  get lineRateCode(): number {
    return this.low & (2 ** HPCC_INT_LINE_RATE_BITS - 1);
  }
  /** 24 bits, ns, wraps around. */
  get timeNs(): number {
    return (this.low >>> HPCC_INT_TIME_SHIFT) & (2 ** HPCC_INT_TIME_BITS - 1);
  }
  /** 20 bits: bytes sent, in units of 128 x multi, wraps around. */
  get txUnits(): number {
    return ((this.high & (2 ** TX_HIGH_BITS - 1)) << TX_LOW_BITS) | (this.low >>> HPCC_INT_TX_SHIFT);
  }
  /** 17 bits: bytes queued, in units of 80 x multi, wraps around. */
  get queueUnits(): number {
    return this.high >>> TX_HIGH_BITS;
  }
  override get headerBytes(): number {
    return HPCC_INT_HOP.lenBytes;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    HPCC_INT_HOP.lenBytesAt(bytes, offset);
  }

  /** Bits 0..31. */
  private get low(): number {
    if (this.byteOrder === 'little-endian') return reverseBytes(readU32(this.bytes, this.offset));
    return readU32(this.bytes, this.offset + HALF_BYTES);
  }
  /** Bits 32..63. */
  private get high(): number {
    if (this.byteOrder === 'big-endian') return readU32(this.bytes, this.offset);
    return reverseBytes(readU32(this.bytes, this.offset + HALF_BYTES));
  }
}

/** One hop's record, in quantised units: 8 bytes. */
export const HpccIntHop = /* @__PURE__ */ extendHeader(HPCC_INT_HOP, {
  /** The two byte orders, the default first. */
  BYTE_ORDERS: HPCC_INT_BYTE_ORDERS,
  /** Default byte order, which the sources leave open. */
  BYTE_ORDER: HPCC_INT_BYTE_ORDER,
  /** Reads a hop record in place. */
  View: HpccIntHopView,
  /**
   * Reads a hop record; the inverse of `HpccIntHop.write`.
   * @throws RoceError `invalid-packet` if it is truncated.
   */
  read(bytes: Uint8Array, offset = 0, byteOrder: HpccIntByteOrder = HPCC_INT_BYTE_ORDER): HpccIntHop {
    const { lineRateCode, timeNs, txUnits, queueUnits } = new HpccIntHopView(bytes, offset, byteOrder);
    return { lineRateCode, timeNs, txUnits, queueUnits };
  },
  /**
   * Writes a hop record.
   * @returns the offset after the record.
   * @throws RoceError `invalid-argument` naming a field out of range.
   */
  writeInto(target: Uint8Array, offset: number, hop: HpccIntHop,
    byteOrder: HpccIntByteOrder = HPCC_INT_BYTE_ORDER): number {
    requireChoice('byteOrder', byteOrder, HPCC_INT_BYTE_ORDERS);
    const endOffset = HPCC_INT_HOP.writeInto(target, offset, hop);
    if (byteOrder === 'big-endian') return endOffset;
    for (let low = offset, high = endOffset - 1; low < high; low++, high--) {
      const byte = target[low];
      target[low] = target[high];
      target[high] = byte;
    }
    return endOffset;
  },
});

function reverseBytes(word: number): number {
  const swapped = ((word & 0x00ff00ff) << 8) | ((word >>> 8) & 0x00ff00ff);
  return ((swapped << 16) | (swapped >>> 16)) >>> 0;
}

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

/**
 * One hop's record in the INT header of HPCC's reference simulator (alibaba-edu/High-Precision-Congestion-Control,
 * int-header). `hpcc-int.ts` has the header, `hpcc-int-units.ts` the units.
 *
 *   a 64-bit number, from its least significant bit: line rate code 3 | time 24 | tx bytes 20 | queue 17
 *
 * The byte order is not specified: the record is a C structure, sent as it is in memory. The default, least significant
 * byte first, is the simulator's order; `big-endian` is for devices that use network order.
 */
import { requireChoice } from '../bytes.js';
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { HeaderView } from '../header/header-view.js';
import { readU32 } from '../wide-bytes.js';
import { HPCC_INT_LINE_RATE_BITS, HPCC_INT_QUEUE_BITS, HPCC_INT_TIME_BITS, HPCC_INT_TIME_SHIFT, HPCC_INT_TX_BITS,
  HPCC_INT_TX_SHIFT } from './hpcc-int-widths.js';
import { extendHeader } from '../header/extend-header.js';

export * from './hpcc-int-widths.js';

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

/**
 * One hop's record in the INT header of HPCC's reference simulator (alibaba-edu/High-Precision-Congestion-Control,
 * int-header). `hpcc-int.ts` has the header, `hpcc-int-units.ts` the units.
 *
 *   a 64-bit number, from its least significant bit: line rate code 3 | time 24 | tx bytes 20 | queue 17
 *
 * Open: the record is a C structure, so its bytes on a wire are those of the machine's memory. The default, least
 * significant byte first, is what the simulator runs on; `big-endian` is for devices that send network order.
 */
import { HeaderView } from '../header/header-view.js';
import type { HeaderLayout } from '../header/layout.js';
import { requireChoice, requireField, requireBytes, requireTarget } from '../bytes.js';
import { readU32, writeU32 } from '../wide-bytes.js';

export const HPCC_INT_HOP_BYTES = 8;

/** Widths of the fields. */
export const HPCC_INT_LINE_RATE_BITS = 3;
export const HPCC_INT_TIME_BITS = 24;
export const HPCC_INT_TX_BITS = 20;
export const HPCC_INT_QUEUE_BITS = 17;

/** Where the fields begin, from the least significant bit of the number. */
export const HPCC_INT_TIME_SHIFT = HPCC_INT_LINE_RATE_BITS;
export const HPCC_INT_TX_SHIFT = HPCC_INT_TIME_SHIFT + HPCC_INT_TIME_BITS;
export const HPCC_INT_QUEUE_SHIFT = HPCC_INT_TX_SHIFT + HPCC_INT_TX_BITS;

/** The drawing of docs/wire.md, with the most significant byte first. */
export const HPCC_INT_HOP_LAYOUT: HeaderLayout = {
  title: 'HPCC INT hop record, big-endian',
  source: 'alibaba-edu/High-Precision-Congestion-Control, int-header',
  bytes: HPCC_INT_HOP_BYTES,
  fields: [
    { name: 'queueUnits', offset: 0, bits: HPCC_INT_QUEUE_BITS },
    { name: 'txUnits', offset: 2, bit: 1, bits: HPCC_INT_TX_BITS },
    { name: 'timeNs', offset: 4, bit: 5, bits: HPCC_INT_TIME_BITS },
    { name: 'lineRateCode', offset: 7, bit: 5, bits: HPCC_INT_LINE_RATE_BITS },
  ],
};

export const HPCC_INT_BYTE_ORDERS = ['little-endian', 'big-endian'] as const;

/** Which byte of a record, and of the hop count, comes first. */
export type HpccIntByteOrder = (typeof HPCC_INT_BYTE_ORDERS)[number];

/** Default for what the sources leave open. */
export const HPCC_INT_BYTE_ORDER: HpccIntByteOrder = 'little-endian';

const LAYER = 'hpcc int hop';
const HALF_BYTES = 4;
/** The low half holds line rate, time and these bits of tx bytes; the high half the rest of them and the queue. */
const TX_LOW_BITS = 32 - HPCC_INT_TX_SHIFT;
const TX_HIGH_BITS = HPCC_INT_TX_BITS - TX_LOW_BITS;

/** One hop's record, as quantised. */
export interface HpccIntHop {
  /** 3 bits: 0..4 are 25, 50, 100, 200 and 400 Gb/s. */
  readonly lineRateCode: number;
  /** 24 bits, ns, wraps around. */
  readonly timeNs: number;
  /** 20 bits: bytes sent, in units of 128 x multi, wraps around. */
  readonly txUnits: number;
  /** 17 bits: bytes queued, in units of 80 x multi, wraps around. */
  readonly queueUnits: number;
}

/** Reads a hop record in place. */
export class HpccIntHopView extends HeaderView {
  readonly byteOrder: HpccIntByteOrder;

  /** @throws RoceError `invalid-packet` when no such record can stand there. */
  constructor(bytes: Uint8Array, offset = 0, byteOrder: HpccIntByteOrder = HPCC_INT_BYTE_ORDER) {
    requireChoice('byteOrder', byteOrder, HPCC_INT_BYTE_ORDERS);
    super(bytes, offset);
    this.byteOrder = byteOrder;
  }

  get lineRateCode(): number {
    return this.low & (2 ** HPCC_INT_LINE_RATE_BITS - 1);
  }
  get timeNs(): number {
    return (this.low >>> HPCC_INT_TIME_SHIFT) & (2 ** HPCC_INT_TIME_BITS - 1);
  }
  get txUnits(): number {
    return ((this.high & (2 ** TX_HIGH_BITS - 1)) << TX_LOW_BITS) | (this.low >>> HPCC_INT_TX_SHIFT);
  }
  get queueUnits(): number {
    return this.high >>> TX_HIGH_BITS;
  }
  override get payloadOffset(): number {
    return this.offset + HPCC_INT_HOP_BYTES;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, HPCC_INT_HOP_BYTES);
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

/**
 * Reads a hop record; the inverse of `buildHpccIntHop`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseHpccIntHop(bytes: Uint8Array, offset = 0, byteOrder = HPCC_INT_BYTE_ORDER): HpccIntHop {
  const { lineRateCode, timeNs, txUnits, queueUnits } = new HpccIntHopView(bytes, offset, byteOrder);
  return { lineRateCode, timeNs, txUnits, queueUnits };
}

/**
 * Writes a hop record.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildHpccIntHop(hop: HpccIntHop, byteOrder = HPCC_INT_BYTE_ORDER): Uint8Array {
  const bytes = new Uint8Array(HPCC_INT_HOP_BYTES);
  buildHpccIntHopInto(bytes, 0, hop, byteOrder);
  return bytes;
}

/** As `buildHpccIntHop`, into `target`. @returns the offset behind the record. */
export function buildHpccIntHopInto(target: Uint8Array, offset: number, hop: HpccIntHop,
  byteOrder = HPCC_INT_BYTE_ORDER): number {
  requireHpccIntHop(hop);
  requireChoice('byteOrder', byteOrder, HPCC_INT_BYTE_ORDERS);
  requireTarget(LAYER, target, offset, HPCC_INT_HOP_BYTES);
  const { lineRateCode, timeNs, txUnits, queueUnits } = hop;
  const low = lineRateCode | (timeNs << HPCC_INT_TIME_SHIFT) | (txUnits << HPCC_INT_TX_SHIFT);
  const high = (txUnits >>> TX_LOW_BITS) | (queueUnits << TX_HIGH_BITS);
  const littleEndian = byteOrder === 'little-endian';
  writeU32(target, offset, littleEndian ? reverseBytes(low) : high);
  writeU32(target, offset + HALF_BYTES, littleEndian ? reverseBytes(high) : low);
  return offset + HPCC_INT_HOP_BYTES;
}

/**
 * Checks a record that is about to be written.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function requireHpccIntHop({ lineRateCode, timeNs, txUnits, queueUnits }: HpccIntHop): void {
  requireField(`${LAYER}.lineRateCode`, lineRateCode, 2 ** HPCC_INT_LINE_RATE_BITS - 1);
  requireField(`${LAYER}.timeNs`, timeNs, 2 ** HPCC_INT_TIME_BITS - 1);
  requireField(`${LAYER}.txUnits`, txUnits, 2 ** HPCC_INT_TX_BITS - 1);
  requireField(`${LAYER}.queueUnits`, queueUnits, 2 ** HPCC_INT_QUEUE_BITS - 1);
}

function reverseBytes(word: number): number {
  const swapped = ((word & 0x00ff00ff) << 8) | ((word >>> 8) & 0x00ff00ff);
  return ((swapped << 16) | (swapped >>> 16)) >>> 0;
}

/**
 * The INT header of HPCC's reference simulator (alibaba-edu/High-Precision-Congestion-Control, int-header): always five
 * hop records, and the number of hops that wrote one.
 *
 *   0 hop 0 (8) | 8 hop 1 (8) | 16 hop 2 (8) | 24 hop 3 (8) | 32 hop 4 (8) | 40 nhop (2)
 *
 * The records form a ring: hop n writes record n mod 5 and increments nhop, so after more than 5 hops the oldest
 * records are overwritten; the reference then ignores the header. There is no path identifier. Byte order: see
 * `hpcc-int-hop.ts`.
 */
import { invalidArgument, readU16, requireChoice, requireField, requireList, requireRecord, requireTarget,
  writeU16 } from '../bytes.js';
import { defineHeader, HeaderView, extendHeader } from '../header/define-header.js';
import { type HpccIntByteOrder, HpccIntHop } from './hpcc-int-hop.js';

/** The layout; its records have the layout of `HpccIntHop`. */
const HPCC_INT = /* @__PURE__ */ defineHeader({
  title: 'HPCC INT',
  source: 'alibaba-edu/High-Precision-Congestion-Control, int-header',
  layer: 'hpcc int',
  fields: (field) => ({
    /** Record 0, 8 bytes; see `HpccIntHop`. */
    hop0: field.bytesOf(HpccIntHop.lenBytes),
    /** Record 1, 8 bytes; see `HpccIntHop`. */
    hop1: field.bytesOf(HpccIntHop.lenBytes),
    /** Record 2, 8 bytes; see `HpccIntHop`. */
    hop2: field.bytesOf(HpccIntHop.lenBytes),
    /** Record 3, 8 bytes; see `HpccIntHop`. */
    hop3: field.bytesOf(HpccIntHop.lenBytes),
    /** Record 4, 8 bytes; see `HpccIntHop`. */
    hop4: field.bytesOf(HpccIntHop.lenBytes),
    /** nhop: 16 bits, more than 5 if records were overwritten. */
    hopCount: field.bits(16),
  }),
});

const HOP_COUNT = HPCC_INT.offsetOf('hopCount');
const HOP_COUNT_MAX = 0xffff;

/** The INT header of HPCC's reference simulator, as a value. */
export interface HpccInt {
  /** The five records in wire order, written or not; `HpccInt.pathOf` returns only those written. */
  readonly hops: readonly HpccIntHop[];
  /** nhop: 16 bits, more than 5 if records were overwritten. */
  readonly hopCount: number;
}

/** Reads an HPCC INT header in place; a `HpccIntHop.View` reads its records. */
export class HpccIntView extends HeaderView {
  /** Byte order of a record and of the hop count. */
  readonly byteOrder: HpccIntByteOrder;

  /** @throws RoceError `invalid-packet` if the bytes there cannot be such a header. */
  constructor(bytes: Uint8Array, offset = 0, byteOrder: HpccIntByteOrder = HpccIntHop.BYTE_ORDER) {
    requireChoice('byteOrder', byteOrder, HpccIntHop.BYTE_ORDERS);
    super(bytes, offset);
    this.byteOrder = byteOrder;
  }

  /** nhop: 16 bits, more than 5 if records were overwritten. */
  get hopCount(): number {
    return readHopCount(this.bytes, this.offset, this.byteOrder);
  }
  /** Offset of a record, 0..4. @throws RoceError `invalid-argument` for another number. */
  hopOffset(slot: number): number {
    requireField('slot', slot, HpccInt.MAX_HOPS - 1);
    return slotOffset(this.offset, slot);
  }
  override get headerBytes(): number {
    return HPCC_INT.lenBytes;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    HPCC_INT.lenBytesAt(bytes, offset);
  }
}

/** The INT header of HPCC's reference simulator: always 42 bytes. */
export const HpccInt = /* @__PURE__ */ extendHeader(HPCC_INT, {
  /** Number of hop records in a header. */
  MAX_HOPS: 5,
  /** Reads an HPCC INT header in place; a `HpccIntHop.View` reads its records. */
  View: HpccIntView,
  /**
   * Reads an HPCC INT header; the inverse of `HpccInt.write`.
   * @throws RoceError `invalid-packet` if it is truncated.
   */
  read(bytes: Uint8Array, offset = 0, byteOrder: HpccIntByteOrder = HpccIntHop.BYTE_ORDER): HpccInt {
    const { hopCount } = new HpccIntView(bytes, offset, byteOrder);
    const hops: HpccIntHop[] = [];
    for (let slot = 0; slot < HpccInt.MAX_HOPS; slot++) {
      hops.push(HpccIntHop.read(bytes, slotOffset(offset, slot), byteOrder));
    }
    return { hops, hopCount };
  },
  /**
   * Writes an HPCC INT header.
   * @returns the offset after the header.
   * @throws RoceError `invalid-argument` naming a field out of range, or unless there are five records.
   */
  writeInto(target: Uint8Array, offset: number, header: HpccInt,
    byteOrder: HpccIntByteOrder = HpccIntHop.BYTE_ORDER): number {
    requireRecord('hpcc int', header);
    const { hops, hopCount } = header;
    requireList('hpcc int.hops', hops);
    requireField('hpcc int.hopCount', hopCount, HOP_COUNT_MAX);
    if (hops.length !== HpccInt.MAX_HOPS) {
      throw invalidArgument('hpcc int.hops', hops.length, HpccInt.MAX_HOPS, 'number of hop records');
    }
    for (const hop of hops) HpccIntHop.require(hop);
    requireChoice('byteOrder', byteOrder, HpccIntHop.BYTE_ORDERS);
    requireTarget('hpcc int', target, offset, HPCC_INT.lenBytes);
    let at = offset;
    for (const hop of hops) at = HpccIntHop.writeInto(target, at, hop, byteOrder);
    writeHopCount(target, offset, byteOrder, hopCount);
    return offset + HPCC_INT.lenBytes;
  },
  /**
   * Adds a hop in place: writes record nhop mod 5 and increments nhop, which wraps from 65535 to 0.
   * @throws RoceError `invalid-packet` if the header is truncated; `invalid-argument` for a field out of
   * range.
   */
  push(bytes: Uint8Array, offset: number, hop: HpccIntHop, byteOrder: HpccIntByteOrder = HpccIntHop.BYTE_ORDER): void {
    HPCC_INT.lenBytesAt(bytes, offset);
    requireChoice('byteOrder', byteOrder, HpccIntHop.BYTE_ORDERS);
    const hopCount = readHopCount(bytes, offset, byteOrder);
    HpccIntHop.writeInto(bytes, slotOffset(offset, hopCount % HpccInt.MAX_HOPS), hop, byteOrder);
    writeHopCount(bytes, offset, byteOrder, (hopCount + 1) & HOP_COUNT_MAX);
  },
  /** The records that hops wrote, in path order: all of them for up to five hops, else the last five. */
  pathOf(header: HpccInt): HpccIntHop[] {
    requireRecord('hpcc int', header);
    const { hops, hopCount } = header;
    requireList('hpcc int.hops', hops);
    requireField('hpcc int.hopCount', hopCount, HOP_COUNT_MAX);
    if (hopCount <= HpccInt.MAX_HOPS) return hops.slice(0, hopCount);
    const oldest = hopCount % HpccInt.MAX_HOPS;
    return [...hops.slice(oldest), ...hops.slice(0, oldest)];
  },
});

function slotOffset(offset: number, slot: number): number {
  return offset + slot * HpccIntHop.lenBytes;
}

function readHopCount(bytes: Uint8Array, offset: number, byteOrder: HpccIntByteOrder): number {
  return inOrder(readU16(bytes, offset + HOP_COUNT), byteOrder);
}

function writeHopCount(target: Uint8Array, offset: number, byteOrder: HpccIntByteOrder, hopCount: number): void {
  writeU16(target, offset + HOP_COUNT, inOrder(hopCount, byteOrder));
}

/** A 16-bit number, swapped if the byte order is not the network's. */
function inOrder(value: number, byteOrder: HpccIntByteOrder): number {
  return byteOrder === 'big-endian' ? value : ((value & 0xff) << 8) | (value >> 8);
}

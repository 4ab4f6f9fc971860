/**
 * Metadata that one hop adds to an INT-MD stack (P4.org, "In-band Network Telemetry Dataplane Specification" 2.1,
 * section "INT-MD Metadata Header Format"), by the instruction bitmap:
 *
 *   bit 0 node | 1 ingress 16, egress 16 | 2 hop latency | 3 queue 8, occupancy 24 | 4 ingress time 64
 *   5 egress time 64 | 6 level 2 ingress 32, egress 32 | 7 egress utilisation | 8 buffer 8, occupancy 24
 *   9..14 reserved, a word of all ones each | rest of Hop ML: domain specific | 15 checksum complement
 *
 * Values are raw; all ones means "not available". Note that bits 4, 5 and 6 have two words, and that domain specific
 * metadata is between bits 14 and 15. Units are defined by the domain (the metadata semantics model), not by the
 * packet.
 */
import { invalidPacket, lengthOf, NO_BYTES, requireBytes, requireField, requireRecord, requireTarget, invalidArgument,
  ALL_ONES_32, readU32, writeU32 } from '../bytes.js';
import { BitmapRecord, type BitmapValues, narrow, requireWholeWords, wide, BitmapWords } from './bitmap-record.js';
import { defineFormat } from '../header/define-header.js';

/** Metadata of one hop: the fields of the instruction bits, raw. */
export const IntMdHop = /* @__PURE__ */ defineFormat({
  /** Instruction bit: node id, 32 bits. Bit 0 is the most significant of 16, here and below. */
  BIT_NODE: 0,
  /** Instruction bit: level 1 ingress port 16, egress port 16. */
  BIT_PORTS: 1,
  /** Instruction bit: hop latency, 32 bits, in the domain's unit. */
  BIT_HOP_LATENCY: 2,
  /** Instruction bit: queue id 8, queue occupancy 24, in the domain's unit. */
  BIT_QUEUE: 3,
  /** Instruction bit: ingress timestamp, 64 bits, in the domain's unit. */
  BIT_INGRESS_TIMESTAMP: 4,
  /** Instruction bit: egress timestamp, 64 bits, in the domain's unit. */
  BIT_EGRESS_TIMESTAMP: 5,
  /** Instruction bit: level 2 ingress port 32, egress port 32. */
  BIT_PORTS_LEVEL_2: 6,
  /** Instruction bit: utilisation of the egress port, 32 bits, in the domain's unit. */
  BIT_TX_UTILISATION: 7,
  /** Instruction bit: buffer id 8, buffer occupancy 24, in the domain's unit. */
  BIT_BUFFER: 8,
  /** First undefined instruction bit; it still represents a word of all ones. */
  BIT_RESERVED_FIRST: 9,
  /** Last undefined instruction bit; it still represents a word of all ones. */
  BIT_RESERVED_LAST: 14,
  /** Instruction bit: checksum complement, 32 bits, the last word of a hop. */
  BIT_CHECKSUM_COMPLEMENT: 15,
  /** Number of words per hop for an instruction bitmap, without domain specific metadata: the minimum Hop ML. */
  baselineWords(instructions: number): number {
    return WORDS.wordsOf(instructions);
  },
  /**
   * Offset of the field of an instruction bit within a hop.
   *
   * @param bit 0..14; the checksum complement (15) is always the last word of the hop.
   * @returns bytes from the hop's start; -1 if the bit is not set, or not in 0..14.
   */
  fieldOffset(instructions: number, bit: number): number {
    return WORDS.offsetOf(instructions, bit);
  },
  /**
   * Checks a hop to be written, and returns its length in bytes.
   * @throws RoceError `invalid-argument` naming a field out of range, or one whose bit is not set.
   */
  lenBytesOf(instructions: number, hop: IntMdHop): number {
    requireField(`${LAYER}.instructions`, instructions, 0xffff);
    requireRecord('hop', hop);
    HOP.require(instructions, hop, hop.reservedFields);
    const { checksumComplement, domainMetadata = NO_BYTES } = hop;
    const where = `${LAYER}.checksumComplement`;
    HOP.requireBit(where, instructions, IntMdHop.BIT_CHECKSUM_COMPLEMENT, checksumComplement);
    requireField(where, checksumComplement ?? 0, ALL_ONES_32);
    requireWholeWords(`${LAYER}.domainMetadata`, lengthOf(`${LAYER}.domainMetadata`, domainMetadata));
    return IntMdHop.baselineWords(instructions) * WORD_BYTES + domainMetadata.length;
  },
  /**
   * Reads the metadata of one hop; the inverse of `IntMdHop.write`. Domain specific metadata is copied.
   *
   * @param lenBytes of this hop: 4 x Hop ML.
   * @throws RoceError `invalid-packet`: truncated, or the bitmap needs more than `lenBytes`;
   * `invalid-argument` for a bitmap beyond 16 bits.
   */
  read(bytes: Uint8Array, offset: number, instructions: number, lenBytes: number): IntMdHop {
    if (typeof lenBytes !== 'number') throw invalidArgument('lenBytes', lenBytes, { min: 0, multipleOf: 1 });
    HOP.requireBitmap(instructions);
    requireBytes(LAYER, bytes, offset, lenBytes);
    const least = IntMdHop.baselineWords(instructions) * WORD_BYTES;
    if (!(lenBytes >= least && lenBytes % WORD_BYTES === 0)) {
      const allowed = { min: least, multipleOf: WORD_BYTES, unit: 'bytes' };
      throw invalidPacket(LAYER, offset, 'has a length that does not match its instructions', lenBytes, allowed);
    }
    const reservedFields = HOP.readFillers(bytes, offset, instructions);
    const hasComplement = (instructions & CHECKSUM_COMPLEMENT) !== 0;
    const domainOffset = offset + domainOffsetOf(instructions);
    const domainEnd = offset + lenBytes - (hasComplement ? WORD_BYTES : 0);
    return {
      ...HOP.read(bytes, offset, instructions),
      ...(reservedFields && { reservedFields }),
      ...(domainEnd > domainOffset && { domainMetadata: bytes.slice(domainOffset, domainEnd) }),
      ...(hasComplement && { checksumComplement: readU32(bytes, domainEnd) }),
    };
  },
  /**
   * Writes the metadata of one hop. A field in the bitmap that is missing in the value is written as all ones, "not
   * available"; domain specific metadata is written unchanged.
   * @returns the offset after the hop.
   * @throws RoceError `invalid-argument` like `IntMdHop.lenBytesOf`.
   */
  writeInto(target: Uint8Array, offset: number, instructions: number, hop: IntMdHop): number {
    const lenBytes = IntMdHop.lenBytesOf(instructions, hop);
    requireTarget(LAYER, target, offset, lenBytes);
    const { domainMetadata = NO_BYTES, checksumComplement = ALL_ONES_32 } = hop;
    HOP.write(target, offset, instructions, hop, hop.reservedFields);
    const domainOffset = offset + domainOffsetOf(instructions);
    // An empty array may be detached memory, which `set` rejects.
    if (domainMetadata.length > 0) target.set(domainMetadata, domainOffset);
    if ((instructions & CHECKSUM_COMPLEMENT) !== 0) {
      writeU32(target, domainOffset + domainMetadata.length, checksumComplement);
    }
    return offset + lenBytes;
  },
});

const LAYER = 'int-md hop';
const WORD_BYTES = 4;
/** Bit 15 of the instruction bitmap. */
const CHECKSUM_COMPLEMENT = 0x0001;

/** Bits 4, 5 and 6 have two words; 9..14 are undefined. The checksum complement is always the last word. */
const WORDS = /* @__PURE__ */ new BitmapWords({
  bits: 16,
  lastBit: IntMdHop.BIT_RESERVED_LAST,
  counted: 0xffff,
  wide: 0x0e00,
  fillers: 0x007e,
});

/** The fields before the domain specific metadata. */
const FIELDS = {
  /** Node id, 32 bits. */
  nodeId: narrow(IntMdHop.BIT_NODE, 0, 4),
  /** Level 1 ingress port, 16 bits. */
  ingressPort: narrow(IntMdHop.BIT_PORTS, 0, 2),
  /** Level 1 egress port, 16 bits. */
  egressPort: narrow(IntMdHop.BIT_PORTS, 2, 2),
  /** Hop latency, 32 bits. */
  hopLatency: narrow(IntMdHop.BIT_HOP_LATENCY, 0, 4),
  /** Queue id, 8 bits. */
  queueId: narrow(IntMdHop.BIT_QUEUE, 0, 1),
  /** Queue occupancy, 24 bits. */
  queueOccupancy: narrow(IntMdHop.BIT_QUEUE, 1, 3),
  /** Ingress time, 64 bits. */
  ingressTimestamp: wide(IntMdHop.BIT_INGRESS_TIMESTAMP, 0, 8),
  /** Egress time, 64 bits. */
  egressTimestamp: wide(IntMdHop.BIT_EGRESS_TIMESTAMP, 0, 8),
  /** Level 2 ingress port, 32 bits. */
  ingressPortLevel2: narrow(IntMdHop.BIT_PORTS_LEVEL_2, 0, 4),
  /** Level 2 egress port, 32 bits. */
  egressPortLevel2: narrow(IntMdHop.BIT_PORTS_LEVEL_2, 4, 4),
  /** Utilisation of the egress port, 32 bits. */
  txUtilisation: narrow(IntMdHop.BIT_TX_UTILISATION, 0, 4),
  /** Buffer id, 8 bits. */
  bufferId: narrow(IntMdHop.BIT_BUFFER, 0, 1),
  /** Buffer occupancy, 24 bits. */
  bufferOccupancy: narrow(IntMdHop.BIT_BUFFER, 1, 3),
};

const HOP = /* @__PURE__ */ new BitmapRecord({
  layer: LAYER,
  words: WORDS,
  names: { bitmap: 'instructions', fillers: 'reservedFields' },
  fields: FIELDS,
});

/** Metadata of one hop: the fields of the instruction bits, raw. */
export interface IntMdHop extends BitmapValues<typeof FIELDS> {
  /**
   * 32 bits for each set bit of 9..14. Absent if all are all ones, as the specification requires; this is also the
   * default when written.
   */
  readonly reservedFields?: readonly number[];
  /** Domain specific metadata: the rest of Hop ML beyond the bitmap, not interpreted. Absent if there is none. */
  readonly domainMetadata?: Uint8Array;
  /** Checksum complement, 32 bits. */
  readonly checksumComplement?: number;
}

/** Offset of the domain specific metadata from the hop's start. */
function domainOffsetOf(instructions: number): number {
  return IntMdHop.baselineWords(instructions & ~CHECKSUM_COMPLEMENT) * WORD_BYTES;
}

/**
 * What one hop adds to an INT-MD stack (P4.org, "In-band Network Telemetry Dataplane Specification" 2.1, section
 * "INT-MD Metadata Header Format"), by the instruction bitmap:
 *
 *   bit 0 node | 1 ingress 16, egress 16 | 2 hop latency | 3 queue 8, occupancy 24 | 4 ingress time 64
 *   5 egress time 64 | 6 level 2 ingress 32, egress 32 | 7 egress utilisation | 8 buffer 8, occupancy 24
 *   9..14 reserved, a word of all ones each | what Hop ML says beyond this: domain specific | 15 checksum complement
 *
 * Values are raw; all ones says "not available". Traps: bits 4, 5 and 6 have two words. Domain specific metadata stand
 * between bit 14 and bit 15. Units are the domain's own (the metadata semantics model), not the packet's.
 */
import { RoceError } from '../../errors.js';
import { invalidPacket, requireField, requireBytes, requireTarget } from '../bytes.js';
import type { BitmapFormat } from './bitmap-fields.js';
import { readFields, requireFields, unannounced, writeFields } from './bitmap-fields.js';
import { readFillerWords, requireFillerWords, writeFillerWords } from './filler-words.js';
import { ALL_ONES_32, countBits, readU32, writeU32 } from '../wide-bytes.js';

export const INT_BIT_NODE = 0;
export const INT_BIT_PORTS = 1;
export const INT_BIT_HOP_LATENCY = 2;
export const INT_BIT_QUEUE = 3;
export const INT_BIT_INGRESS_TIMESTAMP = 4;
export const INT_BIT_EGRESS_TIMESTAMP = 5;
export const INT_BIT_PORTS_LEVEL_2 = 6;
export const INT_BIT_TX_UTILISATION = 7;
export const INT_BIT_BUFFER = 8;
/** First and last bit without a meaning. */
export const INT_BIT_RESERVED_FIRST = 9;
export const INT_BIT_RESERVED_LAST = 14;
export const INT_BIT_CHECKSUM_COMPLEMENT = 15;

const LAYER = 'int-md hop';
const WORD_BYTES = 4;
/** Bits 4, 5 and 6: two words. */
const WIDE = 0x0e00;
/** Bits 0..8. */
const DEFINED = 0xff80;
/** Bits 9..14. */
const RESERVED = 0x007e;
/** Bit 15. */
const CHECKSUM_COMPLEMENT = 0x0001;
const NO_DATA = new Uint8Array(0);

/** What one hop added: the fields of the instruction bits, raw. */
export interface IntMdHop {
  /** 32 bits. */
  readonly nodeId?: number;
  /** 16 bits. */
  readonly ingressPort?: number;
  /** 16 bits. */
  readonly egressPort?: number;
  /** 32 bits. */
  readonly hopLatency?: number;
  /** 8 bits. */
  readonly queueId?: number;
  /** 24 bits. */
  readonly queueOccupancy?: number;
  /** 64 bits. */
  readonly ingressTimestamp?: bigint;
  /** 64 bits. */
  readonly egressTimestamp?: bigint;
  /** 32 bits: level 2. */
  readonly ingressPortLevel2?: number;
  /** 32 bits: level 2. */
  readonly egressPortLevel2?: number;
  /** 32 bits. */
  readonly txUtilisation?: number;
  /** 8 bits. */
  readonly bufferId?: number;
  /** 24 bits. */
  readonly bufferOccupancy?: number;
  /** 32 bits for each set bit of 9..14. Absent if each is all ones, as it has to be; so it is written when absent. */
  readonly reservedFields?: readonly number[];
  /** Domain specific metadata: what Hop ML says beyond the bitmap. Absent if there are none; not interpreted. */
  readonly domainMetadata?: Uint8Array;
  /** 32 bits. */
  readonly checksumComplement?: number;
}

type NumericField = Exclude<keyof IntMdHop, 'reservedFields' | 'domainMetadata'>;

/** The fields before the domain specific metadata. */
const BASELINE: BitmapFormat<Exclude<NumericField, 'checksumComplement'>> = {
  layer: LAYER,
  offsetOf: intMdFieldOffset,
  fields: [
    { name: 'nodeId', bit: INT_BIT_NODE, at: 0, lenBytes: 4 },
    { name: 'ingressPort', bit: INT_BIT_PORTS, at: 0, lenBytes: 2 },
    { name: 'egressPort', bit: INT_BIT_PORTS, at: 2, lenBytes: 2 },
    { name: 'hopLatency', bit: INT_BIT_HOP_LATENCY, at: 0, lenBytes: 4 },
    { name: 'queueId', bit: INT_BIT_QUEUE, at: 0, lenBytes: 1 },
    { name: 'queueOccupancy', bit: INT_BIT_QUEUE, at: 1, lenBytes: 3 },
    { name: 'ingressTimestamp', bit: INT_BIT_INGRESS_TIMESTAMP, at: 0, lenBytes: 8 },
    { name: 'egressTimestamp', bit: INT_BIT_EGRESS_TIMESTAMP, at: 0, lenBytes: 8 },
    { name: 'ingressPortLevel2', bit: INT_BIT_PORTS_LEVEL_2, at: 0, lenBytes: 4 },
    { name: 'egressPortLevel2', bit: INT_BIT_PORTS_LEVEL_2, at: 4, lenBytes: 4 },
    { name: 'txUtilisation', bit: INT_BIT_TX_UTILISATION, at: 0, lenBytes: 4 },
    { name: 'bufferId', bit: INT_BIT_BUFFER, at: 0, lenBytes: 1 },
    { name: 'bufferOccupancy', bit: INT_BIT_BUFFER, at: 1, lenBytes: 3 },
  ],
};

/** Words that a hop adds for an instruction bitmap, without domain specific metadata: the least Hop ML. */
export function intMdBaselineWords(instructions: number): number {
  return countBits(instructions & 0xffff) + countBits(instructions & WIDE);
}

/**
 * Where a hop has the field of an instruction bit.
 *
 * @param bit 0..14; the checksum complement is the last word of the hop, wherever that is.
 * @returns bytes from the hop's start; -1 if the bit is not set, or is none of 0..14.
 */
export function intMdFieldOffset(instructions: number, bit: number): number {
  if (bit < 0 || bit > INT_BIT_RESERVED_LAST || ((instructions >> (15 - bit)) & 1) === 0) return -1;
  return WORD_BYTES * intMdBaselineWords(instructions & ~(2 ** (16 - bit) - 1));
}

/**
 * Reads what one hop added; the inverse of `buildIntMdHop`. Domain specific metadata are copied.
 *
 * @param lenBytes of this hop: 4 x Hop ML.
 * @throws RoceError `invalid-packet`: the bytes end inside it, or the bitmap needs more than `lenBytes`;
 * `invalid-argument` for a bitmap beyond 16 bits.
 */
export function parseIntMdHop(bytes: Uint8Array, offset: number, instructions: number, lenBytes: number): IntMdHop {
  requireField(`${LAYER}.instructions`, instructions, 0xffff);
  requireBytes(LAYER, bytes, offset, lenBytes);
  const least = intMdBaselineWords(instructions) * WORD_BYTES;
  if (!(lenBytes >= least && lenBytes % WORD_BYTES === 0)) {
    const allowed = `a multiple of 4 bytes, from ${least}`;
    throw invalidPacket(LAYER, offset, 'has a length unlike its instructions', `${lenBytes} bytes`, allowed);
  }
  const fields = readFields(BASELINE, bytes, offset, instructions) as IntMdHop;
  const reservedOffset = offset + reservedOffsetOf(instructions);
  const reservedFields = readFillerWords(bytes, reservedOffset, reservedWords(instructions));
  const hasComplement = (instructions & CHECKSUM_COMPLEMENT) !== 0;
  const domainOffset = offset + domainOffsetOf(instructions);
  const domainEnd = offset + lenBytes - (hasComplement ? WORD_BYTES : 0);
  return {
    ...fields,
    ...(reservedFields && { reservedFields }),
    ...(domainEnd > domainOffset && { domainMetadata: bytes.slice(domainOffset, domainEnd) }),
    ...(hasComplement && { checksumComplement: readU32(bytes, domainEnd) }),
  };
}

/**
 * Length that a hop will have, after a check of its values.
 * @throws RoceError `invalid-argument` naming a field out of range, or one whose bit is not set.
 */
export function intMdHopBytes(instructions: number, hop: IntMdHop): number {
  requireField(`${LAYER}.instructions`, instructions, 0xffff);
  requireFields(BASELINE, instructions, hop);
  requireFillerWords(`${LAYER}.reservedFields`, hop.reservedFields, reservedWords(instructions));
  const { checksumComplement, domainMetadata = NO_DATA } = hop;
  if (checksumComplement !== undefined) {
    const announced = (instructions & CHECKSUM_COMPLEMENT) !== 0;
    if (!announced) throw unannounced(`${LAYER}.checksumComplement`, INT_BIT_CHECKSUM_COMPLEMENT);
    requireField(`${LAYER}.checksumComplement`, checksumComplement, ALL_ONES_32);
  }
  requireWholeWords(domainMetadata);
  return intMdBaselineWords(instructions) * WORD_BYTES + domainMetadata.length;
}

/**
 * Writes what one hop adds. A field that the bitmap asks for and the value lacks is written as all ones, "not
 * available"; domain specific metadata are written as they are.
 * @throws RoceError `invalid-argument` as `intMdHopBytes`.
 */
export function buildIntMdHop(instructions: number, hop: IntMdHop): Uint8Array {
  const bytes = new Uint8Array(intMdHopBytes(instructions, hop));
  buildIntMdHopInto(bytes, 0, instructions, hop);
  return bytes;
}

/** As `buildIntMdHop`, into `target`. @returns the offset behind the hop. */
export function buildIntMdHopInto(target: Uint8Array, offset: number, instructions: number, hop: IntMdHop): number {
  const lenBytes = intMdHopBytes(instructions, hop);
  requireTarget(LAYER, target, offset, lenBytes);
  const { domainMetadata = NO_DATA, checksumComplement = ALL_ONES_32 } = hop;
  writeFields(BASELINE, target, offset, instructions, hop);
  const reservedOffset = offset + reservedOffsetOf(instructions);
  writeFillerWords(target, reservedOffset, reservedWords(instructions), hop.reservedFields);
  const domainOffset = offset + domainOffsetOf(instructions);
  target.set(domainMetadata, domainOffset);
  if ((instructions & CHECKSUM_COMPLEMENT) !== 0) {
    writeU32(target, domainOffset + domainMetadata.length, checksumComplement);
  }
  return offset + lenBytes;
}

function reservedWords(instructions: number): number {
  return countBits(instructions & RESERVED);
}

/** Bytes from the hop's start to its words without a meaning. */
function reservedOffsetOf(instructions: number): number {
  return intMdBaselineWords(instructions & DEFINED) * WORD_BYTES;
}

/** Bytes from the hop's start to its domain specific metadata. */
function domainOffsetOf(instructions: number): number {
  return intMdBaselineWords(instructions & ~CHECKSUM_COMPLEMENT) * WORD_BYTES;
}

function requireWholeWords({ length }: Uint8Array): void {
  if (length % WORD_BYTES === 0) return;
  throw new RoceError('invalid-argument', 'domain specific metadata of a wrong length', {
    got: `${length} bytes`,
    allowed: 'a multiple of 4 bytes',
    where: `${LAYER}.domainMetadata`,
  });
}

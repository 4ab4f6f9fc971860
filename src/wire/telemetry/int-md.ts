/**
 * INT-MD metadata header, version 2 (P4.org, "In-band Network Telemetry Dataplane Specification" 2.1, section "INT-MD
 * Metadata Header Format"). `int-md-stack.ts` has the metadata behind it.
 *
 *   0 version 4, D 1, E 1, M 1, reserved 12, Hop ML 5 | 3 remaining hop count | 4 instruction bitmap (2)
 *   6 domain specific identifier (2) | 8 DS instruction (2) | 10 DS flags (2) | 12 metadata stack
 *
 * Traps: the reserved field begins with the last bit of byte 0. Hop ML counts 4-byte words. The header doesn't say
 * how long the stack is; the shim or option around it does.
 */
import { HeaderView } from '../header/header-view.js';
import type { HeaderLayout } from '../header/layout.js';
import { invalidPacket, readU16, requireField, requireBytes, requireTarget, writeU16 } from '../bytes.js';

/** Offsets from the first byte of the header. */
export const INT_MD_VERSION_FLAGS = 0;
/** Three reserved bits and Hop ML. */
export const INT_MD_HOP_ML = 2;
export const INT_MD_REMAINING_HOP_COUNT = 3;
export const INT_MD_INSTRUCTIONS = 4;
export const INT_MD_DOMAIN_ID = 6;
export const INT_MD_DS_INSTRUCTION = 8;
export const INT_MD_DS_FLAGS = 10;
export const INT_MD_BYTES = 12;

/** The only version read here. */
export const INT_MD_VERSION = 2;
/** Largest Hop ML, in 4-byte words. */
export const INT_MD_HOP_ML_MAX_WORDS = 31;

/** The flags in byte 0. */
export const INT_MD_DISCARD_MASK = 0x08;
export const INT_MD_HOP_COUNT_EXCEEDED_MASK = 0x04;
export const INT_MD_MTU_EXCEEDED_MASK = 0x02;

/** The drawing of docs/wire.md. */
export const INT_MD_LAYOUT: HeaderLayout = {
  title: 'INT-MD',
  source: 'P4.org INT Dataplane Specification 2.1, "INT-MD Metadata Header Format"',
  bytes: INT_MD_BYTES,
  fields: [
    { name: 'version', offset: INT_MD_VERSION_FLAGS, bits: 4 },
    { name: 'discard', offset: INT_MD_VERSION_FLAGS, bit: 4, bits: 1 },
    { name: 'hopCountExceeded', offset: INT_MD_VERSION_FLAGS, bit: 5, bits: 1 },
    { name: 'mtuExceeded', offset: INT_MD_VERSION_FLAGS, bit: 6, bits: 1 },
    { name: 'reserved12', offset: INT_MD_VERSION_FLAGS, bit: 7, bits: 12 },
    { name: 'hopMlWords', offset: INT_MD_HOP_ML, bit: 3, bits: 5 },
    { name: 'remainingHopCount', offset: INT_MD_REMAINING_HOP_COUNT, bits: 8 },
    { name: 'instructions', offset: INT_MD_INSTRUCTIONS, bits: 16 },
    { name: 'domainId', offset: INT_MD_DOMAIN_ID, bits: 16 },
    { name: 'dsInstruction', offset: INT_MD_DS_INSTRUCTION, bits: 16 },
    { name: 'dsFlags', offset: INT_MD_DS_FLAGS, bits: 16 },
  ],
  followedBy: 'metadata stack, newest hop first, Hop ML words each',
};

const LAYER = 'int-md';
const RESERVED_SHIFT = 5;

/** The INT-MD metadata header, as a value. */
export interface IntMdHeader {
  /** D: the sink drops the packet, a copy, when it has taken the metadata. */
  readonly discard: boolean;
  /** E: a hop could not add its metadata since the remaining hop count was 0. */
  readonly hopCountExceeded: boolean;
  /** M: a hop did not add its metadata since the packet would not fit the egress MTU. */
  readonly mtuExceeded: boolean;
  /** The twelve bits behind M. */
  readonly reserved12: number;
  /** Hop ML, 0..31 4-byte words: what each hop adds, domain specific metadata included. */
  readonly hopMlWords: number;
  /** 8 bits: hops that may still add metadata. */
  readonly remainingHopCount: number;
  /** 16 bits, bit 0 the most significant. */
  readonly instructions: number;
  /** 16 bits. */
  readonly domainId: number;
  /** 16 bits. */
  readonly dsInstruction: number;
  /** 16 bits. */
  readonly dsFlags: number;
}

/** What `buildIntMdHeader` needs: flags false and everything else 0 unless told otherwise. */
export type IntMdHeaderFields = Pick<IntMdHeader, 'hopMlWords' | 'remainingHopCount' | 'instructions'> & Partial<
  IntMdHeader
>;

/** Reads an INT-MD header in place. */
export class IntMdHeaderView extends HeaderView {
  get discard(): boolean {
    return (this.bytes[this.offset + INT_MD_VERSION_FLAGS] & INT_MD_DISCARD_MASK) !== 0;
  }
  get hopCountExceeded(): boolean {
    return (this.bytes[this.offset + INT_MD_VERSION_FLAGS] & INT_MD_HOP_COUNT_EXCEEDED_MASK) !== 0;
  }
  get mtuExceeded(): boolean {
    return (this.bytes[this.offset + INT_MD_VERSION_FLAGS] & INT_MD_MTU_EXCEEDED_MASK) !== 0;
  }
  get reserved12(): number {
    const high = this.bytes[this.offset + INT_MD_VERSION_FLAGS] & 1;
    return (high << 11) | (readU16(this.bytes, this.offset + INT_MD_VERSION_FLAGS + 1) >> RESERVED_SHIFT);
  }
  get hopMlWords(): number {
    return this.bytes[this.offset + INT_MD_HOP_ML] & INT_MD_HOP_ML_MAX_WORDS;
  }
  get remainingHopCount(): number {
    return this.bytes[this.offset + INT_MD_REMAINING_HOP_COUNT];
  }
  get instructions(): number {
    return readU16(this.bytes, this.offset + INT_MD_INSTRUCTIONS);
  }
  get domainId(): number {
    return readU16(this.bytes, this.offset + INT_MD_DOMAIN_ID);
  }
  get dsInstruction(): number {
    return readU16(this.bytes, this.offset + INT_MD_DS_INSTRUCTION);
  }
  get dsFlags(): number {
    return readU16(this.bytes, this.offset + INT_MD_DS_FLAGS);
  }
  override get payloadOffset(): number {
    return this.offset + INT_MD_BYTES;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, INT_MD_BYTES);
    const version = bytes[offset + INT_MD_VERSION_FLAGS] >> 4;
    if (version !== INT_MD_VERSION) throw invalidPacket(LAYER, offset, 'has another version', version, '2');
  }
}

/**
 * Reads an INT-MD header; the inverse of `buildIntMdHeader`. `parseIntMd` reads the stack too.
 * @throws RoceError `invalid-packet`: too short, or another version.
 */
export function parseIntMdHeader(bytes: Uint8Array, offset = 0): IntMdHeader {
  const view = new IntMdHeaderView(bytes, offset);
  const { discard, hopCountExceeded, mtuExceeded, reserved12, hopMlWords, remainingHopCount, instructions } = view;
  const { domainId, dsInstruction, dsFlags } = view;
  return {
    discard,
    hopCountExceeded,
    mtuExceeded,
    reserved12,
    hopMlWords,
    remainingHopCount,
    instructions,
    domainId,
    dsInstruction,
    dsFlags,
  };
}

/**
 * Writes an INT-MD header.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildIntMdHeader(header: IntMdHeaderFields): Uint8Array {
  const bytes = new Uint8Array(INT_MD_BYTES);
  buildIntMdHeaderInto(bytes, 0, header);
  return bytes;
}

/** As `buildIntMdHeader`, into `target`. @returns the offset behind the header. */
export function buildIntMdHeaderInto(target: Uint8Array, offset: number, header: IntMdHeaderFields): number {
  requireIntMdHeader(header);
  requireTarget(LAYER, target, offset, INT_MD_BYTES);
  const { hopMlWords, remainingHopCount, instructions, reserved12 = 0 } = header;
  target[offset + INT_MD_VERSION_FLAGS] = (INT_MD_VERSION << 4) | flagBits(header) | (reserved12 >> 11);
  writeU16(target, offset + INT_MD_VERSION_FLAGS + 1, (reserved12 << RESERVED_SHIFT) | hopMlWords);
  target[offset + INT_MD_REMAINING_HOP_COUNT] = remainingHopCount;
  writeU16(target, offset + INT_MD_INSTRUCTIONS, instructions);
  writeU16(target, offset + INT_MD_DOMAIN_ID, header.domainId ?? 0);
  writeU16(target, offset + INT_MD_DS_INSTRUCTION, header.dsInstruction ?? 0);
  writeU16(target, offset + INT_MD_DS_FLAGS, header.dsFlags ?? 0);
  return offset + INT_MD_BYTES;
}

/**
 * Checks a header that is about to be written.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function requireIntMdHeader(header: IntMdHeaderFields): void {
  const { reserved12 = 0, domainId = 0, dsInstruction = 0, dsFlags = 0 } = header;
  requireField('int-md.reserved12', reserved12, 0xfff);
  requireField('int-md.hopMlWords', header.hopMlWords, INT_MD_HOP_ML_MAX_WORDS);
  requireField('int-md.remainingHopCount', header.remainingHopCount, 0xff);
  requireField('int-md.instructions', header.instructions, 0xffff);
  requireField('int-md.domainId', domainId, 0xffff);
  requireField('int-md.dsInstruction', dsInstruction, 0xffff);
  requireField('int-md.dsFlags', dsFlags, 0xffff);
}

function flagBits({ discard, hopCountExceeded, mtuExceeded }: IntMdHeaderFields): number {
  const discardBit = discard === true ? INT_MD_DISCARD_MASK : 0;
  const exceededBit = hopCountExceeded === true ? INT_MD_HOP_COUNT_EXCEEDED_MASK : 0;
  return discardBit | exceededBit | (mtuExceeded === true ? INT_MD_MTU_EXCEEDED_MASK : 0);
}

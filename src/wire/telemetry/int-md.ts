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
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

/** The only version read here. */
export const INT_MD_VERSION = 2;
/** Largest Hop ML, in 4-byte words. */
export const INT_MD_HOP_ML_MAX_WORDS = 31;

/** Flag D in byte 0: the sink drops the packet when it has read the metadata. */
export const INT_MD_DISCARD_MASK = 0x08;
/** Flag E in byte 0: a hop added nothing since the remaining hop count was 0. */
export const INT_MD_HOP_COUNT_EXCEEDED_MASK = 0x04;
/** Flag M in byte 0: a hop added nothing since the packet would not fit the egress MTU. */
export const INT_MD_MTU_EXCEEDED_MASK = 0x02;

export const INT_MD = /* @__PURE__ */ defineHeader({
  title: 'INT-MD',
  source: 'P4.org INT Dataplane Specification 2.1, "INT-MD Metadata Header Format"',
  layer: 'int-md',
  followedBy: 'metadata stack, newest hop first, Hop ML words each',
  fields: (field) => ({
    /** D: the sink drops the packet, a copy, when it has read the metadata. */
    discard: field.constant('version', 4, INT_MD_VERSION).flag(false),
    /** E: a hop could not add its metadata since the remaining hop count was 0. */
    hopCountExceeded: field.flag(false),
    /** M: a hop did not add its metadata since the packet would not fit the egress MTU. */
    mtuExceeded: field.flag(false),
    /** The twelve bits behind M. */
    reserved12: field.bits(12, 0),
    /** Hop ML, 0..31 4-byte words: length of each hop's metadata, domain specific metadata included. */
    hopMlWords: field.bits(5),
    /** 8 bits: hops that may still add metadata. */
    remainingHopCount: field.bits(8),
    /** 16 bits, bit 0 the most significant. */
    instructions: field.bits(16),
    /** Domain specific identifier, 16 bits; 0 = none. */
    domainId: field.bits(16, 0),
    /** Domain specific instructions, 16 bits, defined by `domainId`. */
    dsInstruction: field.bits(16, 0),
    /** Domain specific flags, 16 bits, defined by `domainId`. */
    dsFlags: field.bits(16, 0),
  }),
});

/** Length of the header without the metadata stack: 12 bytes. */
export const INT_MD_BYTES = INT_MD.bytes;
/** The drawing of docs/wire.md. */
export const INT_MD_LAYOUT = INT_MD.layout;

/** The INT-MD metadata header, as a value. */
export interface IntMdHeader extends HeaderValue<typeof INT_MD> {}

/** Input of `buildIntMdHeader`: flags false and everything else 0 unless stated. */
export interface IntMdHeaderFields extends HeaderFields<typeof INT_MD> {}

/** Reads an INT-MD header in place. */
export class IntMdHeaderView extends INT_MD.View {}

/**
 * Reads an INT-MD header; the inverse of `buildIntMdHeader`. `parseIntMd` reads the stack too.
 * @throws RoceError `invalid-packet`: too short, or another version.
 */
export const parseIntMdHeader: ParseHeader<IntMdHeader> = INT_MD.parse;
/** Writes an INT-MD header. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildIntMdHeader: BuildHeader<IntMdHeaderFields> = INT_MD.build;
/** As `buildIntMdHeader`, into `target`. @returns the offset behind the header. */
export const buildIntMdHeaderInto: BuildHeaderInto<IntMdHeaderFields> = INT_MD.buildInto;

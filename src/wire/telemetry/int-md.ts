/**
 * INT-MD metadata header, version 2 (P4.org, "In-band Network Telemetry Dataplane Specification" 2.1, section "INT-MD
 * Metadata Header Format"). The metadata stack is in `int-md-stack.ts`.
 *
 *   0 version 4, D 1, E 1, M 1, reserved 12, Hop ML 5 | 3 remaining hop count | 4 instruction bitmap (2)
 *   6 domain specific identifier (2) | 8 DS instruction (2) | 10 DS flags (2) | 12 metadata stack
 *
 * Note that the reserved field begins with the last bit of byte 0, and that Hop ML counts 4-byte words. The length of
 * the stack is given by the enclosing shim or option, not by the header.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { extendHeader } from '../header/extend-header.js';

const INT_MD_VERSION = 2;
const INT_MD = /* @__PURE__ */ defineHeader({
  title: 'INT-MD',
  source: 'P4.org INT Dataplane Specification 2.1, "INT-MD Metadata Header Format"',
  layer: 'int-md',
  followedBy: 'metadata stack, newest hop first, Hop ML words each',
  fields: (field) => ({
    /** D: the packet is a copy, which the sink drops after reading the metadata. */
    discard: field.constant('version', 4, INT_MD_VERSION).flag(false),
    /** E: a hop could not add its metadata because the remaining hop count was 0. */
    hopCountExceeded: field.flag(false),
    /** M: a hop did not add its metadata because the packet would exceed the egress MTU. */
    mtuExceeded: field.flag(false),
    /** The twelve bits after M. */
    reserved12: field.bits(12, 0),
    /** Hop ML, 0..31 4-byte words: length of each hop's metadata, including domain specific metadata. */
    hopMlWords: field.bits(5),
    /** 8 bits: number of hops that may still add metadata. */
    remainingHopCount: field.bits(8),
    /** 16 bits; bit 0 is the most significant. */
    instructions: field.bits(16),
    /** Domain specific identifier, 16 bits; 0 = none. */
    domainId: field.bits(16, 0),
    /** Domain specific instructions, 16 bits, defined by `domainId`. */
    dsInstruction: field.bits(16, 0),
    /** Domain specific flags, 16 bits, defined by `domainId`. */
    dsFlags: field.bits(16, 0),
  }),
});

/** The INT-MD metadata header, as a value. */
export interface IntMdHeader extends ValueOf<typeof INT_MD> {}

/** The INT-MD metadata header: 12 bytes. Flags are written as false and optional fields as 0 by default. */
export const IntMdHeader = /* @__PURE__ */ extendHeader(INT_MD, {
  /** The only supported version. */
  VERSION: INT_MD_VERSION,
  /** Maximum Hop ML, in 4-byte words. */
  HOP_ML_MAX_WORDS: 31,
  /** Flag D in byte 0: the sink drops the packet after reading the metadata. */
  DISCARD_MASK: 0x08,
  /** Flag E in byte 0: a hop added nothing because the remaining hop count was 0. */
  HOP_COUNT_EXCEEDED_MASK: 0x04,
  /** Flag M in byte 0: a hop added nothing because the packet would exceed the egress MTU. */
  MTU_EXCEEDED_MASK: 0x02,
});

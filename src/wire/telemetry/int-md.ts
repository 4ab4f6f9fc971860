/**
 * INT-MD, version 2: metadata header, metadata stack, and processing at a transit hop (P4.org, "In-band Network
 * Telemetry Dataplane Specification" 2.1, section "INT-MD Metadata Header Format").
 *
 *   0 version 4, D 1, E 1, M 1, reserved 12, Hop ML 5 | 3 remaining hop count | 4 instruction bitmap (2)
 *   6 domain specific identifier (2) | 8 DS instruction (2) | 10 DS flags (2)
 *   12 newest hop, 4 x Hop ML | ... | the source's hop
 *
 * Note that the reserved field begins with the last bit of byte 0, and that Hop ML counts 4-byte words. The length of
 * the stack is given by the enclosing shim or option, not by the header. Values list the hops in path order, the source
 * first; the wire order is the reverse. A source may add domain specific metadata that no other hop adds and Hop ML
 * does not count ("source-only"). Only the domain knows its length, so it is an option, 0 by default.
 */
import { invalidArgument, invalidPacket, requireBytes, requireList, requireRecord, requireTarget } from '../bytes.js';
import { type FieldsOf, defineFormat, type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import { requireWholeWords } from './bitmap-record.js';
import { IntMdHop } from './int-md-hop.js';

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

const LAYER = 'int-md';
const FLAGS = IntMdHeader.offsetOf('discard');
const REMAINING_HOP_COUNT = IntMdHeader.offsetOf('remainingHopCount');
const WORD_BYTES = 4;

/** A header with its stack. */
export interface IntMd {
  /** As received, except for the version, which is 2. */
  readonly header: IntMdHeader;
  /** In path order, the source first. */
  readonly hops: readonly IntMdHop[];
}

/** A header with its stack. */
export const IntMd = /* @__PURE__ */ defineFormat({
  /**
   * Checks INT-MD to be written, and returns its length in bytes.
   * @throws RoceError `invalid-argument` naming a field out of range, or a hop whose length differs from Hop ML.
   */
  lenBytesOf(intMd: IntMdFields, options: IntMdStackOptions = {}): number {
    requireRecord('intMd', intMd);
    const { header, hops } = intMd;
    IntMdHeader.require(header);
    const sourceOnlyBytes = sourceOnlyOf(options);
    const hopBytes = header.hopMlWords * WORD_BYTES;
    requireList(`${LAYER}.hops`, hops);
    // Hops of length 0 cannot be counted.
    if (hopBytes === 0 && hops.length > 0) throw invalidArgument(`${LAYER}.hops`, hops.length, '0 while Hop ML is 0');
    let lenBytes = IntMdHeader.lenBytes;
    for (let hop = 0; hop < hops.length; hop++) {
      const expected = hop === 0 ? hopBytes + sourceOnlyBytes : hopBytes;
      requireHopLength(IntMdHop.lenBytesOf(header.instructions, hops[hop]), expected);
      lenBytes += expected;
    }
    return lenBytes;
  },
  /**
   * Reads INT-MD; the inverse of `IntMd.write`.
   *
   * @param lenBytes from the header's first byte to the end of the stack, as given by the enclosing shim or option.
   * @throws RoceError `invalid-packet`: too short, another version, a stack that is not a whole number of hops, or a
   * Hop ML that is too small for the instructions.
   */
  read(bytes: Uint8Array, offset: number, lenBytes: number, options: IntMdStackOptions = {}): IntMd {
    if (typeof lenBytes !== 'number') throw invalidArgument('lenBytes', lenBytes, { min: 0, multipleOf: 1 });
    const header = IntMdHeader.read(bytes, offset);
    requireBytes(LAYER, bytes, offset, IntMdHeader.lenBytes, offset + lenBytes);
    requireBytes(LAYER, bytes, offset, lenBytes);
    requireHopMlReceived(header, offset);
    const sourceOnlyBytes = sourceOnlyOf(options);
    const hopBytes = header.hopMlWords * WORD_BYTES;
    const count = hopCountOf(offset, lenBytes - IntMdHeader.lenBytes, hopBytes, sourceOnlyBytes);
    const hops: IntMdHop[] = [];
    for (let hop = count - 1; hop >= 0; hop--) {
      const at = offset + IntMdHeader.lenBytes + hop * hopBytes;
      const lenBytes = hop === count - 1 ? hopBytes + sourceOnlyBytes : hopBytes;
      hops.push(IntMdHop.read(bytes, at, header.instructions, lenBytes));
    }
    return { header, hops };
  },
  /**
   * Writes INT-MD.
   * @returns the offset after the stack.
   * @throws RoceError `invalid-argument` like `IntMd.lenBytesOf`.
   */
  writeInto(target: Uint8Array, offset: number, intMd: IntMdFields, options: IntMdStackOptions = {}): number {
    requireTarget(LAYER, target, offset, IntMd.lenBytesOf(intMd, options));
    const { header, hops } = intMd;
    let at = IntMdHeader.writeInto(target, offset, header);
    for (let hop = hops.length - 1; hop >= 0; hop--)
      at = IntMdHop.writeInto(target, at, header.instructions, hops[hop]);
    return at;
  },
  /**
   * Processing at a transit hop: inserts its metadata directly after the header and decrements the remaining hop count.
   * If the count is 0 it only sets E; if the packet would exceed the egress MTU it only sets M.
   *
   * @param intMd from the header's first byte to the end of the stack; it is not modified.
   * @param hop exactly Hop ML words, domain specific metadata included.
   * @param roomBytes by how many bytes the packet may grow; default: unlimited.
   * @throws RoceError `invalid-packet`: too short, another version, or a Hop ML too small for the instructions;
   * `invalid-argument` for a hop of another length, or a field out of range.
   */
  push(intMd: Uint8Array, hop: IntMdHop, roomBytes = Infinity): IntMdPushed {
    if (typeof roomBytes !== 'number') throw invalidArgument('roomBytes', roomBytes, { min: 0, unit: 'bytes' });
    const view = new IntMdHeader.View(intMd);
    const { hopMlWords, instructions, remainingHopCount } = view;
    requireHopMlReceived(view, 0);
    const hopBytes = hopMlWords * WORD_BYTES;
    requireHopLength(IntMdHop.lenBytesOf(instructions, hop), hopBytes);
    if (remainingHopCount === 0) return flagged(intMd, 'hop-count-exceeded', IntMdHeader.HOP_COUNT_EXCEEDED_MASK);
    if (!(hopBytes <= roomBytes)) return flagged(intMd, 'mtu-exceeded', IntMdHeader.MTU_EXCEEDED_MASK);
    const bytes = new Uint8Array(intMd.length + hopBytes);
    bytes.set(intMd.subarray(0, IntMdHeader.lenBytes));
    bytes[REMAINING_HOP_COUNT] = remainingHopCount - 1;
    bytes.set(intMd.subarray(IntMdHeader.lenBytes), IntMdHop.writeInto(bytes, IntMdHeader.lenBytes, instructions, hop));
    return { outcome: 'written', bytes };
  },
});

/** Input of `IntMd.write`: the header's defaults are those of `IntMdHeader.write`. */
export interface IntMdFields {
  /** Requires at least instructions, Hop ML and remaining hop count. */
  readonly header: FieldsOf<typeof IntMdHeader>;
  /** In path order, the source first; each has the length of Hop ML, except that the source's may be longer. */
  readonly hops: readonly IntMdHop[];
}

/** Properties of the stack that the packet does not contain. */
export interface IntMdStackOptions {
  /** Bytes of source-only metadata in the source's hop; default 0. */
  readonly sourceOnlyBytes?: number;
}

/** Outcome at a hop: metadata written, or omitted with the flag E or M set. */
export type IntMdPushOutcome = 'written' | 'hop-count-exceeded' | 'mtu-exceeded';

/** INT-MD after a hop. */
export interface IntMdPushed {
  /** `written`, or why not. */
  readonly outcome: IntMdPushOutcome;
  /** New bytes: longer than before if written. */
  readonly bytes: Uint8Array;
}

function flagged(intMd: Uint8Array, outcome: IntMdPushOutcome, flag: number): IntMdPushed {
  const bytes = intMd.slice();
  bytes[FLAGS] |= flag;
  return { outcome, bytes };
}

/** Number of hops in a stack. */
function hopCountOf(offset: number, stackBytes: number, hopBytes: number, sourceOnlyBytes: number): number {
  if (stackBytes === 0) return 0;
  const counted = stackBytes - sourceOnlyBytes;
  if (counted > 0 && counted % hopBytes === 0) return counted / hopBytes;
  const allowed = `a multiple of ${hopBytes} bytes, and ${sourceOnlyBytes}`;
  throw invalidPacket(LAYER, offset, 'has a stack that is not a whole number of hops', stackBytes, allowed);
}

function requireHopMlReceived({ hopMlWords, instructions }: IntMdHeader, offset: number): void {
  const least = IntMdHop.baselineWords(instructions);
  if (hopMlWords >= least) return;
  const allowed = { min: least, max: IntMdHeader.HOP_ML_MAX_WORDS, unit: 'words' };
  throw invalidPacket(LAYER, offset, 'has a Hop ML too small for its instructions', hopMlWords, allowed);
}

function requireHopLength(got: number, expected: number): void {
  if (got === expected) return;
  const what = 'length of a hop, domain specific metadata included,';
  throw invalidArgument(`${LAYER} hop.domainMetadata`, got, expected, what);
}

function sourceOnlyOf(options: IntMdStackOptions): number {
  requireRecord('options', options);
  const { sourceOnlyBytes = 0 } = options;
  requireWholeWords('sourceOnlyBytes', sourceOnlyBytes);
  return sourceOnlyBytes;
}

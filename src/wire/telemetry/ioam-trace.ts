/**
 * Header of an IOAM trace, pre-allocated or incremental, and its trace type (RFC 9197, section 4.4.1; IANA, "IOAM
 * Trace-Type").
 *
 *   0 Namespace-ID (2) | 2 NodeLen 5, flags 4, RemainingLen 7 | 4 IOAM-Trace-Type (3) | 7 reserved | 8 node data list
 *
 * Note that the flags cross a byte boundary. NodeLen and RemainingLen count 4-byte words; NodeLen excludes the opaque
 * snapshot of bit 22. In a pre-allocated trace, RemainingLen words of free space precede the recorded nodes; in an
 * incremental one, nodes may still add RemainingLen words.
 *
 * The trace type states the fields that the nodes record, in the order of its 24 bits, bit 0 the most significant. Each set
 * bit of 0..21 is a field of one 4-byte word, bits 8, 9 and 10 of two.
 *
 *   12..21 undefined, with one word each | 22 opaque state snapshot, of variable length | 23 reserved, without data
 */
import { requireRecord, requireField, invalidArgument } from '../bytes.js';
import { type FieldsOf, type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import { BitmapWords } from './bitmap-record.js';

const IOAM_TRACE = /* @__PURE__ */ defineHeader({
  title: 'IOAM trace',
  source: 'RFC 9197, section 4.4.1',
  layer: 'ioam trace',
  followedBy: 'node data: free space if pre-allocated, then the nodes, newest first',
  fields: (field) => ({
    /** 16 bits; 0 is the default namespace. */
    namespaceId: field.bits(16, 0),
    /** NodeLen, 0..31 4-byte words: length of each node's data, without its opaque snapshot. */
    nodeLenWords: field.bits(5, 0),
    /** 4 bits: overflow 8, loopback 4, active 2. */
    flags: field.bits(4, 0),
    /** RemainingLen, 0..127 4-byte words. */
    remainingLenWords: field.bits(7, 0),
    /** 24 bits; bit 0 is the most significant. */
    traceType: field.bits(24),
    /** Reserved last byte. */
    reserved8: field.bits(8, 0),
  }),
});

/** The header of an IOAM trace, as a value. */
export interface IoamTraceHeader extends ValueOf<typeof IOAM_TRACE> {}

/** The header of an IOAM trace. Defaults when written: NodeLen as required by the trace type, other fields 0. */
export const IoamTraceHeader = /* @__PURE__ */ extendHeader(IOAM_TRACE, {
  /** Maximum NodeLen, in 4-byte words: 5 bits. */
  NODE_LEN_MAX_WORDS: 31,
  /** Maximum RemainingLen, in 4-byte words: 7 bits. */
  REMAINING_LEN_MAX_WORDS: 127,
  /** Flag: a node had no space for its data (RFC 9197, section 4.4.1); a value of the 4-bit field. */
  FLAG_OVERFLOW: 8,
  /** Flag: nodes send a copy back (RFC 9322); a value of the 4-bit field. */
  FLAG_LOOPBACK: 4,
  /** Flag: the packet is a probe (RFC 9322); a value of the 4-bit field. */
  FLAG_ACTIVE: 2,
  /** Like `IoamTraceHeader.write`, into `target`. @returns the offset after the header. */
  writeInto(target: Uint8Array, offset: number, header: FieldsOf<typeof IOAM_TRACE>): number {
    return IOAM_TRACE.writeInto(target, offset, withNodeLen(header));
  },
});

function withNodeLen(header: FieldsOf<typeof IOAM_TRACE>): FieldsOf<typeof IOAM_TRACE> {
  requireRecord('ioam trace', header);
  return { ...header, nodeLenWords: header.nodeLenWords ?? IoamTraceType.nodeLenWords(header.traceType) };
}

/** The IOAM-Trace-Type: bits of the fields that nodes record, bit 0 the most significant of 24. */
export const IoamTraceType = {
  /** Trace type bit: hop limit 8, node identifier 24. Bit 0 is the most significant of 24, here and below. */
  BIT_NODE: 0,
  /** Trace type bit: ingress interface 16, egress interface 16. */
  BIT_INTERFACES: 1,
  /** Trace type bit: seconds of the timestamp, 32 bits. */
  BIT_TIMESTAMP_SECONDS: 2,
  /** Trace type bit: fraction of the timestamp, 32 bits, in ns, 2^-32 s or µs, depending on the domain's format. */
  BIT_TIMESTAMP_FRACTION: 3,
  /** Trace type bit: time within the node, 32 bits, ns; the top bit marks an overflow. */
  BIT_TRANSIT_DELAY: 4,
  /** Trace type bit: data defined by the namespace, 32 bits. */
  BIT_NAMESPACE_DATA: 5,
  /** Trace type bit: length of the egress queue, 32 bits, in buffers by the RFC, in bytes in Linux. */
  BIT_QUEUE_DEPTH: 6,
  /** Trace type bit: checksum complement, 32 bits. */
  BIT_CHECKSUM_COMPLEMENT: 7,
  /** Trace type bit: hop limit 8, node identifier 56. */
  BIT_NODE_WIDE: 8,
  /** Trace type bit: ingress interface 32, egress interface 32. */
  BIT_INTERFACES_WIDE: 9,
  /** Trace type bit: data defined by the namespace, 64 bits. */
  BIT_NAMESPACE_DATA_WIDE: 10,
  /** Trace type bit: occupancy of the buffer, 32 bits, in the node's unit. */
  BIT_BUFFER_OCCUPANCY: 11,
  /** First undefined trace type bit; it still represents a word of all ones. */
  BIT_UNDEFINED_FIRST: 12,
  /** Last undefined trace type bit; it still represents a word of all ones. */
  BIT_UNDEFINED_LAST: 21,
  /** Trace type bit: opaque state snapshot, of variable length. */
  BIT_OPAQUE: 22,
  /**
   * The trace type with these bits set.
   *
   * @example IoamTraceType.of(IoamTraceType.BIT_NODE, IoamTraceType.BIT_QUEUE_DEPTH) === 0x820000
   */
  of(...bits: readonly number[]): number {
    for (const bit of bits) requireField('bits', bit, TRACE_TYPE_BITS - 1);
    return bits.reduce((type, bit) => type | 2 ** (TRACE_TYPE_BITS - 1 - bit), 0);
  },
  /** @returns whether the trace type requests the field of this bit, 0..23. */
  has(traceType: number, bit: number): boolean {
    return IOAM_WORDS.has(traceType, bit);
  },
  /** Number of 4-byte words of the field of a bit 0..21; for bit 22 only those of the snapshot's header. */
  fieldWords(bit: number): number {
    if (typeof bit !== 'number') throw invalidArgument('bit', bit, { min: 0, max: 21 });
    return bit >= IoamTraceType.BIT_NODE_WIDE && bit <= IoamTraceType.BIT_NAMESPACE_DATA_WIDE ? 2 : 1;
  },
  /** NodeLen of a trace type, in 4-byte words: the sum over bits 0..21, without the opaque snapshot (section 4.4.1). */
  nodeLenWords(traceType: number): number {
    return IOAM_WORDS.wordsOf(traceType);
  },
  /** Number of words of undefined bits per node: the set bits of 12..21. */
  undefinedWords(traceType: number): number {
    return IOAM_WORDS.fillersOf(traceType);
  },
  /**
   * Offset of the field of a bit within a node.
   * @returns bytes from the node's start; -1 if the trace type does not have the bit, or the bit has no field (23).
   */
  fieldOffset(traceType: number, bit: number): number {
    return IOAM_WORDS.offsetOf(traceType, bit);
  },
} as const;

const TRACE_TYPE_BITS = 24;

/** NodeLen counts bits 0..21; bits 8, 9 and 10 have two words; 12..21 are undefined. */
export const IOAM_WORDS = /* @__PURE__ */ new BitmapWords({
  bits: TRACE_TYPE_BITS,
  lastBit: IoamTraceType.BIT_OPAQUE,
  counted: 0xfffffc,
  wide: 0x00e000,
  fillers: 0x000ffc,
});

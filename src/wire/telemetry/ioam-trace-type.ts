/**
 * The IOAM-Trace-Type: which fields the nodes of a trace record (RFC 9197, section 4.4.1; IANA, "IOAM Trace-Type").
 *
 *   24 bits, bit 0 the most significant. Each set bit of 0..21 is a field of one 4-byte word, bits 8, 9 and 10 of two.
 *   12..21 undefined, with one word each | 22 opaque state snapshot, of variable length | 23 reserved, without data
 *
 * The fields are in the order of their bits.
 */
import { requireField, invalidArgument } from '../bytes.js';
import { BitmapWords } from './bitmap-words.js';

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

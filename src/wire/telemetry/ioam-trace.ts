/**
 * Header of an IOAM trace (RFC 9197, section 4.4.1), pre-allocated or incremental.
 *
 *   0 Namespace-ID (2) | 2 NodeLen 5, flags 4, RemainingLen 7 | 4 IOAM-Trace-Type (3) | 7 reserved | 8 node data list
 *
 * Note that the flags cross a byte boundary. NodeLen and RemainingLen count 4-byte words; NodeLen excludes the opaque
 * snapshot of bit 22. In a pre-allocated trace, RemainingLen words of free space precede the recorded nodes; in an
 * incremental one, nodes may still add RemainingLen words.
 */
import { requireRecord } from '../bytes.js';
import { type FieldsOf, type ValueOf, defineHeader } from '../header/define-header.js';
import { IoamTraceType } from './ioam-trace-type.js';
import { extendHeader } from '../header/extend-header.js';

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

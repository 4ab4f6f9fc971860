/**
 * Header of an IOAM trace (RFC 9197, section 4.4.1), pre-allocated or incremental.
 *
 *   0 Namespace-ID (2) | 2 NodeLen 5, flags 4, RemainingLen 7 | 4 IOAM-Trace-Type (3) | 7 reserved | 8 node data list
 *
 * Traps: the flags cross a byte border. NodeLen and RemainingLen count 4-byte words; NodeLen leaves the opaque
 * snapshot of bit 22 out. In a pre-allocated trace RemainingLen words of free space come before the recorded nodes; in
 * an incremental one it is what nodes may still add.
 */
import { HeaderView } from '../header/header-view.js';
import type { HeaderLayout } from '../header/layout.js';
import { readU16, readU24, requireField, requireBytes, requireTarget, writeU16, writeU24 } from '../bytes.js';
import { ioamNodeLenWords } from './ioam-trace-type.js';

/** Offsets from the first byte of the trace. */
export const IOAM_TRACE_NAMESPACE_ID = 0;
/** NodeLen, flags and RemainingLen: one 16-bit word. */
export const IOAM_TRACE_LENGTHS = 2;
export const IOAM_TRACE_REMAINING_LEN = 3;
export const IOAM_TRACE_TRACE_TYPE = 4;
export const IOAM_TRACE_RESERVED = 7;
/** Header without the node data. */
export const IOAM_TRACE_BYTES = 8;

/** Largest NodeLen, RemainingLen, in 4-byte words. */
export const IOAM_NODE_LEN_MAX_WORDS = 31;
export const IOAM_REMAINING_LEN_MAX_WORDS = 127;

/** Flags, as values of the 4-bit field. A node had no room for its data (RFC 9197, section 4.4.1). */
export const IOAM_FLAG_OVERFLOW = 8;
/** Nodes send a copy back (RFC 9322). */
export const IOAM_FLAG_LOOPBACK = 4;
/** The packet is a probe (RFC 9322). */
export const IOAM_FLAG_ACTIVE = 2;

/** The drawing of docs/wire.md. */
export const IOAM_TRACE_LAYOUT: HeaderLayout = {
  title: 'IOAM trace',
  source: 'RFC 9197, section 4.4.1',
  bytes: IOAM_TRACE_BYTES,
  fields: [
    { name: 'namespaceId', offset: IOAM_TRACE_NAMESPACE_ID, bits: 16 },
    { name: 'nodeLenWords', offset: IOAM_TRACE_LENGTHS, bits: 5 },
    { name: 'flags', offset: IOAM_TRACE_LENGTHS, bit: 5, bits: 4 },
    { name: 'remainingLenWords', offset: IOAM_TRACE_REMAINING_LEN, bit: 1, bits: 7 },
    { name: 'traceType', offset: IOAM_TRACE_TRACE_TYPE, bits: 24 },
    { name: 'reserved8', offset: IOAM_TRACE_RESERVED, bits: 8 },
  ],
  followedBy: 'node data: free space if pre-allocated, then the nodes, newest first',
};

const LAYER = 'ioam trace';
const FLAGS_SHIFT = 7;
const NODE_LEN_SHIFT = 11;

/** The header of an IOAM trace, as a value. */
export interface IoamTraceHeader {
  /** 16 bits; 0 is the default namespace. */
  readonly namespaceId: number;
  /** NodeLen, 0..31 4-byte words: what each node records, without its opaque snapshot. */
  readonly nodeLenWords: number;
  /** 4 bits: overflow 8, loopback 4, active 2. */
  readonly flags: number;
  /** RemainingLen, 0..127 4-byte words. */
  readonly remainingLenWords: number;
  /** 24 bits, bit 0 the most significant. */
  readonly traceType: number;
  /** The last byte. */
  readonly reserved8: number;
}

/** What `buildIoamTraceHeader` needs: NodeLen as the trace type asks, everything else 0 unless told otherwise. */
export type IoamTraceHeaderFields = Pick<IoamTraceHeader, 'traceType'> & Partial<IoamTraceHeader>;

/** Reads the header of an IOAM trace in place. */
export class IoamTraceHeaderView extends HeaderView {
  get namespaceId(): number {
    return readU16(this.bytes, this.offset + IOAM_TRACE_NAMESPACE_ID);
  }
  get nodeLenWords(): number {
    return this.bytes[this.offset + IOAM_TRACE_LENGTHS] >> 3;
  }
  get flags(): number {
    return (readU16(this.bytes, this.offset + IOAM_TRACE_LENGTHS) >> FLAGS_SHIFT) & 15;
  }
  get remainingLenWords(): number {
    return this.bytes[this.offset + IOAM_TRACE_REMAINING_LEN] & IOAM_REMAINING_LEN_MAX_WORDS;
  }
  get traceType(): number {
    return readU24(this.bytes, this.offset + IOAM_TRACE_TRACE_TYPE);
  }
  get reserved8(): number {
    return this.bytes[this.offset + IOAM_TRACE_RESERVED];
  }
  override get payloadOffset(): number {
    return this.offset + IOAM_TRACE_BYTES;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, IOAM_TRACE_BYTES);
  }
}

/**
 * Reads the header of an IOAM trace; the inverse of `buildIoamTraceHeader`. `parseIoamTrace` reads the nodes too.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseIoamTraceHeader(bytes: Uint8Array, offset = 0): IoamTraceHeader {
  const view = new IoamTraceHeaderView(bytes, offset);
  const { namespaceId, nodeLenWords, flags, remainingLenWords, traceType, reserved8 } = view;
  return { namespaceId, nodeLenWords, flags, remainingLenWords, traceType, reserved8 };
}

/**
 * Writes the header of an IOAM trace.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildIoamTraceHeader(header: IoamTraceHeaderFields): Uint8Array {
  const bytes = new Uint8Array(IOAM_TRACE_BYTES);
  buildIoamTraceHeaderInto(bytes, 0, header);
  return bytes;
}

/** As `buildIoamTraceHeader`, into `target`. @returns the offset behind the header. */
export function buildIoamTraceHeaderInto(target: Uint8Array, offset: number, header: IoamTraceHeaderFields): number {
  requireIoamTraceHeader(header);
  const { namespaceId = 0, traceType, flags = 0, remainingLenWords = 0, reserved8 = 0 } = header;
  const { nodeLenWords = ioamNodeLenWords(traceType) } = header;
  requireTarget(LAYER, target, offset, IOAM_TRACE_BYTES);
  const lengths = (nodeLenWords << NODE_LEN_SHIFT) | (flags << FLAGS_SHIFT) | remainingLenWords;
  writeU16(target, offset + IOAM_TRACE_NAMESPACE_ID, namespaceId);
  writeU16(target, offset + IOAM_TRACE_LENGTHS, lengths);
  writeU24(target, offset + IOAM_TRACE_TRACE_TYPE, traceType);
  target[offset + IOAM_TRACE_RESERVED] = reserved8;
  return offset + IOAM_TRACE_BYTES;
}

/**
 * Checks a header that is about to be written.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function requireIoamTraceHeader(header: IoamTraceHeaderFields): void {
  const { namespaceId = 0, nodeLenWords = 0, flags = 0, remainingLenWords = 0, traceType, reserved8 = 0 } = header;
  requireField('ioam trace.namespaceId', namespaceId, 0xffff);
  requireField('ioam trace.nodeLenWords', nodeLenWords, IOAM_NODE_LEN_MAX_WORDS);
  requireField('ioam trace.flags', flags, 15);
  requireField('ioam trace.remainingLenWords', remainingLenWords, IOAM_REMAINING_LEN_MAX_WORDS);
  requireField('ioam trace.traceType', traceType, 0xffffff);
  requireField('ioam trace.reserved8', reserved8, 0xff);
}

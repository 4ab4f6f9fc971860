/**
 * The IOAM trace that carries HPCC's telemetry (RFC 9197, section 4.4; docs/reference/sources.md, "Size of telemetry"):
 * pre-allocated, in a Hop-by-Hop option of data packets, large enough for the longest path. A switch records 32 bytes:
 *
 *   hop limit, node id | interfaces in, out | seconds | nanoseconds | rate, Mb/s | queue, bytes | bytes sent, 64 bits
 */
import { BPS_PER_MBPS, PS_PER_NS, PS_PER_SECOND } from '../units.js';
import { FastCnpOption2 } from '../wire/roce/fast-cnp-option.js';
import type { IcrcPolicy } from '../wire/roce/icrc.js';
import { IoamTraceHeader, IoamTraceType } from '../wire/telemetry/ioam-trace.js';
import { IoamOption } from '../wire/telemetry/ioam-option.js';
import { freeBytesAt, traceTypeAt } from '../wire/telemetry/ioam-trace-data.js';
import { U32_MAX, writeU32 } from '../wire/bytes.js';

const WORD_BYTES = 4;
const U32 = 2 ** 32;
const HOP_LIMIT = 64;
const FLAGS = IoamTraceHeader.offsetOf('flags');
const REMAINING_LEN = IoamTraceHeader.offsetOf('remainingLenWords');
/** The overflow flag in the byte that it shares with NodeLen. */
const OVERFLOW_MASK = IoamTraceHeader.FLAG_OVERFLOW >> 1;

/** The fields that HPCC needs from each switch. */
export const HOP_TRACE_TYPE = IoamTraceType.of(IoamTraceType.BIT_NODE, IoamTraceType.BIT_INTERFACES,
  IoamTraceType.BIT_TIMESTAMP_SECONDS, IoamTraceType.BIT_TIMESTAMP_FRACTION, IoamTraceType.BIT_NAMESPACE_DATA,
  IoamTraceType.BIT_QUEUE_DEPTH, IoamTraceType.BIT_NAMESPACE_DATA_WIDE);
const HOP_WORDS = IoamTraceType.nodeLenWords(HOP_TRACE_TYPE);

/** Bytes that a switch records. */
export const TRACED_HOP_BYTES = WORD_BYTES * HOP_WORDS;

/**
 * Offset of the trace in a Hop-by-Hop header: next header, length, 2 bytes of padding, and 4 each for the option and
 * IOAM.
 */
export const TRACE_IN_HEADER_BYTES = 8;

/** Maximum number of switches whose records fit into one trace, including that of a Fast CNP. */
export const TRACED_HOPS_MAX = Math.floor(
  (FastCnpOption2.TRACE_MAX_BYTES - IoamTraceHeader.lenBytes) / TRACED_HOP_BYTES,
);

/**
 * ICRC policy for packets whose traces change on the way: exclude the extension headers. Otherwise `literal`, as
 * Annex A17 states (docs/reference/sources.md, "ICRC with extension headers").
 */
export function icrcPolicyOf(telemetry: 'none' | 'int64' | 'exact'): IcrcPolicy {
  return telemetry === 'none' ? 'literal' : 'omit';
}

/** The state that a switch records as a packet leaves. */
export interface TracedHop {
  /** Node number, and ports from 1. */
  readonly node: number;
  readonly ingress: number;
  readonly egress: number;
  readonly timePs: number;
  readonly rateBps: number;
  /** Bytes still queued at the port. */
  readonly queueBytes: number;
  /** Bytes that the port sent before. */
  readonly txBytes: number;
}

/** An empty trace of this size. */
export function freeTrace(traceBytes: number): Uint8Array {
  const data = new Uint8Array(traceBytes);
  const remainingLenWords = (traceBytes - IoamTraceHeader.lenBytes) / WORD_BYTES;
  data.set(IoamTraceHeader.write({ traceType: HOP_TRACE_TYPE, remainingLenWords }));
  return data;
}

/** An empty trace for this many switches, 1 to `TRACED_HOPS_MAX`. */
export function freeHops(hops: number): Uint8Array {
  return freeTrace(IoamTraceHeader.lenBytes + hops * TRACED_HOP_BYTES);
}

/** The Hop-by-Hop header with such a trace; UDP follows. */
export function hopTraceHeader(hops: number): Uint8Array {
  return IoamOption.writeOptionsHeader({ ioamOptionType: IoamOption.TYPE_PREALLOCATED_TRACE, data: freeHops(hops) });
}

/**
 * Records a switch in a trace of `HOP_TRACE_TYPE`, in place. A full trace gets the overflow flag; a trace of another
 * type, or a malformed one, is left unchanged.
 *
 * @param offset of the Namespace-ID. @param lenBytes from there to the end of the node data.
 */
export function recordHop(bytes: Uint8Array, offset: number, lenBytes: number, hop: TracedHop): void {
  if (lenBytes < IoamTraceHeader.lenBytes || traceTypeAt(bytes, offset) !== HOP_TRACE_TYPE) return;
  if (bytes[offset + IoamTraceHeader.offsetOf('nodeLenWords')] >> 3 !== HOP_WORDS) return;
  const freeBytes = freeBytesAt(bytes, offset);
  if (IoamTraceHeader.lenBytes + freeBytes > lenBytes) return;
  if (freeBytes < TRACED_HOP_BYTES) {
    bytes[offset + FLAGS] |= OVERFLOW_MASK;
    return;
  }
  const { node, ingress, egress, timePs, rateBps, queueBytes, txBytes } = hop;
  const seconds = Math.floor(timePs / PS_PER_SECOND);
  const at = offset + IoamTraceHeader.lenBytes + freeBytes - TRACED_HOP_BYTES;
  writeU32(bytes, at, HOP_LIMIT * 2 ** 24 + node);
  writeU32(bytes, at + 4, ingress * 2 ** 16 + egress);
  writeU32(bytes, at + 8, seconds);
  writeU32(bytes, at + 12, Math.floor((timePs - seconds * PS_PER_SECOND) / PS_PER_NS));
  writeU32(bytes, at + 16, Math.min(U32_MAX, Math.round(rateBps / BPS_PER_MBPS)));
  writeU32(bytes, at + 20, Math.min(U32_MAX, queueBytes));
  writeU32(bytes, at + 24, Math.floor(txBytes / U32));
  writeU32(bytes, at + 28, txBytes % U32);
  bytes[offset + REMAINING_LEN] -= HOP_WORDS;
}

/**
 * Processing of an IOAM trace at a transit node (RFC 9197, section 4.4.1).
 *
 * Need      NodeLen words, plus those of its opaque snapshot; fits if at most RemainingLen.
 * It fits   pre-allocated: the node writes at data + 4 x (RemainingLen - need), so later nodes are nearer to the
 *           front; incremental: it inserts its data directly after the header. Then RemainingLen -= need.
 * Else      the node sets the overflow flag and writes nothing else.
 *
 * The caller checks whether the node belongs to the trace's namespace, and updates checksums of the packet.
 */
import { requireField, lengthOf } from '../bytes.js';
import { IoamNode } from './ioam-node.js';
import { IoamOption } from './ioam-option.js';
import { IoamTraceData, freeBytesAt, remainingBeyondData, traceTypeAt } from './ioam-trace-data.js';
import { IoamTraceHeader } from './ioam-trace.js';

const WORD_BYTES = 4;
const FLAGS = IoamTraceHeader.offsetOf('flags');
const REMAINING_LEN = IoamTraceHeader.offsetOf('remainingLenWords');
/** The overflow flag, first of the four, in the byte that it shares with NodeLen. */
const OVERFLOW_MASK = IoamTraceHeader.FLAG_OVERFLOW >> 1;

/** Maximum length of a trace in an IPv6 option, in whole words. */
export const IOAM_TRACE_IPV6_MAX_BYTES = IoamOption.DATA_MAX_BYTES - (IoamOption.DATA_MAX_BYTES % WORD_BYTES);

/** Outcome at a node: recorded, or omitted with the overflow flag set. */
export type IoamPushOutcome = 'written' | 'overflow';

/** An incremental trace after a node. */
export interface IoamPushed {
  /** `written`, or `overflow` if RemainingLen was too small. */
  readonly outcome: IoamPushOutcome;
  /** New bytes: longer than before if written. */
  readonly trace: Uint8Array;
}

/**
 * Records a node in a pre-allocated trace, in place.
 *
 * @param offset of the Namespace-ID.
 * @param lenBytes from there to the end of the node data.
 * @returns `overflow` if the free space was too small.
 * @throws RoceError `invalid-packet`: too short, NodeLen that does not match the trace type, or RemainingLen beyond the
 * data (then no node may add anything); `invalid-argument` like `IoamNode.write`. The trace is then unchanged.
 */
export function pushIoamNode(bytes: Uint8Array, offset: number, lenBytes: number, node: IoamNode): IoamPushOutcome {
  const endOffset = IoamTraceData.endOf(bytes, offset, lenBytes);
  const data = offset + IoamTraceHeader.lenBytes;
  const freeBytes = freeBytesAt(bytes, offset);
  if (data + freeBytes > endOffset) throw remainingBeyondData(bytes, offset, lenBytes);
  const traceType = traceTypeAt(bytes, offset);
  const need = IoamNode.lenBytesOf(traceType, node);
  if (need > freeBytes) {
    bytes[offset + FLAGS] |= OVERFLOW_MASK;
    return 'overflow';
  }
  IoamNode.writeInto(bytes, data + freeBytes - need, traceType, node);
  bytes[offset + REMAINING_LEN] -= need / WORD_BYTES;
  return 'written';
}

/**
 * Records a node in an incremental trace.
 *
 * @param trace from the Namespace-ID to the end of the node data; it is not modified.
 * @param limitBytes maximum length of the trace. Default: the maximum in an IPv6 option.
 * @throws RoceError `invalid-packet`: too short, or NodeLen that does not match the trace type; `invalid-argument` like
 * `IoamNode.write`, or for a limit that is not an integer.
 */
export function pushIncrementalIoamNode(trace: Uint8Array, node: IoamNode,
  limitBytes = IOAM_TRACE_IPV6_MAX_BYTES): IoamPushed {
  lengthOf('trace', trace);
  requireField('limitBytes', limitBytes, Number.MAX_SAFE_INTEGER);
  IoamTraceData.endOf(trace, 0, trace.length);
  const traceType = traceTypeAt(trace, 0);
  const need = IoamNode.lenBytesOf(traceType, node);
  if (need > freeBytesAt(trace, 0) || trace.length + need > limitBytes) {
    const same = trace.slice();
    same[FLAGS] |= OVERFLOW_MASK;
    return { outcome: 'overflow', trace: same };
  }
  const longer = new Uint8Array(trace.length + need);
  longer.set(trace.subarray(0, IoamTraceHeader.lenBytes));
  longer[REMAINING_LEN] -= need / WORD_BYTES;
  const behind = IoamNode.writeInto(longer, IoamTraceHeader.lenBytes, traceType, node);
  longer.set(trace.subarray(IoamTraceHeader.lenBytes), behind);
  return { outcome: 'written', trace: longer };
}

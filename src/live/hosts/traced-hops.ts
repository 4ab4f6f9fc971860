/** Converts the hops in an ACK's IOAM trace for the engine's ACK events. */
import type { ExactAckTelemetry, ExactHop } from '../../engine/ack-records.js';
import { RoceError } from '../../errors.js';
import { HOP_TRACE_TYPE } from '../../switching/hop-trace.js';
import { BPS_PER_MBPS, NS_PER_SECOND, PS_PER_NS, PS_PER_SECOND } from '../../unit-sizes.js';
import { IoamNodeCursor } from '../../wire/telemetry/ioam-trace-data.js';
import { IoamTraceHeader, IoamTraceType } from '../../wire/telemetry/ioam-trace.js';
import { traceTypeAt } from '../../wire/telemetry/ioam-trace-data.js';
import { ALL_ONES_32 } from '../../wire/bytes.js';

const U32 = 2 ** 32;
const NOT_AVAILABLE = ALL_ONES_32;
const FLAGS = IoamTraceHeader.offsetOf('flags');
/** The overflow flag, in the byte that it shares with NodeLen. */
const OVERFLOW_MASK = IoamTraceHeader.FLAG_OVERFLOW >> 1;
const cursor = new IoamNodeCursor();

/**
 * Reads the trace's hops, from the sender on; undefined if it has another format, is malformed, or has impossible
 * values.
 */
export function tracedTelemetry(bytes: Uint8Array, traceOffset: number, traceBytes: number): ExactAckTelemetry
  | undefined {
  if (traceBytes < IoamTraceHeader.lenBytes || traceTypeAt(bytes, traceOffset) !== HOP_TRACE_TYPE) return undefined;
  try {
    cursor.moveTo(bytes, traceOffset, traceBytes, 'pre-allocated');
  } catch (error) {
    if (error instanceof RoceError) return undefined;
    throw error;
  }
  const hops: ExactHop[] = [];
  while (cursor.next()) {
    const hop = hopHere();
    if (hop === undefined) return undefined;
    hops.push(hop);
  }
  return { kind: 'exact', hops: hops.reverse(), partial: (bytes[traceOffset + FLAGS] & OVERFLOW_MASK) !== 0 };
}

function hopHere(): ExactHop | undefined {
  const qlenBytes = cursor.word(IoamTraceType.BIT_QUEUE_DEPTH);
  const nanoseconds = cursor.word(IoamTraceType.BIT_TIMESTAMP_FRACTION);
  const txBytes = cursor.word(IoamTraceType.BIT_NAMESPACE_DATA_WIDE) * U32 +
    cursor.word(IoamTraceType.BIT_NAMESPACE_DATA_WIDE, 1);
  const timePs = cursor.word(IoamTraceType.BIT_TIMESTAMP_SECONDS) * PS_PER_SECOND + nanoseconds * PS_PER_NS;
  const areNumbers = qlenBytes !== NOT_AVAILABLE && nanoseconds < NS_PER_SECOND && Number.isSafeInteger(txBytes) &&
    Number.isSafeInteger(timePs);
  if (!areNumbers) return undefined;
  const lineRateBps = cursor.word(IoamTraceType.BIT_NAMESPACE_DATA) * BPS_PER_MBPS;
  return { timePs, txBytes, qlenBytes, lineRateBps, hopId: cursor.nodeId, portId: cursor.egressInterface };
}

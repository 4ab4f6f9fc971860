/** Frames that carry telemetry to a sender: Fast CNPs with option 2, and ACKs that echo a trace. */
import { FastCnp } from '../../../src/wire/roce/fast-cnp.js';
import { IoamTraceType } from '../../../src/wire/telemetry/ioam-trace.js';
import { IoamOption } from '../../../src/wire/telemetry/ioam-option.js';
import { IoamTraceData, type IoamTraceDataFields } from '../../../src/wire/telemetry/ioam-trace-data.js';
import type { IoamNode } from '../../../src/wire/telemetry/ioam-node.js';
import { RECEIVER, RECEIVER_QPN, SENDER, SENDER_QPN, SWITCH } from './network.js';

/** Nodes in the tests record identity, time, namespace data and queue. */
export const TRACE_TYPE = IoamTraceType.of(IoamTraceType.BIT_NODE, IoamTraceType.BIT_INTERFACES,
  IoamTraceType.BIT_TIMESTAMP_SECONDS, IoamTraceType.BIT_TIMESTAMP_FRACTION, IoamTraceType.BIT_NAMESPACE_DATA,
  IoamTraceType.BIT_QUEUE_DEPTH);

/** The trace data of one hop. */
export interface TestHop {
  readonly nodeId: number;
  readonly timeNs: number;
  readonly txBytes?: number;
  readonly queueDepth: number;
}

export function nodeOf({ nodeId, timeNs, txBytes, queueDepth }: TestHop): IoamNode {
  return {
    hopLimit: 60,
    nodeId,
    ingressInterface: 1,
    egressInterface: 2,
    timestampSeconds: 1000 + Math.floor(timeNs / 1e9),
    timestampFraction: timeNs % 1e9,
    namespaceData: txBytes ?? 0xffffffff,
    queueDepth,
  };
}

export function traceOf(nodes: readonly IoamNode[],
  more: Partial<IoamTraceDataFields> & { flags?: number } = {}): Uint8Array {
  const { flags = 0, ...fields } = more;
  return IoamTraceData.write({
    kind: 'pre-allocated',
    header: { traceType: TRACE_TYPE, remainingLenWords: 2, flags },
    nodes,
    ...fields,
  });
}

/** A Fast CNP for the flow of network.ts, without a link header. */
export function fastCnpWith(trace: Uint8Array, ioamOptionType = 0, source = SWITCH): Uint8Array {
  return FastCnp.write({
    source,
    destination: SENDER,
    destQpn: RECEIVER_QPN,
    originalDestination: RECEIVER,
    trace: { ioamType: ioamOptionType, data: trace },
  });
}

/** An ACK of the flow with a trace in its Hop-by-Hop header, without a link header. */
export function ackWith(trace: Uint8Array, psn = 1): Uint8Array {
  return ackWithHeaders([[HOP_BY_HOP, trace]], psn);
}

/** Next Header numbers of the headers that hold options. */
export const HOP_BY_HOP = 0;
export const DESTINATION_OPTIONS = 60;

/** An ACK with a trace in each of these headers. */
export function ackWithHeaders(traces: readonly (readonly [kind: number, trace: Uint8Array])[], psn = 1): Uint8Array {
  const kinds = [...traces.map(([kind]) => kind), 17];
  const headers = traces.flatMap(([, data],
    index) => [...IoamOption.writeOptionsHeader({ ioamOptionType: 0, data }, kinds[index + 1])]
  );
  const bth = [0x11, 0, 0xff, 0xff, 0, 0, SENDER_QPN >> 8, SENDER_QPN & 0xff, 0, 0, psn >> 8, psn & 0xff];
  const udpBytes = 8 + bth.length + 4 + 4;
  const udp = [0xc0, 0, 0x12, 0xb7, 0, udpBytes, 0, 0];
  const payloadBytes = headers.length + udpBytes;
  const ip = [0x60, 0, 0, 0, payloadBytes >> 8, payloadBytes & 0xff, kinds[0]!, 64, ...RECEIVER, ...SENDER];
  return Uint8Array.from([...ip, ...headers, ...udp, ...bth, 0, 0, 0, 0, 0, 0, 0, 0]);
}

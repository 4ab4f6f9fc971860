/** The ring of packets that left captured ports, and of pauses and resumes of ports, read from the kernel's memory. */
import { ACK_PENALTY_MAX, ACK_RESTORES_WINDOW } from '../../abi/ack-layout.js';
import { readField, readFields } from '../../abi/records/define-record.js';
import { PACKET_TRACE, TRACE_MRC_AGAIN_SHIFT, TRACE_MRC_ALWAYS_SKIP_SHIFT, TRACE_MRC_ACK_REQUEST_SHIFT,
  TRACE_MRC_ECHO_SHIFT, TRACE_MRC_FORWARD_SHIFT, TRACE_MRC_PROBE_SHIFT, TRACE_MRC_RANGE_SHIFT, TRACE_MRC_REASON_SHIFT,
  TRACE_MRC_TRIMMED_SHIFT, TRACE_MESSAGES_BEFORE_SHIFT, TRACE_MESSAGE_FIRST_SHIFT, TRACE_MESSAGE_LAST_SHIFT,
  TRACE_PAUSED, TRACE_PAUSED_AGAIN, TRACE_PAUSE_LAPSED, TRACE_RESUMED, TUNNEL_INNER_ECN_SHIFT, TUNNEL_OUTER_ECN_SHIFT,
  TUNNEL_VISITED_SHIFT, TUNNEL_WRAPPED_SHIFT } from '../../abi/records/packet-trace.js';
import { NACK_NO_BITMAP, NACK_NO_PACKET_BUFFER, NACK_NO_RESOURCE, NACK_OUT_OF_RANGE, NACK_UNEXPECTED_EVENT,
  TRIM_LAST_HOP, TRIM_TRANSIT } from '../../abi/records/transports.js';
import { PACKET_ARN, PACKET_CREDIT, PACKET_ENDPOINT_REQUEST, PACKET_ENDPOINT_RESPONSE, PACKET_NACK, PACKET_PROBE,
  PACKET_READ_REQUEST, PACKET_RNR_NAK, SIM_NONE } from '../../abi/sim-codes.js';
import type { NackReason, PacketRecord } from '../result.js';

/** Codes in the kernel of the reasons for which receivers of MRC reject untrimmed packets. */
export const NACK_CODES: Readonly<Record<NackReason, number>> = {
  'out-of-range': NACK_OUT_OF_RANGE,
  'no-bitmap': NACK_NO_BITMAP,
  'no-packet-buffer': NACK_NO_PACKET_BUFFER,
  'no-resource': NACK_NO_RESOURCE,
  'unexpected-event': NACK_UNEXPECTED_EVENT,
};

/** A change of a port's class: paused, pause extended, or resumed with or without a frame. */
export interface PauseChange {
  /** When it took effect, picoseconds. */
  readonly timePs: number;
  /** Index of the port that is paused. */
  readonly port: number;
  /** Class, 0 to 7. */
  readonly trafficClass: number;
  /** `lapsed`: the pause has expired, or its link has failed. */
  readonly change: 'paused' | 'paused-again' | 'resumed' | 'lapsed';
}

const ECN_MASK = 3;
const TRIMMED_MASK = 3;
const REASON_MASK = 0xff;
const RANGE_MASK = 0xff;
const KINDS: readonly PacketRecord['kind'][] = [
  'data',
  'ack',
  'nak',
  'cnp',
  'fast-cnp',
  'pause',
  'resume',
  'control',
];
/** Kinds whose codes are not consecutive with the others. */
const LATER_KINDS: Readonly<Record<number, PacketRecord['kind']>> = {
  [PACKET_ARN]: 'arn',
  [PACKET_READ_REQUEST]: 'read-request',
  [PACKET_RNR_NAK]: 'rnr-nak',
  [PACKET_NACK]: 'nack',
  [PACKET_CREDIT]: 'credit',
  [PACKET_PROBE]: 'probe',
  [PACKET_ENDPOINT_REQUEST]: 'endpoint-request',
  [PACKET_ENDPOINT_RESPONSE]: 'endpoint-response',
};
const TRIMMED: Readonly<Record<number, 'transit' | 'last-hop'>> = {
  [TRIM_TRANSIT]: 'transit',
  [TRIM_LAST_HOP]: 'last-hop',
};
const REJECTED = new Map(Object.entries(NACK_CODES).map(([reason, code]) => [code, reason as NackReason]));
const CHANGES: Readonly<Record<number, PauseChange['change']>> = {
  [TRACE_PAUSED]: 'paused',
  [TRACE_PAUSED_AGAIN]: 'paused-again',
  [TRACE_RESUMED]: 'resumed',
  [TRACE_PAUSE_LAPSED]: 'lapsed',
};

/** Appends the records of the trace to two lists. */
export function readTrace(view: DataView, region: number, count: number, packets: PacketRecord[],
  pauses: PauseChange[]): void {
  for (let index = 0; index < count; index++) {
    const at = region + index * PACKET_TRACE.bytes;
    const change = CHANGES[view.getUint32(at + PACKET_TRACE.at.kind, true)];
    if (change === undefined) packets.push(readPacket(view, at));
    else pauses.push(readChange(view, at, change));
  }
}

function readChange(view: DataView, at: number, change: PauseChange['change']): PauseChange {
  return {
    timePs: view.getFloat64(at + PACKET_TRACE.at.timePs, true),
    port: view.getUint32(at + PACKET_TRACE.at.port, true),
    trafficClass: view.getUint8(at + PACKET_TRACE.at.cls),
    change,
  };
}

function readPacket(view: DataView, at: number): PacketRecord {
  const u32 = (offset: number): number => view.getUint32(at + offset, true);
  const flow = u32(PACKET_TRACE.at.flow);
  const code = u32(PACKET_TRACE.at.kind);
  const kind = LATER_KINDS[code] ?? KINDS[code] ?? 'data';
  const paused = kind === 'pause' || kind === 'resume';
  const sequence = view.getFloat64(at + PACKET_TRACE.at.sequence, true);
  return {
    timePs: view.getFloat64(at + PACKET_TRACE.at.timePs, true),
    port: u32(PACKET_TRACE.at.port),
    kind,
    flow: flow === SIM_NONE ? -1 : flow,
    sequence: paused || kind === 'arn' ? 0 : sequence,
    lenBytes: u32(PACKET_TRACE.at.lenBytes),
    payloadBytes: u32(PACKET_TRACE.at.payloadBytes),
    trafficClass: paused ? sequence : view.getUint8(at + PACKET_TRACE.at.cls),
    marked: view.getUint8(at + PACKET_TRACE.at.marked) !== 0,
    ...sourcePort(view.getUint16(at + PACKET_TRACE.at.sourcePort, true)),
    ...(kind === 'fast-cnp' ? { origin: u32(PACKET_TRACE.at.origin) } : {}),
    ...(kind === 'arn' ? { arn: { key: u32(PACKET_TRACE.at.origin), timePs: sequence } } : {}),
    ...tunnelOf(u32(PACKET_TRACE.at.tunnel)),
    ...mrcOf(view, at, kind === 'data'),
    ...messageOf(u32(PACKET_TRACE.at.message)),
  };
}

function mrcOf(view: DataView, at: number, isData: boolean): Pick<PacketRecord, 'mrc'> {
  const word = readField(view, at, PACKET_TRACE, 'mrc');
  if (word === 0) return {};
  const isSet = (shift: number): boolean => ((word >>> shift) & 1) !== 0;
  const trimmed = TRIMMED[(word >>> TRACE_MRC_TRIMMED_SHIFT) & TRIMMED_MASK];
  const rejected = REJECTED.get((word >>> TRACE_MRC_REASON_SHIFT) & REASON_MASK);
  const rangeUnits = (word >>> TRACE_MRC_RANGE_SHIFT) & RANGE_MASK;
  const { sentPs, mapFirst, mapLow, mapHigh, cause, received, windowDemand } = readFields(view, at, PACKET_TRACE, [
    'sentPs',
    'mapFirst',
    'mapLow',
    'mapHigh',
    'cause',
    'received',
    'windowDemand',
  ]);
  const windowPenalty = windowDemand & ACK_PENALTY_MAX;
  return {
    mrc: {
      sentPs,
      asks: isSet(TRACE_MRC_ACK_REQUEST_SHIFT),
      again: isSet(TRACE_MRC_AGAIN_SHIFT),
      echo: isSet(TRACE_MRC_ECHO_SHIFT),
      ...(trimmed === undefined ? {} : { trimmed }),
      mapFirst,
      map: (BigInt(mapHigh) << 32n) | BigInt(mapLow),
      cause,
      ...(isData && trimmed !== undefined ? { received: 0, wholePayloadBytes: received } : { received }),
      ...(rejected === undefined ? {} : { rejected }),
      ...(isSet(TRACE_MRC_PROBE_SHIFT) ? { probe: true } : {}),
      ...(rangeUnits === 0 ? {} : { rangeUnits }),
      ...(windowPenalty === 0 ? {} : { windowPenalty }),
      ...((windowDemand & ACK_RESTORES_WINDOW) === 0 ? {} : { restoresWindow: true }),
      ...(isSet(TRACE_MRC_ALWAYS_SKIP_SHIFT) ? { alwaysSkip: true } : {}),
      ...(isSet(TRACE_MRC_FORWARD_SHIFT) ? { towardsDestination: true } : {}),
    },
  };
}

function tunnelOf(word: number): Pick<PacketRecord, 'tunnel'> {
  if (word === 0) return {};
  return {
    tunnel: {
      innerEcn: (word >>> TUNNEL_INNER_ECN_SHIFT) & ECN_MASK,
      outerEcn: (word >>> TUNNEL_OUTER_ECN_SHIFT) & ECN_MASK,
      endCon: ((word >>> TUNNEL_WRAPPED_SHIFT) & 1) !== 0,
      segmentsVisited: word >>> TUNNEL_VISITED_SHIFT,
    },
  };
}

function messageOf(word: number): Pick<PacketRecord, 'message'> {
  if (word === 0) return {};
  return {
    message: {
      isFirst: ((word >>> TRACE_MESSAGE_FIRST_SHIFT) & 1) !== 0,
      isLast: ((word >>> TRACE_MESSAGE_LAST_SHIFT) & 1) !== 0,
      before: word >>> TRACE_MESSAGES_BEFORE_SHIFT,
    },
  };
}

function sourcePort(port: number): Pick<PacketRecord, 'sourcePort'> {
  return port === 0 ? {} : { sourcePort: port };
}

/** The ring of packets that left captured ports, and of pauses and resumes of ports, read from the kernel's memory. */
import * as layout from '../../abi/packet-trace-layout.js';
import { PACKET_ARN, PACKET_READ_REQUEST, PACKET_RNR_NAK, SIM_NONE } from '../../abi/sim-layout.js';
import type { PacketRecord } from '../result.js';

/** A class of a port is paused, its pause is extended, or it resumes by a frame or without one. */
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
/** Those whose codes do not follow the others'. */
const LATER_KINDS: Readonly<Record<number, PacketRecord['kind']>> = {
  [PACKET_ARN]: 'arn',
  [PACKET_READ_REQUEST]: 'read-request',
  [PACKET_RNR_NAK]: 'rnr-nak',
};
const CHANGES: Readonly<Record<number, PauseChange['change']>> = {
  [layout.TRACE_PAUSED]: 'paused',
  [layout.TRACE_PAUSED_AGAIN]: 'paused-again',
  [layout.TRACE_RESUMED]: 'resumed',
  [layout.TRACE_PAUSE_LAPSED]: 'lapsed',
};

/** Appends the contents of the ring to the two lists. */
export function readTrace(view: DataView, region: number, count: number, packets: PacketRecord[],
  pauses: PauseChange[]): void {
  for (let index = 0; index < count; index++) {
    const at = region + index * layout.TRACE_BYTES;
    const change = CHANGES[view.getUint32(at + layout.TRACE_KIND, true)];
    if (change === undefined) packets.push(readPacket(view, at));
    else pauses.push(readChange(view, at, change));
  }
}

function readChange(view: DataView, at: number, change: PauseChange['change']): PauseChange {
  return {
    timePs: view.getFloat64(at + layout.TRACE_TIME, true),
    port: view.getUint32(at + layout.TRACE_PORT, true),
    trafficClass: view.getUint8(at + layout.TRACE_CLASS),
    change,
  };
}

function readPacket(view: DataView, at: number): PacketRecord {
  const u32 = (offset: number): number => view.getUint32(at + offset, true);
  const flow = u32(layout.TRACE_FLOW);
  const code = u32(layout.TRACE_KIND);
  const kind = LATER_KINDS[code] ?? KINDS[code] ?? 'data';
  const paused = kind === 'pause' || kind === 'resume';
  const sequence = view.getFloat64(at + layout.TRACE_SEQUENCE, true);
  return {
    timePs: view.getFloat64(at + layout.TRACE_TIME, true),
    port: u32(layout.TRACE_PORT),
    kind,
    flow: flow === SIM_NONE ? -1 : flow,
    sequence: paused || kind === 'arn' ? 0 : sequence,
    lenBytes: u32(layout.TRACE_LENGTH),
    payloadBytes: u32(layout.TRACE_PAYLOAD),
    trafficClass: paused ? sequence : view.getUint8(at + layout.TRACE_CLASS),
    marked: view.getUint8(at + layout.TRACE_MARKED) !== 0,
    ...sourcePort(view.getUint16(at + layout.TRACE_SOURCE_PORT, true)),
    ...(kind === 'fast-cnp' ? { origin: u32(layout.TRACE_ORIGIN) } : {}),
    ...(kind === 'arn' ? { arn: { key: u32(layout.TRACE_ORIGIN), timePs: sequence } } : {}),
    ...tunnelOf(u32(layout.TRACE_TUNNEL)),
    ...messageOf(u32(layout.TRACE_MESSAGE)),
  };
}

function tunnelOf(word: number): Pick<PacketRecord, 'tunnel'> {
  if (word === 0) return {};
  return {
    tunnel: {
      innerEcn: (word >>> layout.TUNNEL_INNER_ECN_SHIFT) & ECN_MASK,
      outerEcn: (word >>> layout.TUNNEL_OUTER_ECN_SHIFT) & ECN_MASK,
      endCon: ((word >>> layout.TUNNEL_WRAPPED_SHIFT) & 1) !== 0,
      segmentsVisited: word >>> layout.TUNNEL_VISITED_SHIFT,
    },
  };
}

function messageOf(word: number): Pick<PacketRecord, 'message'> {
  if (word === 0) return {};
  return {
    message: {
      isFirst: ((word >>> layout.TRACE_MESSAGE_FIRST_SHIFT) & 1) !== 0,
      isLast: ((word >>> layout.TRACE_MESSAGE_LAST_SHIFT) & 1) !== 0,
      before: word >>> layout.TRACE_MESSAGES_BEFORE_SHIFT,
    },
  };
}

function sourcePort(port: number): Pick<PacketRecord, 'sourcePort'> {
  return port === 0 ? {} : { sourcePort: port };
}

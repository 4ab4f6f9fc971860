/** A packet in the plain network model, and what is reported of it. */
import type { HopSample, RawHop } from '../../reference/algorithms/hpcc/hops.js';
import { swapped, type FlowTuple } from '../compile/ecmp-hash.js';

/** `reply` and `notify`: ConWeave's, between switches. */
export type PacketKind = 'data' | 'ack' | 'nak' | 'cnp' | 'fast-cnp' | 'pause' | 'resume' | 'reply' | 'notify' | 'arn';

/** Bytes that arrived beyond a gap, as a NAK names them. */
export interface ByteRange {
  readonly sequence: number;
  readonly bytes: number;
}

export interface Packet {
  readonly kind: PacketKind;
  /** Index of the flow; -1 for pause frames. */
  readonly flow: number;
  /** Node that it goes to; -1 for pause frames, which end at the next one. */
  readonly destination: number;
  readonly tuple: FlowTuple;
  /** Queue and pause class; of a pause frame the class that it pauses. */
  readonly trafficClass: number;
  /** First payload byte; of ACKs and NAKs the byte expected next. */
  readonly sequence: number;
  readonly payloadBytes: number;
  readonly lenBytes: number;
  /** When the packet, or the one that it acknowledges, left its sender. */
  readonly sentPs: number;
  /** Congestion mark; of ACKs their own one. */
  marked: boolean;
  /** Of ACKs: do they tell of congestion: was the acknowledged packet marked? */
  readonly echo: boolean;
  /** Of selective NAKs: what has arrived beyond the gap. */
  readonly received: ByteRange | undefined;
  /** Telemetry, by data packets gathered and by ACKs carried back: slots in turn, and hops in all. */
  readonly hops: RawHop[];
  hopCount: number;
  /** The same in full, as `standard` has them. */
  records: HopSample[];
  /** HPCC-PINT's encoded utilisation. */
  pintPower: number;
  /** What the switches of a path tell each other by data packets (`lossy/`). */
  label: object | undefined;
  /** Was it damaged on a link? Its host will see. */
  harmed: boolean;
  /** Its outer header; undefined: it is in no tunnel. */
  readonly tunnel?: Tunnel | undefined;
  /** Of a Fast CNP: the switch that made it. */
  readonly origin?: number;
  /** Of an ARN: what it says. */
  readonly arn?: Arn;
}

/** The outer header of a packet in a tunnel of a WAN. */
export interface Tunnel {
  /** Node that it leads to, and those behind that. */
  readonly end: number;
  readonly rest: readonly number[];
  readonly overheadBytes: number;
  readonly innerEcn: number;
  /** As written at the entry; a marked packet has CE in its place. */
  readonly outerEcn: number;
  /** Is it a Fast CNP on its way to an END.CON SID? */
  readonly endCon: boolean;
}

/** A service, flow or class, and for how long it is to be held; 0: it may go on. */
export interface Arn {
  readonly key: number;
  readonly timePs: number;
}

/** What `onEvent` reports, by name. */
export type ModelEventKind = 'start' | 'send' | 'receive' | 'drop' | 'mark' | 'complete' | 'wake' | 'CNP1' | 'CNP'
  | 'ALPHA_UP' | 'ALPHA_DOWN' | 'DEC' | 'DEC_CLAMP' | 'INC_FR' | 'INC_AI' | 'INC_HAI' | 'RELEASE';

/**
 * Called at each step, for debugging.
 * @param node, port, flow indices, or -1. @param sequence of the packet, or the rate after a step of congestion
 * control.
 */
export type ModelListener = (timePs: number, kind: ModelEventKind, node: number, port: number, flow: number,
  sequence: number) => void;

/** What most packets have none of. */
const PLAIN = {
  flow: -1,
  destination: -1,
  tuple: { sourceAddress: 0, destinationAddress: 0, sourcePort: 0, destinationPort: 0 },
  sequence: 0,
  payloadBytes: 0,
  sentPs: 0,
  marked: false,
  echo: false,
  hopCount: 0,
  pintPower: 0,
  received: undefined,
  label: undefined,
  harmed: false,
} as const;

/** What of a data packet its flow and place decide. */
export type DataFields = Pick<
  Packet,
  'flow' | 'destination' | 'tuple' | 'trafficClass' | 'sequence' | 'payloadBytes' | 'lenBytes' | 'sentPs'
>;

export function dataPacket(fields: DataFields): Packet {
  return { ...PLAIN, kind: 'data', hops: [], records: [], ...fields };
}

/** What of an answer the flow's plan says. */
export type AnswerFields = Pick<Packet, 'destination' | 'trafficClass' | 'lenBytes'> & Partial<
  Pick<Packet, 'received' | 'echo'>
>;

/** Bytes that a packet gathered stay with it: an ACK takes them over. */
export function answerTo(packet: Packet, kind: 'ack' | 'nak', sequence: number, fields: AnswerFields): Packet {
  const tuple = swapped(packet.tuple);
  return {
    ...packet,
    received: undefined,
    echo: packet.marked,
    ...fields,
    kind,
    tuple,
    sequence,
    payloadBytes: 0,
    marked: false,
    label: undefined,
    harmed: false,
  };
}

/** A packet that tells a data packet's sender of congestion: by the receiver, or by a switch on its way. */
export function notification(kind: 'cnp' | 'fast-cnp', { flow, tuple, sequence, sentPs }: Packet,
  fields: Pick<Packet, 'destination' | 'trafficClass' | 'lenBytes'>): Packet {
  return { ...PLAIN, kind, flow, tuple: swapped(tuple), sequence, sentPs, hops: [], records: [], ...fields };
}

/** A packet that a switch sends to another one behind a data packet's back, to that packet's sender. */
export function switchPacket(kind: 'reply' | 'notify', { flow, tuple }: Packet,
  fields: Pick<Packet, 'destination' | 'lenBytes' | 'label'>): Packet {
  return { ...PLAIN, kind, flow, tuple: swapped(tuple), trafficClass: 0, hops: [], records: [], ...fields };
}

/** An adaptive routing notification to the neighbour. */
export function arnFrame(arn: Arn, lenBytes: number): Packet {
  return { ...PLAIN, kind: 'arn', hops: [], records: [], trafficClass: 0, lenBytes, arn };
}

/** A frame that pauses a class, or lets it go on. */
export function pauseFrame(kind: 'pause' | 'resume', trafficClass: number, lenBytes: number): Packet {
  return { ...PLAIN, kind, hops: [], records: [], trafficClass, lenBytes };
}

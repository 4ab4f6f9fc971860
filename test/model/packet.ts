/** A packet in the plain network model, and what is reported of it. */
import type { HopSample, RawHop } from '../../src/reference/algorithms/hpcc/hops.js';
import { swapped, type FlowTuple } from '../../src/switching/ecmp-hash.js';

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
  /** Of ACKs: do they report congestion: was the acknowledged packet marked? */
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
  /** What the switches of a path report to each other by data packets (`lossy/`). */
  label: object | undefined;
  /** Was it damaged on a link? Its host will see. */
  corrupted: boolean;
  /** Its outer header; undefined: it is in no tunnel. */
  readonly tunnel?: Tunnel | undefined;
  /** Of a Fast CNP: the switch that made it. */
  readonly origin?: number | undefined;
  /** Of an ARN: what it says. */
  readonly arn?: Arn | undefined;
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

const NO_TUPLE: FlowTuple = { sourceAddress: 0, destinationAddress: 0, sourcePort: 0, destinationPort: 0 };

/** What every packet has of its own. */
type OwnFields = Pick<Packet, 'trafficClass' | 'lenBytes'> & Partial<Packet>;

/** A packet that has none of what is not given. Written field by field, so that all packets have one shape. */
function makePacket(kind: PacketKind, own: OwnFields): Packet {
  return {
    kind,
    flow: own.flow ?? -1,
    destination: own.destination ?? -1,
    tuple: own.tuple ?? NO_TUPLE,
    trafficClass: own.trafficClass,
    sequence: own.sequence ?? 0,
    payloadBytes: own.payloadBytes ?? 0,
    lenBytes: own.lenBytes,
    sentPs: own.sentPs ?? 0,
    marked: false,
    echo: own.echo ?? false,
    received: own.received,
    hops: own.hops ?? [],
    hopCount: own.hopCount ?? 0,
    records: own.records ?? [],
    pintPower: own.pintPower ?? 0,
    label: own.label,
    corrupted: false,
    tunnel: own.tunnel,
    origin: own.origin,
    arn: own.arn,
  };
}

/** What of a data packet its flow and place decide. */
export type DataFields = Pick<
  Packet,
  'flow' | 'destination' | 'tuple' | 'trafficClass' | 'sequence' | 'payloadBytes' | 'lenBytes' | 'sentPs'
>;

export function dataPacket(fields: DataFields): Packet {
  return makePacket('data', fields);
}

/** What of a response the flow's plan says. */
export type ResponseFields = Pick<Packet, 'destination' | 'trafficClass' | 'lenBytes'> & Partial<
  Pick<Packet, 'received' | 'echo'>
>;

/** Bytes that a packet gathered stay with it: an ACK takes them over. */
export function responseTo(packet: Packet, kind: 'ack' | 'nak', sequence: number, fields: ResponseFields): Packet {
  const { flow, tuple, sentPs, hops, hopCount, records, pintPower, marked, tunnel } = packet;
  return makePacket(kind, {
    flow,
    tuple: swapped(tuple),
    sequence,
    sentPs,
    hops,
    hopCount,
    records,
    pintPower,
    tunnel,
    ...fields,
    echo: fields.echo ?? marked,
  });
}

/** A packet that notifies a data packet's sender of congestion: by the receiver, or by a switch on its way. */
export function notification(kind: 'cnp' | 'fast-cnp', { flow, tuple, sequence, sentPs }: Packet,
  fields: Pick<Packet, 'destination' | 'trafficClass' | 'lenBytes'> & Pick<Partial<Packet>, 'origin'>): Packet {
  return makePacket(kind, { flow, tuple: swapped(tuple), sequence, sentPs, ...fields });
}

/** A packet that a switch sends to another one behind a data packet's back, to that packet's sender. */
export function switchPacket(kind: 'reply' | 'notify', { flow, tuple }: Packet,
  fields: Pick<Packet, 'destination' | 'lenBytes' | 'label'>): Packet {
  return makePacket(kind, { flow, tuple: swapped(tuple), trafficClass: 0, ...fields });
}

/** An adaptive routing notification to the neighbour. */
export function arnFrame(arn: Arn, lenBytes: number): Packet {
  return makePacket('arn', { trafficClass: 0, lenBytes, arn });
}

/** A frame that pauses a class, or lets it go on. */
export function pauseFrame(kind: 'pause' | 'resume', trafficClass: number, lenBytes: number): Packet {
  return makePacket(kind, { trafficClass, lenBytes });
}

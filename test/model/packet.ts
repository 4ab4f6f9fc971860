/** A packet in the plain network model, and what is reported of it. */
import type { HopSample, RawHop } from '../../src/reference/algorithms/hpcc/hops.js';
import type { NackReason } from '../../src/sim/result.js';
import { swapped, type FlowTuple } from '../../src/switching/ecmp-hash.js';

/** `reply` and `notify`: ConWeave's, between switches. */
export type PacketKind = 'data' | 'ack' | 'nak' | 'cnp' | 'fast-cnp' | 'pause' | 'resume' | 'reply' | 'notify' | 'arn'
  | 'read-request' | 'rnr-nak' | 'nack' | 'credit';

/** Bytes that arrived beyond a gap, as a NAK names them. */
export interface ByteRange {
  readonly sequence: number;
  readonly bytes: number;
}

/** What a receiver demands of its sender's window. */
export interface WindowDemand {
  readonly penalty: number;
  readonly restores: boolean;
}

/** What an endpoint request says, and its response repeats. */
export interface PortStatusFields {
  readonly pair: number;
  readonly id: number;
  readonly down: readonly number[];
  readonly isResponse: boolean;
}

export interface Packet {
  readonly kind: PacketKind;
  /** Index of the flow; -1 for pause frames. */
  readonly flow: number;
  /** Destination node; -1 for pause frames, which end at the next one. */
  readonly destination: number;
  readonly tuple: FlowTuple;
  /** Queue and pause class; of a pause frame the class that it pauses. */
  readonly trafficClass: number;
  /** First payload byte; of ACKs and NAKs the byte expected next; of credit the pull number. */
  readonly sequence: number;
  readonly payloadBytes: number;
  /** Of data: sequence number of the packet after it. */
  readonly nextSequence: number;
  readonly lenBytes: number;
  /** When the packet, or the one that it acknowledges, left its sender. */
  readonly sentPs: number;
  /** Congestion mark; ACKs have their own. */
  marked: boolean;
  /** Of ACKs: whether they report congestion, so the acknowledged packet was marked. */
  readonly echo: boolean;
  /** Of selective NAKs: what has arrived beyond the gap. */
  readonly received: ByteRange | undefined;
  /** Of ACKs of `tolerant`: first bytes of packets that have arrived out of order. */
  readonly held?: readonly number[] | undefined;
  /** Of SACKs of MRC: first byte of the packet that caused it. */
  readonly cause?: number | undefined;
  /** Of data of MRC: whether it asks for a SACK at once, and whether it is a retransmission. */
  asks?: boolean | undefined;
  readonly again?: boolean | undefined;
  /** Of data under receiver credit: its pull target. */
  pullTarget?: number | undefined;
  /** Of a probe of MRC, which is data without payload, and of its SACK: its number. */
  readonly probe?: number | undefined;
  /** Of the same: it is a probe of a shut window, and none of a path. */
  readonly ofWindow?: boolean | undefined;
  /** Of a SACK of MRC: it says ALWAYS_SKIP. */
  readonly alwaysSkip?: boolean | undefined;
  /** Of a SACK of MRC: packets that its receiver announces to accept from the expected one on; undefined: it announces nothing. */
  readonly rangePackets?: number | undefined;
  /** Of a SACK of MRC: bytes received, in units of 256, 24 bits. */
  readonly receivedUnits?: number | undefined;
  /** Of a SACK of MRC: penalty that its receiver demands of the window, and whether it is to be restored; undefined: nothing. */
  readonly demand?: WindowDemand | undefined;
  /** Where a switch has trimmed it; of a NACK that of its packet. */
  readonly trimmed?: 'transit' | 'last-hop' | undefined;
  /** Of a NACK: why its packet was rejected although it was whole. */
  readonly rejected?: NackReason | undefined;
  /** Of endpoint packets of MRC, which are data or ACKs on their way: the pair of hosts, the number of the update, and the ports that are down. */
  readonly portStatus?: PortStatusFields | undefined;
  /** Telemetry gathered by data packets and returned by ACKs: slots in order, and hops in all. */
  readonly hops: RawHop[];
  hopCount: number;
  /** The same in full, as `standard` keeps them. */
  records: HopSample[];
  /** HPCC-PINT's encoded utilisation. */
  pintPower: number;
  /** What the switches of a path report to each other in data packets (`lossy/`). */
  label: object | undefined;
  /** Whether it was corrupted on a link; its host detects that. */
  corrupted: boolean;
  /** Its outer header; undefined: it is in no tunnel. */
  readonly tunnel?: Tunnel | undefined;
  /** Of a Fast CNP: the switch that made it. */
  readonly origin?: number | undefined;
  /** Contents of an ARN. */
  readonly arn?: Arn | undefined;
}

/** The outer header of a packet in a tunnel of a WAN. */
export interface Tunnel {
  /** Node that it leads to, and those after that. */
  readonly end: number;
  readonly rest: readonly number[];
  readonly overheadBytes: number;
  readonly innerEcn: number;
  /** As written at the entry; a marked packet has CE instead. */
  readonly outerEcn: number;
  /** Whether it is a Fast CNP on its way to an END.CON SID. */
  readonly endCon: boolean;
}

/** A service, flow or class, and for how long it is held; 0: it may resume. */
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

/** The fields that every packet needs. */
type OwnFields = Pick<Packet, 'trafficClass' | 'lenBytes'> & Partial<Packet>;

/** Creates a packet with defaults for the rest. Written field by field, so that all packets have one shape. */
function makePacket(kind: PacketKind, own: OwnFields): Packet {
  return {
    kind,
    flow: own.flow ?? -1,
    destination: own.destination ?? -1,
    tuple: own.tuple ?? NO_TUPLE,
    trafficClass: own.trafficClass,
    sequence: own.sequence ?? 0,
    payloadBytes: own.payloadBytes ?? 0,
    nextSequence: own.nextSequence ?? 0,
    lenBytes: own.lenBytes,
    sentPs: own.sentPs ?? 0,
    marked: false,
    echo: own.echo ?? false,
    received: own.received,
    held: own.held,
    cause: own.cause,
    asks: own.asks,
    again: own.again,
    trimmed: own.trimmed,
    rejected: own.rejected,
    rangePackets: own.rangePackets,
    receivedUnits: own.receivedUnits,
    demand: own.demand,
    pullTarget: own.pullTarget,
    probe: own.probe,
    ofWindow: own.ofWindow,
    alwaysSkip: own.alwaysSkip,
    portStatus: own.portStatus,
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

/** What the flow and the place of a data packet decide. */
export type DataFields = Pick<
  Packet,
  'flow' | 'destination' | 'tuple' | 'trafficClass' | 'sequence' | 'payloadBytes' | 'nextSequence' | 'lenBytes'
    | 'sentPs' | 'asks' | 'again' | 'probe' | 'ofWindow'
>;

export function dataPacket(fields: DataFields): Packet {
  return makePacket('data', fields);
}

/** An endpoint request or response of MRC. */
export function endpointPacket(kind: 'data' | 'ack',
  fields: OwnFields & Pick<Packet, 'flow' | 'destination' | 'tuple' | 'sentPs' | 'portStatus'>): Packet {
  return makePacket(kind, { ...fields, sequence: -1 });
}

/** A request of READ responses from byte `sequence` on. */
export function readRequest(fields: Omit<DataFields, 'payloadBytes'>): Packet {
  return makePacket('read-request', fields);
}

/** Credit for the sender of a flow. */
export function creditPacket(fields: Omit<DataFields, 'payloadBytes' | 'nextSequence' | 'asks' | 'again'>): Packet {
  return makePacket('credit', fields);
}

/** What the flow's plan decides about a response. */
export type ResponseFields = Pick<Packet, 'destination' | 'trafficClass' | 'lenBytes'> & Partial<
  Pick<
    Packet,
    'received' | 'held' | 'cause' | 'trimmed' | 'echo' | 'probe' | 'ofWindow' | 'alwaysSkip' | 'rangePackets'
      | 'receivedUnits' | 'demand'
  >
>;

/** Telemetry of a packet moves to its ACK. */
export function responseTo(packet: Packet, kind: 'ack' | 'nak' | 'rnr-nak' | 'nack', sequence: number,
  fields: ResponseFields): Packet {
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

/** A packet that notifies a data packet's sender of congestion: from the receiver, or from a switch on its way. */
export function notification(kind: 'cnp' | 'fast-cnp', { flow, tuple, sequence, sentPs }: Packet,
  fields: Pick<Packet, 'destination' | 'trafficClass' | 'lenBytes'> & Pick<Partial<Packet>, 'origin'>): Packet {
  return makePacket(kind, { flow, tuple: swapped(tuple), sequence, sentPs, ...fields });
}

/** A packet that a switch sends to another one, addressed to a data packet's sender. */
export function switchPacket(kind: 'reply' | 'notify', { flow, tuple }: Packet,
  fields: Pick<Packet, 'destination' | 'lenBytes' | 'label'>): Packet {
  return makePacket(kind, { flow, tuple: swapped(tuple), trafficClass: 0, ...fields });
}

/** An adaptive routing notification to the neighbour. */
export function arnFrame(arn: Arn, lenBytes: number): Packet {
  return makePacket('arn', { trafficClass: 0, lenBytes, arn });
}

/** A frame that pauses or resumes a class. */
export function pauseFrame(kind: 'pause' | 'resume', trafficClass: number, lenBytes: number): Packet {
  return makePacket(kind, { trafficClass, lenBytes });
}

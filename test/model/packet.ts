/** A packet of the network model, and the events reported for it. */
import type { HopSample, RawHop } from '../../src/reference/algorithms/hpcc/hops.js';
import type { NackReason } from '../../src/sim/result.js';
import { swapped, type FlowTuple } from '../../src/switching/ecmp-hash.js';

/** ConWeave switches exchange `reply` and `notify`. */
export type PacketKind = 'data' | 'ack' | 'nak' | 'cnp' | 'fast-cnp' | 'pause' | 'resume' | 'reply' | 'notify' | 'arn'
  | 'read-request' | 'rnr-nak' | 'nack' | 'credit';

/** Bytes that arrived beyond a gap, as reported by a NAK. */
export interface ByteRange {
  readonly sequence: number;
  readonly bytes: number;
}

/** A change of its window that a receiver requests from the sender. */
export interface WindowDemand {
  readonly penalty: number;
  readonly restores: boolean;
}

/** The contents of an endpoint request and of its response. */
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
  /** Destination node; -1 for pause frames, which the next node consumes. */
  readonly destination: number;
  readonly tuple: FlowTuple;
  /** Queue and pause class; for a pause frame, the class that it pauses. */
  readonly trafficClass: number;
  /** First payload byte; for ACKs and NAKs the byte expected next; for credit the pull number. */
  readonly sequence: number;
  readonly payloadBytes: number;
  /** Data: the sequence number of the packet after it. */
  readonly nextSequence: number;
  readonly lenBytes: number;
  /** The time when the packet, or the one that it acknowledges, left its sender. */
  readonly sentPs: number;
  /** The ECN mark of this packet; an ACK reports that of the data in `echo`. */
  marked: boolean;
  /** ACKs: whether they report congestion because the acknowledged packet was marked. */
  readonly echo: boolean;
  /** Selective NAKs: the bytes that arrived beyond the gap. */
  readonly received: ByteRange | undefined;
  /** ACKs of `tolerant`: the first bytes of packets that arrived out of order. */
  readonly held?: readonly number[] | undefined;
  /** SACKs of MRC: the first byte of the packet that caused the SACK. */
  readonly cause?: number | undefined;
  /** Data of MRC: whether it requests a SACK at once, and whether it is a retransmission. */
  asks?: boolean | undefined;
  readonly again?: boolean | undefined;
  /** Data under receiver credit: its pull target. */
  pullTarget?: number | undefined;
  /** Probes of MRC, which are data without payload, and their SACKs: the number of the probe. */
  readonly probe?: number | undefined;
  /** The same: whether it probes a closed window instead of a path. */
  readonly ofWindow?: boolean | undefined;
  /** SACKs of MRC: whether ALWAYS_SKIP is set. */
  readonly alwaysSkip?: boolean | undefined;
  /** SACKs of MRC: the announced range of packets from the expected one on; undefined: none is announced. */
  readonly rangePackets?: number | undefined;
  /** SACKs of MRC: the bytes received in units of 256, modulo 2^24. */
  readonly receivedUnits?: number | undefined;
  /** SACKs of MRC: the demanded window penalty, and whether to restore the window; undefined: neither. */
  readonly demand?: WindowDemand | undefined;
  /** Where a switch trimmed the packet; for a NACK, the packet that it reports. */
  readonly trimmed?: 'transit' | 'last-hop' | undefined;
  /** NACKs: the reason why an untrimmed packet was rejected. */
  readonly rejected?: NackReason | undefined;
  /** Endpoint packets of MRC, which travel as data or ACKs: the pair of hosts, the update number and the ports down. */
  readonly portStatus?: PortStatusFields | undefined;
  /** Telemetry collected by data packets and returned by ACKs: the slots in order, and the number of hops. */
  readonly hops: RawHop[];
  hopCount: number;
  /** The complete records, which `standard` keeps. */
  records: HopSample[];
  /** HPCC-PINT's encoded utilisation. */
  pintPower: number;
  /** Data that the switches of a path exchange in data packets (`lossy/`). */
  label: object | undefined;
  /** Whether it was corrupted on a link, which its host detects. */
  corrupted: boolean;
  /** The outer header; undefined: the packet is in no tunnel. */
  readonly tunnel?: Tunnel | undefined;
  /** Fast CNPs: the switch that created the packet. */
  readonly origin?: number | undefined;
  /** Contents of an ARN. */
  readonly arn?: Arn | undefined;
}

/** The outer header of a packet in a WAN tunnel. */
export interface Tunnel {
  /** The destination node of the outer header, and the following ones. */
  readonly end: number;
  readonly rest: readonly number[];
  readonly overheadBytes: number;
  readonly innerEcn: number;
  /** The ECN field written at the tunnel entry; a marked packet has CE instead. */
  readonly outerEcn: number;
  /** Whether the packet is a Fast CNP to an END.CON SID. */
  readonly endCon: boolean;
}

/** A service, flow or class and the time for which it is held; 0: it may resume. */
export interface Arn {
  readonly key: number;
  readonly timePs: number;
}

/** The events that `onEvent` reports. */
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

/** Creates a packet with defaults, field by field so that all packets have the same hidden class. */
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

/** The fields of a data packet that depend on its flow and position. */
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

/** A READ request for the data from byte `sequence` on. */
export function readRequest(fields: Omit<DataFields, 'payloadBytes'>): Packet {
  return makePacket('read-request', fields);
}

/** Credit for the sender of a flow. */
export function creditPacket(fields: Omit<DataFields, 'payloadBytes' | 'nextSequence' | 'asks' | 'again'>): Packet {
  return makePacket('credit', fields);
}

/** The fields of a response that depend on the plan of its flow. */
export type ResponseFields = Pick<Packet, 'destination' | 'trafficClass' | 'lenBytes'> & Partial<
  Pick<
    Packet,
    'received' | 'held' | 'cause' | 'trimmed' | 'echo' | 'probe' | 'ofWindow' | 'alwaysSkip' | 'rangePackets'
      | 'receivedUnits' | 'demand'
  >
>;

/** A response to a packet, with the telemetry of the packet. */
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

/** A packet from the receiver or a switch that notifies the sender of a data packet of congestion. */
export function notification(kind: 'cnp' | 'fast-cnp', { flow, tuple, sequence, sentPs }: Packet,
  fields: Pick<Packet, 'destination' | 'trafficClass' | 'lenBytes'> & Pick<Partial<Packet>, 'origin'>): Packet {
  return makePacket(kind, { flow, tuple: swapped(tuple), sequence, sentPs, ...fields });
}

/** A packet from one switch to another, addressed to the sender of a data packet. */
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

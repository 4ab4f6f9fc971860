/** A packet in the plain network model, and what is told of it. */
import type { RawHop } from '../../reference/algorithms/hpcc/hops.js';
import type { FlowTuple } from './ecmp-hash.js';

export type PacketKind = 'data' | 'ack' | 'nak' | 'pause' | 'resume';

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
  /** Of ACKs: was the acknowledged packet marked? */
  readonly echo: boolean;
  /** Telemetry, by data packets gathered and by ACKs carried back: slots in turn, and hops in all. */
  readonly hops: RawHop[];
  hopCount: number;
  /** HPCC-PINT's encoded utilisation. */
  pintPower: number;
}

/** What `onEvent` is told of, by name. */
export type ModelEventKind = 'start' | 'send' | 'receive' | 'drop' | 'mark' | 'complete' | 'wake' | 'CNP1' | 'CNP'
  | 'ALPHA_UP' | 'ALPHA_DOWN' | 'DEC' | 'DEC_CLAMP' | 'INC_FR' | 'INC_AI' | 'INC_HAI' | 'RELEASE';

/**
 * Told of each step, for debugging.
 * @param node, port, flow indices, or -1. @param sequence of the packet, or the rate after a step of congestion control.
 */
export type ModelListener = (timePs: number, kind: ModelEventKind, node: number, port: number, flow: number,
  sequence: number) => void;

/** Bytes that a packet gathered stay with it: an ACK takes them over. */
export function answerTo(packet: Packet, kind: 'ack' | 'nak', sequence: number, fields: AnswerFields): Packet {
  const { tuple } = packet;
  return {
    kind,
    flow: packet.flow,
    destination: fields.destination,
    tuple: {
      sourceAddress: tuple.destinationAddress,
      destinationAddress: tuple.sourceAddress,
      sourcePort: tuple.destinationPort,
      destinationPort: tuple.sourcePort,
    },
    trafficClass: fields.ackClass,
    sequence,
    payloadBytes: 0,
    lenBytes: fields.ackBytes,
    sentPs: packet.sentPs,
    marked: false,
    echo: packet.marked,
    hops: packet.hops,
    hopCount: packet.hopCount,
    pintPower: packet.pintPower,
  };
}

/** What of an answer the flow's plan says. */
export interface AnswerFields {
  readonly destination: number;
  readonly ackClass: number;
  readonly ackBytes: number;
}

const NO_TUPLE: FlowTuple = { sourceAddress: 0, destinationAddress: 0, sourcePort: 0, destinationPort: 0 };

/** A frame that pauses a class, or lets it go on. */
export function pauseFrame(kind: 'pause' | 'resume', trafficClass: number, lenBytes: number): Packet {
  return {
    kind,
    flow: -1,
    destination: -1,
    tuple: NO_TUPLE,
    trafficClass,
    sequence: 0,
    payloadBytes: 0,
    lenBytes,
    sentPs: 0,
    marked: false,
    echo: false,
    hops: [],
    hopCount: 0,
    pintPower: 0,
  };
}

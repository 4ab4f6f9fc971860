/**
 * The path of one flow through a run: a data packet hop by hop, its sender's notification, and the ports on the path. Plain data.
 */
import { noteMaker, type NoteOf } from '../../note-record.js';
import type { PacketRecord } from '../result.js';

/** How a sender learns about its data packets. */
export type ResponseKind = Extract<PacketRecord['kind'], 'ack' | 'nak' | 'cnp' | 'fast-cnp'>;

/** A packet's transit of one link. Times in picoseconds of the run. */
export interface RouteHop {
  /** Its egress port, `node:peer`. */
  readonly port: string;
  /** Node that sent it. */
  readonly node: string;
  /** Node at the other end of the link. */
  readonly peer: string;
  /** When its last bit arrived at the node; at the packet's origin, when it left. */
  readonly arrivedPs: number;
  /** When its first bit left. */
  readonly leftPs: number;
  /** When its last bit arrives at the peer. */
  readonly reachedPs: number;
  /** Length of the frame on this link, outer headers included, bytes. */
  readonly lenBytes: number;
  /** Bytes of other frames that left the port while it waited there. */
  readonly aheadBytes: number;
  /** Whether its outermost header carries CE on this link. */
  readonly marked: boolean;
  /** Its outer header on this link: that of a service's tunnel, one to an END.CON SID, or none. */
  readonly tunnel: 'none' | 'service' | 'end-con';
}

/** A packet from its origin to a host. */
export interface PacketRoute {
  /** Kind of packet. */
  readonly kind: PacketRecord['kind'];
  /** First payload byte of data, or of the data packet that caused a Fast CNP; byte expected next for ACK and NAK; 0 for CNP. */
  readonly sequence: number;
  /** Links in order; at least one. */
  readonly hops: readonly RouteHop[];
  /** Whether its last link led to its destination host. */
  readonly delivered: boolean;
}

/** When data of the flow was held at a port. */
export interface HeldInterval {
  /** When it began, picoseconds. */
  readonly fromPs: number;
  /** When it ended, at most the end of the period shown, picoseconds. */
  readonly toPs: number;
  /** What held it: a PFC pause of its class, or an ARN. */
  readonly by: 'pfc' | 'arn';
}

/** An egress port on the flow's path. */
export interface PathPort {
  /** Name of the port, `node:peer`. */
  readonly port: string;
  /** Bits per second. */
  readonly rateBps: number;
  /** Delay of the link, picoseconds. */
  readonly delayPs: number;
  /** What may pause its egress queues: pause frames, ARNs, or nothing. */
  readonly flowControl: 'pfc' | 'arn' | 'none';
  /** The outer header of data on its link. */
  readonly tunnel: RouteHop['tunnel'];
  /** Longest queue in the whole run, all classes, bytes. */
  readonly maxQueueBytes: number;
  /** Packets that it marked in the whole run. */
  readonly marks: number;
  /** How long PFC paused it in the whole run, picoseconds, summed over classes. */
  readonly pausedPs: number;
  /** How long ARNs held its egress queues in the whole run, picoseconds, summed over services, flows or classes. */
  readonly heldPs: number;
  /** Bytes that waited there at each of `timesPs`. */
  readonly queueBytes: readonly number[];
  /** When the flow's data was held there, between `fromPs` and `toPs`. */
  readonly held: readonly HeldInterval[];
}

/** The path of a flow, with its queues, and the route of its sender's notification. */
export interface FlowPath {
  /** Index of the flow. */
  readonly flow: number;
  /** Name of the sending host. */
  readonly from: string;
  /** Name of the receiving host. */
  readonly to: string;
  /** Start of the period shown, picoseconds of the run. */
  readonly fromPs: number;
  /** End of the period shown. */
  readonly toPs: number;
  /** The sender's first notification of congestion; null: none, and `response` is its first ACK. */
  readonly notification: ResponseKind | null;
  /** The data packet that led to the response. */
  readonly data: PacketRoute;
  /** The notification, or the first ACK; null: none arrived, or it could not be followed. */
  readonly response: PacketRoute | null;
  /** Port at which the data packet was marked, or whose queue caused the Fast CNP; null: none. */
  readonly congestedPort: string | null;
  /** Egress ports of the data packet, in order. */
  readonly ports: readonly PathPort[];
  /** When queues were sampled, picoseconds. */
  readonly timesPs: readonly number[];
  /** What could not be followed. */
  readonly notes: readonly FlowPathNote[];
}

/* Notes on the path of a flow: what could not be followed. */

/** A packet, and where it was seen last. */
interface LastSeen {
  readonly flow: number;
  /** First byte of the packet. */
  readonly sequence: number;
  /** The last port that it left by; null: it left by none. */
  readonly port: string | null;
  /** When it left that port; null: it left by none. */
  readonly atPs: number | null;
}

/** The figures are for programs; the sentences do not use all of them. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- an interface has no index signature
type Sentences = {
  readonly 'notification-not-found': (figures: { readonly flow: number }) => string;
  readonly 'data-not-delivered': (figures: LastSeen) => string;
};

const SENTENCES: Sentences = {
  'notification-not-found': () =>
    'No packet that notified the sender of congestion was found: it reacted to a loss, or too many packets were in flight.',
  'data-not-delivered': () => 'The data packet was lost, or was still in flight when the flow was no longer followed.',
};

/** A note on the path of a flow. */
export type FlowPathNote = NoteOf<Sentences>;

export const pathNote = noteMaker(SENTENCES);

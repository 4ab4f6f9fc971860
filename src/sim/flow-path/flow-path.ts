/** The path of one flow through a run: a data packet hop by hop, what notified its sender, and the ports that it passed. Plain data. */
import type { PacketRecord } from '../result.js';

/** How a sender hears of its data packets. */
export type ResponseKind = Extract<PacketRecord['kind'], 'ack' | 'nak' | 'cnp' | 'fast-cnp'>;

/** A packet's way over one link. Times in picoseconds of the run. */
export interface RouteHop {
  /** `node:peer`, the port that it left by. */
  readonly port: string;
  /** Node that sent it. */
  readonly node: string;
  /** Node at the other end of the link. */
  readonly peer: string;
  /** When its last bit had come to the node; at the node that made it, when it left. */
  readonly arrivedPs: number;
  /** When its first bit left. */
  readonly leftPs: number;
  /** When its last bit comes to the peer. */
  readonly reachedPs: number;
  /** Length of the frame on this link, outer headers included, bytes. */
  readonly lenBytes: number;
  /** Bytes of other frames that left the port while it waited there. */
  readonly aheadBytes: number;
  /** Does its outermost header carry CE on this link? */
  readonly marked: boolean;
  /** Which outer header it has on this link: that of a service's tunnel, one to an END.CON SID, or none. */
  readonly tunnel: 'none' | 'service' | 'end-con';
}

/** A packet from where it was made to a host. */
export interface PacketRoute {
  /** Kind of packet. */
  readonly kind: PacketRecord['kind'];
  /** First payload byte (data, and the data packet that a Fast CNP was made for), or byte expected next (ACK, NAK); of CNPs 0. */
  readonly sequence: number;
  /** Links in their order; at least one. */
  readonly hops: readonly RouteHop[];
  /** Did its last link lead to the host that it was for? */
  readonly delivered: boolean;
}

/** When something that a port sends of the flow was held. */
export interface HeldInterval {
  /** When it began, picoseconds. */
  readonly fromPs: number;
  /** When it ended, at the latest the end of what is shown, picoseconds. */
  readonly toPs: number;
  /** What held it: a PFC pause of its class, or an ARN. */
  readonly by: 'pfc' | 'arn';
}

/** A port that the flow's data leaves by. */
export interface PathPort {
  /** `node:peer`. */
  readonly port: string;
  /** Bits per second. */
  readonly rateBps: number;
  /** Delay of the link, picoseconds. */
  readonly delayPs: number;
  /** What may hold what it sends: pause frames, ARNs, or nothing. */
  readonly flowControl: 'pfc' | 'arn' | 'none';
  /** Which outer header the data has behind it. */
  readonly tunnel: RouteHop['tunnel'];
  /** Longest queue in the whole run, all classes, bytes. */
  readonly maxQueueBytes: number;
  /** Packets that it marked in the whole run. */
  readonly marks: number;
  /** How long PFC paused it in the whole run, picoseconds, summed over classes. */
  readonly pausedPs: number;
  /** How long ARNs held what it sends in the whole run, picoseconds, summed over services, flows or classes. */
  readonly heldPs: number;
  /** Bytes that waited there at each of `timesPs`. */
  readonly queueBytes: readonly number[];
  /** When the flow's data was held there, between `fromPs` and `toPs`. */
  readonly held: readonly HeldInterval[];
}

/** The path of a flow, with its queues, and the route of what notified its sender. */
export interface FlowPath {
  /** Index of the flow. */
  readonly flow: number;
  /** Sending host. */
  readonly from: string;
  /** Receiving host. */
  readonly to: string;
  /** What is shown: from here, picoseconds of the run. */
  readonly fromPs: number;
  /** To here. */
  readonly toPs: number;
  /** What the sender heard of congestion first; null: nothing, and `response` is its first ACK. */
  readonly notification: ResponseKind | null;
  /** The data packet that led to the response. */
  readonly data: PacketRoute;
  /** The notification, or the first ACK; null: none came, or it could not be followed. */
  readonly response: PacketRoute | null;
  /** Port at which the data packet was marked, or for whose queue the Fast CNP was made; null: at none. */
  readonly congestedPort: string | null;
  /** Ports that the data packet left by, in their order. */
  readonly ports: readonly PathPort[];
  /** When queues were looked at, picoseconds. */
  readonly timesPs: readonly number[];
  /** What a reader should know. */
  readonly notes: readonly string[];
}

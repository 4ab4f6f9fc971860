/** Arguments of a custom congestion point's handlers: views on linear memory, the same objects at each call. */
import type { ParameterValues } from '../../config/algorithms/custom/declaration.js';
import type { StateList } from '../events.js';

type AnyState = Record<string, number & StateList>;

/**
 * The egress port of a switch, and its queue for the packet's class. Read it within the handler only; do not keep it.
 */
export interface PointPort<State = AnyState, PortState = AnyState, Parameters = ParameterValues> {
  /** Time of the event, picoseconds. */
  readonly timePs: number;
  /** Bytes in the queue of the packet's class: including the packet in `enqueue`, without it in `dequeue`. */
  readonly queueBytes: number;
  /** Bytes in all queues of the port, including the packet in `enqueue`, without it in `dequeue`. */
  readonly totalQueueBytes: number;
  /** Rate of the port, bits per second. */
  readonly lineRateBps: number;
  /** Threshold Kmin of the scenario's `ecn` scaled to this port's rate, bytes. */
  readonly kminBytes: number;
  /** Threshold Kmax of the scenario's `ecn` scaled to this port's rate, bytes. */
  readonly kmaxBytes: number;
  /** Marking probability at Kmax, 0 to 1. */
  readonly pmax: number;
  /** Index of the switch among the nodes. */
  readonly node: number;
  /** Number of the port within the switch. */
  readonly number: number;
  /** Traffic class of the packet, 0 to 7. */
  readonly trafficClass: number;
  /** The switch's parameters by name. */
  readonly parameters: Parameters;
  /** State of the queue (one per port and class). */
  readonly state: State;
  /** State of the port. */
  readonly portState: PortState;
  /**
   * A random number, 0 <= r < 1, from the seeded generator that the switch's built-in rule would use. At most one per
   * packet.
   * @throws RangeError at the second call for a packet.
   */
  random(): number;
}

/** The packet, and the actions on it. */
export interface PointPacket<FlowState = AnyState> {
  /** Number of its flow. */
  readonly flow: number;
  /** Length of the packet, bytes. */
  readonly lenBytes: number;
  /** Whether it is a data packet; else it is an ACK, a NAK, a CNP or a Fast CNP. */
  readonly isData: boolean;
  /** Whether it is ECN-capable: `mark` has no effect on other packets. */
  readonly isMarkable: boolean;
  /** Whether it was already marked. */
  readonly isMarked: boolean;
  /** Whether the flow's sender accepts Fast CNPs (`hosts.acceptFastCnp`). */
  readonly acceptsFastCnps: boolean;
  /** State of the flow at this switch. */
  readonly flowState: FlowState;
  /** Marks it: congestion experienced (CE). */
  mark(): void;
  /** Sends a Fast CNP to the flow's sender; only for data packets under fidelity `standard`. At most 16 per packet. */
  sendFastCnp(): void;
}

/** Handlers of a custom congestion point. */
export interface PointHandlers<State, PortState, FlowState, Parameters> {
  /** A packet has joined the queue of its egress port. */
  readonly enqueue?: (port: PointPort<State, PortState, Parameters>, packet: PointPacket<FlowState>) => void;
  /** A packet has left the queue and is about to be sent. */
  readonly dequeue?: (port: PointPort<State, PortState, Parameters>, packet: PointPacket<FlowState>) => void;
}

/** What handlers of a custom congestion point are given: views on linear memory, the same objects at each call. */
import type { ParameterValues } from '../../config/algorithms/custom/declaration.js';
import type { StateList } from '../events.js';

type AnyState = Record<string, number & StateList>;

/** The egress port of a switch, and the queue of the packet's class there. Read it in a handler, and do not keep it. */
export interface PointPort<State = AnyState, PortState = AnyState, Parameters = ParameterValues> {
  /** Picoseconds. */
  readonly timePs: number;
  /** Bytes in the queue of the packet's class: in `enqueue` with the packet, in `dequeue` without it. */
  readonly queueBytes: number;
  /** Bytes in all queues of the port, counted likewise. */
  readonly totalQueueBytes: number;
  /** Bits per second. */
  readonly lineRateBps: number;
  /** Thresholds of this port as the scenario's `ecn` sets them, scaled by its rate: bytes, and a share from 0 to 1. */
  readonly kminBytes: number;
  /** Threshold Kmax at the rate of this port, bytes. */
  readonly kmaxBytes: number;
  /** Probability of a mark at Kmax, 0 to 1. */
  readonly pmax: number;
  /** Number of the switch among the nodes. */
  readonly node: number;
  /** Number of the port within the switch. */
  readonly number: number;
  /** Class of the packet, 0 to 7. */
  readonly trafficClass: number;
  /** Parameters at this switch by name. */
  readonly parameters: Parameters;
  /** State of the queue: of this port and class. */
  readonly state: State;
  /** State of the port. */
  readonly portState: PortState;
  /**
   * A random number, 0 <= r < 1, from the seeded generator that the built-in rule of this switch draws from: once per packet.
   *
   * @throws RangeError the second time.
   */
  random(): number;
}

/** The packet, and what becomes of it. */
export interface PointPacket<FlowState = AnyState> {
  /** Number of its flow. */
  readonly flow: number;
  /** Bytes. */
  readonly lenBytes: number;
  /** Data; else an ACK, a NAK, a CNP or a Fast CNP. */
  readonly isData: boolean;
  /** Whether it is ECN-capable: others stay unmarked, whatever is said. */
  readonly isMarkable: boolean;
  /** Whether it was marked before. */
  readonly isMarked: boolean;
  /** Whether the flow's sender accepts Fast CNPs (`hosts.acceptFastCnp`). */
  readonly acceptsFastCnps: boolean;
  /** State of the flow at this switch. */
  readonly flowState: FlowState;
  /** Marks it: congestion experienced. */
  mark(): void;
  /** Sends a Fast CNP to the flow's sender, for data packets under fidelity `standard`. At most 16 per packet. */
  sendFastCnp(): void;
}

/** Handlers of a custom congestion point. */
export interface PointHandlers<State, PortState, FlowState, Parameters> {
  /** A packet has joined the queue of its egress port. */
  readonly enqueue?: (port: PointPort<State, PortState, Parameters>, packet: PointPacket<FlowState>) => void;
  /** A packet has left the queue, and is about to be sent. */
  readonly dequeue?: (port: PointPort<State, PortState, Parameters>, packet: PointPacket<FlowState>) => void;
}

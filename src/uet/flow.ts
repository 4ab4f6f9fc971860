/** A flow: its ends, the state that its sender and receiver share, and the components and counters of its sender. */
import type { FlowState, SenderControl } from './sender-control.js';
import type { Nic } from './network.js';
import { HEADER_BYTES } from './packet.js';
import type { UetParameters } from './parameters.js';
import type { PathSelector } from './path-selectors.js';

/** One sender and one receiver. */
export interface UetFlow {
  /** Index in the connection matrix, from 0. */
  readonly index: number;
  readonly source: number;
  readonly destination: number;
  readonly sizeBytes: number;
  /** Flow ids in packets of the sender and of the receiver. */
  readonly senderId: number;
  readonly receiverId: number;
}

/** The maximum window of all flows. As in the reference, it is that of the flow set up last. */
export interface SharedWindow {
  maxBytes: number;
}

/** Congestion control of the flows of this run. */
export interface FlowSettings {
  readonly parameters: UetParameters;
  readonly isReceiverControlled: boolean;
  readonly isBaseRttFromNacks: boolean;
  readonly isSleek: boolean;
  readonly ackBytes: number;
  readonly shared: SharedWindow;
}

/** Components of a sender. */
export interface SenderParts {
  readonly flow: UetFlow;
  readonly settings: FlowSettings;
  readonly state: FlowState;
  /** Sender-based control; undefined under purely receiver-based control. */
  readonly control: SenderControl | undefined;
  readonly backlog: Backlog;
  readonly paths: PathSelector;
  readonly nic: Nic;
  readonly onFinished: () => void;
}

/** Packets that a sender sent and received. */
export interface SenderCounts {
  newPackets: number;
  retransmissions: number;
  requestsToSend: number;
  acks: number;
  nacks: number;
  pulls: number;
  timeouts: number;
  echoes: number;
  sleekPackets: number;
}

export function noSenderCounts(): SenderCounts {
  return {
    newPackets: 0,
    retransmissions: 0,
    requestsToSend: 0,
    acks: 0,
    nacks: 0,
    pulls: 0,
    timeouts: 0,
    echoes: 0,
    sleekPackets: 0,
  };
}

/**
 * The bytes that a sender has not sent yet: a flow of one size.
 *
 *   bytes = ceil(size / payload) * 64 + size;   a packet takes min(mtu, bytes), so the last one is not padded
 */
export interface Backlog {
  /** Remaining bytes, headers included. */
  readonly bytes: number;
  /** Size of the next new packet, for the window test. */
  readonly nextBytes: number;
  /** Removes the next new packet, and returns its bytes. */
  take(seq: number): number;
  /** Called when `seq` is acknowledged, possibly by several ACKs. */
  acknowledge?(seq: number): void;
  /** Whether an ACK finishes the flow. */
  isFinished(cumulative: number, requestsToSend: number): boolean;
}

/** Bytes of a flow on the wire, headers included. */
export function wireBytes(sizeBytes: number, payloadBytes: number): number {
  return Math.ceil(sizeBytes / payloadBytes) * HEADER_BYTES + sizeBytes;
}

export class FlowBacklog implements Backlog {
  bytes: number;
  readonly #sizeBytes: number;
  readonly #mtuBytes: number;
  readonly #payloadBytes: number;

  constructor(sizeBytes: number, mtuBytes: number) {
    this.#sizeBytes = sizeBytes;
    this.#mtuBytes = mtuBytes;
    this.#payloadBytes = mtuBytes - HEADER_BYTES;
    this.bytes = wireBytes(sizeBytes, this.#payloadBytes);
  }

  get nextBytes(): number {
    return Math.min(this.#mtuBytes, this.bytes);
  }

  take(): number {
    const bytes = this.nextBytes;
    this.bytes -= bytes;
    return bytes;
  }

  isFinished(cumulative: number, requestsToSend: number): boolean {
    return (cumulative - requestsToSend) * this.#payloadBytes >= this.#sizeBytes;
  }
}

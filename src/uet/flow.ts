/** A flow: its ends, the state that its sender and receiver share, and the components and counters of its sender. */
import type { Backlog } from './backlog.js';
import type { FlowState, SenderControl } from './control/sender-control.js';
import type { Nic } from './nic.js';
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

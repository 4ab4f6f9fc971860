/** Components and counters of a sender. */
import type { Backlog } from './backlog.js';
import type { FlowState, SenderControl } from './control/sender-control.js';
import type { FlowSettings, UetFlow } from './flow.js';
import type { Nic } from './nic.js';
import type { PathSelector } from './path-selectors.js';

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

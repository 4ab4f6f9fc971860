/** The state of one emulated host: its port, its QPs, and its counters. */
import type { ResponseFrames } from './response-frames.js';
import type { DataFrames } from './data-frames.js';
import type { CongestionControl } from './congestion-control.js';
import type { Nic } from './nic.js';
import type { Requester } from './requester.js';
import type { Responder } from './responder.js';
import type { FlowSettings, HostSettings } from './settings.js';

/** A host begins to send a frame at `timePs`, and ends at `sentPs`; the bytes are valid until the callback returns. */
export type HostSink = (node: number, frame: Uint8Array, timePs: number, sentPs: number) => void;

/** A QP that sends. */
export interface SendingQp {
  readonly flow: FlowSettings;
  readonly requester: Requester;
  /** Rate of congestion control, bits per second. */
  readonly rateBps: () => number;
}

/** A QP that receives. */
export interface ReceivingQp {
  readonly flow: FlowSettings;
  readonly responder: Responder;
}

/** Counters of a host other than its port's. */
export interface HostCounters {
  /** Frames received. */
  received: number;
  /** Data with CE. */
  marked: number;
  /** CNPs sent. */
  cnpsSent: number;
  /** CNPs received. */
  cnps: number;
  /** Fast CNPs received. */
  fastCnps: number;
  /** Frames with a wrong ICRC, dropped. */
  icrcWrong: number;
  /** Frames for no QP here, or not RoCEv2, dropped. */
  strays: number;
}

/** Internal state. */
export interface Sender extends SendingQp {
  readonly congestionControl: CongestionControl;
  /** Whether its window and its size allow it. */
  readonly maySend: boolean;
  readonly frames: DataFrames;
  /** When its rate allows it. */
  nextSendPs: number;
  /** When its window last opened: packets held by it leave no earlier. */
  openPs: number;
}

/** Internal state. */
export interface Receiver extends ReceivingQp {
  readonly frames: ResponseFrames;
}

/** State of one host. */
export interface Host {
  readonly settings: HostSettings;
  readonly nic: Nic;
  readonly senders: Sender[];
  readonly sendersByQpn: Map<number, Sender>;
  /** By the QPN in Fast CNPs, that of the data: senders and receivers never share one. */
  readonly sendersByPeerQpn: Map<number, Sender>;
  readonly receiversByQpn: Map<number, Receiver>;
  readonly counters: HostCounters;
  /** Numbers in its engines. */
  readonly endpoint: number;
  /** Index of the next sender. */
  turn: number;
}

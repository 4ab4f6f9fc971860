/** The state of one emulated host: its port, its QPs, and its counters. */
import type { ResponseFrames, DataFrames } from './qp-frames.js';
import type { CongestionControl } from './congestion-control.js';
import type { Nic } from './nic.js';
import type { Requester, Responder } from './reliable-connection.js';
import type { FlowSettings, HostSettings } from './settings.js';

/**
 * Called when a host starts to send a frame at `timePs`; its last bit is sent at `sentPs`. Bytes are valid until it
 * returns.
 */
export type HostSink = (node: number, frame: Uint8Array, timePs: number, sentPs: number) => void;

/** A QP that sends. */
export interface SendingQp {
  readonly flow: FlowSettings;
  readonly requester: Requester;
  /** Current congestion control rate, bits per second. */
  readonly rateBps: () => number;
}

/** A QP that receives. */
export interface ReceivingQp {
  readonly flow: FlowSettings;
  readonly responder: Responder;
}

/** Counters of a host, except those of its port. */
export interface HostCounters {
  /** Frames received. */
  received: number;
  /** Data packets received with CE. */
  marked: number;
  /** CNPs sent. */
  cnpsSent: number;
  /** CNPs received. */
  cnps: number;
  /** Fast CNPs received. */
  fastCnps: number;
  /** Frames dropped because of a wrong ICRC. */
  icrcWrong: number;
  /** Frames dropped because they are not RoCEv2, or for no QP here. */
  strays: number;
}

/** State of a sending QP. */
export interface Sender extends SendingQp {
  readonly congestionControl: CongestionControl;
  /** Whether the sender's window and size allow another packet. */
  readonly maySend: boolean;
  readonly frames: DataFrames;
  /** When the sender's rate allows the next packet. */
  nextSendPs: number;
  /** When its window last opened: packets held back by it are sent no earlier. */
  openPs: number;
}

/** State of a receiving QP. */
export interface Receiver extends ReceivingQp {
  readonly frames: ResponseFrames;
}

/** State of one host. */
export interface Host {
  readonly settings: HostSettings;
  readonly nic: Nic;
  readonly senders: Sender[];
  readonly sendersByQpn: Map<number, Sender>;
  /** Senders by the QPN in Fast CNPs, that of the data: senders and receivers never share one. */
  readonly sendersByPeerQpn: Map<number, Sender>;
  readonly receiversByQpn: Map<number, Receiver>;
  readonly counters: HostCounters;
  /** Endpoint number of the host in its engines. */
  readonly endpoint: number;
  /** Index of the sender to serve next. */
  turn: number;
}

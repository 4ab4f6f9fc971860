/** What emulated hosts keep of one of them: its port, its QPs, and what it counts. */
import type { ResponseFrames } from './response-frames.js';
import type { DataFrames } from './data-frames.js';
import type { CongestionControl } from './congestion-control.js';
import type { Nic } from './nic.js';
import type { Requester } from './requester.js';
import type { Responder } from './responder.js';
import type { FlowSettings, HostSettings } from './settings.js';

/** A frame begins to leave a host at `timePs`, and is out at `sentPs`; the bytes are valid until it returns. */
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
  /** Frames that came. */
  received: number;
  /** Data with CE. */
  marked: number;
  /** CNPs that it made. */
  cnpsSent: number;
  /** CNPs that came. */
  cnps: number;
  /** Fast CNPs that came. */
  fastCnps: number;
  /** Frames with a wrong ICRC, dropped. */
  icrcWrong: number;
  /** Frames for no QP here, or not RoCEv2, dropped. */
  strays: number;
}

/** As the host keeps it. */
export interface Sender extends SendingQp {
  readonly congestionControl: CongestionControl;
  /** Its window and its size allow it. */
  readonly maySend: boolean;
  readonly frames: DataFrames;
  /** By its rate. */
  nextSendPs: number;
  /** When its window last opened: what it held leaves no earlier. */
  openPs: number;
}

/** As the host keeps it. */
export interface Receiver extends ReceivingQp {
  readonly frames: ResponseFrames;
}

/** One host, as all of them keep it. */
export interface Host {
  readonly settings: HostSettings;
  readonly nic: Nic;
  readonly senders: Sender[];
  readonly sendersByQpn: Map<number, Sender>;
  /** By the QPN that Fast CNPs name, that of the data: no sender has one that a receiver has. */
  readonly sendersByPeerQpn: Map<number, Sender>;
  readonly receiversByQpn: Map<number, Receiver>;
  readonly counters: HostCounters;
  /** Of its engines. */
  readonly endpoint: number;
  /** Of the sender that is next. */
  turn: number;
}

/** How flows of fidelity `standard` recover from losses, if not by plain go-back-N. Part of a `NetworkPlan`. */
import type { DiscardReason, LossReaction, TimeoutsCount, Transport } from '../../scenario/spec.js';
import type { ForcedDrop } from '../reference-lossy/plan.js';

/** Transports of a plan's flows. */
export interface TransportsPlan {
  /** The different combinations of settings in use. */
  readonly kinds: readonly TransportKind[];
  /** Index into `kinds` of each flow. */
  readonly kindOf: Uint16Array;
  /** Limits of `irn`. */
  readonly irn: IrnLimits;
  /** Loss detection of `tolerant`; omitted: no flow uses it. */
  readonly tolerant?: TolerantLosses;
  /** Settings of `mrc`; omitted: no flow uses it. */
  readonly mrc?: MrcPlan;
  /** Hosts of several planes that tell others which of their ports work; left out: none does. */
  readonly portStatus?: PortStatusPlan;
  /** Arrivals at switches that are dropped. */
  readonly forcedDrops: readonly TransportDrop[];
}

/** Transport settings of a flow's hosts: those of its sender, except the window. */
export interface TransportKind {
  /** Loss recovery. */
  readonly transport: Transport;
  /** Reordering window of the receiver, packets from the expected one on; 1: none is kept out of order. */
  readonly windowPackets: number;
  /** Consecutive retries without progress; null: unlimited. */
  readonly retryCount: number | null;
  /** How congestion control reacts to a loss. */
  readonly lossReaction: LossReaction;
  /** Whether its sender records the entropy of each packet in flight, as `entropy-states` requires; omitted: no. */
  readonly notesEntropies?: true;
  /** `mrc`: whether each packet has its own timer; omitted: one timer per flow. */
  readonly timesPackets?: true;
}

/** Limits of `irn`; times in picoseconds. */
export interface IrnLimits {
  /** Maximum bytes in flight. */
  readonly capBytes: number;
  /** Timeout with at most `fewPackets` in flight. */
  readonly timeoutLowPs: number;
  /** Timeout with more packets in flight. */
  readonly timeoutHighPs: number;
  /** Maximum packets in flight for the low timeout. */
  readonly fewPackets: number;
}

/** When the sender of `tolerant` considers a packet lost that later ones have overtaken; null: never. */
export interface TolerantLosses {
  /** Lost if a packet this many packets later is acknowledged. */
  readonly distancePackets: number | null;
  /** Lost after this time since the first later packet was acknowledged, picoseconds. */
  readonly lossTimePs: number | null;
}

/** Settings of `mrc` for receivers and senders. */
export interface MrcPlan {
  /** A SACK is sent once more bytes than this have arrived since the last one. */
  readonly sackEveryBytes: number;
  /** Whether packets also request a SACK while the window is smaller than `sackEveryBytes` or has no space for another packet. */
  readonly requestsAckInSmallWindow: boolean;
  /** A packet is sent only if it fits into the window completely; omitted: whenever less than the window is in flight. */
  readonly sendsWholePackets?: true;
  /** A packet is lost if one sent this much later is acknowledged, picoseconds; null: never. */
  readonly reorderPs: number | null;
  /** A packet is lost if one this many packets later is acknowledged; omitted: never. */
  readonly reorderPackets?: number;
  /** Packets that a receiver accepts, from the expected one on; omitted: as many as its senders may send. */
  readonly receiverRangePackets?: number;
  /** Receivers announce their range in SACKs, in units of 128 packets, and senders stay within; omitted: no. */
  readonly announcesRange?: true;
  /** The window limits bytes in flight counted by the received bytes of SACKs; omitted: bytes that SACKs have not named. */
  readonly countsReceived?: true;
  /** Penalty of the window that receivers demand in SACKs; omitted: none. */
  readonly windowPenalty?: number;
  /** SACKs restore the window once a penalty has ended; omitted: no. */
  readonly restoresWindow?: true;
  /** A receiver silently drops packets beyond its range; omitted: it sends NACKs. */
  readonly dropsBeyond?: true;
  /** Messages of a QP that may be unacknowledged; omitted: any number. */
  readonly maxMessages?: number;
  /** When hosts begin and end to discard packets, in order of time; omitted: never. */
  readonly discards?: readonly DiscardPlan[];
  /** Length of a NACK. */
  readonly nackBytes: number;
  /** Length of a probe that is sent when the window is closed; omitted: none is sent. */
  readonly windowProbeBytes?: number;
  /** Flows with `timesPackets`: number of consecutive timeouts with the same interval before it doubles. */
  readonly linearTimeouts: number;
  /** Flows with `timesPackets`: which timeouts count as retries. */
  readonly timeoutsCount: TimeoutsCount;
}

/** A host that discards packets from an instant on, or accepts them again. */
export interface DiscardPlan {
  /** When, picoseconds. */
  readonly timePs: number;
  /** Index of the host. */
  readonly node: number;
  /** Why; null: it accepts packets. */
  readonly reason: DiscardReason | null;
}

/** Port status updates of `mrc`. */
export interface PortStatusPlan {
  /** Each host with each peer that it notifies. */
  readonly pairs: readonly PortStatusPair[];
  /** Maximum number of times that an update is sent. */
  readonly sends: number;
  /** Length of an endpoint request, bytes. */
  readonly requestBytes: number;
  /** Length of an endpoint response, bytes. */
  readonly responseBytes: number;
}

/** A host that notifies a peer of its ports. Hosts and adapters are node indices. */
export interface PortStatusPair {
  /** The host whose ports change. */
  readonly host: number;
  /** The adapter of that host. */
  readonly adapter: number;
  /** The host that is notified. */
  readonly peer: number;
  /** The adapter of the peer. */
  readonly peerAdapter: number;
  /** A flow between the two, in either direction, which carries the updates. */
  readonly flow: number;
}

/** One arrival of a packet at a switch, counted from 1 over all switches, is dropped. */
export interface TransportDrop extends ForcedDrop {
  /** Whether `sequence` is the first byte of a data packet, or the byte that an ACK or NAK expects. */
  readonly of: 'data' | 'ack';
}

/** Transport of a flow. */
export function flowTransport(transports: TransportsPlan | undefined, flow: number): Transport {
  return transports?.kinds[transports.kindOf[flow]].transport ?? 'go-back-n';
}

/** Whether a transport is go-back-N without any options, which needs no additional state per flow. */
export function isPlainTransport({ transport, retryCount, lossReaction }: TransportKind): boolean {
  return transport === 'go-back-n' && retryCount === null && lossReaction === 'algorithm';
}

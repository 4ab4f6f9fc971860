/** How flows of fidelity `standard` recover from losses, if not by plain go-back-N. Part of a `NetworkPlan`. */
import type { ForcedDrop } from '../reference-lossy/plan.js';
import type { LossReaction, TimeoutsCount, Transport } from '../../scenario/spec.js';

/** Transports of a plan's flows. */
export interface TransportsPlan {
  /** Those that occur. */
  readonly kinds: readonly TransportKind[];
  /** By flow: index into `kinds`. */
  readonly kindOf: Uint16Array;
  /** Limits of flows of `irn`. */
  readonly irn: IrnLimits;
  /** Losses of flows of `tolerant`; left out: there are none. */
  readonly tolerant?: TolerantLosses;
  /** Of flows of `mrc`; left out: there are none. */
  readonly mrc?: MrcPlan;
  /** Arrivals at switches that are dropped. */
  readonly forcedDrops: readonly TransportDrop[];
}

/** Transport settings of a flow's hosts: those of its sender, except the window. */
export interface TransportKind {
  /** Loss recovery. */
  readonly transport: Transport;
  /** The receiver keeps packets up to this many ahead of the expected one, plus 1. */
  readonly windowPackets: number;
  /** Consecutive retries without progress; null: unlimited. */
  readonly retryCount: number | null;
  /** How congestion control reacts to a loss. */
  readonly lossReaction: LossReaction;
  /** Whether its sender notes the entropy of each packet in flight, as `entropy-states` requires; left out: no. */
  readonly notesEntropies?: true;
  /** Of `mrc`: whether each packet has its timer, or the flow one; left out: the flow. */
  readonly timesPackets?: true;
}

/** Of `irn`; times in picoseconds. */
export interface IrnLimits {
  /** Maximum bytes in flight. */
  readonly capBytes: number;
  /** Timeout with at most `fewPackets` in flight. */
  readonly timeoutLowPs: number;
  /** Timeout with more. */
  readonly timeoutHighPs: number;
  /** Maximum packets in flight for the low timeout. */
  readonly fewPackets: number;
}

/** When a packet of `tolerant` is lost that later ones have overtaken; null: never. */
export interface TolerantLosses {
  /** One this many packets later is acknowledged. */
  readonly distancePackets: number | null;
  /** Time since the first later one was acknowledged, picoseconds. */
  readonly lossTimePs: number | null;
}

/** Receivers and senders of `mrc`. */
export interface MrcPlan {
  /** A SACK is sent once more bytes than this have arrived since the last one. */
  readonly sackEveryBytes: number;
  /** Packets ask for a SACK while the window is smaller than `sackEveryBytes` or has less room than a packet, too. */
  readonly asksInSmallWindow: boolean;
  /** A packet leaves only if it fits into the window whole; left out: while less than the window is in flight. */
  readonly sendsWholePackets?: true;
  /** A packet is lost if one sent this much later is acknowledged, picoseconds; null: never. */
  readonly reorderPs: number | null;
  /** A packet is lost if one this many packets later is acknowledged; left out: never. */
  readonly reorderPackets?: number;
  /** Packets from the expected one on that a receiver accepts; left out: as many as its senders send. */
  readonly receiverRangePackets?: number;
  /** A receiver drops packets beyond its range; left out: it sends NACKs. */
  readonly dropsBeyond?: true;
  /** Length of a NACK. */
  readonly nackBytes: number;
  /** Length of a probe of a shut window; left out: none is sent. */
  readonly windowProbeBytes?: number;
  /** Of flows with `timesPackets`: timeouts in a row that have the same interval, before it doubles. */
  readonly linearTimeouts: number;
  /** Of the same: which timeouts draw on the retries. */
  readonly timeoutsCount: TimeoutsCount;
}

/** One arrival of a packet at a switch, counted from 1 over all switches, is dropped. */
export interface TransportDrop extends ForcedDrop {
  /** Of data, by its first byte; or of ACKs and NAKs, by the byte that they expect. */
  readonly of: 'data' | 'ack';
}

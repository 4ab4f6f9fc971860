/** How flows of fidelity `standard` send again what is lost, where that is not plain go-back-N. Part of a `NetworkPlan`. */
import type { ForcedDrop } from './lossy-plan.js';
import type { LossReaction, Transport } from './scenario/spec.js';

/** Transports of a plan's flows. */
export interface TransportsPlan {
  /** Those that occur. */
  readonly kinds: readonly TransportKind[];
  /** By flow: index into `kinds`. */
  readonly kindOf: Uint16Array;
  /** Limits of flows of `irn`. */
  readonly irn: IrnLimits;
  /** Arrivals at switches that are dropped. */
  readonly forcedDrops: readonly TransportDrop[];
}

/** What a flow's hosts are set to, by its sender but for the window. */
export interface TransportKind {
  /** What is sent again. */
  readonly transport: Transport;
  /** How many packets less 1 ahead of the one expected the receiver keeps one. */
  readonly windowPackets: number;
  /** Retries in a row without progress; null: any number. */
  readonly retryCount: number | null;
  /** What a loss is to congestion control. */
  readonly lossReaction: LossReaction;
}

/** Of `irn`; times in picoseconds. */
export interface IrnLimits {
  /** Bytes in flight at most. */
  readonly capBytes: number;
  /** Timeout with at most `fewPackets` in flight. */
  readonly timeoutLowPs: number;
  /** Timeout with more. */
  readonly timeoutHighPs: number;
  /** Packets in flight up to which the low timeout holds. */
  readonly fewPackets: number;
}

/** One arrival of a packet at a switch, counted from 1 over all switches, is dropped. */
export interface TransportDrop extends ForcedDrop {
  /** Of data, by its first byte; or of ACKs and NAKs, by the byte that they expect. */
  readonly of: 'data' | 'ack';
}

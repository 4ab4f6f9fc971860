/** The result of a run, and the progress reported during it. */
import type { DiscoveryPathResult, FlowResult, Totals } from './result-types.js';

export type * from './packet-record.js';
export type * from './result-types.js';

/** Why a packet was dropped. */
export type DropReason = keyof Totals['drops'];

/** Verdict on a path: see `reportPath` of `roce-cc/discovery`. */
export type DiscoveryVerdict = DiscoveryPathResult['verdict'];

/** Progress of a run. */
export interface Progress {
  /** Simulated time, picoseconds. */
  readonly nowPs: number;
  /** Number of flows that are done. */
  readonly flowsDone: number;
  /** Number of all flows. */
  readonly flowsTotal: number;
  /** Payload received in order so far, bytes. */
  readonly bytesDelivered: number;
  /** Payload of all flows, bytes. */
  readonly bytesTotal: number;
  /** Transmissions by any port so far. */
  readonly packetHops: number;
  /** Events handled so far. */
  readonly events: number;
}

/** The members of a flow's result on losses and packet order. */
export type LossFigures = Required<
  Pick<
    FlowResult,
    'outOfOrderPackets' | 'reorderingDepthPackets' | 'duplicatePackets' | 'naks' | 'retransmittedBytes'
      | 'sackedPackets' | 'beyondWindowPackets' | 'discardedPackets'
  >
>;

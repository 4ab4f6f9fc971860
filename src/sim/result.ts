/** The result of a run, and what is reported while it continues. */
import type { DiscoveryPathResult, FlowResult, Totals } from './result-types.js';

export type * from './packet-record.js';
export type * from './result-types.js';

/** Why a packet was dropped. */
export type DropReason = keyof Totals['drops'];

/** Verdict on a path: see `reportPath` of `roce-cc/discovery`. */
export type DiscoveryVerdict = DiscoveryPathResult['verdict'];

/** Reported while a run continues. */
export interface Progress {
  /** Simulated time, picoseconds. */
  readonly nowPs: number;
  /** Flows that are done. */
  readonly flowsDone: number;
  /** All flows. */
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

/** What a flow's result has about losses and order. */
export type LossFigures = Required<
  Pick<
    FlowResult,
    'outOfOrderPackets' | 'reorderingDepthPackets' | 'duplicatePackets' | 'naks' | 'retransmittedBytes'
      | 'sackedPackets' | 'beyondWindowPackets'
  >
>;

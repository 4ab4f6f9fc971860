/** A flow, and what its two ends share. */
import type { UetParameters } from './parameters.js';

/** One sender and one receiver. */
export interface UetFlow {
  /** From 0, in the order of the connection matrix. */
  readonly index: number;
  readonly source: number;
  readonly destination: number;
  readonly sizeBytes: number;
  /** Ids of packets of the sender and of the receiver. */
  readonly senderId: number;
  readonly receiverId: number;
}

/** The largest window of all flows. Kept of the reference: it is that of the flow set up last. */
export interface SharedWindow {
  maxBytes: number;
}

/** How flows of this run are controlled. */
export interface FlowSettings {
  readonly parameters: UetParameters;
  readonly isReceiverControlled: boolean;
  readonly isBaseRttFromNacks: boolean;
  readonly isSleek: boolean;
  readonly ackBytes: number;
  readonly shared: SharedWindow;
}

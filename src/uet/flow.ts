/** A flow, and the state that its sender and receiver share. */
import type { UetParameters } from './parameters.js';

/** One sender and one receiver. */
export interface UetFlow {
  /** Index in the connection matrix, from 0. */
  readonly index: number;
  readonly source: number;
  readonly destination: number;
  readonly sizeBytes: number;
  /** Flow ids in packets of the sender and of the receiver. */
  readonly senderId: number;
  readonly receiverId: number;
}

/** The maximum window of all flows. As in the reference, it is that of the flow set up last. */
export interface SharedWindow {
  maxBytes: number;
}

/** Congestion control of the flows of this run. */
export interface FlowSettings {
  readonly parameters: UetParameters;
  readonly isReceiverControlled: boolean;
  readonly isBaseRttFromNacks: boolean;
  readonly isSleek: boolean;
  readonly ackBytes: number;
  readonly shared: SharedWindow;
}

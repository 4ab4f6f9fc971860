/** The members of a flow's result about losses and order, in the order of the file's columns; each is left out if it is 0. */
import type { FlowResult } from '../result.js';

export const LOSS_FIGURES = [
  'outOfOrderPackets',
  'reorderingDepthPackets',
  'duplicatePackets',
  'naks',
  'retransmittedBytes',
  'sackedPackets',
  'beyondWindowPackets',
] as const satisfies readonly (keyof FlowResult)[];

/** The members of a flow's result about its verb; each is left out if it is 0. */
export const VERB_FIGURES = ['readRequests', 'rnrNaks', 'rnrWaitPs'] as const satisfies readonly (keyof FlowResult)[];

/** All of them. */
export type LossFigures = Required<Pick<FlowResult, (typeof LOSS_FIGURES)[number]>>;

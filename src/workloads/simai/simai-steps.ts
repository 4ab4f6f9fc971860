/** A pass over the layers of SimAI's workload text, step by step. */
import type { SimaiLayer, SimaiPhase } from './simai-layers.js';

/** A phase as it comes in the pass. */
export interface SimaiStep {
  readonly phase: SimaiPhase;
  readonly isAwaited: boolean;
  readonly layer: SimaiLayer;
  /** Before it: what comes from another stage of the pipeline. */
  readonly receives?: StageExchange;
  /** Behind it: what goes to another stage. */
  readonly sends?: StageExchange;
}

/** Micro-batches pass through a part of each stage's layers, then through the next part of each; backward the other way. */
export interface StageExchange {
  readonly direction: 'forward' | 'backward';
  readonly part: number;
  readonly microBatch: number;
}

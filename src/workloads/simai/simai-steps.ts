/** A pass over the layers of SimAI's workload text, step by step. */
import type { SimaiLayer, SimaiPhase } from './simai-layers.js';

/** One phase of a layer in the pass. */
export interface SimaiStep {
  readonly phase: SimaiPhase;
  readonly isAwaited: boolean;
  readonly layer: SimaiLayer;
  /** What is received from another pipeline stage before it. */
  readonly receives?: StageExchange;
  /** What is sent to another stage after it. */
  readonly sends?: StageExchange;
}

/**
 * Micro-batches go through one part of each stage's layers, then through the next part of each; backward in reverse.
 */
export interface StageExchange {
  readonly direction: 'forward' | 'backward';
  readonly part: number;
  readonly microBatch: number;
}

import type { EngineAbi } from './engine-abi.js';

/** The backend of an engine: its exports, and how to save and load their state. */
export interface Backend {
  /** The calls of the engine. */
  readonly abi: EngineAbi;
  /** Identifies the code that interprets saved state: snapshots of another build are rejected. */
  readonly build: string;
  /** All state, as bytes. */
  save(): Uint8Array;
  /**
   * Loads state saved by the same build with the same configuration. The engine that saved it may have had smaller
   * capacities, which the state contains: QPs and endpoints keep their numbers.
   *
   * @param parameterSets number of parameter sets; `endpoints`: number of endpoints.
   * @returns false, with nothing changed, for a state that the engine cannot use.
   */
  load(state: Uint8Array, parameterSets: number, endpoints: number): boolean;
}

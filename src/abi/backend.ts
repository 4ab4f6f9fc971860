import type { EngineAbi } from './engine-abi.js';

/** The back end of an engine: its exports, and how their state is saved. */
export interface Backend {
  /** The calls of the engine. */
  readonly abi: EngineAbi;
  /** Names the code that gives saved state its meaning: snapshots of another build are rejected. */
  readonly build: string;
  /** All state, as bytes. */
  save(): Uint8Array;
  /**
   * Takes saved state of the same build and configuration back. The capacity of the engine that saved it, which the state
   * holds, may be smaller in any number: QPs and endpoints keep theirs.
   * @param parameterSets how many there are, as of `endpoints`.
   * @returns false, with nothing changed, for a state that the engine can't work with.
   */
  load(state: Uint8Array, parameterSets: number, endpoints: number): boolean;
}

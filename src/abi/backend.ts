import type { EngineAbi } from './engine-abi.js';

/** What stands behind an engine: the exports, and how their state is saved. */
export interface Backend {
  /** The calls of the engine. */
  readonly abi: EngineAbi;
  /** Names the code that gives saved state its meaning: snapshots of another build are refused. */
  readonly build: string;
  /** All state, as bytes. */
  save(): Uint8Array;
  /** Takes saved state of the same build and configuration back. */
  load(state: Uint8Array): void;
}

/** Names in Redis. A queue belongs to one version and one sim.wasm: no other worker can take its jobs. */
import { SIM_WASM_HASH } from '../../sim/kernel/wasm-bytes.js';

/** Of the queue. */
export function queueName(version: string): string {
  return `roce-cc-${version}-${SIM_WASM_HASH}`;
}

/** Each worker keeps its key alive, which describes it. */
export const WORKER_KEYS = 'roce-cc-worker-';
export const WORKER_KEY_SECONDS = 15;

/** A worker's description of itself. */
export interface WorkerFacts {
  readonly version: string;
  readonly wasm: string;
  /** Number of parallel runs. */
  readonly workers: number;
}

export function ownFacts(version: string, workers: number): WorkerFacts {
  return { version, wasm: SIM_WASM_HASH, workers };
}

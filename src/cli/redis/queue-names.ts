/**
 * Names of keys and queues in Redis. A queue belongs to one version and one sim.wasm, so no other worker takes its
 * jobs.
 */
import { SIM_WASM_HASH } from '../../sim/kernel/wasm-bytes.js';

/** Name of the queue for this version. */
export function queueName(version: string): string {
  return `roce-cc-${version}-${SIM_WASM_HASH}`;
}

/** Prefix of the keys in which workers describe themselves. A key expires unless its worker renews it. */
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

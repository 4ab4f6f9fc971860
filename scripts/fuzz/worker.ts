/** A thread of one fuzzer: what hangs or breaks it leaves the runner as it was. */
import { parentPort, workerData } from 'node:worker_threads';
import { Finding } from './fuzzer.js';
import { loadFuzzer } from './fuzzers.js';
import { Random } from './random.js';

/** Message from the runner to the thread. */
export interface WorkerTask {
  readonly name: string;
  readonly seed: number;
  readonly forMs: number;
  /** Most inputs; Infinity: as many as there is time for. */
  readonly maxRounds: number;
  /** Seed of the round that runs, and how many there were. */
  readonly state: SharedArrayBuffer;
}

/** The response. */
export type WorkerResponse = { readonly message: string; readonly input: unknown } | 'done';

/** Rounds between two reads of the clock. */
const ROUNDS = 20;

const { name, seed, forMs, maxRounds, state } = workerData as WorkerTask;
const cells = new Uint32Array(state);
const fuzzer = await loadFuzzer(name);
const random = new Random(seed);
const endMs = performance.now() + forMs;
let response: WorkerResponse = 'done';
try {
  for (let left = maxRounds; left > 0 && performance.now() < endMs; left -= ROUNDS) {
    await fuzzer.run(random, Math.min(left, ROUNDS), (roundSeed) => {
      Atomics.store(cells, 0, roundSeed);
      Atomics.add(cells, 1, 1);
    });
  }
} catch (error) {
  if (!(error instanceof Finding)) throw error;
  response = { message: error.message, input: error.input };
}
parentPort?.postMessage(response);
// Handles that a command left open must not keep the thread.
process.exit();

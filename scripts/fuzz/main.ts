/**
 * All fuzzers, for as long as is asked, two at a time:
 *
 *   npm run fuzz -- --minutes 2 [--seed 1] [--only snapshots]
 *   npm run fuzz -- --rounds 1000000 --only workloads-goal
 *
 * With `--rounds` each ends after that many inputs, however long they take.
 * A round that takes longer than ROUND_MS hangs. The first finding of each fuzzer is written to test/fuzz-corpus, whose
 * files `npx vitest run test/fuzz` runs again, and the exit status is 1. The same seed makes the same inputs.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { FUZZER_NAMES, loadFuzzer } from './fuzzers.js';
import type { WorkerResponse, WorkerTask } from './worker.js';

const CORPUS = fileURLToPath(new URL('../../test/fuzz-corpus/', import.meta.url));
const MINUTE_MS = 60_000;
/** Far above the slowest input: a network of 12,800 hosts compiles in 5 s on a quiet machine. */
const ROUND_MS = 60_000;
const POLL_MS = 500;
const AT_ONCE = 2;
const HEAP_MIB = 700;
const NAME_CHARACTERS = 12;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    rounds: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
});
const minutes = numberOr(values.minutes, 2);
const seed = Math.floor(numberOr(values.seed, Date.now() % 2 ** 32));
const maxRounds = numberOr(values.rounds, Infinity);
const chosen = values.only === undefined ? FUZZER_NAMES : [values.only];
// A name that there is not is rejected at once.
if (values.only !== undefined) await loadFuzzer(values.only);
const forMs = maxRounds < Infinity ?
  Infinity :
  (minutes * MINUTE_MS * Math.min(AT_ONCE, chosen.length)) / chosen.length;
const howLong = maxRounds < Infinity ? `${maxRounds} rounds` : `${(forMs / 1000).toFixed(0)} s`;
print(`seed ${seed}, ${howLong} for each of ${chosen.length} fuzzers`);
// A command line may write any file, but not among the sources.
const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-fuzz-'));
process.chdir(folder);
const waiting = [...chosen];
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await watch(name);
}));
process.chdir(tmpdir());
rmSync(folder, { recursive: true });

/** Runs one fuzzer in a separate thread. */
async function watch(name: string): Promise<void> {
  const task: WorkerTask = { name, seed, forMs, maxRounds, state: new SharedArrayBuffer(8) };
  const cells = new Uint32Array(task.state);
  const worker = new Worker(new URL('./thread.mjs', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    stdin: true,
    // The loader comes by thread.mjs; by its name it would be looked for from the folder that was changed to.
    execArgv: [],
  });
  // A command that reads its standard input finds nothing there.
  worker.stdin?.end();
  const response = await new Promise<WorkerResponse | Error>((resolve) => {
    const look = watchdog(cells, () => {
      resolve(new Error(`no end after ${ROUND_MS} ms`));
    });
    worker.once('message', (message: WorkerResponse) => {
      resolve(message);
    });
    worker.once('error', (error) => {
      resolve(error);
    });
    worker.once('exit', () => {
      clearInterval(look);
      resolve(new Error('the thread ended'));
    });
  });
  await worker.terminate();
  const rounds = Atomics.load(cells, 1);
  report(name, rounds, response instanceof Error ? await broken(name, cells, response.message) : response);
}

/** Calls back once when one round runs for too long; loading the thread is none. */
function watchdog(cells: Uint32Array, hangs: () => void): NodeJS.Timeout {
  let [rounds, sinceMs] = [0, performance.now()];
  return setInterval(() => {
    const now = Atomics.load(cells, 1);
    if (now !== rounds || now === 0) [rounds, sinceMs] = [now, performance.now()];
    else if (performance.now() - sinceMs > ROUND_MS) hangs();
  }, POLL_MS);
}

/** The input of a thread that died. */
async function broken(name: string, cells: Uint32Array, message: string): Promise<WorkerResponse> {
  const { inputOf } = await loadFuzzer(name);
  return { message: `${name}: ${message}`, input: inputOf(Atomics.load(cells, 0)) };
}

function report(name: string, rounds: number, response: WorkerResponse): void {
  if (response === 'done') {
    print(`${name}: ${rounds} rounds, nothing found`);
    return;
  }
  process.exitCode = 1;
  if (rounds === 0) {
    print(response.message);
    return;
  }
  const text = `${JSON.stringify({ fuzzer: name, problem: response.message.split('\n')[0], input: response.input })}\n`;
  const file = `${name}-${createHash('sha256').update(text).digest('hex').slice(0, NAME_CHARACTERS)}.json`;
  writeFileSync(path.join(CORPUS, file), text);
  print(`${response.message}\n  after ${rounds} rounds of seed ${seed}; kept as test/fuzz-corpus/${file}`);
}

function numberOr(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (value >= 0 && Number.isFinite(value)) return value;
  throw new Error(`got ${text}, allowed: numbers from 0`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * How fast GOAL text is read, and what is held of it: `npm run bench-goal [-- --megabytes N]`.
 *
 * Writes a ring all-reduce of N megabytes (default 216) to a new file, reads it as `roce-cc run --goal` does, in
 * chunks of 1 MiB, and removes it. Ranks pass on what they received, chunk by chunk: each send but the first waits for a receive.
 */
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { US_PER_SECOND } from '../src/units.js';
import { readGoal } from '../src/workloads/index.js';
import { machineLines } from './support/machine.js';

const DEFAULT_MEGABYTES = 216;
/** Larger ones have more operations than a graph may. */
const MEGABYTES_MAX = 800;
const MB = 1e6;
/** Of a text of n ranks, over n squared: two operations and a dependency for each of 2 (n - 1) steps. */
const BYTES_PER_PAIR = 200;
const CHUNK_BYTES = 2 ** 20;
const MS_PER_S = 1000;
const KIB = 1024;

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { megabytes: { type: 'string', default: String(DEFAULT_MEGABYTES) } } });
  const megabytes = Number(values.megabytes);
  if (!(megabytes >= 1 && megabytes <= MEGABYTES_MAX)) {
    throw new RangeError(`--megabytes: got ${values.megabytes}, allowed: 1 to ${MEGABYTES_MAX}`);
  }
  for (const line of machineLines()) console.log(line);
  const folder = mkdtempSync(join(tmpdir(), 'roce-cc-goal-'));
  try {
    const file = join(folder, 'ring.goal');
    writeRing(file, Math.round(Math.sqrt((megabytes * MB) / BYTES_PER_PAIR)));
    await measure(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeRing(file: string, ranks: number): void {
  const out = openSync(file, 'w');
  writeSync(out, `num_ranks ${ranks}\n`);
  for (let rank = 0; rank < ranks; rank++) writeSync(out, blockOf(rank, ranks));
  closeSync(out);
}

function blockOf(rank: number, ranks: number): string {
  const [next, previous] = [(rank + 1) % ranks, (rank + ranks - 1) % ranks];
  const lines = [`rank ${rank} {`];
  for (let step = 0; step < 2 * (ranks - 1); step++) {
    lines.push(`s${step}: send 97656b to ${next} tag ${step} cpu 0`,
      `r${step}: recv 97656b from ${previous} tag ${step} cpu 1`);
    if (step > 0) lines.push(`s${step} requires r${step - 1}`);
  }
  return `${lines.join('\n')}\n}\n`;
}

async function measure(file: string): Promise<void> {
  const { size } = statSync(file);
  const beginCpu = process.cpuUsage();
  const beginMs = performance.now();
  const graph = await readGoal(createReadStream(file, { highWaterMark: CHUNK_BYTES }), { name: 'ring.goal' });
  const seconds = (performance.now() - beginMs) / MS_PER_S;
  const { user, system } = process.cpuUsage(beginCpu);
  const operations = graph.operations.kind.length;
  const mostBytes = process.resourceUsage().maxRSS * KIB;
  console.log(`${(size / MB).toFixed(0)} MB, ${operations} operations, ${graph.ranks} ranks`);
  console.log(
    `by the clock ${(size / MB / seconds).toFixed(1)} MB/s, of CPU ${
      ((size / MB) / ((user + system) / US_PER_SECOND)).toFixed(1)
    } MB/s`,
  );
  console.log(
    `at most ${(mostBytes / MB).toFixed(0)} MB resident, ${(mostBytes / operations).toFixed(0)} bytes per operation`,
  );
}

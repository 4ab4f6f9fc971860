/**
 * Random scenarios with random faults, for as long as is asked (test/support/soak-scenarios.ts grows them):
 *
 *   npm run soak -- --minutes 10 [--seed 1]     from this seed on, counting up; a line per minute, counts at the end
 *   npm run soak -- --seed 4711 --runs 1        one of them again
 *
 * Each run has to end without a trap, with everything accounted for and with no flow stuck that has a path; every 20th is run twice,
 * in slices of different lengths, and has to give the same hash. The first that doesn't is reported with the command that repeats
 * it, and the exit status is 1.
 */
import { parseArgs } from 'node:util';
import { soakOnce, type SoakRun } from '../test/support/soak-run.js';

const TWICE_EVERY = 20;
const MINUTE_MS = 60_000;

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, runs: { type: 'string' } },
});
const firstSeed = wholeOr(values.seed, 1);
const endMs = performance.now() + wholeOr(values.minutes, values.runs === undefined ? 10 : Infinity) * MINUTE_MS;
const runsMax = wholeOr(values.runs, Infinity);

const counts = {
  runs: 0,
  rejected: 0,
  twice: 0,
  reference: 0,
  faulty: 0,
  flows: 0,
  unreachable: 0,
  packetHops: 0,
  drops: 0,
  timeouts: 0,
  pauses: 0,
  notifications: 0,
};
let tellAtMs = performance.now() + MINUTE_MS;
for (let seed = firstSeed; seed - firstSeed < runsMax && performance.now() < endMs; seed++) {
  const twice = seed % TWICE_EVERY === 0 || runsMax === 1;
  const run = soakOnce(seed, twice);
  if (run.problems.length > 0) {
    print(`seed ${seed}: ${run.problems.join('\n  ')}\nrepeat: npm run soak -- --seed ${seed} --runs 1`);
    process.exitCode = 1;
    break;
  }
  count(run, twice);
  if (performance.now() < tellAtMs) continue;
  tellAtMs += MINUTE_MS;
  print(`seed ${seed}: ${counts.runs} runs, ${(counts.packetHops / 1e6).toFixed(1)} M packet-hops, nothing wrong`);
}
print(Object.entries(counts).map(([name, value]) => `${name} ${value}`).join(', '));

function wholeOr(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new Error(`got ${text}, allowed: whole numbers from 0`);
}

function count({ result, rejected }: SoakRun, twice: boolean): void {
  counts.runs++;
  counts.rejected += Number(rejected);
  if (result === null) return;
  const { totals, flows } = result;
  counts.twice += Number(twice);
  counts.reference += Number(result.fidelity === 'reference');
  counts.faulty += Number(result.scenario.faults !== undefined);
  counts.flows += flows.length;
  counts.unreachable += flows.filter(({ completionPs }) => completionPs === null).length;
  counts.packetHops += result.packetHops;
  counts.drops += totals.packetsDropped;
  counts.timeouts += totals.timeouts;
  counts.pauses += totals.pauses;
  counts.notifications += totals.cnps + totals.fastCnps;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

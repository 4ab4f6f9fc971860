/**
 * The benchmarks: `npm run bench`.
 *
 *   --suite NAME   one suite: dcqcn, hpcc, nscc, mixed, lookup, packets, fill, styles, wire, sim,
 *                  uet, custom
 *   --only TEXT    only cases whose title holds this text
 *   --rounds N     rounds per case; default 9, with --smoke 2
 *   --no-benny     only the ratios
 *   --smoke        everything tiny: does it run, do all variants agree
 *   --write        renew bench/results.json and bench/RESULTS.md
 *   --node N       measure with that release of Node, of those in test/runtimes/pinned.json
 *
 * First the smaller cases in benny, then every case with its variants round-robin, which is where the ratios come from.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runInBenny } from './suites/benny.js';
import { customSuite } from './suites/custom.js';
import { dcqcnSuite } from './suites/dcqcn.js';
import { fillSuite } from './suites/fill.js';
import { hpccSuite } from './suites/hpcc.js';
import { librarySuite } from './suites/library.js';
import { lookupSuite } from './suites/lookup.js';
import { mixedSuite } from './suites/mixed.js';
import { nsccSuite } from './suites/nscc.js';
import { packetsSuite } from './suites/packets.js';
import type { CasePlan, Suite } from './suites/suite.js';
import { simSuite } from './suites/sim.js';
import { stylesSuite } from './suites/styles.js';
import { uetSuite } from './suites/uet.js';
import { wireSuite } from './suites/wire.js';
import { goalResults, goalsText } from './support/goals.js';
import { interleave, type CaseResult } from './support/interleave.js';
import { machineLines } from './support/machine.js';
import { textTable } from './support/report.js';
import { writeLatest, writeResults, type SuiteResult } from './support/results-file.js';
import { singleResults } from './support/single-results.js';
import { PINS, pinnedProgram } from '../test/runtimes/pinned.js';

const SUITES: readonly Suite[] = [
  dcqcnSuite,
  hpccSuite,
  nsccSuite,
  mixedSuite,
  lookupSuite,
  packetsSuite,
  fillSuite,
  stylesSuite,
  wireSuite,
  simSuite,
  uetSuite,
  customSuite,
  librarySuite,
];
/** Of the pinned runtimes, those that are Node: 20, 22 and so on. */
const NODES = Object.keys(PINS).flatMap((name) => /^node(\d+)$/.exec(name)?.[1] ?? []);
const ROUNDS = 9;
const SMOKE_ROUNDS = 2;
const BENNY_SECONDS = 1;
const BENNY_SMOKE_SECONDS = 0.01;

interface Options {
  readonly smoke: boolean;
  readonly suite: string | undefined;
  readonly only: string | undefined;
  readonly rounds: number;
  readonly benny: boolean;
  readonly write: boolean;
  readonly node: string | undefined;
}

const chosen = readOptions();
const program = chosen.node === undefined ? process.execPath : await pinnedProgram(`node${chosen.node}`);
if (program === process.execPath) await main(chosen);
else process.exitCode = runAgainWith(program);

/** The same command on another release, which then benchmarks itself. */
function runAgainWith(node: string): number {
  const { status, error } = spawnSync(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status ?? 1;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      smoke: { type: 'boolean', default: false },
      suite: { type: 'string' },
      only: { type: 'string' },
      rounds: { type: 'string' },
      'no-benny': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      node: { type: 'string' },
    },
  });
  const { smoke, suite, only, write, node } = values;
  const rounds = Number(values.rounds ?? (smoke ? SMOKE_ROUNDS : ROUNDS));
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new RangeError(`--rounds: got ${values.rounds ?? ''}, allowed: whole numbers from 1 on`);
  }
  if (node !== undefined && !NODES.includes(node)) {
    throw new RangeError(`--node: got ${node}, allowed: ${NODES.join(', ')}`);
  }
  const names = SUITES.map(({ name }) => name);
  if (suite !== undefined && !names.includes(suite)) {
    throw new RangeError(`--suite: got ${suite}, allowed: ${names.join(', ')}`);
  }
  return { smoke, suite, only, rounds, benny: !values['no-benny'], write, node };
}

async function main(options: Options): Promise<void> {
  for (const line of machineLines()) console.log(line);
  console.log();
  const suites = SUITES.filter((suite) => options.suite === undefined || suite.name === options.suite);
  // First of all: what the other suites do to inlining would decide whether a caller's numbers are boxed.
  const singles = options.suite === undefined ? singleResults(options.smoke) : [];
  for (const { name, text } of singles) console.log(`${name}: ${text}`);
  for (const suite of suites) await suite.prepare?.();
  if (options.benny) { for (const suite of suites) await bennyRun(suite, options); }
  const results = suites.map((suite) => ratioRun(suite, options));
  const goals = goalResults(results, singles);
  console.log(goalsText(goals));
  if (options.smoke) return;
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ');
  const run = { command, suites: results, singles, goals };
  console.log(`written: ${writeLatest(run)}`);
  if (options.write) console.log(`written: ${writeResults(run)}`);
}

function wanted(suite: Suite, options: Options): readonly CasePlan[] {
  return suite.plan(options).filter((plan) => options.only === undefined || plan.title.includes(options.only));
}

async function bennyRun(suite: Suite, options: Options): Promise<void> {
  const small = wanted(suite, options).filter((plan) => plan.inBenny);
  const plans = options.smoke ? small.slice(0, 1) : small;
  for (const plan of plans) {
    await runInBenny(plan.make(), { seconds: options.smoke ? BENNY_SMOKE_SECONDS : BENNY_SECONDS });
  }
}

function ratioRun(suite: Suite, options: Options): SuiteResult {
  const cases: CaseResult[] = [];
  for (const plan of wanted(suite, options)) {
    const benchCase = plan.make();
    benchCase.check?.();
    const result = interleave(benchCase, options.rounds, options.smoke ? 0 : undefined);
    console.log(textTable(result));
    cases.push(result);
  }
  return { name: suite.name, about: suite.about, cases };
}

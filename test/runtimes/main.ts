/**
 * The package in every runtime that it is meant for: `npm run runtimes`.
 *
 *   --only node24,bun   only these runtimes
 *
 * Each imports all entries of the packed package and computes the same hashes; processes run the command line too. The
 * exit status is 1 if any fact differs. A missing runtime is skipped with the reason; in CI it is a failure.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { differencesOf, factsOfLines, type Findings } from './compare.js';
import { UnavailableError } from './pinned.js';
import { makeProject, type Project } from './project.js';
import { chosenRuntimes, type Runtime } from './runtimes.js';
import { tableOf, type Row } from './table.js';

interface Outcome {
  readonly row: Row;
  readonly findings?: Findings;
  /** Why the runtime has no findings. */
  readonly problem?: string;
}

const inCi = process.env.CI === 'true';
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const runtimes = chosenRuntimes(values.only?.split(','));
// All runtimes are installed concurrently while the package is packed.
const programs = new Map(runtimes.map((runtime) => [runtime, resolved(runtime.program())]));
const project = await makeProject();
try {
  process.exitCode = await run(project);
} finally {
  project.remove();
}

async function run(installed: Project): Promise<number> {
  const outcomes: Outcome[] = [];
  // Sequential, so that the measured times do not affect each other.
  for (const runtime of runtimes) outcomes.push(await outcomeOf(runtime, installed));
  console.log(tableOf(outcomes.map(({ row }) => row)));
  const problems = [...outcomes.flatMap(({ problem }) => problem ?? []), ...differences(outcomes)];
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? 1 : 0;
}

function differences(outcomes: readonly Outcome[]): readonly string[] {
  const findings = outcomes.flatMap((outcome) => outcome.findings ?? []);
  const base = findings.find(({ name }) => name === runtimes[0]?.name);
  if (base === undefined) return [];
  const known = factsOfLines(readFileSync(new URL('../../bench/hashes.txt', import.meta.url), 'utf8'));
  return differencesOf(findings, base, known);
}

async function outcomeOf(runtime: Runtime, installed: Project): Promise<Outcome> {
  const { name, kind } = runtime;
  const program = await programs.get(runtime);
  if (program === undefined || program instanceof Error) return missing(name, program);
  const startMs = performance.now();
  try {
    const version = await runtime.version(program);
    const facts = await runtime.facts(program, installed);
    const seconds = (performance.now() - startMs) / 1000;
    return { row: { name, version, kind, facts, seconds }, findings: { name, kind, facts } };
  } catch (error) {
    return { row: { name, note: 'failed' }, problem: `${name}: ${messageOf(error)}` };
  }
}

function missing(name: string, reason: Error | undefined): Outcome {
  const text = reason?.message ?? 'no program';
  const mayBeMissing = reason instanceof UnavailableError && !inCi;
  if (mayBeMissing) return { row: { name, note: `skipped: ${text}` } };
  return { row: { name, note: 'missing' }, problem: `${name}: ${text}` };
}

/** An error as a value, even if nothing awaits it. */
function resolved<Value>(promise: Promise<Value>): Promise<Value | Error> {
  return promise.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Runs scenarios one after the other, with progress, until all are done or the user has enough. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Progress, SimResult } from '../../sim/result.js';
import type { OutputStream } from '../output.js';
import type { LoadedScenario } from './load-scenario.js';
import { RunCaptures, type RunCapture } from './run-captures.js';
import { folderOfRun } from './run-names.js';
import { startRunProgress } from './run-progress.js';
import type { Simulator } from './simulator.js';

/** One run and its result. */
export interface Outcome {
  readonly scenario: LoadedScenario;
  readonly result: SimResult;
  /** Stopwatch, for the screen alone: results have no clock in them. */
  readonly wallSeconds: number;
  /** Of the ports that were captured. */
  readonly captures: readonly RunCapture[];
}

export interface RunAllOptions {
  readonly signal: AbortSignal;
  readonly stderr: OutputStream;
  readonly isQuiet: boolean;
  /** Where captures of the ports that the scenario names go; undefined = none are made. */
  readonly pcap: string | undefined;
}

/** Timers, signals and streams get a turn this often. */
const TURN_EVERY_MS = 20;
const MS_PER_SECOND = 1e3;

/** Outcomes in the order of the scenarios; those behind a cancelled one are missing. */
export async function runAll(scenarios: readonly LoadedScenario[], simulator: Simulator,
  options: RunAllOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const scenario of scenarios) {
    if (options.signal.aborted) break;
    const folder = options.pcap === undefined ? undefined : folderOfRun(options.pcap, scenario.name, scenarios.length);
    outcomes.push(await runOne(scenario, simulator, folder, options));
  }
  return outcomes;
}

async function runOne(scenario: LoadedScenario, simulator: Simulator, folder: string | undefined,
  options: RunAllOptions): Promise<Outcome> {
  const { signal, stderr, isQuiet } = options;
  const progress = startRunProgress(stderr, scenario.name, isQuiet);
  const captures = folder === undefined ? undefined : new RunCaptures(simulator.captures(scenario.spec), folder);
  const beganMs = performance.now();
  try {
    const run = simulator.run(scenario.spec, captures === undefined ? { signal } : { signal, onPackets: captures.add });
    const result = await lastOf(run, (step) => {
      progress.update(step);
    });
    const wallSeconds = (performance.now() - beganMs) / MS_PER_SECOND;
    return { scenario, result, wallSeconds, captures: captures?.finish() ?? [] };
  } finally {
    captures?.close();
    progress.stop();
  }
}

/** What a generator returns. Between its steps whatever waits in the event loop gets its turn: a run may never wait itself. */
async function lastOf(run: AsyncGenerator<Progress, SimResult>, onStep: (step: Progress) => void): Promise<SimResult> {
  let turnMs = performance.now();
  for (;;) {
    const step = await run.next();
    if (step.done === true) return step.value;
    onStep(step.value);
    if (performance.now() - turnMs < TURN_EVERY_MS) continue;
    await nextTurn();
    turnMs = performance.now();
  }
}

/** Runs scenarios one after the other, with progress, until all are done or the user has enough. */
import type { SimResult } from '../../sim/result.js';
import type { OutputStream } from '../output.js';
import type { LoadedScenario } from './load-scenario.js';
import { RunCaptures, type RunCapture } from './run-captures.js';
import { folderOfRun } from './run-names.js';
import { startRunProgress } from './run-progress.js';
import type { PreparedScenario } from './simulator.js';

/** A scenario that is compiled, and will run. */
export interface CheckedScenario extends LoadedScenario {
  readonly prepared: PreparedScenario;
}

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
  /** Called when a run has begun to yield, and so can be cancelled. */
  readonly onStarted?: () => void;
  readonly stderr: OutputStream;
  readonly isQuiet: boolean;
  /** Where captures of the ports that the scenario names go; undefined = none are made. */
  readonly pcap: string | undefined;
}

const MS_PER_SECOND = 1e3;

/** Outcomes in the order of the scenarios; those behind a cancelled one are missing. */
export async function runAll(scenarios: readonly CheckedScenario[], options: RunAllOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const scenario of scenarios) {
    if (options.signal.aborted) break;
    const folder = options.pcap === undefined ? undefined : folderOfRun(options.pcap, scenario.name, scenarios.length);
    outcomes.push(await runOne(scenario, folder, options));
  }
  return outcomes;
}

async function runOne(scenario: CheckedScenario, folder: string | undefined, options: RunAllOptions): Promise<Outcome> {
  const { signal, stderr, isQuiet, onStarted } = options;
  const { prepared } = scenario;
  const progress = startRunProgress(stderr, scenario.name, isQuiet);
  const captures = folder === undefined ? undefined : new RunCaptures(prepared.captures, folder);
  const beganMs = performance.now();
  try {
    const run = prepared.run(captures === undefined ? { signal } : { signal, onPackets: captures.add });
    for await (const step of run) {
      onStarted?.();
      progress.update(step);
    }
    const result = await run.result;
    const wallSeconds = (performance.now() - beganMs) / MS_PER_SECOND;
    return { scenario, result, wallSeconds, captures: captures?.finish() ?? [] };
  } finally {
    captures?.close();
    progress.stop();
  }
}

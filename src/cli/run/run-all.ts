/** Runs scenarios one after the other, with progress, until all are done or the user cancels. */
import type { FlowPath, PhaseClock } from '../../sim/index.js';
import type { SimResult } from '../../sim/result.js';
import { jobAlone } from '../../sim/features/jobs/job-scenarios.js';
import { describeError, isExpected } from '../describe-error.js';
import type { Warn } from '../write-file.js';
import type { OutputStream } from '../output.js';
import type { LoadedScenario } from './load-scenario.js';
import { RunCaptures, type RunCapture, nextTurn, writeRateTrace, type RateTraceFile } from './streamed-files.js';
import { fileOfRun, folderOfRun } from './run-names.js';
import { startRunProgress } from './run-progress.js';
import type { NamedGraph, PreparedScenario, Simulator } from './simulator.js';

/** A compiled scenario that is about to run. */
export interface CheckedScenario extends LoadedScenario {
  readonly prepared: PreparedScenario;
}

/** One run and its result. */
export interface Outcome {
  readonly scenario: LoadedScenario;
  readonly result: SimResult;
  /** Wall-clock time, only for display: results do not depend on the clock. */
  readonly wallSeconds: number;
  readonly phases: PhaseClock;
  /** Completion time of each job when run alone, picoseconds, if requested; null: it did not end. */
  readonly alonePs?: readonly (number | null)[];
  /** Graphs of its jobs. */
  readonly graphs?: readonly NamedGraph[];
  /** Path of a flow, if requested. */
  readonly path?: FlowPath;
  /** File of its rate changes, if requested. */
  readonly rateTrace?: string;
  /** Capture files, by port. */
  readonly captures: readonly RunCapture[];
}

export interface RunAllOptions {
  readonly signal: AbortSignal;
  /** Called before a run is set up; the set-up cannot be cancelled. */
  readonly onSetUp?: () => void;
  /** Called once a run yields and can therefore be cancelled. */
  readonly onStarted?: () => void;
  /** Called and awaited when a run is done, before the next one begins. */
  readonly onOutcome: (outcome: Outcome) => Promise<void>;
  readonly stderr: OutputStream;
  readonly isQuiet: boolean;
  /** Folder for captures of the ports that the scenario names; undefined = no captures. */
  readonly pcap: string | undefined;
  /** Runs each job alone as well; undefined = not requested. */
  readonly alone: Simulator | undefined;
  /** The flow whose path is requested; undefined = the first flow to be notified. */
  readonly paths?: { readonly flow: number | undefined } | undefined;
  /** The file of rate changes and the flow to trace; undefined = not requested. */
  readonly trace?: RateTraceFile | undefined;
  /** Called for files that could not be moved to their path. */
  readonly warn: Warn;
}

const MS_PER_SECOND = 1e3;

/**
 * Returns outcomes in the order of the scenarios, up to a cancelled run or before a failed one.
 *
 * @throws what the first run throws; a later failure does not discard the runs before it.
 */
export async function runAll(scenarios: readonly CheckedScenario[], options: RunAllOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const scenario of scenarios) {
    if (options.signal.aborted) break;
    const folder = options.pcap === undefined ? undefined : folderOfRun(options.pcap, scenario.name, scenarios.length);
    const trace = options.trace && {
      ...options.trace,
      file: fileOfRun(options.trace.file, scenario.name, scenarios.length),
    };
    try {
      const outcome = await runOne(scenario, folder, { ...options, trace });
      outcomes.push(outcome);
      await options.onOutcome(outcome);
    } catch (error) {
      if (outcomes.length === 0 || !isExpected(error)) throw error;
      const left = scenarios.slice(outcomes.length + 1).map(({ name }) => name);
      options.warn(`${scenario.name}: ${describeError(error)}`);
      if (left.length > 0) options.warn(`not run: ${left.join(', ')}`);
      break;
    }
    // Handle a Ctrl-C that was pressed during synchronous work.
    await nextTurn();
  }
  return outcomes;
}

async function runOne(scenario: CheckedScenario, folder: string | undefined, options: RunAllOptions): Promise<Outcome> {
  const { signal, stderr, isQuiet, onSetUp, onStarted, warn } = options;
  const { prepared } = scenario;
  const progress = startRunProgress(stderr, scenario.name, { isQuiet, estimate: prepared.estimate?.() });
  const captures = folder === undefined ? undefined : new RunCaptures(prepared.captures, folder, warn);
  const beganMs = performance.now();
  onSetUp?.();
  try {
    const run = prepared.run(captures === undefined ? { signal } : { signal, onPackets: captures.add });
    for await (const step of run) {
      onStarted?.();
      progress.update(step);
    }
    const result = await run.result;
    const wallSeconds = (performance.now() - beganMs) / MS_PER_SECOND;
    const again = result.ended === 'cancelled' ? {} : await secondRuns(prepared, result, options);
    const alonePs = options.alone === undefined ?
      {} :
      { alonePs: await timesAlone(result, scenario, options.alone, signal) };
    return {
      scenario,
      result,
      wallSeconds,
      phases: prepared.phases,
      graphs: prepared.graphs ?? [],
      captures: captures?.finish() ?? [],
      ...again,
      ...alonePs,
    };
  } finally {
    captures?.close();
    progress.stop();
  }
}

/** Results that need a second run: the path of a flow, and rate changes. */
async function secondRuns(prepared: PreparedScenario, result: SimResult,
  { paths, trace, signal, warn }: RunAllOptions): Promise<Pick<Outcome, 'path' | 'rateTrace'>> {
  const path = paths && prepared.follow?.(result, paths.flow);
  const rateTrace = trace && (await writeRateTrace(prepared, trace, signal, warn));
  return { ...(path && { path }), ...(rateTrace !== undefined && { rateTrace }) };
}

async function timesAlone(result: SimResult, { graphs }: CheckedScenario, simulator: Simulator,
  signal: AbortSignal): Promise<(number | null)[]> {
  const times: (number | null)[] = [];
  for (let index = 0; index < (result.jobs?.length ?? 0) && !signal.aborted; index++) {
    const run = simulator.prepare(jobAlone(result, index), Infinity, { graphs }).run({ signal });
    times.push((await run.result).jobs?.[0]?.completionPs ?? null);
  }
  return times;
}

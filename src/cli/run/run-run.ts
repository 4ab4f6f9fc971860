/** Runs `roce-cc run`: loads and checks scenarios, runs them, and writes tables, charts and files. */
import { totalmem } from 'node:os';
import { RoceError } from '../../errors.js';
import type { RecordSpec, ScenarioSpec } from '../../sim/index.js';
import { gbps } from '../../units.js';
import { EXIT_INTERRUPTED, EXIT_TIME_UP, type Output, Failures } from '../output.js';
import { formatSeconds } from '../../view/format.js';
import { cancelOnInterrupt } from './interrupt.js';
import { estimateRuns } from './run-progress.js';
import { EXPORT_ROWS, exportOption } from './export-options.js';
import { loadScenarios, type LoadedScenario } from './load-scenario.js';
import { readAllSettings } from './settings-changes.js';
import { runAll, type CheckedScenario, type RunAllOptions } from './run-all.js';
import { changesOf, chooseJob, filesOf, isSilent, jobFiles, type Job, type RunFlags } from './run-job.js';
import { ShownRuns } from './shown-runs.js';
import { watchHandlers } from '../algorithms/watchdog.js';
import { loadSubstitutes } from '../algorithms/load-algorithm.js';
import { SIMULATOR, type FilesOfRun, type Simulator } from './simulator.js';
import { uetReferenceFor } from './uet-option.js';
import { requirePlaces } from './write-files.js';

/** Default limit, as a share of the machine's memory. */
const MEMORY_SHARE = 0.8;
const MS_PER_SECOND = 1e3;

/**
 * Runs scenarios and shows what happened.
 *
 * @param scenarios files or names of shipped scenarios; empty for the default comparison.
 * @param version of the package, for the report.
 * @returns the exit code; 130 if the user cancelled.
 * @throws RoceError and system errors; all scenarios are checked before the first one runs.
 */
export async function runRun(scenarios: readonly string[], flags: RunFlags, output: Output, version: string,
  simulator: Simulator = SIMULATOR): Promise<number> {
  const job = chooseJob(scenarios, flags);
  const loaded = await loadAll(job.scenarios, flags);
  const substitutes = await loadSubstitutes(flags.substitute ?? []);
  watchHandlers([
    ...loaded.flatMap(({ algorithmFiles, congestionPointFiles }) => [
      ...Object.values(algorithmFiles),
      ...Object.values(congestionPointFiles),
    ]),
    ...Object.values(substitutes),
  ]);
  const uetReference = await uetReferenceFor(loaded.map(({ spec }) => spec));
  const files = { substitutes, ...(uetReference && { uetReference }) };
  const checked = loaded.map((scenario) => checkScenario(scenario, flags, simulator, files));
  if (flags.estimate === true) return await estimateRuns(checked, output);
  return await runChecked(checked, job, { flags, output, version, simulator });
}

/** Inputs of a run in addition to its scenarios. */
interface RunContext {
  readonly flags: RunFlags;
  readonly output: Output;
  readonly version: string;
  readonly simulator: Simulator;
}

async function runChecked(checked: readonly CheckedScenario[], job: Job,
  { flags, output, version, simulator }: RunContext): Promise<number> {
  requirePlaces(checked.map(({ name }) => name), filesOf(flags), job.report);
  // Imported before anything runs: an update could replace it during a long run.
  const reporter = job.report === undefined ? undefined : await import('./write-report.js');
  const failures = new Failures();
  const interrupt = cancelOnInterrupt();
  const timeUp = flags.maxTime === undefined ? undefined : AbortSignal.timeout(flags.maxTime);
  const shown = new ShownRuns(checked, job, flags, output, failures.add);
  const outcomes = await runAll(checked, {
    signal: AbortSignal.any([interrupt.signal, ...(timeUp === undefined ? [] : [timeUp])]),
    onSetUp: () => {
      // All results so far are written, so Ctrl-C may end the process at once: setting up a large network takes time.
      if (shown.isAllOut) interrupt.stop();
    },
    onStarted: interrupt.start,
    onOutcome: (outcome) => shown.add(outcome),
    stderr: output.stderr,
    isQuiet: isSilent(flags),
    pcap: flags.pcap,
    paths: pathsOf(flags, job),
    trace: traceOf(flags),
    alone: flags.alone === true ? simulator : undefined,
    warn: failures.add,
  })
    .finally(() => {
      interrupt.stop();
    });
  // A time limit that expires after the last run has no effect.
  const isCancelled = outcomes.length < checked.length || outcomes.some(({ result }) => result.ended === 'cancelled');
  const isTimeUp = isCancelled && timeUp?.aborted === true && !interrupt.signal.aborted;
  const report = reporter?.writeReport(outcomes, job, { flags, version, warn: failures.add }) ?? [];
  await shown.finish(report,
    isTimeUp || interrupt.signal.aborted ? checked.slice(outcomes.length).map(({ name }) => name) : []);
  const exitCode = failures.report(output);
  if (isTimeUp) return timeIsUp(flags, output);
  return interrupt.signal.aborted ? EXIT_INTERRUPTED : exitCode;
}

async function loadAll(scenarios: readonly string[], flags: RunFlags): Promise<LoadedScenario[]> {
  return await loadScenarios({
    scenarios,
    references: flags.reference,
    files: jobFiles(flags),
    topology: flags.topology,
    topo: flags.topo,
    connections: flags.connections,
    seed: flags.seed,
    algorithms: algorithmsOf(flags),
    changes: changesOf(flags),
    settings: await readAllSettings(flags.settings ?? [], {
      lineRateBps: flags.lineRate ?? gbps(100),
      kind: undefined,
      mssBytes: flags.mss,
      rttPs: flags.rtt,
    }),
    ofReferences: { queues: flags.qlen !== undefined, ignoreUnknownKeys: flags.ignoreUnknownKeys === true },
  });
}

/** The algorithms of --compare, or that of --algorithm. */
function algorithmsOf({ algorithm, compare }: RunFlags): readonly string[] {
  if (Array.isArray(compare)) return compare as readonly string[];
  return algorithm === undefined ? [] : [algorithm];
}

/** Paths are needed for --path and reports only. */
function pathsOf({ path, flow }: RunFlags, { report }: Job): RunAllOptions['paths'] {
  return path === undefined && report === undefined ? undefined : { flow };
}

function traceOf({ trace, flow }: RunFlags): RunAllOptions['trace'] {
  return trace === undefined ? undefined : { file: trace, flow };
}

/** Reports the time limit, on standard error since standard output may have only the result. */
function timeIsUp({ maxTime = 0 }: RunFlags, { stderr }: Output): number {
  stderr.write(`roce-cc run: stopped after ${formatSeconds(maxTime / MS_PER_SECOND)} (--max-time)\n`);
  return EXIT_TIME_UP;
}

function checkScenario(scenario: LoadedScenario, flags: RunFlags, simulator: Simulator,
  files: Pick<FilesOfRun, 'substitutes' | 'uetReference'>): CheckedScenario {
  const { spec, source, graphs, algorithmFiles, congestionPointFiles } = scenario;
  const maxMemory = flags.maxMemory ?? MEMORY_SHARE * totalmem();
  const prepared = withSource(source,
    () => simulator.prepare(spec, maxMemory, { graphs, algorithmFiles, congestionPointFiles, ...files }));
  requireUetFlags(flags, prepared.spec, source);
  requireRecords(flags, prepared.spec.record ?? {}, source);
  requireFlows(flags, prepared.flowCount ?? 0, source);
  return { ...scenario, prepared };
}

/** Rejects options that a run of uet-htsim has no data for. */
function requireUetFlags(flags: RunFlags, { fidelity }: ScenarioSpec, where: string): void {
  if (fidelity !== 'reference-uet') return;
  const exports = EXPORT_ROWS.flatMap(([name, { hasUet }]) => (hasUet ? [] : [name]));
  const given = ([...exports, 'flow', 'estimate'] as const).find((flag) => flags[flag] !== undefined);
  if (given === undefined) return;
  const problem = 'is not an option of scenarios of fidelity reference-uet';
  throw new RoceError('invalid-argument', { what: `--${given}`, problem, where });
}

/** Rejects exports of what the scenario does not record. */
function requireRecords(flags: RunFlags, record: RecordSpec, source: string): void {
  for (const [name, { needs }] of EXPORT_ROWS) {
    if (needs === undefined || flags[name] === undefined || needs.isMet(record)) continue;
    const { problem, hint } = needs;
    throw new RoceError('invalid-argument', { what: exportOption(name), problem, where: source, hint });
  }
}

/** Rejects flows that the scenario does not have. */
function requireFlows({ flow, path }: RunFlags, flowCount: number, source: string): void {
  if (flow !== undefined && flow >= flowCount) {
    const allowed = flowCount === 0 ?
      'absent: flows of this scenario cannot be followed, as messages share records' :
      { min: 0, below: flowCount, multipleOf: 1 };
    throw new RoceError('invalid-argument', { what: '--flow', got: flow, allowed, where: source });
  }
  if (path !== undefined && flowCount === 0)
    throw new RoceError('invalid-argument', { what: '--path', problem: 'needs a flow to follow', where: source });
}

/** Adds the scenario's name to errors that lack it. */
function withSource<T>(source: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RoceError) || error.where.includes(source)) throw error;
    throw error.at(`${source}, ${error.where}`);
  }
}

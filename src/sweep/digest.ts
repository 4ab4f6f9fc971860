/**
 * The part of a run's result that a sweep keeps: some kilobytes, whatever the size of the result, and the same bytes
 * wherever it ran.
 */
import { compileScenario, requireMemory, runScenarioSync, validateScenario, type RunOptions, type ScenarioSpec,
  type SimResult, type ValidScenario } from '../sim/index.js';
import { checkField, inRange } from '../config/field-rules.js';
import { RoceError } from '../errors.js';
import type { AlgorithmsOfScenario } from '../sim/scenario/scenario-files.js';
import type { PointsOfScenario } from '../sim/features/points/compile.js';
import { checkJob } from './check-sweep.js';
import { isPlainMetric, metricsOf, nearestRank, bucketEdges, sizeBuckets, type SizeBucket } from './metrics.js';
import type { PlannedRun, SweepPlan } from './plan.js';

/**
 * Custom algorithms that a job's scenario names, and, for fidelity `reference-uet`, the `uetReference` of
 * `roce-cc/uet`.
 */
export type FilesOfJob = AlgorithmsOfScenario & PointsOfScenario & Pick<RunOptions, 'uetReference'>;

/** Everything that a run needs: plain data, for another thread or machine. */
export interface SweepJob {
  /** The scenario. */
  readonly scenario: ScenarioSpec;
  /** Additional metrics to compute, which not every digest has. */
  readonly metrics: readonly string[];
  /** Upper ends of the size buckets of flows, bytes; null: those of the workload. */
  readonly sizeBuckets: readonly number[] | null;
}

/** The digest of a run's result. */
export interface RunDigest {
  /** Why the run ended. */
  readonly ended: SimResult['ended'];
  /** Hash of the whole result. */
  readonly result: string;
  /** Metrics by name; null if the run has no such value. */
  readonly metrics: Readonly<Record<string, number | null>>;
  /** Slowdown by flow size. */
  readonly buckets: readonly SizeBucket[];
  /** Percentiles 1 to 100 of the slowdown of completed flows; empty if there are none. */
  readonly slowdownPercentiles: readonly number[];
  /** Percentiles 1 to 100 of completion times, picoseconds. */
  readonly completionPsPercentiles: readonly number[];
}

/** The outcome of a run: its digest, or why there is none. */
export type RunOutcome = RunDigest | RunFailure;

/** A run without a result. */
export interface RunFailure {
  /** The run threw an error; needed too much memory; exceeded the time limit; its worker died. */
  readonly ended: 'failed' | 'out-of-memory' | 'out-of-time' | 'crashed';
  /** Explanation, on one line. */
  readonly reason: string;
}

/** Whether the run has a result. */
export function isDigest(outcome: RunOutcome): outcome is RunDigest {
  return 'result' in outcome;
}

/** The job of a planned run. */
export function jobOf(run: PlannedRun, plan: SweepPlan): SweepJob {
  return {
    scenario: run.scenario,
    metrics: plan.metrics.filter((name) => !isPlainMetric(name)).sort(),
    sizeBuckets: plan.sizeBuckets,
  };
}

/**
 * Runs a job on the calling thread.
 *
 * @param maxMemoryBytes runs that would need more are not started.
 * @param files custom algorithms that the scenario names, and the simulator for fidelity `reference-uet`.
 * @returns its digest, or the reason that there is none; a scenario that cannot run is a failed run.
 * @throws RoceError `invalid-sweep` for invalid metrics or sizes; `invalid-config` for an invalid limit.
 */
export function runJob(job: SweepJob, maxMemoryBytes = Infinity, files: FilesOfJob = {}): RunOutcome {
  checkJob(job);
  checkField(maxMemoryBytes, inRange({ min: 0, unit: 'bytes' }), 'maxMemoryBytes');
  try {
    const valid = validateScenario(job.scenario, files);
    const rejected = rejectedFor(valid, maxMemoryBytes);
    if (rejected !== undefined) return rejected;
    const { uetReference } = files;
    const result = valid.uet === null ?
      runScenarioSync(compileScenario(valid)) :
      runScenarioSync(valid.spec, uetReference === undefined ? {} : { uetReference });
    return digestOf(result, job);
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    return { ended: 'failed', reason: error.message };
  }
}

function rejectedFor(valid: ValidScenario, maxMemoryBytes: number): RunFailure | undefined {
  try {
    requireMemory(valid, maxMemoryBytes);
    return undefined;
  } catch (error) {
    if (!(error instanceof RoceError) || error.code !== 'invalid-scenario') throw error;
    return { ended: 'out-of-memory', reason: error.message };
  }
}

/** The digest of a result. */
export function digestOf(result: SimResult, job: Pick<SweepJob, 'metrics' | 'sizeBuckets'>): RunDigest {
  const { flows, scenario } = result;
  const edges = job.sizeBuckets ?? bucketEdges(scenario.workload, flows);
  return {
    ended: result.ended,
    result: result.hash,
    metrics: metricsOf(result, job.metrics),
    buckets: sizeBuckets(flows, edges),
    slowdownPercentiles: percentiles(flows.flatMap(({ slowdown }) => slowdown ?? [])),
    completionPsPercentiles: percentiles(flows.flatMap(({ completionPs }) => completionPs ?? [])),
  };
}

const PERCENTS = Array.from({ length: 100 }, (_, index) => index + 1);

function percentiles(values: readonly number[]): number[] {
  if (values.length === 0) return [];
  const sorted = Float64Array.from(values).sort();
  return PERCENTS.map((percent) => nearestRank(sorted, percent));
}

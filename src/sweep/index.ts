/**
 * `roce-cc/sweep`: many runs of one scenario with different values, and their results. Works in Node and browsers; the
 * command line adds worker threads and a cache of results.
 *
 * @packageDocumentation
 */
export { parseSweep } from './check-sweep.js';
export { planSweep, type PlannedRun, type SweepPlan } from './plan.js';
export type * from './spec.js';
export { METRIC_NAMES } from './metrics.js';
export { runJob, type FilesOfJob, type RunDigest, type RunFailure, type RunOutcome, type SweepJob } from './digest.js';
export type { SizeBucket } from './metrics.js';
export { runSweep, type SweepExecutor, type SweepOptions, rowColumns, rowToJson, rowValues,
  type SweepRow } from './run-sweep.js';
export { summarisePoints, type MeanOverSeeds, type PointSummary } from './summary.js';

/**
 * Runs `roce-cc run --estimate`: predicts memory and time of runs from their plans, and from the speed of the first
 * seconds.
 */
import { EXIT_OK, type Output } from '../output.js';
import { printable } from '../printable.js';
import type { CheckedScenario } from './run-all.js';
import { estimateWords, shareDone, wallTimeWords, type RunLimits } from './run-progress.js';

/** Wall-clock time of the trial run: long enough for queues to fill, which slows a run down. */
const PROBE_MS = 4000;
const WARM_UP_MS = 1500;

/** Writes a line for each run. @returns the exit code. */
export async function estimateRuns(scenarios: readonly CheckedScenario[], { stdout }: Output): Promise<number> {
  for (const { name, prepared } of scenarios) {
    const estimate = prepared.estimate?.();
    if (estimate === undefined) continue;
    const runMs = await timeOf(prepared, estimate);
    const { validate, compile } = prepared.phases.totalMs;
    const time = runMs === undefined ? '' : `, ${wallTimeWords(validate + compile + runMs)} on this machine`;
    stdout.write(`${printable(name)}: ${estimateWords(estimate)}${time}\n`);
  }
  return EXIT_OK;
}

/**
 * Estimates the run's wall-clock time by running it for some seconds. The warm-up is not measured, as JavaScript is
 * still being compiled.
 */
async function timeOf({ run }: CheckedScenario['prepared'], limits: RunLimits): Promise<number | undefined> {
  const controller = new AbortController();
  const beganMs = performance.now();
  const running = run({ signal: controller.signal });
  let first: Point | undefined;
  let last: Point | undefined;
  for await (const progress of running) {
    const elapsedMs = performance.now() - beganMs;
    last = { elapsedMs, share: shareDone(progress, limits) };
    if (elapsedMs >= WARM_UP_MS) first ??= last;
    if (elapsedMs >= PROBE_MS) controller.abort();
  }
  await running.result;
  return controller.signal.aborted ? timeAt(first, last) : performance.now() - beganMs;
}

interface Point {
  readonly elapsedMs: number;
  readonly share: number;
}

/** Time of the whole run, extrapolated from two points; undefined if there was no progress between them. */
function timeAt(first: Point | undefined, last: Point | undefined): number | undefined {
  if (first === undefined || last === undefined || last.share <= first.share) return undefined;
  return last.elapsedMs + ((1 - last.share) * (last.elapsedMs - first.elapsedMs)) / (last.share - first.share);
}

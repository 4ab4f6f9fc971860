/** `roce-cc run --estimate`: what runs would take, from their plans and from the speed of their first seconds. */
import { EXIT_OK, type Output } from '../output.js';
import { printable } from '../printable.js';
import type { CheckedScenario } from './run-all.js';
import { estimateWords, timeLeftMs, wallTimeWords } from './run-time.js';

/** Long enough for queues to fill, which slows a run down. */
const PROBE_MS = 3000;

/** Writes a line for each run. @returns the exit code. */
export async function estimateRuns(scenarios: readonly CheckedScenario[], { stdout }: Output): Promise<number> {
  for (const { name, prepared } of scenarios) {
    const estimate = prepared.estimate?.();
    if (estimate === undefined) continue;
    const timeMs = await timeOf(prepared, estimate);
    const time = timeMs === undefined ? '' : `, ${wallTimeWords(timeMs)} on this machine`;
    stdout.write(`${printable(name)}: ${estimateWords(estimate)}${time}\n`);
  }
  return EXIT_OK;
}

/** Runs it for some seconds. */
async function timeOf({ run }: CheckedScenario['prepared'],
  limits: Parameters<typeof timeLeftMs>[2]): Promise<number | undefined> {
  const controller = new AbortController();
  const beganMs = performance.now();
  const running = run({ signal: controller.signal });
  let timeMs: number | undefined;
  for await (const progress of running) {
    const elapsedMs = performance.now() - beganMs;
    const leftMs = timeLeftMs(progress, elapsedMs, limits);
    if (leftMs !== undefined) timeMs = elapsedMs + leftMs;
    if (elapsedMs >= PROBE_MS) controller.abort();
  }
  await running.result;
  return controller.signal.aborted ? timeMs : performance.now() - beganMs;
}

/** The convergence example of "RoCE Network Proposal" (slide 6) as runs. */
import { readFileSync } from 'node:fs';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

const EXAMPLE = JSON.parse(
  readFileSync(new URL('../../examples/scenarios/convergence-1024.json', import.meta.url), 'utf8'),
) as ScenarioSpec;
/** One flow per port, with the bytes of 64. */
const SIXTEEN: ScenarioSpec['workload'] = { kind: 'incast', senders: 16, sizeBytes: 19_200_000 };
const CONNECTX: ScenarioSpec['algorithms'] = { dcqcn: { preset: 'dcqcn-connectx' } };
const PORT = 's0:h16';

/** Rows of the table by name. */
export const CONVERGENCE_RUNS: Readonly<Record<string, ScenarioSpec>> = {
  '1,024 flows, each cut halves': EXAMPLE,
  '1,024 flows, ConnectX as shipped': { ...EXAMPLE, algorithms: CONNECTX },
  '16 flows, each cut halves': { ...EXAMPLE, workload: SIXTEEN },
  '16 flows, ConnectX as shipped': { ...EXAMPLE, workload: SIXTEEN, algorithms: CONNECTX },
};

/** When the queue stopped growing, microseconds, and how long it was then, bytes. */
export function convergenceOf(spec: ScenarioSpec): { timeUs: number; queueBytes: number } {
  const { series } = runScenarioSync(spec);
  const most = series.mostQueueBytes?.[PORT] ?? [];
  const queueBytes = most.reduce((longest, bytes) => Math.max(longest, bytes), 0);
  return { timeUs: (series.timesPs[most.indexOf(queueBytes)] ?? NaN) / 1e6, queueBytes };
}

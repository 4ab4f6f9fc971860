/** Runs graphs on one switch: 100 Gb/s, 1 us per link, without congestion control. */
import { runScenarioSync, type SimResult } from '../../../src/sim/index.js';
import type { JobSpec, ScenarioSpec } from '../../../src/sim/scenario/spec.js';
import { parseGoal, type WorkloadGraph } from '../../../src/workloads/index.js';

export function starScenario(hosts: number, job: Partial<JobSpec> = {}): ScenarioSpec {
  return {
    name: 'graph',
    topology: { kind: 'star', hosts: Math.max(2, hosts), rateGbps: 100, delayNs: 1000 },
    workload: { kind: 'job', format: 'goal', file: 'graph', ...job },
  };
}

export function runGraph(graph: WorkloadGraph, job: Partial<JobSpec> = {}): SimResult {
  return runScenarioSync(starScenario(graph.ranks, job), { graphs: { graph } });
}

/** The graph of GOAL blocks without their braces, one per rank. */
export function goalOf(...blocks: readonly string[]): string {
  return `num_ranks ${blocks.length}\n${blocks.map((lines, rank) => `rank ${rank} {\n${lines}\n}\n`).join('')}`;
}

export function runGoal(job: Partial<JobSpec>, ...blocks: readonly string[]): SimResult {
  return runGraph(parseGoal(goalOf(...blocks), { selfMessages: 'no-time' }), job);
}

/** The completion time of the first job in ns. */
export function endNs({ jobs }: SimResult): number {
  return (jobs?.[0]?.endPs ?? NaN) / 1000;
}

/** The completion time of each of its ranks in ns. */
export function rankEndsNs({ jobs }: SimResult): number[] {
  return (jobs?.[0]?.rankEndPs ?? []).map((endPs) => (endPs ?? NaN) / 1000);
}

/** The time in ns at which the last byte of a message reaches its receiver: docs/specs/workloads.md, 6.5. */
export function deliveredNs(sizeBytes: number): number {
  const packets = Math.ceil(sizeBytes / 1024);
  return 0.08 * (sizeBytes + 102 * packets) + 0.08 * (Math.min(sizeBytes, 1024) + 102) + 2000;
}

export function ackedNs(sizeBytes: number): number {
  return deliveredNs(sizeBytes) + 2016.96;
}

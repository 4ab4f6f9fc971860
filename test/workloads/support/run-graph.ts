/** Graphs on one switch: 100 Gb/s, 1 us per link, no congestion control that would react. */
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

/** Text of blocks without their braces, one per rank. */
export function goalOf(...blocks: readonly string[]): string {
  return `num_ranks ${blocks.length}\n${blocks.map((lines, rank) => `rank ${rank} {\n${lines}\n}\n`).join('')}`;
}

export function runGoal(job: Partial<JobSpec>, ...blocks: readonly string[]): SimResult {
  return runGraph(parseGoal(goalOf(...blocks), { selfMessages: 'no-time' }), job);
}

/** When the first job was done, ns. */
export function endNs({ jobs }: SimResult): number {
  return (jobs?.[0]?.endPs ?? NaN) / 1000;
}

/** When each rank of it was. */
export function rankEndsNs({ jobs }: SimResult): number[] {
  return (jobs?.[0]?.rankEndPs ?? []).map((endPs) => (endPs ?? NaN) / 1000);
}

/** Last octet of a message at its receiver, and last ACK at its sender: docs/specs/workloads.md, 6.5, in ns. */
export function deliveredNs(sizeBytes: number): number {
  const packets = Math.ceil(sizeBytes / 1024);
  return 0.08 * (sizeBytes + 102 * packets) + 0.08 * (Math.min(sizeBytes, 1024) + 102) + 2000;
}

export function ackedNs(sizeBytes: number): number {
  return deliveredNs(sizeBytes) + 2016.96;
}

/**
 * Workload files of scenarios that have not been validated yet: the jobs that name them, and scenarios made from a single file.
 */
import type { WorkloadGraph } from '../../../workloads/graph/workload-graph.js';
import type { Endless, JobEntry } from '../../../workloads/job-readers.js';
import type { ScenarioSpec } from '../../scenario/spec.js';
import { JOB } from './schema.js';

const NAME_MAX = 64;

/** Jobs whose files can be read. Validation of the scenario reports errors in the others. */
export function jobEntries(spec: unknown): JobEntry[] {
  return [memberOf(spec, 'workload')].flat().filter((one): one is JobEntry => JOB.safeParse(one).success);
}

/** What flows without an end need from a scenario: the end of the run. */
export function endlessOf(spec: unknown): Endless {
  return memberOf(spec, 'durationUs') === undefined ? 'rejected' : 'sent';
}

/** A scenario for a single file: one switch, with one host per rank. */
export function scenarioOfFile(job: JobEntry, { hostRanks }: WorkloadGraph): ScenarioSpec {
  return {
    name: scenarioName(job.file),
    topology: { kind: 'star', hosts: Math.max(2, hostRanks) },
    workload: { kind: 'job', ...job },
  };
}

/** A scenario's name, from the last part of a file's path. */
export function scenarioName(file: string): string {
  const last = file.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  return last.replace(/\.(?:gz|zst)$/, '').replace(/\.[^.]*$/, '').replace(/[\s:]/g, '-').slice(0, NAME_MAX);
}

function memberOf(spec: unknown, key: string): unknown {
  return typeof spec === 'object' && spec !== null ? (spec as Readonly<Record<string, unknown>>)[key] : undefined;
}

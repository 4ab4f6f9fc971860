/**
 * Scenarios and their jobs: the jobs of a scenario that has not been validated yet, a scenario for a single workload
 * file, and one for a single job of a result.
 */
import { checkField, checkRecord, reject, wholeIn } from '../../../config/field-rules.js';
import type { WorkloadGraph } from '../../../workloads/graph/workload-graph.js';
import type { Endless, JobEntry } from '../../../workloads/job-readers.js';
import type { SimResult } from '../../result.js';
import { DEFAULT_RANKS_PER_HOST } from '../../scenario/defaults.js';
import type { ScenarioSpec, CollectiveSpec, JobSpec, ProgramSpec, WorkloadSpec } from '../../scenario/spec.js';
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

type AnyJob = JobSpec | CollectiveSpec | ProgramSpec;

/**
 * The scenario of a result reduced to one of its jobs, on the same hosts, from time 0 on. The slowdown of the job is its
 * completion time among the others divided by its completion time alone.
 *
 * @param index position of the job in `result.jobs`.
 * @throws RoceError `invalid-argument` for an invalid index.
 * @example
 * const alone = runScenarioSync(jobAlone(result, 0), { graphs });
 * const slowdown = result.jobs[0].completionPs / alone.jobs[0].completionPs;
 */
export function jobAlone(result: SimResult, index: number): ScenarioSpec {
  const { jobs = [], scenario } = checkRecord(result, 'result') as unknown as SimResult;
  const list: unknown = jobs;
  if (!Array.isArray(list)) reject({ got: list, allowed: 'a list of jobs', where: 'result.jobs' });
  checkRecord(scenario, 'result.scenario');
  checkField(index, wholeIn(0, jobs.length - 1), 'index');
  const all = (Array.isArray(scenario.workload) ? scenario.workload : [scenario.workload]) as readonly WorkloadSpec[];
  const own =
    all.filter((one): one is AnyJob =>
      one.kind === 'job' || one.kind === 'collective' || one.kind === 'program'
    )[index];
  const perHost = own.ranksPerHost ?? DEFAULT_RANKS_PER_HOST;
  const hosts = own.hosts ?? jobs[index].hosts.filter((_, rank) => rank % perHost === 0);
  const service = scenario.hosts?.service ?? (all.length > jobs.length ? 'round-robin' : 'first-come');
  return {
    ...without(scenario, ['end']),
    name: `${scenario.name}, ${jobs[index].name} alone`,
    hosts: { ...scenario.hosts, service },
    workload: { ...without(own, ['placement', 'startUs', 'after']), name: jobs[index].name, hosts },
  };
}

function without<Of extends object>(whole: Of, keys: readonly (keyof Of)[]): Of {
  return Object.fromEntries(Object.entries(whole).filter(([key]) => !keys.includes(key as keyof Of))) as Of;
}

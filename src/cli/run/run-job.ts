/** The job of `roce-cc run`: which scenarios to run, and what to do with their results. */
import type { ConnectionsSpec } from '../../sim/scenario/spec.js';
import { PS_PER_US } from '../../units.js';
import { MAIN_JOB } from '../shipped-files.js';
import type { Substitute } from '../algorithms/load-algorithm.js';
import type { SetValue, TopologyOption } from './scenario-options.js';
import { JOB_FORMAT_NAMES, type JobFormat } from '../../workloads/job-formats.js';
import type { JobFile } from '../../workloads/job-readers.js';
import { EXPORT_ROWS, type ExportFlags } from './export-options.js';

/** Workload files by their format. */
type JobFlags = Readonly<Partial<Record<JobFormat, readonly string[]>>>;

/** All options of the command. */
export interface RunFlags extends ExportFlags, JobFlags {
  readonly reference: readonly string[];
  /** Arguments of htsim_uec, as one string. */
  readonly referenceArgv?: string;
  /** Whether keys of config files that neither reference simulator defines are ignored. */
  readonly ignoreUnknownKeys?: boolean;
  /** The network that workload files run on. */
  readonly topology?: TopologyOption;
  readonly topo?: string;
  readonly connections?: ConnectionsSpec;
  /** A preset or file that replaces the scenarios' algorithms. */
  readonly algorithm?: string;
  /** Built-in algorithms and the files of their substitutes. */
  readonly substitute?: readonly Substitute[];
  /** Whether runs are compared in one table; a list runs each scenario with each of these algorithms. */
  readonly compare?: boolean | readonly string[];
  /** Whether to run again whenever a file of an algorithm or a scenario changes. */
  readonly watch?: boolean;
  readonly seed?: number;
  /** Latest end of the run, picoseconds. */
  readonly until?: number;
  readonly set: readonly SetValue[];
  /** Vendors' settings: files and folders. The options below them apply to adapters' files. */
  readonly settings?: readonly string[];
  readonly lineRate?: number;
  readonly mss?: number;
  readonly rtt?: number;
  readonly capturePort: readonly string[];
  /** false = no report, even where one is written by default. */
  readonly report?: string | false;
  /** The flow whose path the report and --path show, and whose rate changes --trace writes. */
  readonly flow?: number;
  /** URL of the lab that reports link to. */
  readonly lab?: string;
  readonly quiet?: boolean;
  /** Whether each job is also run alone. */
  readonly alone?: boolean;
  /** Whether to print the time of each phase. */
  readonly profile?: boolean;
  /** Maximum memory, bytes. */
  readonly maxMemory?: number;
  /** Maximum wall-clock time, milliseconds. */
  readonly maxTime?: number;
  /** Whether to only estimate the runs. */
  readonly estimate?: boolean;
}

/** Default report file of `roce-cc` without arguments. */
export const MAIN_JOB_REPORT = 'roce-cc-report.html';
export const STANDARD_OUTPUT = '-';

/** Whether only errors, or only the result, are printed. */
export function isSilent({ quiet, json }: RunFlags): boolean {
  return quiet === true || json === STANDARD_OUTPUT;
}

/** The files to write, without a result that goes to standard output. */
export function filesOf({ json, ...others }: RunFlags): ExportFlags {
  return json === STANDARD_OUTPUT || json === undefined ? others : { ...others, json };
}

/** Which scenarios to run, and how to print them. */
export interface Job {
  readonly scenarios: readonly string[];
  readonly isMain: boolean;
  readonly isCompared: boolean;
  readonly report: string | undefined;
}

export function chooseJob(scenarios: readonly string[], flags: RunFlags): Job {
  const isMain = scenarios.length + flags.reference.length + jobFiles(flags).length === 0;
  const unasked = isMain ? MAIN_JOB_REPORT : undefined;
  const report = flags.report === false ? undefined : (flags.report ?? unasked);
  return {
    scenarios: isMain ? MAIN_JOB : scenarios,
    isMain,
    isCompared: isMain || (flags.compare ?? false) !== false,
    report,
  };
}

/** Workload files that are run without a scenario. */
export function jobFiles(flags: JobFlags): JobFile[] {
  return JOB_FORMAT_NAMES.flatMap((format) => (flags[format] ?? []).map((file): JobFile => ({ format, file })));
}

export function changesOf(flags: RunFlags): SetValue[] {
  const { set, capturePort, until } = flags;
  return [
    ...(until === undefined ? [] : [untilChange(until / PS_PER_US)]),
    ...set,
    ...(capturePort.length === 0 ? [] : [recordChange('capture', capturePort)]),
    ...EXPORT_ROWS.flatMap(([name, { turnsOn }]) =>
      turnsOn === undefined || flags[name] === undefined ? [] : [recordChange(turnsOn, true)]
    ),
  ];
}

function untilChange(durationUs: number): SetValue {
  return { text: `durationUs=${durationUs}`, path: ['durationUs'], value: durationUs };
}

function recordChange(key: string, value: unknown): SetValue {
  return { text: `record.${key}=${JSON.stringify(value)}`, path: ['record', key], value };
}

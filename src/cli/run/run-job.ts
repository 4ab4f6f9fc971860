/** What a command line asks of `roce-cc run`: scenarios, and what becomes of their results. */
import { MAIN_JOB } from '../shipped-files.js';
import type { SetValue } from './set-values.js';
import type { JobFile } from './job-files.js';
import type { TopologyOption } from './topology-option.js';
import type { FileFlags } from './write-files.js';

/** All options of the command. */
export interface RunFlags extends FileFlags {
  readonly reference: readonly string[];
  /** Keys of config files that neither simulator has are ignored. */
  readonly ignoreUnknownKeys?: boolean;
  /** Files of workloads, and what they run on. */
  readonly goal?: readonly string[];
  readonly cm?: readonly string[];
  readonly chakra?: readonly string[];
  readonly simai?: readonly string[];
  readonly topology?: TopologyOption;
  readonly topo?: string;
  readonly compare?: boolean;
  readonly seed?: number;
  /** When the run ends at the latest, picoseconds. */
  readonly until?: number;
  readonly set: readonly SetValue[];
  /** Of vendors: files and folders, and how those of adapters are read. */
  readonly settings?: readonly string[];
  readonly lineRate?: number;
  readonly mss?: number;
  readonly rtt?: number;
  readonly capturePort: readonly string[];
  /** false = none, also where one would be written unasked. */
  readonly report?: string | false;
  /** Flow whose path the report shows. */
  readonly flow?: number;
  /** Address of a lab that reports link to. */
  readonly lab?: string;
  readonly quiet?: boolean;
  /** Each job alone too. */
  readonly alone?: boolean;
  /** Says where the time went. */
  readonly profile?: boolean;
  /** Bytes. */
  readonly maxMemory?: number;
  /** Of a clock, milliseconds. */
  readonly maxTime?: number;
  /** Nothing is run to its end. */
  readonly estimate?: boolean;
}

/** What the main job writes unless stated otherwise. */
export const MAIN_JOB_REPORT = 'roce-cc-report.html';
export const STANDARD_OUTPUT = '-';

/** Nothing but errors, or the result alone. */
export function isSilent({ quiet, json }: RunFlags): boolean {
  return quiet === true || json === STANDARD_OUTPUT;
}

/** What goes into files rather than to standard output. */
export function filesOf({ json, ...others }: RunFlags): FileFlags {
  return json === STANDARD_OUTPUT || json === undefined ? others : { ...others, json };
}

/** Which scenarios are run, and how they are shown. */
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
  return { scenarios: isMain ? MAIN_JOB : scenarios, isMain, isCompared: isMain || flags.compare === true, report };
}

/** Files of workloads that are run as they are. */
export function jobFiles({ goal = [], cm = [], chakra = [], simai = [] }: RunFlags): JobFile[] {
  return [
    ...goal.map((file): JobFile => ({ format: 'goal', file })),
    ...cm.map((file): JobFile => ({ format: 'cm', file })),
    ...chakra.map((file): JobFile => ({ format: 'chakra', file })),
    ...simai.map((file): JobFile => ({ format: 'simai', file })),
  ];
}

const PS_PER_US = 1e6;

export function changesOf({ set, capturePort, pfc, until }: RunFlags): SetValue[] {
  return [
    ...(until === undefined ? [] : [untilChange(until / PS_PER_US)]),
    ...set,
    ...(capturePort.length === 0 ? [] : [recordChange('capture', capturePort)]),
    ...(pfc === undefined ? [] : [recordChange('pauses', true)]),
  ];
}

function untilChange(durationUs: number): SetValue {
  return { text: `durationUs=${durationUs}`, path: ['durationUs'], value: durationUs };
}

function recordChange(key: string, value: unknown): SetValue {
  return { text: `record.${key}=${JSON.stringify(value)}`, path: ['record', key], value };
}

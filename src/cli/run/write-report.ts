/** Writes the HTML report of runs, one file with charts, which names the command lines that reproduce the results. */
import type { ConnectionsSpec } from '../../sim/scenario/spec.js';
import { PAGE_SCRIPT, PAGE_STYLE } from '../report/page-assets.js';
import { reportHtml } from '../report/report-html.js';
import { writeOrKeep, type Warn } from '../write-file.js';
import { connectionsWord, type SetValue } from './scenario-options.js';
import { resultsOf, type WrittenFile } from './report-text.js';
import type { Outcome } from './run-all.js';
import { changesOf, type Job, type RunFlags } from './run-job.js';
import { fileOf } from './write-files.js';

/** Inputs of a report in addition to the runs. */
interface Reporting {
  readonly flags: RunFlags;
  /** Version of the package. */
  readonly version: string;
  readonly warn: Warn;
}

/** What a command line is made from. */
interface CommandParts {
  readonly isMain: boolean;
  readonly isCompared: boolean;
  readonly changes: readonly SetValue[];
  /** The seed that the user gave; otherwise scenarios have their own seeds. */
  readonly seed: number | undefined;
  /** The topology of workload files, as the user typed it. */
  readonly topology?: string | undefined;
  /** Path of the queue file. If given, experiments of the reference simulators record the queues. */
  readonly qlen?: string | undefined;
  /** Whether unknown keys of reference experiments are ignored. */
  readonly ignoreUnknownKeys?: boolean | undefined;
  readonly topo?: string | undefined;
  /** QPs of messages of workload files. */
  readonly connections?: ConnectionsSpec | undefined;
  /** Options for vendors' settings. */
  readonly settings?: readonly string[] | undefined;
}

const PLAIN_PATTERN = /^[\w@%+=:,./-]+$/;

/** Writes the report of all runs, if requested. */
export function writeReport(outcomes: readonly Outcome[], job: Job,
  { flags, version, warn }: Reporting): WrittenFile[] {
  if (job.report === undefined || outcomes.length === 0) return [];
  const commands = runCommands(outcomes, {
    isMain: job.isMain,
    isCompared: job.isCompared,
    changes: changesOf(flags),
    seed: flags.seed,
    topology: flags.topology?.text,
    qlen: flags.qlen,
    ignoreUnknownKeys: flags.ignoreUnknownKeys,
    topo: flags.topo,
    connections: flags.connections,
    settings: settingsWords(flags),
  });
  const paths = outcomes.map(({ path }) => path);
  const assets = { script: PAGE_SCRIPT, style: PAGE_STYLE, version, commands, lab: flags.lab, paths };
  return fileOf('report', writeOrKeep(job.report, reportHtml(resultsOf(outcomes), assets), warn));
}

/** One command line for all runs of a table. */
function runCommands(outcomes: readonly Outcome[],
  { isMain, isCompared, changes, seed, topology, topo, connections, qlen, ignoreUnknownKeys = false, settings = [] }:
    CommandParts): string[] {
  const scenarios = outcomes.map(({ scenario }) => scenario);
  const words = [
    'roce-cc',
    'run',
    ...(isMain ?
      [] :
      scenarios.filter((one) => !one.isReference && one.format === undefined).map(({ source }) => source)),
    ...scenarios.filter(({ isReference }) => isReference).flatMap(({ source }) => ['--reference', source]),
    ...scenarios.flatMap(({ format, source }) => (format === undefined ? [] : [`--${format}`, source])),
    ...(topology === undefined ? [] : ['--topology', topology]),
    ...(topo === undefined ? [] : ['--topo', topo]),
    ...(connections === undefined ? [] : ['--connections', connectionsWord(connections)]),
    ...(isCompared && !isMain ? ['--compare'] : []),
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ...(ignoreUnknownKeys ? ['--ignore-unknown-keys'] : []),
    ...(qlen === undefined ? [] : ['--qlen', qlen]),
    ...settings,
    ...changes.flatMap(({ text }) => ['--set', text]),
  ];
  return [words.map(shellWord).join(' ')];
}

/** Options as the user typed them. */
function settingsWords({ settings = [], lineRate, mss, rtt }: RunFlags): readonly string[] {
  return [
    ...settings.flatMap((file) => ['--settings', file]),
    ...(lineRate === undefined ? [] : ['--line-rate', String(lineRate)]),
    ...(mss === undefined ? [] : ['--mss', String(mss)]),
    ...(rtt === undefined ? [] : ['--rtt', `${rtt}ps`]),
  ];
}

/** Quotes a word if it contains characters special to a shell. */
export function shellWord(word: string): string {
  return PLAIN_PATTERN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Command lines that reproduce the results. */
import type { ConnectionsSpec } from '../../sim/scenario/spec.js';
import { connectionsWord } from './file-network.js';
import type { Outcome } from './run-all.js';
import type { SetValue } from './set-values.js';

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

/** One command line for all runs of a table. */
export function runCommands(outcomes: readonly Outcome[],
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

/** Quotes a word if it contains characters special to a shell. */
export function shellWord(word: string): string {
  return PLAIN_PATTERN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

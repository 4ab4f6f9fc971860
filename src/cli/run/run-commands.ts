/** Command lines that give the same results again. */
import type { Outcome } from './run-all.js';
import type { SetValue } from './set-values.js';

export interface CommandParts {
  readonly isMain: boolean;
  readonly isCompared: boolean;
  readonly changes: readonly SetValue[];
  /** As the user gave it; otherwise scenarios have their own. */
  readonly seed: number | undefined;
  /** Of files of workloads, as the user gave it. */
  readonly topology?: string | undefined;
  /** File of queues: references are read with what it needs. */
  readonly qlen?: string | undefined;
  /** References are read without keys that no simulator has. */
  readonly ignoreUnknownKeys?: boolean | undefined;
  readonly topo?: string | undefined;
  /** Options for settings of vendors. */
  readonly settings?: readonly string[] | undefined;
}

const PLAIN_PATTERN = /^[\w@%+=:,./-]+$/;

/** One line: all runs of a table belong together. */
export function runCommands(outcomes: readonly Outcome[],
  { isMain, isCompared, changes, seed, topology, topo, qlen, ignoreUnknownKeys = false, settings = [] }:
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
    ...(isCompared && !isMain ? ['--compare'] : []),
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ...(ignoreUnknownKeys ? ['--ignore-unknown-keys'] : []),
    ...(qlen === undefined ? [] : ['--qlen', qlen]),
    ...settings,
    ...changes.flatMap(({ text }) => ['--set', text]),
  ];
  return [words.map(shellWord).join(' ')];
}

/** In single quotes where a shell would read more into it. */
export function shellWord(word: string): string {
  return PLAIN_PATTERN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The sweep of a command: from its file, or one that a Redis keeps. */
import { keepSweep, readKeptSweep } from '../redis/kept-sweeps.js';
import type { SweepFlags } from './flags.js';
import { loadSweep, sweepOf, type LoadedSweep } from './load-sweep.js';

export interface OpenedSweep extends LoadedSweep {
  /** What the user called it by, for commands that run it again. */
  readonly source: readonly string[];
  /** Its file; undefined: it came from a Redis. */
  readonly file: string | undefined;
}

/** @throws RoceError and errors of the system, before anything runs. */
export async function openSweep(file: string | undefined, { attach, redis }: SweepFlags): Promise<OpenedSweep> {
  if (file !== undefined) return { ...await loadSweep(file), source: [file], file };
  const { name, text } = await readKeptSweep(redis ?? '', attach === true ? undefined : attach);
  return { ...await sweepOf(text, `sweep ${name}`), source: ['--attach', name, '--redis', 'URL'], file };
}

/** Lets others continue the sweep; returns the line that explains how. */
export async function keepForOthers({ whole }: LoadedSweep, redis: string): Promise<string> {
  return `roce-cc sweep --attach ${await keepSweep(redis, whole)} --redis URL continues it from anywhere.`;
}

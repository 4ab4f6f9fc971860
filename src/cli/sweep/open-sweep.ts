/** Opens the sweep of a command, from its file or from Redis. */
import { keepSweep, readKeptSweep } from '../redis/kept-sweeps.js';
import type { SweepFlags } from './flags.js';
import { loadSweep, sweepOf, type LoadedSweep } from './load-sweep.js';

export interface OpenedSweep extends LoadedSweep {
  /** Arguments of the command that repeats the sweep. */
  readonly source: readonly string[];
  /** Path of its file; undefined if it came from Redis. */
  readonly file: string | undefined;
}

/** @throws RoceError and system errors, before anything runs. */
export async function openSweep(file: string | undefined,
  { attach, redis, algorithm, metrics }: SweepFlags): Promise<OpenedSweep> {
  const changes = { algorithm, metrics };
  const asked = metrics === undefined ? [] : ['--metrics', metrics.join(',')];
  if (file !== undefined) return { ...await loadSweep(file, changes), source: [file, ...asked], file };
  const { name, text } = await readKeptSweep(redis ?? '', attach === true ? undefined : attach);
  const loaded = await sweepOf(text, `sweep ${name}`, undefined, { metrics });
  return { ...loaded, source: ['--attach', name, '--redis', 'URL', ...asked], file };
}

/** Stores the sweep in Redis, so that others can continue it. @returns a line that explains how. */
export async function keepForOthers({ whole }: LoadedSweep, redis: string): Promise<string> {
  return `roce-cc sweep --attach ${await keepSweep(redis, whole)} --redis URL continues it from anywhere.`;
}

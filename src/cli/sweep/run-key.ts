/** The name of a run for caches and queues: all that its digest depends on. */
import { createHash } from 'node:crypto';
import { SIM_WASM_HASH } from '../../sim/kernel/wasm-bytes.js';
import type { SweepJob } from '../../sweep/index.js';

/** Of what a digest holds: a change of it makes all before useless. */
const FORMAT = 'roce-cc-run-2';

/** 64 hex digits: SHA-256 over the job, whatever the order of its keys, the package's version and the simulator's wasm. */
export function runKey(job: SweepJob, version: string): string {
  const parts = [FORMAT, version, SIM_WASM_HASH, canonicalJson(job)];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** The same text for equal values, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The key of a run in caches and queues: it covers everything that the run's digest depends on. */
import { createHash } from 'node:crypto';
import { SIM_WASM_HASH } from '../../sim/kernel/wasm-bytes.js';
import type { SweepJob } from '../../sweep/index.js';

/** Version of the digest's format. Changing it invalidates all earlier entries. */
const FORMAT = 'roce-cc-run-2';

/** 64 hex digits: SHA-256 over the job (independent of key order), the package's version and the simulator's wasm. */
export function runKey(job: SweepJob, version: string): string {
  const parts = [FORMAT, version, SIM_WASM_HASH, canonicalJson(job)];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** JSON with sorted keys: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

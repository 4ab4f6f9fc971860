/**
 * A folder with the digests of finished runs, so that no run is repeated and an interrupted sweep can continue.
 *
 * An entry's name is a hash of everything its digest depends on: the job, the package's version, the simulator's wasm.
 * The entry is written next to its final path and then renamed. It begins with a hash of its content, so that an entry
 * cut off by a power failure is detected and run again.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SIM_WASM_HASH } from '../../sim/kernel/wasm-bytes.js';
import { isDigest } from '../../sweep/digest.js';
import type { RunDigest, SweepJob, SweepExecutor } from '../../sweep/index.js';
import { describeError } from '../describe-error.js';
import type { Warn } from '../write-file.js';

/** Folder and size limit of the cache, and the callback for entries that cannot be written. */
interface CacheOptions {
  readonly folder: string;
  readonly maxBytes: number;
  /** Version of the package; entries of other versions are not used. */
  readonly version: string;
  readonly warn: Warn;
}

const EXTENSION = '.json';
const TEMPORARY = '.writing-';
/** Age from which a temporary file belongs to a process that has died. */
const STALE_MS = 3_600_000;
/** Eviction continues until the cache is below this share of its limit. */
const KEPT_SHARE = 0.9;

/** A cache of runs in a folder. */
export class RunCache {
  readonly #options: CacheOptions;
  #totalBytes: number;
  #written = 0;
  #hasWarned = false;

  /** @throws system errors, which name the folder. */
  constructor(options: CacheOptions) {
    this.#options = options;
    mkdirSync(options.folder, { recursive: true });
    this.#totalBytes = this.#entries().reduce((sum, { lenBytes }) => sum + lenBytes, 0);
  }

  /** Name of a job's entry: 64 hex digits. */
  keyOf(job: SweepJob): string {
    return runKey(job, this.#options.version);
  }

  /** The result of a job; undefined if it is unknown, or the entry is damaged. */
  read(key: string): RunDigest | undefined {
    const file = this.#fileOf(key);
    try {
      const [hash = '', content = ''] = readFileSync(file, 'utf8').split('\n');
      if (hash !== hashOf(key, content)) {
        rmSync(file);
        return undefined;
      }
      const now = new Date();
      utimesSync(file, now, now);
      return JSON.parse(content) as RunDigest;
    } catch {
      // Missing or unreadable: the run is repeated.
      return undefined;
    }
  }

  /** Stores the result of a job. If that fails, the run will just be repeated. */
  write(key: string, digest: RunDigest): void {
    const content = JSON.stringify(digest);
    const text = `${hashOf(key, content)}\n${content}\n`;
    const file = this.#fileOf(key);
    const temporary = path.join(this.#options.folder, `${TEMPORARY}${process.pid}-${this.#written++}`);
    try {
      writeFileSync(temporary, text);
      renameSync(temporary, file);
      this.#totalBytes += text.length;
    } catch (error) {
      rmSync(temporary, { force: true });
      if (!this.#hasWarned) this.#options.warn(`${describeError(error, file)}; runs are not cached`);
      this.#hasWarned = true;
    }
    if (this.#totalBytes > this.#options.maxBytes) this.#makeRoom();
  }

  /** Evicts the least recently used entries. */
  #makeRoom(): void {
    const entries = this.#entries().sort((a, b) => a.usedMs - b.usedMs);
    let total = entries.reduce((sum, { lenBytes }) => sum + lenBytes, 0);
    for (const { file, lenBytes } of entries) {
      if (total <= this.#options.maxBytes * KEPT_SHARE) break;
      rmSync(file, { force: true });
      total -= lenBytes;
    }
    this.#totalBytes = total;
  }

  #entries(): Entry[] {
    const { folder } = this.#options;
    return readdirSync(folder).flatMap((name): Entry[] => {
      const file = path.join(folder, name);
      const status = statSync(file, { throwIfNoEntry: false });
      if (status === undefined) return [];
      if (name.startsWith(TEMPORARY) && Date.now() - status.mtimeMs > STALE_MS) rmSync(file, { force: true });
      return name.endsWith(EXTENSION) ? [{ file, lenBytes: status.size, usedMs: status.mtimeMs }] : [];
    });
  }

  #fileOf(key: string): string {
    return path.join(this.#options.folder, `${key}${EXTENSION}`);
  }
}

interface Entry {
  readonly file: string;
  readonly lenBytes: number;
  readonly usedMs: number;
}

/** An entry stored under another entry's name counts as damaged. */
function hashOf(key: string, content: string): string {
  return createHash('sha256').update(`${key}\n${content}`).digest('hex');
}

/**
 * Wraps an executor with the cache, which replaces runs whose results are known. Only successful runs are stored: one that ran out of time or memory may succeed
 * next time.
 */
export function cachedExecutor(execute: SweepExecutor, cache: RunCache, onHit: () => void): SweepExecutor {
  return async (job, run) => {
    const key = cache.keyOf(job);
    const known = cache.read(key);
    if (known !== undefined) {
      onHit();
      return known;
    }
    const outcome = await execute(job, run);
    if (isDigest(outcome)) cache.write(key, outcome);
    return outcome;
  };
}

/** Version of the digest's format. Changing it invalidates all earlier entries. */
const FORMAT = 'roce-cc-run-2';

/**
 * The key of a run in caches and queues: it covers everything that the run's digest depends on.
 *
 * @returns 64 hex digits: SHA-256 over the job (independent of key order), the package's version and the simulator's wasm.
 */
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

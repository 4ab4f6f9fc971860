/**
 * Snapshots: damaged by chance, and forged with a right checksum. A restored engine is used in every way that there is;
 * it neither traps nor hangs, and stays within its memory (guarded-engine.ts). What it computes is not judged: a forged
 * state may be any state.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Engine, EngineOptions } from '../../src/index.js';
import { updateCrc32 } from '../../src/wire/roce/crc32.js';
import { RoceError } from '../../src/errors.js';
import { engineOptions, populated, readAll, step, STEP_LIMIT } from './engines.js';
import { makeGuardedEngine, type GuardedEngine } from './guarded-engine.js';
import { makeFuzzer } from './fuzzer.js';
import type { Random } from './random.js';

/** Behind the checksum, see src/engine/snapshot.ts. */
const CHECKED_FROM = 12;
const CHECKSUM = 8;
const STEPS = 60;
const WARM_STEPS = 400;
const BUSY_PS = 1e9;
const EDGE_WORDS = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7ff80000, 0x7ff00000, 12, 13, 0x100];

export interface SnapshotInput {
  /** Index of the options. */
  readonly variant?: number;
  /** Places, counted from the front, and words that go there. */
  readonly words: readonly (readonly [at: number, word: number])[];
  /** Bits to turn around. */
  readonly bits: readonly number[];
  readonly forged: boolean;
  readonly steps: readonly number[];
}

/** Two of each options, whose guard regions hold different bytes. */
const PATTERNS = [0xa5, 0x5b];
/** Each way to keep windows of CNPs has separate state. */
const VARIANTS: readonly Partial<EngineOptions>[] = [
  {},
  { notificationPoint: { scope: 'destination', window: 'trailing' }, lateEvents: 'clamp' },
  { notificationPoint: { scope: 'port' }, trace: { records: 512 } },
];

interface Pair {
  readonly engines: readonly GuardedEngine[];
  readonly good: Uint8Array;
}

const pairs = VARIANTS.map(makePair);

function makePair(variant: Partial<EngineOptions>): Pair {
  const engines = PATTERNS.map((pattern) => makeGuardedEngine({ ...engineOptions(), ...variant }, pattern));
  const [{ engine }] = engines;
  populated(engine);
  for (let code = 1; code <= WARM_STEPS; code++) step(engine, Math.imul(code, 0x9e3779b1) >>> 2, BUSY_PS + code * 1000);
  return { engines, good: engine.snapshot() };
}

function make(random: Random): SnapshotInput {
  return makeSnapshotInput(random, !random.oneIn(5));
}

/** A damaged snapshot, with the right checksum or without, and what is done with it. */
export function makeSnapshotInput(random: Random, forged: boolean): SnapshotInput {
  const variant = random.below(pairs.length);
  const single = random.oneIn(2);
  const { good } = pairs[variant];
  return {
    variant,
    // One change is taken more often than several.
    words: Array.from({ length: single || !forged ? 0 : random.below(3) },
      () => [placeOf(random, good) & ~3, random.of(EDGE_WORDS)]),
    bits: Array.from(
      new Set(
        Array.from({ length: single ? 1 : 1 + random.below(3) }, () => 8 * placeOf(random, good) + random.below(8)),
      ),
    ),
    forged,
    steps: Array.from({ length: STEPS }, () => random.below(STEP_LIMIT)),
  };
}

/** Mostly where something is. */
function placeOf(random: Random, good: Uint8Array): number {
  for (let tries = 0; tries < 20; tries++) {
    const at = random.below(good.length);
    if (good[at] !== 0) return at;
  }
  return random.below(good.length);
}

/** @returns was the snapshot taken? @throws Error when a read or write left the state, or a response depends on the pattern. */
export function checkSnapshot({ variant = 0, words, bits, forged, steps }: SnapshotInput): boolean {
  const { engines, good } = pairs[variant];
  const bytes = damaged(good, words, bits, forged);
  try {
    return restoredAndUsed(engines, bytes, steps).length > 0;
  } catch (error) {
    // What is left of a state that was found wanting must not be taken for the next one's.
    pairs[variant] = makePair(VARIANTS[variant]);
    throw error;
  }
}

function restoredAndUsed(engines: readonly GuardedEngine[], bytes: Uint8Array, steps: readonly number[]): unknown[] {
  const [one, other] = engines.map((guarded) => {
    guarded.fill();
    const responses = responsesOf(guarded.engine, bytes, steps);
    guarded.check();
    return responses;
  });
  if (!isDeepStrictEqual(one, other)) {
    throw new Error(`memory outside of the state was read: ${JSON.stringify(one)} and ${JSON.stringify(other)}`);
  }
  return one;
}

function damaged(good: Uint8Array, words: SnapshotInput['words'], bits: readonly number[],
  forged: boolean): Uint8Array {
  const bytes = good.slice();
  const view = new DataView(bytes.buffer);
  for (const [at, word] of words) if (at + 4 <= bytes.length) view.setUint32(at, word, true);
  for (const bit of bits) bytes[bit >>> 3] ^= 1 << (bit & 7);
  if (forged) view.setUint32(CHECKSUM, ~updateCrc32(-1, bytes, CHECKED_FROM, bytes.length) >>> 0, true);
  return bytes;
}

/** Nothing for a snapshot that is rejected; all responses of the engine otherwise, and what it then saves. */
function responsesOf(engine: Engine, bytes: Uint8Array, steps: readonly number[]): unknown[] {
  if (!isTaken(engine, bytes)) return [];
  const first = readAll(engine);
  const seen = steps.map((code, index) => step(engine, code, 2 * BUSY_PS + index * 1_000_000));
  const last = readAll(engine);
  const again = engine.snapshot();
  return [first, seen, last, Buffer.from(again).toString('latin1'), isTaken(engine, again)];
}

/** An engine restores its own snapshots; but a forged time at the end of the valid range may have been accepted. */
function isTaken(engine: Engine, saved: Uint8Array): boolean {
  try {
    engine.restore(saved);
    return true;
  } catch (error) {
    if (error instanceof RoceError) return false;
    throw error;
  }
}

export const snapshots = makeFuzzer('snapshots', make, (input: SnapshotInput) => {
  checkSnapshot(input);
});

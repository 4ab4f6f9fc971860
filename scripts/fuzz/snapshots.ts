/**
 * Snapshots: damaged by chance, and forged with a right checksum. A restored engine is used in every way that there is;
 * it neither traps nor hangs. What it computes is not judged: a forged state may be any state.
 */
import { updateCrc32 } from '../../src/wire/roce/crc32.js';
import { RoceError } from '../../src/errors.js';
import { makeEngine, readAll, step, STEP_LIMIT } from './engines.js';
import { makeFuzzer } from './fuzzer.js';
import type { Random } from './random.js';

/** Behind the checksum, see src/engine/snapshot.ts. */
const CHECKED_FROM = 12;
const CHECKSUM = 8;
const STEPS = 60;
const WARM_STEPS = 400;
const BUSY_PS = 1e9;
const EDGE_WORDS = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7ff80000, 0x7ff00000, 12, 13, 0x100];

interface SnapshotInput {
  /** Places, counted from the front, and words that go there. */
  readonly words: readonly (readonly [at: number, word: number])[];
  /** Bits to turn around. */
  readonly bits: readonly number[];
  readonly forged: boolean;
  readonly steps: readonly number[];
}

let engine = makeEngine('wasm');
for (let code = 1; code <= WARM_STEPS; code++) step(engine, Math.imul(code, 0x9e3779b1) >>> 2, BUSY_PS + code * 1000);
const good = engine.snapshot();

function make(random: Random): SnapshotInput {
  const forged = !random.oneIn(5);
  return {
    words: Array.from({ length: random.below(3) }, () => [placeOf(random) & ~3, random.of(EDGE_WORDS)]),
    bits: Array.from({ length: 1 + random.below(3) }, () => 8 * placeOf(random) + random.below(8)),
    forged,
    steps: Array.from({ length: STEPS }, () => random.below(STEP_LIMIT)),
  };
}

/** Mostly where something is. */
function placeOf(random: Random): number {
  for (let tries = 0; tries < 20; tries++) {
    const at = random.below(good.length);
    if (good[at] !== 0) return at;
  }
  return random.below(good.length);
}

function check({ words, bits, forged, steps }: SnapshotInput): void {
  const bytes = damaged(words, bits, forged);
  try {
    engine.restore(bytes);
  } catch (error) {
    if (error instanceof RoceError) return;
    throw error;
  }
  try {
    use(steps);
  } catch (error) {
    engine = makeEngine('wasm');
    throw error;
  }
}

function damaged(words: SnapshotInput['words'], bits: readonly number[], forged: boolean): Uint8Array {
  const bytes = good.slice();
  const view = new DataView(bytes.buffer);
  for (const [at, word] of words) if (at + 4 <= bytes.length) view.setUint32(at, word, true);
  for (const bit of bits) bytes[bit >>> 3] ^= 1 << (bit & 7);
  if (forged) view.setUint32(CHECKSUM, ~updateCrc32(-1, bytes, CHECKED_FROM, bytes.length) >>> 0, true);
  return bytes;
}

function use(steps: readonly number[]): void {
  readAll(engine);
  steps.forEach((code, index) => step(engine, code, 2 * BUSY_PS + index * 1_000_000));
  readAll(engine);
  const again = engine.snapshot();
  // What an engine saves, it takes back.
  engine.restore(again);
}

export const snapshots = makeFuzzer('snapshots', make, check);

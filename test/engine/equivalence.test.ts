/**
 * The wasm engine and the reference model are one engine: bit for bit, whatever comes.
 *
 * `ROCE_EVENTS` sets how many random steps are taken (default 60,000; a million where CI is set), `ROCE_SEED` repeats
 * a run.
 */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { Herd } from './support/herd.js';
import { Player, randomCodes } from './support/random-stream.js';
import { randomSetup } from './support/random-setup.js';

const STEPS = Number(process.env.ROCE_EVENTS ?? (process.env.CI ? 1_000_000 : 60_000));
const SEED = Number(process.env.ROCE_SEED ?? Date.now() % 2 ** 31);
const STREAM_STEPS = 1000;
const TIME_LIMIT_MS = 30_000 + STEPS / 2;

describe(`the wasm engine and the reference model, over ${STEPS} random steps with seed ${SEED}`, () => {
  it('agree on state, actions, counters and deadlines after every batch', { timeout: TIME_LIMIT_MS }, () => {
    const agreement = fc.property(randomSetup, randomCodes(STREAM_STEPS), (setup, codes) => {
      new Player(new Herd(setup.options), setup).play(codes);
    });
    fc.assert(agreement, { seed: SEED, numRuns: Math.ceil(STEPS / STREAM_STEPS), endOnFailure: process.env.ROCE_SHRINK !== '1' });
  });
});

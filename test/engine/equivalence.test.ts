/**
 * The wasm engine and the reference model agree bit for bit on random events.
 *
 * `ROCE_EVENTS` sets how many random events there are (40,000; a million in the long tests), `ROCE_SEED` repeats
 * a run, `ROCE_SHRINK=1` searches for the shortest stream that fails.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Herd } from './support/herd.js';
import { Player, randomCodes } from './support/random-stream.js';
import { randomSetup } from './support/random-setup.js';
import { caseCount } from '../support/effort.js';

const EVENTS = caseCount('ROCE_EVENTS', { few: 40_000, all: 1_000_000 });
const SEED = Number(process.env.ROCE_SEED ?? Date.now() % 2 ** 31);
const STREAM_STEPS = 1000;
/** Nine in ten steps are events; additional streams compensate for the others. */
const STREAM_EVENTS = 850;
const PART_STEPS = 200;
/** The events of the streams with snapshots, which are additional. */
const SNAPSHOT_EVENTS = EVENTS / 10;
const TIME_LIMIT_MS = 30_000 + EVENTS / 2;

/** Shrinks only on demand, as it may take minutes; the message gives seed and path in any case. */
function assertion(runs: number): fc.Parameters<unknown> {
  return { seed: SEED, numRuns: Math.ceil(runs), endOnFailure: process.env.ROCE_SHRINK !== '1' };
}

describe(`the wasm engine and the reference model, over ${EVENTS} random events with seed ${SEED}`, () => {
  it('agree on state, actions, counters and deadlines after every batch', { timeout: TIME_LIMIT_MS }, () => {
    let events = 0;
    const agreement = fc.property(randomSetup, randomCodes(STREAM_STEPS), (setup, codes) => {
      const herd = new Herd(setup.options);
      new Player(herd, setup).play(codes);
      events += herd.first.stats().eventsIn;
    });
    fc.assert(agreement, assertion(EVENTS / STREAM_EVENTS));
    expect(events).toBeGreaterThanOrEqual(EVENTS);
  });

  it('resume from snapshots without any difference', { timeout: TIME_LIMIT_MS }, () => {
    const parts = fc.tuple(randomCodes(PART_STEPS), randomCodes(PART_STEPS), randomCodes(PART_STEPS));
    const agreement = fc.property(randomSetup, parts, (setup, [before, again, after]) => {
      const herd = new Herd(setup.options);
      const player = new Player(herd, setup);
      player.play(before);
      player.playTwice(again);
      herd.fork();
      player.play(after);
    });
    fc.assert(agreement, assertion(SNAPSHOT_EVENTS / (3 * PART_STEPS)));
  });
});

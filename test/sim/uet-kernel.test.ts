/**
 * The kernel of runs of uet-htsim against the readable model, on random networks, matrices and options: every column of every flow and
 * message, all totals with the number of random draws, and the words of rejections.
 *
 * `ROCE_UET_NETWORKS` sets how many; `ROCE_UET_NETWORKS=10000 npx vitest run --project long test/sim/uet-kernel` takes some ten minutes.
 */
import { describe, expect, it } from 'vitest';
import { runUetReference, type UetResult } from '../../src/uet/index.js';
import { caseCount } from '../support/effort.js';
import { differencesOf, outcomeOf } from '../support/uet-agreement.js';
import { uetRandomRun } from '../support/uet-networks.js';

const RUNS = caseCount('ROCE_UET_NETWORKS', { few: 60, all: 500 });
const FIRST_SEED = 1_000_000;
const TEST_TIMEOUT_MS = 60_000 + 400 * RUNS;

/** Mechanisms that must occur in a share of the networks. */
const SHOWN: Readonly<Record<string, (result: UetResult) => boolean>> = {
  marks: ({ totals }) => totals.ecn_marks > 0,
  trims: ({ totals }) => totals.trims > 0,
  drops: ({ totals }) => totals.drops > 0,
  timeouts: ({ totals }) => totals.timeouts > 0,
  'requests to send': ({ totals }) => totals.rts_pkts > 0,
  pulls: ({ totals }) => totals.pulls > 0,
  duplicates: ({ flows }) => flows.some(({ rx_dup: duplicates }) => duplicates > 0),
  'quick adapts': ({ flows }) => flows.some(({ quick_dec: bytes }) => bytes !== 0),
  'fast increases': ({ flows }) => flows.some(({ fast_inc: bytes }) => bytes !== 0),
  'multiplicative decreases': ({ flows }) => flows.some(({ multi_dec: bytes }) => bytes !== 0),
  'recovery by SLEEK': ({ flows }) => flows.some(({ sleek_pkts: packets }) => packets > 0),
  messages: ({ messages }) => messages.length > 0,
  'unfinished flows': ({ totals }) => totals.completed < totals.flows,
};

describe('The kernel of uet-htsim and its plain model', () => {
  it(`agree on ${RUNS} random networks`, () => {
    const counts = new Map(Object.keys(SHOWN).map((name) => [name, 0]));
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
      const run = uetRandomRun(seed);
      const model = outcomeOf(run, 'model');
      const differences = differencesOf(outcomeOf(run, 'kernel'), model);
      expect(differences, `seed ${seed}: ${run.argv.join(' ')}`).toEqual([]);
      if (typeof model === 'string') continue;
      for (const [name, isShown] of Object.entries(SHOWN)) {
        if (isShown(model)) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    expect([...counts].filter(([, count]) => count < Math.floor(RUNS / 250))).toEqual([]);
  }, TEST_TIMEOUT_MS);
});

describe('The implementation of a run', () => {
  const argv = ['-tm', 'conn.cm', '-nodes', '16'];
  const read = () => 'Nodes 16\nConnections 1\n0->15 start 0 size 100000\n';

  it('is the kernel, or the model if a trace is requested', () => {
    const events: string[] = [];
    const traced = runUetReference(argv, read, { trace: (_, event) => void events.push(event) });
    expect(events.length).toBeGreaterThan(0);
    expect(runUetReference(argv, read)).toEqual(traced);
  });

  it.each([
    [{ implementation: 'wasm' }, 'options.implementation must be "kernel" or "model"'],
    [{ implementation: 'kernel', trace: () => undefined }, 'options.implementation must be'],
  ])('is rejected if it is unknown: %j', (options, words) => {
    expect(() => runUetReference(argv, read, options as never)).toThrow(
      expect.objectContaining({ code: 'invalid-config', message: expect.stringContaining(words) as string }),
    );
  });
});

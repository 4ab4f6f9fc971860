/** The soak (`npm run soak`) with fixed seeds, and the errors that its checks detect. */
import { describe, expect, it } from 'vitest';
import type { SimResult } from '../../src/sim/result.js';
import { problemsOf, soakOnce } from '../support/soak-run.js';
import { soakScenario } from '../support/soak-scenarios.js';
import { caseCount } from '../support/effort.js';

const FIRST_SEED = 1_000_000;
const RUNS = caseCount('ROCE_SOAK_RUNS', { few: 40, all: 300 });
const TWICE_EVERY = 20;

describe('Random scenarios with random faults', () => {
  it('end without a trap or a stuck flow that has a path, with consistent counters, and reproducibly', () => {
    let rejected = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
      const run = soakOnce(seed, seed % TWICE_EVERY === 0);
      expect(run.problems, `npm run soak -- --seed ${seed} --runs 1`).toEqual([]);
      rejected += Number(run.rejected);
    }
    expect(rejected / RUNS).toBeLessThan(0.2);
  }, 120_000);

  it('cover all kinds of settings', () => {
    const specs = Array.from({ length: 200 }, (_, seed) => soakScenario(seed));
    const kinds = (values: readonly unknown[]) => new Set(values).size;
    expect(kinds(specs.map(({ spec }) => spec.topology.kind))).toBe(5);
    expect(kinds(specs.map(({ spec }) => spec.fidelity))).toBe(2);
    expect(kinds(specs.flatMap(({ spec }) => (spec.faults ?? []).map(({ kind }) => kind)))).toBe(3);
    expect(kinds(specs.flatMap(({ spec }) => Object.values(spec.algorithms!).map(({ preset }) => preset)))).toBe(13);
    expect(specs.filter(({ cutOff }) => cutOff !== null).length).toBeGreaterThan(10);
    expect(specs.filter(({ lossless }) => lossless).length).toBeGreaterThan(15);
    expect(
      specs.filter(({ spec }) => spec.faults?.some((fault) => fault.kind === 'link-down' && fault.toUs > 1e6)).length,
    ).toBeGreaterThan(30);
  });
});

describe('The checks of a run', () => {
  const seed = Array.from({ length: 100 }, (_, index) => index).find((one) =>
    soakScenario(one).lossless && soakScenario(one).cutOff === null
  )!;
  const scenario = soakScenario(seed);
  const right = soakOnce(seed, false).result!;
  const wrong = (change: Partial<SimResult>) => problemsOf({ ...right, ...change }, scenario).join('\n');

  it('find no error in a correct run', () => {
    expect(wrong({})).toBe('');
  });

  it.each([
    ['a stuck flow', 'stuck', { flows: [{ ...right.flows[0]!, completionPs: null, slowdown: null }] }],
    ['a flow that is done too early', 'bytes delivered', { flows: [{ ...right.flows[0]!, deliveredBytes: 0 }] }],
    ['a flow that is faster than light', 'ideal time', { flows: [{ ...right.flows[0]!, slowdown: 0.99 }] }],
    ['a packet too many', 'packets in = out', { totals: { ...right.totals, packetsOut: right.totals.packetsOut + 1 } }],
    ['a byte too many', 'bytes in = out', { totals: { ...right.totals, bytesOut: right.totals.bytesOut + 1 } }],
    ['something left in the network', 'in flight at the end', {
      ended: 'all-flows-done',
      totals: { ...right.totals, packetsInFlight: 1 },
    }],
    ['a drop in spite of PFC', 'under PFC', {
      totals: { ...right.totals, drops: { ...right.totals.drops, buffer: 1 } },
    }],
    ['a transmission that no port made', 'of all ports', { packetHops: right.packetHops + 1 }],
    ['a changed result', 'hash', { simulatedPs: right.simulatedPs + 1 }],
  ] satisfies [string, string, Partial<SimResult>][])('find %s', (_, word, change) => {
    expect(wrong(change)).toContain(word);
  });
});

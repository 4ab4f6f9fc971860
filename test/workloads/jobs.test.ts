/** Jobs on one network: placement, start and end times, programs and iterations. */
import { describe, expect, it } from 'vitest';
import { runScenarioSync, type SimResult } from '../../src/sim/index.js';
import type { ProgramSpec, ScenarioSpec, StepSpec, WorkloadSpec } from '../../src/sim/scenario/spec.js';
import { parseGoal, readConnectionMatrix } from '../../src/workloads/index.js';
import { rejectionOf } from '../support/rejection.js';
import { ackedNs, deliveredNs, endNs, goalOf, rankEndsNs, runGraph } from './support/run-graph.js';

const LEAVES = { kind: 'leaf-spine', leaves: 3, spines: 2, hostsPerLeaf: 4 } as const;
const RING = { kind: 'collective', collective: 'all-reduce', sizeBytes: 100_000 } as const;

const run = (workload: WorkloadSpec | readonly WorkloadSpec[], other: Partial<ScenarioSpec> = {}): SimResult =>
  runScenarioSync({ name: 'jobs', topology: LEAVES, workload, ...other });
const hostsOf = (result: SimResult): (readonly string[])[] => (result.jobs ?? []).map(({ hosts }) => hosts);
const named = (...numbers: readonly number[]): string[] => numbers.map((number) => `h${number}`);

describe('ranks are placed', () => {
  it('on the first free hosts, one per leaf round-robin, or leaf by leaf in order of most free hosts', () => {
    const placed = (placement: 'linear' | 'spread' | 'by-leaf', ranks: number): WorkloadSpec => ({
      ...RING,
      placement,
      ranks,
    });
    expect(hostsOf(run([placed('linear', 3), placed('linear', 2)]))).toEqual([named(0, 1, 2), named(3, 4)]);
    expect(hostsOf(run([placed('spread', 4), placed('spread', 3)]))).toEqual([named(0, 4, 8, 1), named(2, 5, 9)]);
    expect(hostsOf(run([placed('linear', 5), placed('by-leaf', 5)]))).toEqual([
      named(0, 1, 2, 3, 4),
      named(8, 9, 10, 11, 5),
    ]);
  });

  it('at random by the seed, with one job per host', () => {
    const random = { ...RING, placement: 'random', ranks: 6 } as const;
    const [first, second] = hostsOf(run([random, random]));
    expect(new Set([...(first ?? []), ...(second ?? [])]).size).toBe(12);
    expect(hostsOf(run([random, random]))).toEqual([first, second]);
    expect(hostsOf(run([random, random], { seed: 2 }))).not.toEqual([first, second]);
  });

  it('several per host, whose messages to each other do not use the network', () => {
    const result = run({ ...RING, ranks: 4, ranksPerHost: 2, hosts: named(2, 7) });
    expect(hostsOf(result)).toEqual([named(2, 2, 7, 7)]);
    expect(result.jobs?.[0]?.messages).toBe(12);
  });

  it('or rejected if there are too few hosts, or both a placement and hosts are given', () => {
    const random = { ...RING, placement: 'random', ranks: 7 } as const;
    expect(rejectionOf(() => run([random, random])).message).toMatch(/number of ranks must be at most 5 \(got 7\)/);
    expect(rejectionOf(() => run({ ...random, hosts: named(0, 1, 2, 3, 4, 5, 6) })).where).toBe('workload.placement');
    expect(rejectionOf(() => run({ ...RING, ranks: 4, hosts: named(0, 1) })).where).toBe('workload.hosts');
  });
});

describe('a run that ends with its jobs', () => {
  const background = { kind: 'permutation', sizeBytes: 100_000_000 } as const;

  it('ends at the last operation, regardless of other flows', () => {
    const result = run([RING, { ...RING, name: 'later', startUs: 50 }, background], { end: 'jobs' });
    expect(result.ended).toBe('jobs-done');
    const last = Math.max(...(result.jobs ?? []).map(({ endPs }) => endPs ?? 0));
    expect([result.simulatedPs, result.summary.flowsUnfinished]).toEqual([last, 12]);
    expect(result.totals.packetsIn).toBe(
      result.totals.packetsOut + result.totals.packetsInFlight + result.totals.packetsDropped,
    );
    expect(last).toBeGreaterThan(run(RING).jobs?.[0]?.endPs ?? 0);
  });

  it('ends normally without other flows, and requires a job', () => {
    expect(run(RING, { end: 'jobs' }).ended).toBe('all-flows-done');
    expect(rejectionOf(() => run(background, { end: 'jobs' })).where).toBe('end');
  });
});

it('serves a job in a strict class before another one on the same links', () => {
  const dumbbell: Partial<ScenarioSpec> = {
    topology: { kind: 'dumbbell', left: 2, right: 2 },
    algorithms: { none: { preset: 'none' } },
  };
  const job = (name: string, trafficClass: number): WorkloadSpec => ({
    ...RING,
    sizeBytes: 1_000_000,
    name,
    trafficClass,
    hosts: name === 'a' ? named(0, 2) : named(1, 3),
  });
  const times = (strictClasses: readonly number[]): number[] =>
    (run([job('a', 3), job('b', 4)], { ...dumbbell, switches: { strictClasses } }).jobs ?? []).map(({ completionPs }) =>
      completionPs ?? 0
    );
  const alone = run([job('b', 4)], dumbbell).jobs?.[0]?.completionPs ?? 0;
  const [, fair = 0] = times([]);
  const [other = 0, strict = 0] = times([4]);
  expect(strict).toBeLessThan(1.1 * alone);
  expect(fair).toBeGreaterThan(1.5 * alone);
  expect(other).toBeGreaterThan(fair * 0.95);
});

describe('iterations', () => {
  const two = goalOf('c: calc 1000\ns: send 5000b to 1\ns requires c', 'recv 5000b from 0\ncalc 20000');

  it('follow each other rank by rank, or after a barrier', () => {
    const graph = parseGoal(two);
    // Rank 0 begins again at its last ACK, rank 1 when it has computed.
    const one = Math.max(20_000, 1000 + deliveredNs(5000));
    expect(rankEndsNs(runGraph(graph, { iterations: 3 }))).toEqual([3 * (1000 + ackedNs(5000)), 3 * one]);
    const slower = Math.max(one, 1000 + ackedNs(5000));
    expect(rankEndsNs(runGraph(graph, { iterations: 3, barrier: true }))).toEqual([
      2 * slower + 1000 + ackedNs(5000),
      2 * slower + one,
    ]);
  });

  it('take the time of one run each with a barrier between them, also with triggers of all kinds', async () => {
    const text = 'Nodes 2\nConnections 2\nTriggers 1\n0->1 id 1 start 7000 size 9000 recv_done_trigger 1\n' +
      '1->0 id 2 trigger 1 size 500\ntrigger id 1 oneshot\n';
    const graph = await readConnectionMatrix(new TextEncoder().encode(text));
    expect(endNs(runGraph(graph, { iterations: 4, barrier: true }))).toBeCloseTo(4 * endNs(runGraph(graph)), 6);
  });

  it('are rejected if there would be too many operations', () => {
    const graph = parseGoal(goalOf('calc 1\n'.repeat(17), 'calc 1'));
    expect(rejectionOf(() => runGraph(graph, { iterations: 1_000_000 })).message).toMatch(
      /number of operations must be at most 16,777,216 \(got 20,000,000\)/,
    );
  });
});

describe('a program', () => {
  const program = (steps: readonly StepSpec[], other: Partial<ProgramSpec> = {}): ProgramSpec => ({
    kind: 'program',
    ranks: 2,
    steps,
    ...other,
  });
  const star = (spec: ProgramSpec): SimResult => run(spec, { topology: { kind: 'star', hosts: 4 } });

  it('runs its steps in sequence', () => {
    const result = star(program([
      { kind: 'compute', us: 10 },
      { kind: 'message', from: 0, to: 1, sizeBytes: 4096 },
      { kind: 'compute', us: 5 },
    ]));
    expect(rankEndsNs(result)).toEqual([15_000 + ackedNs(4096), 15_000 + deliveredNs(4096)]);
    expect(result.jobs?.[0]?.rankComputePs).toEqual([15e6, 15e6]);
  });

  it('overlaps independent steps: an all-reduce of the first bucket with the compute of the second', () => {
    const steps = (after: readonly string[]): StepSpec[] => [
      { kind: 'compute', name: 'first', us: 20 },
      { kind: 'collective', name: 'reduce', collective: 'all-reduce', sizeBytes: 200_000 },
      { kind: 'compute', us: 20, after },
    ];
    const serial = star(program(steps(['reduce']))).jobs?.[0];
    const overlapped = star(program(steps(['first']))).jobs?.[0];
    expect((serial?.completionPs ?? 0) - (overlapped?.completionPs ?? 0)).toBeGreaterThan(15e6);
    expect(overlapped?.rankComputePs).toEqual([40e6, 40e6]);
  });

  it('has groups, and steps without some of the ranks', () => {
    const result = star(program([
      { kind: 'compute', us: 100, ranks: [3] },
      { kind: 'collective', collective: 'all-gather', sizeBytes: 1000, groups: [[0, 1], [2, 3]] },
    ], { ranks: 4 }));
    const [a = 0, b = 0, c = 0, d = 0] = rankEndsNs(result);
    expect([a === b, c > 100_000, d > 100_000, a < 100_000]).toEqual([true, true, true, true]);
    expect(result.jobs?.[0]?.messageBytes).toBe(4000);
  });

  it('repeats its steps', () => {
    const once = star(program([{ kind: 'compute', us: 10 }, { ...RING, kind: 'collective' }]));
    const threeTimes = star(program([{ kind: 'compute', us: 10 }, { ...RING, kind: 'collective' }], { iterations: 3 }));
    expect(endNs(threeTimes)).toBeGreaterThan(2.99 * endNs(once));
    expect(endNs(threeTimes)).toBeLessThan(3.01 * endNs(once));
  });

  it.each<readonly [string, readonly StepSpec[]]>([
    ['workload.steps[0].after[0]', [{ kind: 'compute', us: 1, after: ['later'] }, {
      kind: 'compute',
      name: 'later',
      us: 1,
    }]],
    ['workload.steps[1].name', [{ kind: 'compute', name: 'a', us: 1 }, { kind: 'compute', name: 'a', us: 1 }]],
    ['workload.steps[0].ranks', [{ kind: 'compute', us: 1, ranks: [2] }]],
    ['workload.steps[0].to', [{ kind: 'message', from: 0, to: 0, sizeBytes: 1 }]],
    ['workload.steps[0].from', [{ kind: 'message', from: 9, to: 0, sizeBytes: 1 }]],
    ['workload.steps[0].groups', [{ kind: 'collective', collective: 'barrier', groups: [[0, 1], [1, 0]] }]],
    ['workload.steps[0].by', [{ kind: 'collective', collective: 'barrier', by: 'ring' }]],
    ['workload.steps[0].sizeBytes', [{ kind: 'collective', collective: 'all-reduce' }]],
  ])('is rejected at %s', (where, steps) => {
    expect(rejectionOf(() => star(program(steps))).where).toBe(where);
  });
});

/** Jobs in a result: collectives, iterations, the critical path and the timeline. */
import { describe, expect, it } from 'vitest';
import { explainResult, jobAlone, parseResultJson, resultToJson, resultToPerfetto, runScenarioSync,
  type SimResult } from '../../src/sim/index.js';
import type { CollectiveResult, CriticalPath, JobResult } from '../../src/sim/result.js';
import type { ScenarioSpec, StepSpec, WorkloadSpec } from '../../src/sim/scenario/spec.js';
import { deliveredNs, runGoal } from './support/run-graph.js';

const STAR = { kind: 'star', hosts: 4 } as const;
const run = (workload: WorkloadSpec | readonly WorkloadSpec[], other: Partial<ScenarioSpec> = {}): SimResult =>
  runScenarioSync({ name: 'jobs', topology: STAR, workload, ...other });

function jobOf(result: SimResult, index = 0): JobResult & { readonly criticalPath: CriticalPath } {
  const job = result.jobs?.[index];
  if (job?.criticalPath === undefined) throw new Error('no critical path');
  return { ...job, criticalPath: job.criticalPath };
}

function sumPs({ computePs, overheadPs, messagePs, queueingPs, heldBackPs, otherPs }: CriticalPath): number {
  return computePs + overheadPs + messagePs + queueingPs + heldBackPs + otherPs;
}

describe('the critical path', () => {
  it('consists of computes and messages at their ideal times if nothing waits', () => {
    const job = jobOf(
      runGoal({}, 'c: calc 7000\ns: send 4096b to 1\ns requires c', 'r: recv 4096b from 0\nd: calc 3000\nd requires r'),
    );
    expect(job.criticalPath).toMatchObject({ computePs: 10e6, queueingPs: 0, heldBackPs: 0, otherPs: 0, stepCount: 3 });
    expect(job.criticalPath.messagePs).toBeCloseTo(deliveredNs(4096) * 1000, 0);
    expect(job.criticalPath.steps.map(({ kind, rank, what }) => [kind, rank, what.replace(/, line.*/, '')])).toEqual([
      ['compute', 0, 'rank 0, c, compute'],
      ['message', 0, 'rank 0, s, send to 1 tag 0'],
      ['compute', 1, 'rank 1, d, compute'],
    ]);
  });

  it('includes lanes, starts, overheads and late receives, and adds up to the time of the job', () => {
    const blocks = [
      'a: calc 5000\nb: calc 6000\ns: send 64b to 1\ns requires b',
      'x: calc 30000\nr: recv 64b from 0\nr irequires x\n' +
      'y: calc 100 cpu 1\ny requires r',
    ];
    const job = jobOf(runGoal({ sendOverheadNs: 200, receiveOverheadNs: 300 }, ...blocks));
    expect(sumPs(job.criticalPath)).toBe(job.completionPs);
    expect(job.criticalPath.computePs).toBeGreaterThanOrEqual(30e6);
    const eager = jobOf(runGoal({ sendDone: 'issued', receiveDone: 'last-ack' }, ...blocks));
    expect(sumPs(eager.criticalPath)).toBe(eager.completionPs);
  });

  it('names the port in whose queue messages waited, and the host whose other messages they waited for', () => {
    const incast: StepSpec[] = [1, 2, 3].map((from) => ({
      kind: 'message',
      from,
      to: 0,
      sizeBytes: 1_000_000,
      after: [],
    }));
    const job = jobOf(run({ kind: 'program', ranks: 4, steps: incast }, { algorithms: { none: { preset: 'none' } } }));
    expect(sumPs(job.criticalPath)).toBe(job.completionPs);
    expect(job.criticalPath.ports[0]?.port).toBe('s0:h0');
    expect(job.criticalPath.queueingPs).toBeGreaterThan(0.5 * (job.completionPs ?? 0));
    const fanOut: StepSpec[] = [1, 2, 3].map((to) => ({
      kind: 'message',
      from: 0,
      to,
      sizeBytes: 1_000_000,
      after: [],
    }));
    const other = jobOf(run({ kind: 'program', ranks: 4, steps: fanOut }));
    expect(other.criticalPath.ports[0]?.port).toBe('h0:s0');
  });

  it('is described in words, with its total and its parts', () => {
    const result = run({
      kind: 'collective',
      collective: 'all-to-all',
      sizeBytes: 4_000_000,
      computeUs: 50,
      name: 'step',
    });
    const said = explainResult(result).find(({ topic }) => topic === 'job');
    expect(said?.question).toMatch(/^Why did job step take [\d.]+ [mµ]s\?$/);
    expect(said?.answer).toMatch(/The chain of operations that ended last has \d+ steps: .*computing/);
    expect(said?.findings.length).toBeGreaterThan(3);
    expect(said?.answer).toMatch(/It ended on rank \d \(h\d\)\. Long step at [\d.]+ [mµ]?p?s: rank/);
  });

  it('is absent if a job has not ended', () => {
    const { jobs } = run({ kind: 'collective', collective: 'all-reduce', sizeBytes: 1e8 }, { durationUs: 10 });
    expect([jobs?.[0]?.criticalPath, jobs?.[0]?.iterationPs, jobs?.[0]?.collectives?.[0]?.endPs]).toEqual([undefined, [
      null,
    ], null]);
  });
});

describe('collectives', () => {
  const first = (collective: 'all-reduce' | 'all-gather' | 'broadcast' | 'barrier'): CollectiveResult => {
    const size = collective === 'barrier' ? {} : { sizeBytes: 40_000_000 };
    const [found] = jobOf(run({ kind: 'collective', collective, ...size })).collectives ?? [];
    if (found === undefined) throw new Error('none');
    return found;
  };
  const factor = ({ busBps, algorithmBps }: CollectiveResult): number => (busBps ?? NaN) / (algorithmBps ?? NaN);

  it("have the bandwidths of NCCL's tests", () => {
    const reduce = first('all-reduce');
    expect(reduce).toMatchObject({ kind: 'all-reduce', ranks: 4, sizeBytes: 40_000_000, lastBeginPs: 0 });
    expect(reduce.algorithmBps).toBeCloseTo((8 * 40e6 * 1e12) / (reduce.endPs ?? 1), 0);
    expect(factor(reduce)).toBeCloseTo(1.5, 12);
    // The rate is 100 Gb/s less headers, and ACKs that share the link.
    expect(reduce.busBps).toBeGreaterThan(80e9);
    expect(reduce.busBps).toBeLessThan(100e9);
    const gather = first('all-gather');
    expect(gather.sizeBytes).toBe(160_000_000);
    expect(factor(gather)).toBeCloseTo(0.75, 12);
    expect(factor(first('broadcast'))).toBeCloseTo(1, 12);
    expect(first('barrier').busBps).toBeNull();
  });

  it('begin when the last member begins', () => {
    const steps: StepSpec[] = [
      { kind: 'compute', us: 100, ranks: [2] },
      { kind: 'collective', name: 'sum', collective: 'all-reduce', sizeBytes: 1_000_000 },
    ];
    const { collectives } = jobOf(run({ kind: 'program', ranks: 4, steps, iterations: 2 }));
    expect(collectives?.map(({ name, firstBeginPs, lastBeginPs }) => [name, firstBeginPs, lastBeginPs]).at(0)).toEqual([
      'sum',
      0,
      100e6,
    ]);
    expect(collectives).toHaveLength(2);
    expect(collectives?.[1]?.lastBeginPs).toBeGreaterThan(200e6);
  });
});

it('iterations have the time of their slowest rank', () => {
  const { iterationPs, completionPs } = jobOf(
    run({ kind: 'collective', collective: 'all-reduce', sizeBytes: 100_000, computeUs: 30, repeat: 5 }),
  );
  expect(iterationPs).toHaveLength(5);
  for (const timePs of iterationPs ?? []) expect(timePs).toBeGreaterThan(30e6);
  expect((iterationPs ?? []).reduce<number>((sum, timePs) => sum + (timePs ?? 0), 0)).toBeGreaterThanOrEqual(
    completionPs ?? 0,
  );
});

describe('the timeline', () => {
  const steps: StepSpec[] = [{ kind: 'compute', name: 'think', us: 10 }, {
    kind: 'message',
    from: 0,
    to: 1,
    sizeBytes: 5000,
  }];

  it('has operations with their times and the operation that each waited for last', () => {
    const { timeline } = jobOf(run({ kind: 'program', ranks: 2, steps }));
    expect(timeline).toMatchObject({
      rank: [0, 0, 1, 1],
      kind: [0, 1, 0, 2],
      names: ['think', '', 'think', ''],
      cause: [-1, 0, -1, 1],
      match: [-1, 3, -1, 1],
    });
    expect(timeline?.startPs.slice(0, 2)).toEqual([0, 10e6]);
  });

  it('has the configured length, and is read back from a file, unless columns differ in length', () => {
    const short = run({ kind: 'program', ranks: 2, steps }, { record: { operations: 2 } });
    expect(jobOf(short).timeline?.operations).toEqual([0, 2]);
    const result = run({ kind: 'program', ranks: 2, steps });
    const text = resultToJson(result);
    expect(parseResultJson(text).jobs).toEqual(result.jobs);
    expect(() => parseResultJson(text.replace('"rank": [0, 0, 1, 1]', '"rank": [0, 0, 1]'))).toThrow(/length of rank/);
    expect(() => parseResultJson(text.replace('"computePs": ', '"computePs": "x", "other": '))).toThrow(/omputePs/);
  });
});

describe('a job alone', () => {
  const job = (name: string, startUs: number): WorkloadSpec => ({
    kind: 'collective',
    collective: 'all-reduce',
    sizeBytes: 1_000_000,
    name,
    startUs,
    placement: 'random',
    ranks: 2,
  });
  const line = { topology: { kind: 'dumbbell', left: 2, right: 2 }, seed: 3 } as const;

  it('has its placement, starts at time 0, and completes sooner', () => {
    const result = run([job('a', 0), job('b', 20)], line);
    const alone = runScenarioSync(jobAlone(result, 1));
    expect(alone.jobs).toHaveLength(1);
    expect(jobOf(alone)).toMatchObject({ name: 'b', hosts: jobOf(result, 1).hosts, startPs: 0 });
    expect(jobOf(alone).completionPs).toBeLessThanOrEqual(jobOf(result, 1).completionPs ?? 0);
    expect(() => jobAlone(result, 2)).toThrow('index');
  });

  it('has no background flows, and sends the same messages', () => {
    const background = { kind: 'permutation', sizeBytes: 50_000_000 } as const;
    const result = run([job('a', 0), background], { ...line, end: 'jobs' });
    const spec = jobAlone(result, 0);
    expect([spec.hosts?.service, spec.end]).toEqual(['round-robin', undefined]);
    expect(jobOf(runScenarioSync(spec)).completionPs).toBeLessThan(0.8 * (jobOf(result).completionPs ?? 0));
  });
});

it('a trace has a process for the job, a slice per operation, and arrows from sends to receives', () => {
  const steps: StepSpec[] = [{ kind: 'compute', name: 'think', us: 10 }, {
    kind: 'message',
    from: 0,
    to: 1,
    sizeBytes: 5000,
  }];
  const { traceEvents } = JSON.parse(resultToPerfetto(run({ kind: 'program', ranks: 2, steps, name: 'p' }))) as {
    traceEvents: { ph: string; name: string; pid: number; tid: number; ts: number; dur: number; id: number }[];
  };
  const own = traceEvents.filter(({ pid }) => pid === 10);
  const slices = own.filter(({ ph }) => ph === 'X');
  expect(slices.map(({ name, ts }) => [name, ts])).toEqual([
    ['compute think', 0],
    ['send', 10],
    ['compute think', 0],
    ['receive', 10],
  ]);
  const [begin] = own.filter(({ ph, name }) => ph === 's' && name === 'message');
  const end = own.find(({ ph, id }) => ph === 'f' && id === begin?.id);
  expect([begin?.tid, end?.tid]).toEqual([slices[1]?.tid, slices[3]?.tid]);
  // Slices of a track do not overlap.
  for (const slice of slices) {
    const others = slices.filter((other) => other !== slice && other.tid === slice.tid);
    expect(others.every(({ ts, dur }) => ts + dur <= slice.ts || slice.ts + slice.dur <= ts)).toBe(true);
  }
});

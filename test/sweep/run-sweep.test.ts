/** Checks that rows are in the order of the plan, with the same bytes for any executor and order of completion. */
import { describe, expect, it } from 'vitest';
import { runScenarioSync } from '../../src/sim/index.js';
import { planSweep, rowColumns, rowToJson, rowValues, runJob, runSweep, summarisePoints, type SweepOptions,
  type SweepRow } from '../../src/sweep/index.js';
import { meanOverSeeds, studentT95 } from '../../src/sweep/summary.js';
import { sizeBuckets } from '../../src/sweep/metrics.js';
import { uetReference } from '../../src/uet/index.js';
import { INCAST } from './support/incast.js';

const PLAN = planSweep({
  name: 'test',
  base: INCAST,
  axes: [{ path: 'workload.senders', name: 'senders', values: [2, 4, 8] }],
  seeds: 2,
  metrics: ['slowdown.p99', 'maxQueueBytes', 'slowdown.max[..20000]', 'completionPs.p50[20000..]'],
});

async function rowsOf(options: SweepOptions = {}): Promise<SweepRow[]> {
  const rows: SweepRow[] = [];
  for await (const row of runSweep(PLAN, options)) rows.push(row);
  return rows;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a sweep', () => {
  it('yields the same numbers as each run alone', async () => {
    const rows = await rowsOf();
    expect(rows).toHaveLength(6);
    for (const row of rows) {
      const result = runScenarioSync(row.run.scenario);
      expect(rowValues(row, PLAN)).toEqual([
        row.run.index,
        row.run.hash,
        row.run.values[0],
        row.run.seed,
        result.ended,
        null,
        result.hash,
        result.summary.slowdown!.p99,
        result.summary.maxQueueBytes,
        result.summary.slowdown!.max,
        null,
      ]);
      expect(rowColumns(PLAN)).toHaveLength(rowValues(row, PLAN).length);
    }
  });

  it('yields the same rows when later runs complete first', async () => {
    const alone = (await rowsOf()).map((row) => rowToJson(row, PLAN));
    const done: number[] = [];
    const rows = await rowsOf({
      atOnce: 4,
      execute: async (job, run) => {
        await wait(10 - run.index);
        return runJob(job);
      },
      onDone: ({ run }) => done.push(run.index),
    });
    expect(rows.map((row) => rowToJson(row, PLAN))).toEqual(alone);
    expect(done).not.toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('limits concurrent runs', async () => {
    let [now, most] = [0, 0];
    await rowsOf({
      atOnce: 3,
      execute: async (job) => {
        most = Math.max(most, ++now);
        await wait(1);
        now--;
        return runJob(job);
      },
    });
    expect(most).toBe(3);
  });

  it('continues after a failed run, whose row has the reason', async () => {
    const rows = await rowsOf({
      execute: (_, { index }) =>
        Promise.resolve(index === 1 ? { ended: 'out-of-time', reason: 'took longer than 1 s' } : runJob(_)),
    });
    expect(rows).toHaveLength(6);
    expect(rowValues(rows[1]!, PLAN).slice(4)).toEqual([
      'out-of-time',
      'took longer than 1 s',
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(summarisePoints(PLAN, rows).map(({ runs, failed }) => [runs, failed])).toEqual([[1, 1], [2, 0], [2, 0]]);
  });

  it('ends on its signal without waiting for runs in progress', async () => {
    const controller = new AbortController();
    const rows = await rowsOf({
      signal: controller.signal,
      execute: async (job, { index }) => {
        if (index === 2) {
          controller.abort();
          await new Promise(() => undefined);
        }
        return runJob(job);
      },
    });
    expect(rows.map(({ run }) => run.index)).toEqual([0, 1]);
  });

  it('fails with the error of an executor', async () => {
    await expect(rowsOf({ execute: () => Promise.reject(new Error('no workers')) })).rejects.toThrow('no workers');
  });
});

describe('a job', () => {
  const job = (scenario: unknown) => ({ scenario, metrics: [], sizeBuckets: null }) as never;

  it('with an invalid scenario fails with the reason', () => {
    const outcome = runJob(job({ ...INCAST, workload: { kind: 'incast', senders: 99, sizeBytes: 1 } }));
    expect(outcome).toMatchObject({ ended: 'failed' });
    expect((outcome as { reason: string }).reason).toContain('workload.senders');
  });

  it('that needs more memory than available is not started', () => {
    expect(runJob(job(INCAST), 1e6)).toMatchObject({ ended: 'out-of-memory' });
  });
});

describe('slowdown by size', () => {
  const flow = (sizeBytes: number, slowdown: number | null) => ({ sizeBytes, slowdown }) as never;

  it('assigns flows to buckets with inclusive upper ends, and larger ones to an additional bucket', () => {
    const flows = [flow(1, 1), flow(10, 2), flow(11, 3), flow(20, 5), flow(20, 4), flow(30, 9), flow(5, null)];
    expect(sizeBuckets(flows, [10, 20])).toEqual([
      { fromBytes: 0, toBytes: 10, flows: 2, p50: 1, p95: 2, p99: 2 },
      { fromBytes: 10, toBytes: 20, flows: 3, p50: 4, p95: 5, p99: 5 },
      { fromBytes: 20, toBytes: 30, flows: 1, p50: 9, p95: 9, p99: 9 },
    ]);
  });
});

describe('means over seeds', () => {
  it("have a 95 % confidence interval by Student's t", () => {
    // NIST/SEMATECH e-Handbook, 1.3.6.7.2: t(0.975, 4) = 2.776, t(0.975, 40) = 2.021, t(0.975, 100) = 1.984.
    expect(meanOverSeeds([1, 2, 3, 4, 5])).toMatchObject({ count: 5, mean: 3, deviation: Math.sqrt(2.5) });
    expect(meanOverSeeds([1, 2, 3, 4, 5])!.half95).toBeCloseTo((2.776 * Math.sqrt(2.5)) / Math.sqrt(5), 12);
    expect(studentT95(40)).toBeCloseTo(2.021, 3);
    expect(studentT95(100)).toBeCloseTo(1.984, 3);
    expect(meanOverSeeds([7])).toMatchObject({ mean: 7, deviation: null, half95: null });
    expect(meanOverSeeds([])).toBeNull();
  });
});

describe('a sweep of fidelity reference-uet', () => {
  const plan = planSweep({
    name: 'uet',
    base: {
      name: 'incast',
      fidelity: 'reference-uet',
      durationUs: 2000,
      topology: { kind: 'leaf-spine', leaves: 1, spines: 4, hostsPerLeaf: 4 },
      workload: { kind: 'incast', senders: 3, sizeBytes: 100_000 },
    },
    axes: [{ path: 'uet.control', values: ['nscc', 'rccc'] }],
    metrics: ['completionPs.mean', 'trimmedPackets', 'credits'],
  });
  const outcomes = async (options: SweepOptions): Promise<SweepRow['outcome'][]> => {
    const rows: SweepRow['outcome'][] = [];
    for await (const { outcome } of runSweep(plan, options)) rows.push(outcome);
    return rows;
  };

  it('has the metrics of each run', async () => {
    const [nscc, rccc] = await outcomes({ uetReference });
    expect(nscc).toMatchObject({ ended: 'all-flows-done', metrics: { credits: 0 } });
    expect(rccc).toMatchObject({ ended: 'all-flows-done', metrics: { credits: expect.any(Number) as number } });
  });

  it('fails each run without the option uetReference', async () => {
    expect(await outcomes({})).toEqual([1, 2].map(() => ({
      ended: 'failed',
      reason: expect.stringMatching(/needs the option uetReference/) as string,
    })));
  });
});

/**
 * Bandwidths of collectives as in NCCL's tests (NVIDIA nccl-tests, doc/PERFORMANCE.md, and the byte counts of each
 * test): the size is the larger of a rank's two buffers in every format.
 */
import { describe, expect, it } from 'vitest';
import { runScenarioSync } from '../../src/sim/index.js';
import type { CollectiveKind, JobResult } from '../../src/sim/index.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { collectiveGraphOf } from './support/simai-collectives.js';

const N = 4;
/** The size in a scenario; for all-gather it is the contribution of a rank. */
const SIZE = 1_000_000;

interface Counted {
  readonly kind: CollectiveKind;
  /** The size of the larger buffer for SIZE. */
  readonly bytes: number;
  /** Ratio of bus bandwidth to algorithm bandwidth. */
  readonly factor: number | null;
}

const COUNTED: readonly Counted[] = [
  { kind: 'all-reduce', bytes: SIZE, factor: (2 * (N - 1)) / N },
  { kind: 'reduce-scatter', bytes: SIZE, factor: (N - 1) / N },
  { kind: 'all-gather', bytes: N * SIZE, factor: (N - 1) / N },
  { kind: 'all-to-all', bytes: SIZE, factor: (N - 1) / N },
  { kind: 'broadcast', bytes: SIZE, factor: 1 },
  { kind: 'reduce', bytes: SIZE, factor: 1 },
  { kind: 'gather', bytes: SIZE, factor: (N - 1) / N },
  { kind: 'scatter', bytes: SIZE, factor: (N - 1) / N },
  { kind: 'barrier', bytes: 1, factor: null },
];

function jobOf(workload: ScenarioSpec['workload']): JobResult {
  const { jobs = [] } = runScenarioSync({ name: 'bus', topology: { kind: 'star', hosts: N }, workload });
  const [job] = jobs;
  if (job === undefined) throw new Error('no job');
  return job;
}

function expectCounted({ collectives, completionPs }: JobResult, { kind, bytes, factor }: Counted): void {
  const [found] = collectives ?? [];
  expect(found).toMatchObject({ kind, ranks: N, sizeBytes: bytes, lastBeginPs: 0, endPs: completionPs });
  if (factor === null) {
    expect([found?.algorithmBps, found?.busBps]).toEqual([null, null]);
    return;
  }
  const algorithmBps = (8 * bytes * 1e12) / (completionPs ?? NaN);
  expect(found?.algorithmBps).toBeCloseTo(algorithmBps, 3);
  expect(found?.busBps).toBeCloseTo(algorithmBps * factor, 3);
}

describe("bandwidths of NCCL's tests", () => {
  it.each(COUNTED)('$kind, a collective of a scenario', (counted) => {
    const size = counted.kind === 'barrier' ? {} : { sizeBytes: SIZE };
    expectCounted(jobOf({ kind: 'collective', collective: counted.kind, ...size }), counted);
  });

  it.each(COUNTED)('$kind, a step of a program', (counted) => {
    const size = counted.kind === 'barrier' ? {} : { sizeBytes: SIZE };
    expectCounted(jobOf({ kind: 'program', steps: [{ kind: 'collective', collective: counted.kind, ...size }] }),
      counted);
  });

  it.each([
    ['ALLREDUCE', 'all-reduce'],
    ['ALLGATHER', 'all-gather'],
    ['REDUCESCATTER', 'reduce-scatter'],
    ['ALLTOALL', 'all-to-all'],
  ])('%s of SimAI, whose all-gather states the gathered total', async (word, kind) => {
    const graph = await collectiveGraphOf({ gpus: N, word, sizeBytes: SIZE }, { gpusPerServer: 2 });
    const { jobs = [] } = runScenarioSync({
      name: 'bus',
      topology: { kind: 'star', hosts: N },
      workload: { kind: 'job', format: 'simai', file: 'w' },
    }, { graphs: { w: graph } });
    const counted = COUNTED.find((one) => one.kind === kind);
    expect(counted).toBeDefined();
    if (counted !== undefined && jobs[0] !== undefined) expectCounted(jobs[0], { ...counted, bytes: SIZE });
  });
});

/** NCCL's choice of algorithm and protocol by size (docs/specs/workloads.md, 4.4). */
import { describe, expect, it } from 'vitest';
import { measureGraph, type SimaiOptions } from '../../src/workloads/index.js';
import { completeNcclSettings } from '../../src/workloads/simai/nccl/nccl-settings.js';
import { tunedChoices, type TunedCollective } from '../../src/workloads/simai/nccl/nccl-plan.js';
import { collectiveGraphOf } from './support/simai-collectives.js';
import { textsOf } from '../support/note-texts.js';

const MIB = 2 ** 20;
const A100: SimaiOptions = { gpuType: 'A100', nvlinkGbps: 2400, nicGbps: 100 };
const TWO_OF_EIGHT = { servers: 2, perServer: 8, isUneven: false };

function choicesOf(sizeBytes: number, options: SimaiOptions = {}, other: Partial<TunedCollective> = {}): string[] {
  const collective = { kind: 'all-reduce', servers: TWO_OF_EIGHT, sizeBytes, ...other } as const;
  return tunedChoices(collective, completeNcclSettings({ ...A100, ...options }, 'options'))
    .map(({ algorithm, protocol }) => `${algorithm} ${protocol}`);
}

function timeUs(what: string, sizeBytes: number): number {
  const settings = completeNcclSettings(A100, 'options');
  return tunedChoices({ kind: 'all-reduce', servers: TWO_OF_EIGHT, sizeBytes }, settings)
    .find(({ algorithm, protocol }) => `${algorithm} ${protocol}` === what)?.timeUs ?? NaN;
}

describe("NCCL's model of an all-reduce over two servers of eight A100 with 100 Gb/s each", () => {
  // Computed by hand: the bus has 8 x 12.5 = 100 GB/s, and 4 of 30 steps use the network.
  it.each([
    ['ring Simple', 64 * MIB, 1.4 * (8.4 + 26 * 3.4 + 4 * 14) + 64 * MIB / (1000 * 100 * 16 / 30)],
    ['ring LL', 4096, 6.6 + 26 * 1 + 4 * 2.7 + 4096 / (1000 * 25 * 16 / 30)],
    ['ring LL128', MIB, 14 + 26 * 1.9 + 4 * 4 + MIB / (1000 * 92 * 16 / 30)],
    ['tree LL', 4096, 6.8 + 2 * (7 * 0.6 + 5) + 4096 / (1000 * (92 / 3.8) * 0.5 * 0.7)],
    ['tree LL128', MIB, 14 + 2 * (7 * 1.25 + 8.5) + MIB / (1000 * 92 * (120 / 128) * 0.5 * 0.6)],
    ['tree Simple', 64 * MIB, 2 * (7 * 4 + 14) + 64 * MIB / (1000 * 92 * 0.5 * 0.8)],
  ])('%s of %i bytes', (what, sizeBytes, expectedUs) => {
    // Both are computed in doubles, in a different order of operations.
    expect(timeUs(what, sizeBytes)).toBeCloseTo(expectedUs, 9);
  });

  it('chooses trees with LL for small sizes, and rings with Simple for large sizes', () => {
    expect(choicesOf(1024)[0]).toBe('tree LL');
    expect(choicesOf(MIB)[0]).toBe('tree LL128');
    expect(choicesOf(1024 * MIB)[0]).toBe('ring Simple');
  });

  it('chooses rings for other collectives, and NVLS only within a server of Hopper GPUs', () => {
    expect(choicesOf(MIB, {}, { kind: 'all-gather' }).every((choice) => choice.startsWith('ring'))).toBe(true);
    const one = { servers: { servers: 1, perServer: 8, isUneven: false } };
    expect(choicesOf(64 * MIB, { gpuType: 'H100', nvlinkGbps: 2880 }, one)[0]).toBe('nvls Simple');
    expect(choicesOf(64 * MIB, {}, one)).not.toContain('nvls Simple');
    expect(choicesOf(64 * MIB, { gpuType: 'H100' })).not.toContain('nvls Simple');
  });

  it('notes its choices, and LL sends twice the bytes', async () => {
    const options: SimaiOptions = { ...A100, gpusPerServer: 2, ncclAlgorithm: 'nccl' };
    const small = await collectiveGraphOf({ gpus: 4, word: 'ALLGATHER', sizeBytes: 8192 }, options);
    expect(textsOf(small.notes)).toContain(
      'Collectives run as NCCL chooses: 1 all-gather of 4 GPUs by 2 rings with LL.',
    );
    expect(measureGraph(small).bytes).toBe(2 * 3 * 8192);
    const large = await collectiveGraphOf({ gpus: 4, word: 'ALLGATHER', sizeBytes: 1024 * MIB }, options);
    expect(measureGraph(large).bytes).toBe(3 * 1024 * MIB);
    const all = await collectiveGraphOf({ gpus: 4, word: 'ALLTOALL', sizeBytes: 8192 }, options);
    expect(textsOf(all.notes)).toContain('Collectives run as NCCL chooses: 1 all-to-all of 4 GPUs direct.');
  });
});

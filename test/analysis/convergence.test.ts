import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseConvergence, type ConvergenceInput } from '../../src/analysis/convergence.js';
import { ceilLog2 } from '../../src/exact-numbers.js';
import { RoceError } from '../../src/errors.js';
import { us } from '../../src/units.js';

const US = 1_000_000;

describe("The proposal's convergence example", () => {
  const result = analyseConvergence();

  it('has an RTT of 22 us, 12 us of it in the queue', () => {
    expect(result).toMatchObject({ queueDelayPs: 12 * US, rttPs: 22 * US });
  });

  it('has four readings, with the times and buffers of each', () => {
    expect(result.readings.map(({ name, cuts, timePs, bufferBytes }) => [name, cuts, timePs / US, bufferBytes]))
      .toEqual([
        ['example', 10, 62, 11_625_000],
        ['formula', 10, 52, 9_750_000],
        ['prose', 10, 58, 10_875_000],
        ['shared-ports', 4, 34, 6_375_000],
      ]);
  });

  it('writes each equation with its numbers', () => {
    expect(result.readings.map(({ equation }) => equation)).toEqual([
      '22 µs + log2(1024) * 4 µs = 62 µs',
      '22 µs + log2(1024) * (4 µs - 1 µs) = 52 µs',
      '22 µs + (log2(1024) - 1) * 4 µs = 58 µs',
      '22 µs + (log2(16) - 1) * 4 µs = 34 µs',
    ]);
    expect(result.readings[0].bufferEquation).toBe('12.5 GB/s * (16 - 1) * 62 µs = 11625 KB');
  });

  it('chooses the prose reading by default', () => {
    expect(result.chosen).toBe(result.readings[2]);
    for (const reading of ['example', 'formula', 'prose', 'shared-ports'] as const) {
      expect(analyseConvergence({ reading }).chosen.name).toBe(reading);
    }
  });

  it('needs 4 675 KB when the inflow halves at each cut', () => {
    expect(result.staircase).toEqual({
      steps: [
        { durationPs: 22 * US, excessOfLinkRate: 15 },
        { durationPs: 4 * US, excessOfLinkRate: 7 },
        { durationPs: 4 * US, excessOfLinkRate: 3 },
        { durationPs: 4 * US, excessOfLinkRate: 1 },
      ],
      bufferBytes: 4_675_000,
    });
  });

  it('states the conditions for halving', () => {
    expect(result.notes[0]).toMatch(/alpha is 1, min_dec_fac is at most 50 and rpg_gd is 11/);
  });
});

describe('Convergence of other networks', () => {
  it('rounds the cuts up when N is not a power of 2', () => {
    const { readings } = analyseConvergence({ flows: 1025, ports: 9 });
    expect(readings.map(({ cuts }) => cuts)).toEqual([11, 11, 11, 4]);
    expect(readings[2].equation).toBe('22 µs + (ceil(log2(1025)) - 1) * 4 µs = 62 µs');
  });

  it('computes ceil(log2) exactly for powers of 2 and their neighbours', () => {
    for (let exponent = 2; exponent <= 24; exponent++) {
      expect([2 ** exponent - 1, 2 ** exponent, 2 ** exponent + 1].map(ceilLog2)).toEqual([
        exponent,
        exponent,
        exponent + 1,
      ]);
    }
    expect([1, 2].map(ceilLog2)).toEqual([0, 1]);
  });

  it('needs no buffer for one flow, and no time in the readings that wait for cuts only', () => {
    const { readings, staircase } = analyseConvergence({ flows: 1, ports: 1 });
    expect(readings.map(({ timePs }) => timePs / US)).toEqual([22, 22, 0, 0]);
    expect(readings.every(({ bufferBytes }) => bufferBytes === 0)).toBe(true);
    expect(staircase).toEqual({ steps: [], bufferBytes: 0 });
  });

  it('uses the configured value for the 1 µs of the formula', () => {
    expect(analyseConvergence({ formulaOnePs: 0 }).readings[1].timePs).toBe(62 * US);
    expect(analyseConvergence({ formulaOnePs: us(2) }).readings[1].timePs).toBe(42 * US);
  });

  it('sums the staircase for any number of ports, rounded up to a byte', () => {
    // 10 ports, excess 9, 4, 1.5, 0.25: 22 * 9 + 4 * 5.75 = 221 us at 12.5 GB/s.
    expect(analyseConvergence({ ports: 10 }).staircase.bufferBytes).toBe(2_762_500);
    expect(
      analyseConvergence({ rateBps: 3e6, ports: 2, flows: 2, ecnThresholdBytes: 0, propagationPs: 1, nicDelayPs: 0 })
        .staircase.bufferBytes,
    ).toBe(1);
  });

  it('never needs more buffer for the staircase than for a constant inflow of the same duration', () => {
    const input = fc.record({
      ports: fc.integer({ min: 1, max: 4096 }),
      rateBps: fc.integer({ min: 1e6, max: 1e13 }),
      propagationPs: fc.integer({ min: 0, max: 1e10 }),
      rateReducePeriodPs: fc.integer({ min: 1, max: 1e10 }),
      ecnThresholdBytes: fc.integer({ min: 0, max: 1e9 }),
    });
    fc.assert(fc.property(input, (value) => {
      const { readings, staircase } = analyseConvergence({ ...value, flows: 4096, formulaOnePs: 0 });
      const sharedPorts = readings[3];
      expect(staircase.bufferBytes).toBeLessThanOrEqual(sharedPorts.bufferBytes);
      expect(
        readings.every((reading) => Number.isSafeInteger(reading.timePs) && Number.isSafeInteger(reading.bufferBytes)),
      ).toBe(true);
      expect(staircase.steps.reduce((sum, { durationPs }) => sum + durationPs, 0)).toBe(sharedPorts.timePs);
    }));
  });

  it('stays exact where floating point would round', () => {
    const { queueDelayPs, readings } = analyseConvergence({
      ecnThresholdBytes: 999_999_999,
      rateBps: 1_000_003,
      ports: 3,
      flows: 3,
    });
    expect(BigInt(queueDelayPs)).toBe((999_999_999n * 8_000_000_000_000n + 1_000_002n) / 1_000_003n);
    const product = 1_000_003n * 2n * BigInt(readings[2].timePs);
    expect(BigInt(readings[2].bufferBytes)).toBe((product + 7_999_999_999_999n) / 8_000_000_000_000n);
  });

  it.each([
    [{ flows: 0 }, 'flows'],
    [{ flows: 15 }, 'flows'],
    [{ ports: 0 }, 'ports'],
    [{ rateBps: 0 }, 'rateBps'],
    [{ propagationPs: -1 }, 'propagationPs'],
    [{ nicDelayPs: 0.5 }, 'nicDelayPs'],
    [{ ecnThresholdBytes: NaN }, 'ecnThresholdBytes'],
    [{ rateReducePeriodPs: 0 }, 'rateReducePeriodPs'],
    [{ rateReducePeriodPs: us(0.5) }, 'formulaOnePs'],
    [{ reading: 'best' }, 'reading'],
    [{ logBase: 10 }, 'logBase'],
  ])('rejects %j by name', (overrides, field) => {
    let error: unknown;
    try {
      analyseConvergence(overrides as Partial<ConvergenceInput>);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(RoceError);
    expect(error).toMatchObject({ code: 'invalid-config', where: `convergence.${field}` });
  });
});

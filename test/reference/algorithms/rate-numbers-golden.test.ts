import { describe, expect, it } from 'vitest';
import { roundRate, sendGapPs, txTimeNs, windowAtRate,
  windowInUse } from '../../../src/reference/algorithms/rate-numbers.js';
import { GOLDEN_UNIT, readGolden } from '../../support/golden.js';

describe('the numbers of the ns-3 reference simulator', () => {
  const folder = GOLDEN_UNIT;
  it('a rate multiplied or divided by a double is truncated to whole bits per second', () => {
    for (const row of readGolden(folder, 'rate_arith.csv')) {
      const [rate, factor] = [Number(row.rate_bps), Number(row.factor)];
      const round = (value: number) => roundRate('whole-bps', value);
      expect([round(rate * factor), round(rate / factor), round(rate / 2)])
        .toEqual([Number(row.mul_bps), Number(row.div_bps), Number(row.half_bps)]);
    }
  });

  it('transmission times are the same to the nanosecond', () => {
    for (const row of readGolden(folder, 'tx_time_ns.csv')) {
      expect(txTimeNs(Number(row.bytes), Number(row.rate_bps)), JSON.stringify(row)).toBe(Number(row.tx_ns));
    }
  });
});

describe('numbers of rates, windows and gaps', () => {
  it('a transmission time of whole nanoseconds is 1 ns short, or rarely exact', () => {
    expect(txTimeNs(1250, 100e9)).toBe(99);
    expect(txTimeNs(1090, 100e9)).toBe(87);
    expect(txTimeNs(4138, 1e9)).toBe(33104);
    expect(txTimeNs(1250, 1000)).toBeGreaterThan(9.999e9);
  });

  it('a transmission time equals its form in 64-bit integers', () => {
    for (const [len, rate] of [[60, 99_999_999_999], [1090, 1e9], [9000, 12_345_678_901], [43, 4e11]]) {
      const scaled = BigInt(Math.floor(((len * 8) / rate) * 2 ** 64));
      const h = scaled >> 32n;
      const l = scaled & 0xffffffffn;
      const inWords = (1_000_000_000n * h + ((1_000_000_000n * l) >> 32n)) >> 32n;
      expect(BigInt.asUintN(64, 1_000_000_000n * h)).toBe(1_000_000_000n * h);
      expect(txTimeNs(len, rate)).toBe(Number(inWords));
    }
  });

  it('a whole window is computed exactly even if the product exceeds 2^53', () => {
    expect(windowAtRate('whole-bps', 104_000, 98_106_462_857, 100e9)).toBe(102_030);
    // The product is one less than a multiple of the maximum rate, and beyond 2^53: as a double it would give a byte more.
    expect(windowAtRate('whole-bps', 900_001, 310_744_099_174, 400_000_000_001)).toBe(699_174);
    expect(Math.floor((900_001 * 310_744_099_174) / 400_000_000_001)).toBe(699_175);
    expect(windowAtRate('whole-bps', 10, 1e6, 100e9)).toBe(1);
    expect(windowAtRate('float64', 1000, 1e9, 3e9)).toBe(1000 / 3);
  });

  it('a window is absent, fixed or follows the rate', () => {
    expect(windowInUse('none', 'float64', 1000, 1e9, 2e9)).toBe(0);
    expect(windowInUse('fixed', 'float64', 1000, 1e9, 2e9)).toBe(1000);
    expect(windowInUse('variable', 'float64', 1000, 1e9, 2e9)).toBe(500);
  });

  it('a gap is rounded up to picoseconds, or as the reference rounds nanoseconds', () => {
    expect(sendGapPs('picoseconds', 1000, 3e9)).toBe(2_666_667);
    expect(sendGapPs('ns3-nanoseconds', 1250, 100e9)).toBe(99_000);
  });
});

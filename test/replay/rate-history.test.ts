import { describe, expect, it } from 'vitest';
import { RateHistory, resampleRates } from '../../src/replay/rate-history.js';
import { ms, seconds, us } from '../../src/units.js';

describe('RateHistory', () => {
  it('has no rates for a QP whose rate never changed', () => {
    expect(new RateHistory(100).lineOf(1, us(10))).toBeUndefined();
  });

  it('weights each rate by its duration', () => {
    const history = new RateHistory(100);
    history.change(1, us(1.5), 50);
    history.change(1, us(3), 10);
    expect(history.lineOf(1, us(4))).toEqual({ sliceDurationPs: us(1), meanRatesBps: [100, 75, 50, 10] });
  });

  it('ends with the part of a slice that the capture covers', () => {
    const history = new RateHistory(100);
    history.change(1, us(1), 40);
    expect(history.lineOf(1, us(1.5))?.meanRatesBps).toEqual([100, 40]);
  });

  it('keeps 64 to 128 slices for any duration, and the integral of the rate', () => {
    const history = new RateHistory(100);
    history.change(7, us(10), 20);
    history.change(7, ms(3), 60);
    for (const endPs of [ms(4), seconds(1), seconds(3600)]) {
      const { sliceDurationPs, meanRatesBps } = history.lineOf(7, endPs)!;
      expect(meanRatesBps.length).toBeGreaterThan(63);
      expect(meanRatesBps.length).toBeLessThanOrEqual(128);
      const sum = meanRatesBps.reduce(
        (total, rate, i) => total + rate * Math.min(sliceDurationPs, endPs - i * sliceDurationPs),
        0,
      );
      const exact = 100 * us(10) + 20 * (ms(3) - us(10)) + 60 * (endPs - ms(3));
      // Means are divided by the slice and multiplied again, with a few rounding errors of doubles.
      expect(sum / exact).toBeCloseTo(1, 12);
    }
  });

  it('accepts changes before the first frame, and several at the same time', () => {
    const history = new RateHistory(100);
    history.change(1, -us(5), 80);
    history.change(1, us(1), 60);
    history.change(1, us(1), 40);
    expect(history.lineOf(1, us(2))?.meanRatesBps).toEqual([80, 40]);
  });

  it('has rates for a capture without duration', () => {
    const history = new RateHistory(100);
    history.change(1, 0, 50);
    expect(history.lineOf(1, 0)?.meanRatesBps).toEqual([50]);
  });

  it('returns the next slice boundary', () => {
    const history = new RateHistory(100);
    expect(history.borderAfter(0)).toBe(us(1));
    history.cover(us(128));
    expect(history.borderAfter(us(1))).toBe(us(2));
    expect(history.borderAfter(us(2))).toBe(us(4));
  });
});

describe('resampleRates', () => {
  const line = { sliceDurationPs: 10, meanRatesBps: [10, 20, 30] };

  it('averages rates over wider slices', () => {
    expect(resampleRates(line, 30, 1)).toEqual([20]);
    expect(resampleRates(line, 30, 2)).toEqual([(10 * 10 + 20 * 5) / 15, (20 * 5 + 30 * 10) / 15]);
  });

  it('repeats rates over narrower slices', () => {
    expect(resampleRates(line, 30, 6)).toEqual([10, 10, 20, 20, 30, 30]);
  });

  it('returns the last rate for a capture without duration', () => {
    expect(resampleRates({ sliceDurationPs: 10, meanRatesBps: [50] }, 0, 3)).toEqual([50, 50, 50]);
  });
});

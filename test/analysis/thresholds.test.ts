import { describe, expect, it } from 'vitest';
import { ecnThresholds, ecnThresholdTable } from '../../src/analysis/ecn-thresholds.js';
import { controlLoopBytes, ecnRoomBelowXoff, simulatorHeadroomBytes } from '../../src/analysis/headroom.js';
import { us } from '../../src/units.js';

describe('ECN thresholds', () => {
  it('are 400 and 1600 KB at 100 Gb/s in production, and grow with the rate', () => {
    expect(
      ecnThresholdTable().map(({ linkRateBps, kminBytes, kmaxBytes }) => [linkRateBps / 1e9, kminBytes, kmaxBytes]),
    ).toEqual([
      [10, 40_000, 160_000],
      [25, 100_000, 400_000],
      [40, 160_000, 640_000],
      [50, 200_000, 800_000],
      [100, 400_000, 1_600_000],
      [200, 800_000, 3_200_000],
      [400, 1_600_000, 6_400_000],
    ]);
  });

  it('drain in the same time at every rate in production, and in less time at higher rates in the paper', () => {
    expect(new Set(ecnThresholdTable().map(({ kminDrainPs, kmaxDrainPs }) => `${kminDrainPs} ${kmaxDrainPs}`))).toEqual(
      new Set([`${us(32)} ${us(128)}`]),
    );
    expect(ecnThresholdTable('paper').map(({ kmaxDrainPs }) => kmaxDrainPs / 1e6)).toEqual([160, 64, 40, 32, 16, 8, 4]);
  });

  it('are 5 and 200 KB in the paper, which covers 40 Gb/s only', () => {
    expect(ecnThresholds(100e9, 'paper')).toMatchObject({
      kminBytes: 5_000,
      kmaxBytes: 200_000,
      pmax: 0.01,
      coversRate: false,
    });
    expect(ecnThresholds(40e9, 'paper').coversRate).toBe(true);
    expect(ecnThresholds(123e9).coversRate).toBe(true);
    expect(ecnThresholds(100e9, 'paper').source).toMatch(/SIGCOMM 2015/);
  });

  it('reject a rate of 0 and a parameter set that does not exist', () => {
    expect(() => ecnThresholds(0, 'paper')).toThrow(/linkRateBps/);
    expect(() => ecnThresholds(1e9, 'toString' as never)).toThrow(
      /^parameterSet must be "production" or "paper" \(got "toString"\)\.$/,
    );
  });
});

describe('Space in a lossless buffer', () => {
  it('is the bytes of three link delays above xoff', () => {
    expect(simulatorHeadroomBytes({ rateBps: 100e9, linkDelayPs: us(1) })).toBe(37_500);
    expect(simulatorHeadroomBytes({ rateBps: 400e9, linkDelayPs: us(1) })).toBe(150_000);
    // The bytes of a delay are rounded down before they are tripled: 1.25 bytes give 3.
    expect(simulatorHeadroomBytes({ rateBps: 10e9, linkDelayPs: 1_000 })).toBe(3);
  });

  it('is the bytes of one control loop below xoff, rounded up', () => {
    expect(controlLoopBytes(100e9, us(22))).toBe(275_000);
    expect(controlLoopBytes(10e9, 1_000)).toBe(2);
    expect(controlLoopBytes(10e9, 0)).toBe(0);
  });

  it('suffices at exactly the needed size', () => {
    const room = (xoffBytes: number) =>
      ecnRoomBelowXoff({ rateBps: 100e9, controlLoopPs: us(22), kmaxBytes: 1_600_000, xoffBytes });
    expect(room(1_875_000)).toEqual({ roomBytes: 275_000, neededBytes: 275_000, suffices: true });
    expect(room(1_874_999).suffices).toBe(false);
    expect(room(1_000_000).roomBytes).toBe(-600_000);
  });

  it('rejects invalid input by name', () => {
    expect(() => simulatorHeadroomBytes({ rateBps: 0, linkDelayPs: 1 })).toThrow(/simulatorHeadroom\.rateBps/);
    expect(() => controlLoopBytes(1e9, -1)).toThrow(/controlLoop\.controlLoopPs/);
    expect(() => ecnRoomBelowXoff({ rateBps: 1, controlLoopPs: 1, kmaxBytes: -1, xoffBytes: 1 })).toThrow(
      /ecnRoom\.kmaxBytes/,
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchTimesPsInto, readCaptureBatches, timePsSince, type CaptureTime } from '../../src/capture/index.js';
import { TickClock } from '../../src/capture/ticks.js';
import { localBytes } from './support/corpus.js';

const at = (epochSeconds: number, picoseconds: number): CaptureTime => ({ hasTime: true, epochSeconds, picoseconds });
const NO_TIME: CaptureTime = { hasTime: false, epochSeconds: 0, picoseconds: 0 };

describe('a pcapng clock', () => {
  it('agrees with exact arithmetic at every resolution', () => {
    const anyTicks = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), anyTicks, fc.integer({ min: -5e9, max: 5e9 }),
        (resolution, ticks, offset) => {
          const perSecond = (resolution & 0x80) === 0 ? 10n ** BigInt(resolution) : 2n ** BigInt(resolution & 0x7f);
          const seconds = ticks / perSecond;
          fc.pre(seconds < 2n ** 53n - 10_000_000_000n);
          const clock = new TickClock(resolution, offset);
          clock.convert(Number(ticks >> 32n), Number(ticks & 0xffffffffn));
          expect(clock.epochSeconds).toBe(Number(seconds) + offset);
          expect(clock.picoseconds).toBe(Number(((ticks % perSecond) * 10n ** 12n) / perSecond));
        }),
      { numRuns: 5000, seed: 1 },
    );
  });

  it.each([0, 1, 6, 9, 10, 11, 12, 13, 0x80, 0x81, 0x80 + 24, 0x80 + 32, 0x80 + 33, 0x80 + 34])(
    'is exact on both sides of each second at resolution %i',
    (resolution) => {
      const perSecond = (resolution & 0x80) === 0 ? 10n ** BigInt(resolution) : 2n ** BigInt(resolution & 0x7f);
      const clock = new TickClock(resolution, 0);
      for (const second of [1n, 2n, 1_000_003n, 1_751_328_000n].filter((s) => s * perSecond < 2n ** 64n)) {
        for (const ticks of [second * perSecond - 1n, second * perSecond]) {
          clock.convert(Number(ticks >> 32n), Number(ticks & 0xffffffffn));
          expect(clock.epochSeconds).toBe(Number(ticks / perSecond));
          expect(clock.picoseconds).toBe(Number(((ticks % perSecond) * 10n ** 12n) / perSecond));
        }
      }
    },
  );
});

describe('timePsSince', () => {
  it('is exact to the picosecond across seconds, in both directions', () => {
    expect(timePsSince(at(1_751_328_001, 1), at(1_751_328_000, 999_999_999_999))).toBe(2);
    expect(timePsSince(at(1_751_328_000, 999_999_999_999), at(1_751_328_001, 1))).toBe(-2);
    expect(timePsSince(at(9007, 199_254_740_991), at(0, 0))).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('rejects differences that a number cannot hold exactly, and frames without a time', () => {
    expect(() => timePsSince(at(9007, 199_254_740_992), at(0, 0))).toThrow(/time from the origin to the frame must be/);
    expect(() => timePsSince(NO_TIME, at(0, 0))).toThrow(/the time has no time to compare/);
    expect(() => timePsSince(at(0, 0), NO_TIME)).toThrow(/the origin has no time to compare/);
  });
});

describe('batchTimesPsInto', () => {
  it('writes one time per frame, NaN for a frame without a time', async () => {
    const origin = at(1_751_328_000, 0);
    const target = new Float64Array(120);
    for await (const batch of readCaptureBatches(localBytes('mixed_odd.pcapng'))) {
      expect(batch.count).toBe(120);
      batchTimesPsInto(batch, origin, target);
    }
    expect([...target.subarray(0, 2)]).toEqual([3_275_000_000, 3_303_909_000]);
    expect(target[5]).toBeNaN();
    expect(target.filter((time) => Number.isNaN(time)).length).toBe(16);
  });

  it('rejects an origin without a time, and a target that is too short', async () => {
    for await (const batch of readCaptureBatches(localBytes('mixed_50.pcap'))) {
      expect(() => {
        batchTimesPsInto(batch, NO_TIME, new Float64Array(50));
      }).toThrow(/has no time to compare/);
      expect(() => {
        batchTimesPsInto(batch, at(0, 0), new Float64Array(49));
      }).toThrow(/length of the target must be at least 50 \(got 49\)/);
      expect(() => {
        batchTimesPsInto(batch, at(0, 0), new Float64Array(50));
      }).toThrow(/time from the origin to the frame must be/);
    }
  });
});

describe('a pcap fraction of a second or more', () => {
  it('carries into the seconds', async () => {
    const bytes = localBytes('mixed_50.pcap');
    new DataView(bytes.buffer).setUint32(28, 3_000_000_007, true);
    for await (const batch of readCaptureBatches(bytes)) {
      expect([batch.epochSeconds[0], batch.picoseconds[0]]).toEqual([1_751_328_003, 7000]);
    }
  });
});

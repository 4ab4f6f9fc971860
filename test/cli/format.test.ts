/** Formatted numbers. */
import { describe, expect, it } from 'vitest';
import { formatBytes, formatCount } from '../../src/view/format.js';

const LIKE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

describe('Counts', () => {
  it.each([
    0,
    1,
    0.4,
    0.5,
    1.5,
    2.5,
    999,
    999.5,
    1000,
    12_345,
    100_000,
    999_999.5,
    1e6,
    2 ** 53,
    1e20,
    -1,
    -1234.5,
    NaN,
  ])('have their digits in groups as with Intl: %d', (count) => {
    expect(formatCount(count)).toBe(LIKE.format(count));
  });

  it('have them with a unit as well', () => {
    expect([formatBytes(999.5), formatBytes(12), formatBytes(123_456)]).toEqual([
      '1,000 bytes',
      '12 bytes',
      '123.5 kB',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { GlibcRandom } from '../../model/lossy/glibc-random.js';
import { Mrg32k3a } from '../../model/lossy/mrg32k3a.js';
import { GOLDEN_SYSTEM_LOSSY, readGolden } from '../../support/golden.js';

describe('The random numbers for marks and corruption in the second reference', () => {
  // docs/specs/reference-lossy.md, section 8.
  it.each([
    [1, 0, 0.95644401594539075, 0.90941709679522476],
    [1, 50, 0.46039245737754536, 0.056660465380497467],
    [2, 0, 0.91288275990626178, 0.81883419382327993],
    [2, 50, 0.92077964253774058, 0.11332093076099493],
  ])('start, with seed %i in stream %i, with %d, %d', (seed, stream, first, second) => {
    const random = new Mrg32k3a(seed, stream);
    expect([random.next(), random.next()]).toEqual([first, second]);
  });
});

describe("The random numbers for its path choice, glibc's rand()", () => {
  it('start as documented with seed 1', () => {
    const random = new GlibcRandom(1);
    const numbers = Array.from({ length: 5 }, () => random.next());
    expect(numbers).toEqual([1804289383, 846930886, 1681692777, 1714636915, 1957747793]);
  });

  it.each([1, 2, 12_345])('match the C library, seed %i', (seed) => {
    const name = `rand_seed${seed}.csv`;
    const random = new GlibcRandom(seed);
    for (const row of readGolden(GOLDEN_SYSTEM_LOSSY, name)) {
      expect(random.next()).toBe(Number(Object.values(row).at(-1)));
    }
  });
});

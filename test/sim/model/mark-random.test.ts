import { describe, expect, it } from 'vitest';
import { MarkRandom } from '../../model/reference/mark-random.js';

const draw = (random: MarkRandom, count: number): number[] => Array.from({ length: count }, () => random.next());

describe('The random numbers for marks in the reference', () => {
  it('are uniform over a sample of a thousand', () => {
    const numbers = draw(new MarkRandom(1, 4), 1000);
    const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
    expect(numbers.every((number) => number > 0 && number < 1)).toBe(true);
    // Four standard deviations of a mean of 1000.
    expect(Math.abs(mean - 0.5)).toBeLessThan(4 / Math.sqrt(12 * 1000));
  });

  it('come from consecutive streams, six per node', () => {
    expect(draw(new MarkRandom(1, 4), 10).slice(6)).toEqual(draw(new MarkRandom(1, 5), 4));
  });

  it('skip a stream that is used elsewhere', () => {
    const numbers = draw(new MarkRandom(1, 4), 2);
    const random = new MarkRandom(1, 4);
    random.passOver();
    expect(random.next()).toBe(numbers[1]);
  });

  it('differ by seed, including at both ends of the range', () => {
    const firsts = [0, 1, 2, 2 ** 32 - 1].map((seed) => new MarkRandom(seed, 4).next());
    expect(new Set(firsts).size).toBe(4);
  });
});

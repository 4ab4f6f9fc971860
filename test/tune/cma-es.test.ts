/** CMA-ES on functions with known minima. */
import { describe, expect, it } from 'vitest';
import { CmaEs, mirrored, type Point, eigenOf } from '../../src/cli/tune/cma-es.js';

/** The least value found within this number of evaluations. */
function minimise(f: (x: Point) => number, dimensions: number, evaluations: number,
  seed = 1): { value: number; at: Point; restarts: number } {
  const search = new CmaEs({ dimensions, seed });
  let best = { value: Infinity, at: [] as Point };
  for (let done = 0; done < evaluations;) {
    const points = search.ask();
    const values = points.map(f);
    done += points.length;
    const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]! || a - b);
    const first = { value: values[order[0]!]!, at: points[order[0]!]! };
    search.tell(order);
    if (first.value < best.value) best = first;
  }
  return { ...best, restarts: search.restarts };
}

const OPTIMUM = [0.2, 0.7, 0.4, 0.55, 0.9];
const shifted = (x: Point) => x.map((value, at) => value - OPTIMUM[at]!);
const sphere = (x: Point) => shifted(x).reduce((sum, v) => sum + v * v, 0);
const ellipsoid = (x: Point) => shifted(x).reduce((sum, v, at) => sum + 10 ** (6 * at / (x.length - 1)) * v * v, 0);
/** Over -2 to 2 in each dimension, with the minimum at 1, 1, …, which is 0.75 in the unit cube. */
const rosenbrock = (x: Point) => {
  const y = x.map((v) => 4 * v - 2);
  return y.slice(1).reduce((sum, v, at) => sum + 100 * (v - y[at]! ** 2) ** 2 + (1 - y[at]!) ** 2, 0);
};
/** A function with many local minima. */
const rastrigin = (x: Point) =>
  shifted(x).reduce((sum, v) => sum + (10 * v) ** 2 - 10 * Math.cos(2 * Math.PI * 10 * v) + 10, 0);

describe('CMA-ES', () => {
  it('finds the minimum of the sphere function', () => {
    const { value, at } = minimise(sphere, 5, 600);
    expect(value).toBeLessThan(1e-6);
    at.forEach((x, index) => {
      expect(x).toBeCloseTo(OPTIMUM[index]!, 2);
    });
  });

  it('adapts to scales that differ by a factor of a million, and to a curved valley', () => {
    expect(minimise(ellipsoid, 5, 3000).value).toBeLessThan(1e-3);
    expect(minimise(rosenbrock, 4, 4000).value).toBeLessThan(1e-3);
  });

  it('escapes local minima by restarts with larger populations', () => {
    const { value, restarts } = minimise(rastrigin, 3, 60_000);
    expect(restarts).toBeGreaterThan(0);
    expect(value).toBeLessThan(1e-3);
  });

  it('finds a minimum in a corner', () => {
    expect(minimise((x) => x.reduce((sum, v) => sum + v, 0), 4, 1500).value).toBeLessThan(1e-2);
  });

  it('proposes points within the unit cube that depend only on the seed', () => {
    const [one, same, other] = [1, 1, 2].map((seed) => new CmaEs({ dimensions: 3, seed, start: [0, 1, 0.5] }).ask());
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
    expect(one!.flat().every((x) => x >= 0 && x <= 1)).toBe(true);
    expect([-0.25, 1.25, 2.5, -1.5].map(mirrored)).toEqual([0.25, 0.75, 0.5, 0.5]);
  });
});

describe('eigenvectors', () => {
  it('reconstruct the matrix with their eigenvalues', () => {
    const matrix = [[4, 1, -2], [1, 2, 0], [-2, 0, 3]];
    const { values, vectors } = eigenOf(matrix);
    matrix.forEach((row, i) => {
      row.forEach((cell, j) => {
        const again = values.reduce((sum, value, k) => sum + value * vectors[i]![k]! * vectors[j]![k]!, 0);
        expect(again).toBeCloseTo(cell, 12);
      });
    });
  });
});

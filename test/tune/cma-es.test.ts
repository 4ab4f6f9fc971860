/** CMA-ES on functions whose least value is known. */
import { describe, expect, it } from 'vitest';
import { CmaEs, mirrored, type Point, eigenOf } from '../../src/cli/tune/cma-es.js';

/** The least value found with a number of evaluations. */
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
/** In -2 to 2, least at 1, 1, … which is 0.75 of the cube. */
const rosenbrock = (x: Point) => {
  const y = x.map((v) => 4 * v - 2);
  return y.slice(1).reduce((sum, v, at) => sum + 100 * (v - y[at]! ** 2) ** 2 + (1 - y[at]!) ** 2, 0);
};
/** Many local minima. */
const rastrigin = (x: Point) =>
  shifted(x).reduce((sum, v) => sum + (10 * v) ** 2 - 10 * Math.cos(2 * Math.PI * 10 * v) + 10, 0);

describe('CMA-ES', () => {
  it('finds the middle of a sphere', () => {
    const { value, at } = minimise(sphere, 5, 600);
    expect(value).toBeLessThan(1e-6);
    at.forEach((x, index) => {
      expect(x).toBeCloseTo(OPTIMUM[index]!, 2);
    });
  });

  it('learns scales that differ by a million, and a bent valley', () => {
    expect(minimise(ellipsoid, 5, 3000).value).toBeLessThan(1e-3);
    expect(minimise(rosenbrock, 4, 4000).value).toBeLessThan(1e-3);
  });

  it('gets out of local minima by starting again with more candidates', () => {
    const { value, restarts } = minimise(rastrigin, 3, 60_000);
    expect(restarts).toBeGreaterThan(0);
    expect(value).toBeLessThan(1e-3);
  });

  it('finds a least value in a corner', () => {
    expect(minimise((x) => x.reduce((sum, v) => sum + v, 0), 4, 1500).value).toBeLessThan(1e-2);
  });

  it('stays in the cube, and depends on its seed alone', () => {
    const [one, same, other] = [1, 1, 2].map((seed) => new CmaEs({ dimensions: 3, seed, start: [0, 1, 0.5] }).ask());
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
    expect(one!.flat().every((x) => x >= 0 && x <= 1)).toBe(true);
    expect([-0.25, 1.25, 2.5, -1.5].map(mirrored)).toEqual([0.25, 0.75, 0.5, 0.5]);
  });
});

describe('eigenvectors', () => {
  it('make the matrix again', () => {
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

/** Eigenvalues and vectors of a small symmetric matrix, by Jacobi's rotations (Golub and Van Loan, section 8.5). */

/** Column k of `vectors[row][k]` is the eigenvector of `values[k]`. */
export interface Eigen {
  readonly values: readonly number[];
  readonly vectors: readonly (readonly number[])[];
}

const SWEEPS_MAX = 60;
const TINY = 1e-300;

export function eigenOf(matrix: readonly (readonly number[])[]): Eigen {
  const a = matrix.map((row) => [...row]);
  const size = a.length;
  const vectors = a.map((_, row) => a.map((_cell, column) => (row === column ? 1 : 0)));
  for (let sweep = 0; sweep < SWEEPS_MAX && offDiagonal(a) > TINY; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) rotate(a, vectors, p, q);
    }
  }
  return { values: a.map((row, at) => row[at]), vectors };
}

function offDiagonal(a: readonly (readonly number[])[]): number {
  return a.reduce(
    (sum, row, at) => sum + row.reduce((part, cell, column) => (column > at ? part + cell * cell : part), 0),
    0,
  );
}

/** Rotates so that the element at (p, q) becomes zero. */
function rotate(a: number[][], vectors: number[][], p: number, q: number): void {
  if (a[p][q] === 0) return;
  const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (const row of a) [row[p], row[q]] = [c * row[p] - s * row[q], s * row[p] + c * row[q]];
  for (let k = 0; k < a.length; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
  for (const row of vectors) [row[p], row[q]] = [c * row[p] - s * row[q], s * row[p] + c * row[q]];
}

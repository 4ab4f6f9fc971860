/**
 * Where the generators of ns-3 begin: MRG32k3a, seeded with one word six times, then jumped ahead to a stream and substream.
 *
 * Streams are 2^127 steps apart, substreams 2^76; streams that are asked for by number begin at 2^63, and the first substream is number 1.
 *
 * Source: L'Ecuyer, Simard, Chen, Kelton, Operations Research 50, 2002; ../shared/specs/lossy-reference.md, section 8. BigInt, as products
 * need 64 bits; it is done twice per run.
 */

type Vector = readonly bigint[];
type Matrix = readonly Vector[];

const M1 = 4_294_967_087n;
const M2 = 4_294_944_443n;
/** Take (n-3, n-2, n-1) to (n-2, n-1, n). */
const STEP_X: Matrix = [[0n, 1n, 0n], [0n, 0n, 1n], [M1 - 810_728n, 1_403_580n, 0n]];
const STEP_Y: Matrix = [[0n, 1n, 0n], [0n, 0n, 1n], [M2 - 1_370_589n, 0n, 527_612n]];
const STREAM_STEPS = 2n ** 127n;
const SUBSTREAM_STEPS = 2n ** 76n;
const FIRST_NUMBERED_STREAM = 2n ** 63n;

/** State of the generator of a numbered stream: x oldest first, then y. @param seed 1 to 2^32 - 22,854. */
export function streamState(seed: number, stream: number): readonly bigint[] {
  const steps = (FIRST_NUMBERED_STREAM + BigInt(stream)) * STREAM_STEPS + SUBSTREAM_STEPS;
  const words = Array<bigint>(3).fill(BigInt(seed));
  return [...applied(power(STEP_X, steps, M1), words, M1), ...applied(power(STEP_Y, steps, M2), words, M2)];
}

function applied(matrix: Matrix, vector: Vector, modulus: bigint): Vector {
  return matrix.map((row) => row.reduce((sum, factor, at) => sum + factor * vector[at], 0n) % modulus);
}

function product(a: Matrix, b: Matrix, modulus: bigint): Matrix {
  const columns = b.map((_, column) => applied(a, b.map((row) => row[column]), modulus));
  return a.map((_, row) => columns.map((column) => column[row]));
}

function power(matrix: Matrix, exponent: bigint, modulus: bigint): Matrix {
  let result: Matrix = [[1n, 0n, 0n], [0n, 1n, 0n], [0n, 0n, 1n]];
  for (let left = exponent, square = matrix; left > 0n; left >>= 1n) {
    if (left & 1n) result = product(result, square, modulus);
    square = product(square, square, modulus);
  }
  return result;
}

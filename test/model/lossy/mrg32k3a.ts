/**
 * The generator MRG32k3a as the second reference draws from it: consecutive numbers of one stream.
 *
 *   p = (1403580 x1 -  810728 x0) mod m1         x := x1 x2 p         m1 = 2^32 -   209
 *   q = ( 527612 y2 - 1370589 y0) mod m2         y := y1 y2 q         m2 = 2^32 - 22853
 *   u = (p - q, plus m1 unless above 0) * 2.328306549295727688e-10
 *
 * A stream begins with all six words equal to the seed, jumped ahead by (2^63 + stream) 2^127 + 2^76 steps.
 * Source: docs/specs/reference-lossy.md, section 8. The products stay below 2^53, so doubles are exact.
 */
import { jumpedState } from '../../../src/sim/random.js';

const M1 = 4_294_967_087;
const M2 = 4_294_944_443;
const UNIT = 2.328306549295727688e-10;
const FIRST_STREAM = 2n ** 63n;
const STREAM_STEPS = 2n ** 127n;
const RUN_STEPS = 2n ** 76n;

export class Mrg32k3a {
  #x: readonly number[];
  #y: readonly number[];

  /** @param seed 1 to 2^32 - 22854. @param stream whole, from 0. */
  constructor(seed: number, stream: number) {
    const { x, y } = jumpedState(seed, (FIRST_STREAM + BigInt(stream)) * STREAM_STEPS + RUN_STEPS);
    this.#x = x;
    this.#y = y;
  }

  /** Above 0, below 1. */
  next(): number {
    const [x0, x1, x2] = this.#x;
    const [y0, y1, y2] = this.#y;
    const p = modulo(1_403_580 * x1 - 810_728 * x0, M1);
    const q = modulo(527_612 * y2 - 1_370_589 * y0, M2);
    this.#x = [x1, x2, p];
    this.#y = [y1, y2, q];
    return (p > q ? p - q : p - q + M1) * UNIT;
  }
}

function modulo(value: number, modulus: number): number {
  const rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

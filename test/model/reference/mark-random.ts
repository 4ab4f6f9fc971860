/**
 * The exact sequence of random numbers with which the reference simulator marks on its ramp.
 *
 * The generator is MRG32k3a, two recurrences of order three:
 *
 *   x(n) = 1403580 x(n-2) -  810728 x(n-3)  mod m1 = 2^32 -   209
 *   y(n) =  527612 y(n-1) - 1370589 y(n-3)  mod m2 = 2^32 - 22853
 *   u    = (x - y, plus m1 unless above 0) * 2.328306549295727688e-10
 *
 * Its period is divided into streams 2^127 steps apart, and those into substreams 2^76 steps apart. Each decision draws
 * the first number of the next unused stream. Other parts of the simulator use the first streams, 6 per node and 2
 * more, and later one for each pause or resume frame. All six words start as the seed; "run" 1 is substream 1.
 *
 * Source: L'Ecuyer, Simard, Chen, Kelton, "An object-oriented random-number package with many long streams and
 * substreams", Operations Research 50, 2002. The assignment of streams to decisions was found by fitting the golden
 * runs, which then agree in every mark. Products need 64 bits, so BigInt is used for the few thousand draws of a run.
 */
import { applied, M1, type Matrix, power, seedWord, squared, type Vector, X, Y } from '../../../src/sim/random.js';
import type { RandomSource } from '../../../src/reference/algorithms/hpcc-pint/model.js';

const UNIT = 2.328306549295727688e-10;

const STREAM_LOG2 = 127;
const SUBSTREAM_LOG2 = 76;
const STREAMS_PER_NODE = 6;
const STREAMS_BESIDES = 2;

/** Numbers from 0 to 1, each the first of the next stream. */
export class MarkRandom implements RandomSource {
  #x: Vector;
  #y: Vector;
  readonly #nextX: Matrix;
  readonly #nextY: Matrix;

  /** @param seed 0 to 2^32 - 1; the reference runs with 1. @param nodes hosts and switches. */
  constructor(seed: number, nodes: number) {
    const words = Array<bigint>(3).fill(seedWord(seed));
    const used = BigInt(STREAMS_PER_NODE * nodes + STREAMS_BESIDES);
    this.#nextX = squared(X, X.step, STREAM_LOG2);
    this.#nextY = squared(Y, Y.step, STREAM_LOG2);
    this.#x = applied(X, power(X, this.#nextX, used), applied(X, squared(X, X.step, SUBSTREAM_LOG2), words));
    this.#y = applied(Y, power(Y, this.#nextY, used), applied(Y, squared(Y, Y.step, SUBSTREAM_LOG2), words));
  }

  next(): number {
    const x = applied(X, X.step, this.#x)[2];
    const y = applied(Y, Y.step, this.#y)[2];
    this.passOver();
    return Number(x > y ? x - y : x - y + M1) * UNIT;
  }

  /** Skips a stream, which something else uses: each pause or resume frame takes one. */
  passOver(): void {
    this.#x = applied(X, this.#nextX, this.#x);
    this.#y = applied(Y, this.#nextY, this.#y);
  }
}

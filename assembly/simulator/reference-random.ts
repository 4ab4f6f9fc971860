/**
 * The exact sequence of random numbers that the reference simulator uses for marking on the ramp: MRG32k3a.
 *
 *   x(n) = 1403580 x(n-2) -  810728 x(n-3)  mod m1 = 2^32 -   209
 *   y(n) =  527612 y(n-1) - 1370589 y(n-3)  mod m2 = 2^32 - 22853
 *   u    = (x - y, plus m1 unless above 0) * 2.328306549295727688e-10
 *
 * Each decision takes the first number of a new stream, 2^127 steps after the previous one; every pause or resume frame
 * skips one; 6 streams per node and 2 more are used by other parts first. test/model/reference/mark-random.ts is the
 * readable model, which derives the jumps; here their matrices are constants.
 *
 * Source: L'Ecuyer, Simard, Chen, Kelton, Operations Research 50, 2002; the use of the streams: the golden runs.
 */
import { nodeCount, rule } from './network';
import { RULE_SEED } from '../records/sim-run';

const M1: u64 = 4294967087;
const M2: u64 = 4294944443;
const UNIT: f64 = 2.328306549295727688e-10;
const STREAMS_PER_NODE: u32 = 6;
const STREAMS_BESIDES: u32 = 2;

// Two matrices each, row by row: of x, then of y.
const ROW_BYTES: usize = 24;
/** A^(2^127), the jump to the next stream. */
const STREAM = memory.data<u64>([
  2427906178,
  3580155704,
  949770784,
  226153695,
  1230515664,
  3580155704,
  1988835001,
  986791581,
  1230515664,
  1464411153,
  277697599,
  1610723613,
  32183930,
  1464411153,
  1022607788,
  2824425944,
  32183930,
  2093834863,
]);
/** A^(2^76), the jump to the next substream: "run 1" is the first one. */
const SUBSTREAM = memory.data<u64>([
  82758667,
  1871391091,
  4127413238,
  3672831523,
  69195019,
  1871391091,
  3672091415,
  3528743235,
  69195019,
  1511326704,
  3759209742,
  1610795712,
  4292754251,
  1511326704,
  3889917532,
  3859662829,
  4292754251,
  3708466080,
]);

/** The state of the current stream: the last three values of both recurrences, oldest first. */
let x0: u64 = 0;
let x1: u64 = 0;
let x2: u64 = 0;
let y0: u64 = 0;
let y1: u64 = 0;
let y2: u64 = 0;

export function beginReferenceRandom(): void {
  const word = (<u64>rule(RULE_SEED) + M2 - 2) % (M2 - 1) + 1;
  x0 =
    x1 =
    x2 =
    y0 =
    y1 =
    y2 =
      word;
  jump(SUBSTREAM);
  for (let left = STREAMS_PER_NODE * nodeCount + STREAMS_BESIDES; left; left--) passStreamOver();
}

/** The first number of the current stream, 0 to 1; advances to the next stream. */
export function nextOfStreams(): f64 {
  const first = firstOfStream();
  passStreamOver();
  return first;
}

/** The first number of the current stream, without advancing. */
export function firstOfStream(): f64 {
  const x = (1403580 * x1 + (M1 - 810728) * x0 % M1) % M1;
  const y = (527612 * y2 + (M2 - 1370589) * y0 % M2) % M2;
  return <f64>(x > y ? x - y : x + M1 - y) * UNIT;
}

/** Advances to the next stream: the state times A^(2^127). */
export function passStreamOver(): void {
  jump(STREAM);
}

/** Multiplies the state with a matrix for each recurrence. */
function jump(matrices: usize): void {
  const x = dot1(matrices);
  const xx = dot1(matrices + ROW_BYTES);
  x2 = dot1(matrices + 2 * ROW_BYTES);
  x0 = x;
  x1 = xx;
  const y = dot2(matrices + 3 * ROW_BYTES);
  const yy = dot2(matrices + 4 * ROW_BYTES);
  y2 = dot2(matrices + 5 * ROW_BYTES);
  y0 = y;
  y1 = yy;
}

/** A row times the state. Products and sums of three remainders stay below 2^64. */
@inline function dot1(row: usize): u64 {
  return ((load<u64>(row) * x0) % M1 + (load<u64>(row, 8) * x1) % M1 + (load<u64>(row, 16) * x2) % M1) % M1;
}

@inline function dot2(row: usize): u64 {
  return ((load<u64>(row) * y0) % M2 + (load<u64>(row, 8) * y1) % M2 + (load<u64>(row, 16) * y2) % M2) % M2;
}

/**
 * The random numbers of the reference simulator: MRG32k3a generators, each with six u64 in memory, x oldest first, then y. The host
 * writes their initial states.
 *
 *   x(n) = 1403580 x(n-2) -  810728 x(n-3)  mod m1 = 2^32 -   209
 *   y(n) =  527612 y(n-1) - 1370589 y(n-3)  mod m2 = 2^32 - 22853
 *   u    = (x - y, plus m1 unless above 0) * 2.328306549295727688e-10
 *
 * Source: L'Ecuyer, Simard, Chen, Kelton, Operations Research 50, 2002; docs/specs/reference-lossy.md, section 8.
 */

const M1: u64 = 4294967087;
const M2: u64 = 4294944443;
const UNIT: f64 = 2.328306549295727688e-10;

/** The next number of a generator, between 0 and 1. */
export function nextUniform(at: usize): f64 {
  const x = (1403580 * load<u64>(at, 8) + (M1 - 810728) * load<u64>(at)) % M1;
  store<u64>(at, load<u64>(at, 8));
  store<u64>(at, load<u64>(at, 16), 8);
  store<u64>(at, x, 16);
  const y = (527612 * load<u64>(at, 40) + (M2 - 1370589) * load<u64>(at, 24)) % M2;
  store<u64>(at, load<u64>(at, 32), 24);
  store<u64>(at, load<u64>(at, 40), 32);
  store<u64>(at, y, 40);
  return <f64>(x > y ? x - y : x + M1 - y) * UNIT;
}

/**
 * The ECMP hash of the reference: Jenkins' mix of three words, all modulo 2^32 (docs/specs/uet-reference.md, 3).
 *
 *   a = golden + flow id, b = golden + salt of the switch, c = entropy value; nine steps x := (x - y - z) ^ shifted z
 *
 * Source: Bob Jenkins, "Hash functions", Dr. Dobb's Journal, 1997.
 */

const GOLDEN: u32 = 0x9e3779b9;

/** @param flowWord golden + flow id, precomputed by the host. */
export function flowHash(flowWord: u32, ev: u32, salt: u32): u32 {
  let a = flowWord;
  let b = GOLDEN + salt;
  let c = ev;
  a = (a - b - c) ^ (c >> 13);
  b = (b - c - a) ^ (a << 8);
  c = (c - a - b) ^ (b >> 13);
  a = (a - b - c) ^ (c >> 12);
  b = (b - c - a) ^ (a << 16);
  c = (c - a - b) ^ (b >> 5);
  a = (a - b - c) ^ (c >> 3);
  b = (b - c - a) ^ (a << 10);
  c = (c - a - b) ^ (b >> 15);
  return c;
}

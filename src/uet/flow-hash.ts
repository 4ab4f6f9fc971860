/**
 * The ECMP hash of the reference: Jenkins' mix of three words, all modulo 2^32.
 *
 *   a = golden + flow id, b = golden + salt of the switch, c = entropy value; nine steps x := (x - y - z) ^ shifted z
 *
 * Source: Bob Jenkins, "Hash functions", Dr. Dobb's Journal, 1997.
 */

const GOLDEN = 0x9e37_79b9;

/** A flow's id as the hash uses it, 0 to 2^32 - 1. */
export function flowWord(flowId: number): number {
  return (GOLDEN + flowId) >>> 0;
}

/** Hash of a flow id, an entropy value and a switch's salt, 0 to 2^32 - 1. */
export function flowHash(flowId: number, ev: number, salt: number): number {
  let a = flowWord(flowId) | 0;
  let b = (GOLDEN + salt) | 0;
  let c = ev | 0;
  a = (a - b - c) ^ (c >>> 13);
  b = (b - c - a) ^ (a << 8);
  c = (c - a - b) ^ (b >>> 13);
  a = (a - b - c) ^ (c >>> 12);
  b = (b - c - a) ^ (a << 16);
  c = (c - a - b) ^ (b >>> 5);
  a = (a - b - c) ^ (c >>> 3);
  b = (b - c - a) ^ (a << 10);
  c = (c - a - b) ^ (b >>> 15);
  return c >>> 0;
}

/**
 * PINT's decode table in linear memory: u = base^p / 512 for each power p from 0 to 2^bits - 1.
 *
 * Each power is computed from the previous one in double-double arithmetic (Dekker's exact product, Veltkamp's split), with
 * + - * only, so results are correctly rounded and equal to those of src/reference/algorithms/hpcc-pint/model.ts. A table takes
 * up to 512 KiB and is filled once per parameter set, not per QP.
 *
 * Citation  Ben Basat et al., "PINT", SIGCOMM 2020; alibaba-edu/High-Precision-Congestion-Control at 9f4be2a.
 * Deviation Two powers of 1.01 are rounded to the other neighbour, like the C library of the reference's machine.
 * Limits    bits 1 to 16; the largest power below 2^900 (src/config/algorithms/hpcc-pint.ts), so that the splits don't overflow.
 */

/** Units per 1.0 of utilisation. */
const PINT_SCALE: f64 = 512;
const SPLITTER: f64 = 134217729.0;

const NEIGHBOURS_BASE: f64 = 1.01;
const NEIGHBOUR_1: u32 = 346;
const NEIGHBOUR_1_VALUE: f64 = 0.061083704540329672;
const NEIGHBOUR_2: u32 = 668;
const NEIGHBOUR_2_VALUE: f64 = 1.5045538136006624;

/** Bytes of a decode table. */
@inline export function pintTableBytes(bits: u32): usize {
  return <usize>8 << bits;
}

/** Writes the decode table for a base to `table`. */
export function fillPintTable(table: usize, base: f64, bits: u32): void {
  const baseUpper = upperHalf(base);
  const baseLower = base - baseUpper;
  const end = table + pintTableBytes(bits);
  let high: f64 = 1;
  let low: f64 = 0;
  for (let at = table; at < end; at += 8) {
    store<f64>(at, high / PINT_SCALE);
    const product = high * base;
    const upper = upperHalf(high);
    const lower = high - upper;
    const rest = upper * baseUpper - product + upper * baseLower + lower * baseUpper + lower * baseLower;
    const tail = rest + low * base;
    high = product + tail;
    low = tail - (high - product);
  }
  if (base == NEIGHBOURS_BASE) replaceNeighbours(table, 1 << bits);
}

/** The utilisation that a power encodes; bits beyond the table are ignored. */
@inline export function decodePint(table: usize, bits: u32, power: u32): f64 {
  const index = power & ((1 << bits) - 1);
  return load<f64>(table + (<usize>index << 3));
}

/** Upper half of a double's digits; the lower half is the rest. */
@inline function upperHalf(x: f64): f64 {
  const scaled = x * SPLITTER;
  return scaled - (scaled - x);
}

function replaceNeighbours(table: usize, length: u32): void {
  if (length > NEIGHBOUR_1) store<f64>(table + (<usize>NEIGHBOUR_1 << 3), NEIGHBOUR_1_VALUE);
  if (length > NEIGHBOUR_2) store<f64>(table + (<usize>NEIGHBOUR_2 << 3), NEIGHBOUR_2_VALUE);
}

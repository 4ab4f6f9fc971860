/** Products of rates and times as BigInt: they exceed 2^53 long before their quotients do. */
/** A byte takes 8 * 10^12 / rate picoseconds. */
export const BIT_PS_PER_BYTE = 8n * 1_000_000_000_000n;

/** Positive quotient, rounded up. */
function divideUp(dividend: bigint, divisor: bigint): number {
  return Number((dividend + divisor - 1n) / divisor);
}

/** Bytes that `rateBps` carries in `timePs`, rounded up; both whole. */
export function bytesWithin(rateBps: number, timePs: number): number {
  return divideUp(BigInt(rateBps) * BigInt(timePs), BIT_PS_PER_BYTE);
}

/** Bytes that `rateBps` carries in `numeratorPs / denominator` picoseconds, rounded up. */
export function scaledBytes(rateBps: number, numeratorPs: bigint, denominator: bigint): number {
  return divideUp(BigInt(rateBps) * numeratorPs, denominator * BIT_PS_PER_BYTE);
}

/** Picoseconds that `lenBytes` take at `rateBps`, rounded up; both whole. */
export function exactTxTimePs(lenBytes: number, rateBps: number): number {
  return divideUp(BigInt(lenBytes) * BIT_PS_PER_BYTE, BigInt(rateBps));
}

/** The smallest k with 2^k >= value, by doubling: Math.log2 may miss powers of two by a rounding error. */
export function ceilLog2(value: number): number {
  let exponent = 0;
  for (let power = 1; power < value; power *= 2) exponent++;
  return exponent;
}

/** Picoseconds per byte at 1 bit/s. */
const BIT_PS = 8_000_000_000_000n;

/**
 * Time that bytes take at a rate, picoseconds, rounded up. Uses BigInt, since the product exceeds 2^53.
 *
 * @param rateBps whole bits per second, above 0.
 */
export function exactTxTimePs(lenBytes: number, rateBps: number): number {
  const rate = BigInt(rateBps);
  return Number((BigInt(lenBytes) * BIT_PS + rate - 1n) / rate);
}

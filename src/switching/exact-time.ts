/** Picoseconds that bytes take at a rate, rounded up. */
const BIT_PS = 8_000_000_000_000n;

/** @param rateBps whole bits per second, above 0. In doubles the product would round beyond 2^53. */
export function exactTxTimePs(lenBytes: number, rateBps: number): number {
  const rate = BigInt(rateBps);
  return Number((BigInt(lenBytes) * BIT_PS + rate - 1n) / rate);
}

/** Picoseconds that bytes take at a rate, rounded up. */
const BIT_PS = 8_000_000_000_000n;

/** @param rateBps whole bits per second, above 0. Beyond 2^53 doubles would round the product. */
export function exactTxTimePs(lenBytes: number, rateBps: number): number {
  const rate = BigInt(rateBps);
  return Number((BigInt(lenBytes) * BIT_PS + rate - 1n) / rate);
}

/**
 * Chooses among equal next hops by a hash of the flow, seeded per node.
 *
 *   murmur3-32 over { source address u32, destination address u32, source port u16, destination port u16 }, little-endian
 *   index of the next hop = hash mod number of next hops
 *
 * Source: behaviour of the ns-3 reference simulator (golden/unit/ecmp_hash.csv); A. Appleby, MurmurHash3 (public domain).
 */

@inline function mixWord(hash: u32, word: u32): u32 {
  const k = rotl<u32>(word * 0xcc9e2d51, 15) * 0x1b873593;
  return rotl<u32>(hash ^ k, 13) * 5 + 0xe6546b64;
}

/** @param ports source port in the low half, destination port in the high one. */
export function flowHash(source: u32, destination: u32, ports: u32, seed: u32): u32 {
  let h = mixWord(mixWord(mixWord(seed, source), destination), ports) ^ 12;
  h = (h ^ (h >>> 16)) * 0x85ebca6b;
  h = (h ^ (h >>> 13)) * 0xc2b2ae35;
  return h ^ (h >>> 16);
}

/** MurmurHash3 (32 bits) of one four-byte word, which gives a path's slot in ConWeave. Public domain (A. Appleby). */
const LENGTH_BYTES = 4;

/** 0 to 2^32 - 1. */
export function murmur3OfWord(word: number, seed: number): number {
  const mixed = Math.imul(rotateLeft(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
  let hash = (Math.imul(rotateLeft(seed ^ mixed, 13), 5) + 0xe6546b64) ^ LENGTH_BYTES;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

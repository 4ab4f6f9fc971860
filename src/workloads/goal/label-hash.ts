/** Hash of a label: FNV-1a with a final mix of MurmurHash3, because table slots depend on the low bits. */
export const HASH_BEGIN = 0x811c9dc5;
export const HASH_PRIME = 0x01000193;

/** @param hash FNV-1a hash of all bytes. @returns 0 to 2^31 - 1. */
export function hashEnd(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) & 0x7fffffff;
}

export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = HASH_BEGIN;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at], HASH_PRIME);
  return hashEnd(hash);
}

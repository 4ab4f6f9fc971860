/**
 * The hash by which switches and hosts of the reference simulator choose among equal paths: MurmurHash3, 32 bits
 * (Appleby, public domain), over 12 bytes in little-endian order
 *
 *   source address u32 | destination address u32 | UDP source port u16 | UDP destination port u16
 *
 * A switch seeds it with its node number, a host that chooses a port with `HOST_HASH_SEED`. Index = hash mod paths.
 */

/** What identifies a packet's flow: numbers in host order. */
export interface FlowTuple {
  readonly sourceAddress: number;
  readonly destinationAddress: number;
  readonly sourcePort: number;
  readonly destinationPort: number;
}

export const HOST_HASH_SEED = 0x8badf00d;

const HASHED_BYTES = 12;

/** The hash of a tuple, 0 to 2^32 - 1. */
export function ecmpHash(tuple: FlowTuple, seed: number): number {
  const ports = (tuple.sourcePort & 0xffff) | (tuple.destinationPort << 16);
  let hash = seed | 0;
  for (const word of [tuple.sourceAddress, tuple.destinationAddress, ports]) {
    hash = Math.imul(rotateLeft(hash ^ scramble(word), 13), 5) + 0xe6546b64;
  }
  return finish(hash ^ HASHED_BYTES) >>> 0;
}

function scramble(word: number): number {
  return Math.imul(rotateLeft(Math.imul(word | 0, 0xcc9e2d51), 15), 0x1b873593);
}

function finish(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/**
 * ECMP path selection: MurmurHash3 (32 bits) of a flow's addresses and ports, hashed as in the reference
 * simulator.
 *
 *   12 bytes, little endian: source address u32, destination address u32, source port u16, destination port u16
 *   index = hash % paths; seed = the node's id at switches, HOST_PORT_SEED at hosts
 *
 * Sources: docs/specs/reference.md, section 9; MurmurHash3 is public domain (A. Appleby).
 */

/** Seed of the hash by which hosts choose among their ports. */
export const HOST_PORT_SEED = 0x8badf00d;

const BLOCK_FACTOR_1 = 0xcc9e2d51;
const BLOCK_FACTOR_2 = 0x1b873593;
const STEP = 0xe6546b64;
const LENGTH_BYTES = 12;

/** Input of the hash: addresses as 32-bit numbers, UDP ports. */
export interface FlowTuple {
  readonly sourceAddress: number;
  readonly destinationAddress: number;
  readonly sourcePort: number;
  readonly destinationPort: number;
}

/** The hash, 0 to 2^32 - 1. */
export function ecmpHash({ sourceAddress, destinationAddress, sourcePort, destinationPort }: FlowTuple,
  seed: number): number {
  let hash = mixBlock(seed | 0, sourceAddress);
  hash = mixBlock(hash, destinationAddress);
  hash = mixBlock(hash, sourcePort | (destinationPort << 16)) ^ LENGTH_BYTES;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function mixBlock(hash: number, block: number): number {
  const mixed = hash ^ Math.imul(rotateLeft(Math.imul(block, BLOCK_FACTOR_1), 15), BLOCK_FACTOR_2);
  return (Math.imul(rotateLeft(mixed, 13), 5) + STEP) | 0;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** A flow's input to the hash. */
export function tupleOf(sourceAddress: number, destinationAddress: number, sourcePort: number,
  destinationPort: number): FlowTuple {
  return { sourceAddress, destinationAddress, sourcePort, destinationPort };
}

/** The tuple of the reverse direction. */
export function swapped({ sourceAddress, destinationAddress, sourcePort, destinationPort }: FlowTuple): FlowTuple {
  return tupleOf(destinationAddress, sourceAddress, destinationPort, sourcePort);
}

/** Address of a node, as the reference simulator numbers them: 11.0.0.1 + id high.id low in the middle bytes. */
export function addressOf(node: number): number {
  return 0x0b000001 + Math.floor(node / 256) * 0x10000 + (node % 256) * 0x100;
}

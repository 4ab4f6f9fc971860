/**
 * Atomic extended transport header, AtomicETH (IBTA volume 1, section 9.3).
 *
 *   0 virtual address (8) | 8 R_Key (4) | 12 swap or add (8) | 20 compare (8)
 *
 * The 64-bit fields behind the R_Key are not aligned to 8 bytes.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { requireField, requireBytes, requireTarget } from '../bytes.js';
import { U32_MAX, U64_MAX, readBigUint, readU32, requireBigField, writeBigUint, writeU32 } from '../wide-bytes.js';

/** Offsets from the first byte of the header. */
export const ATOMIC_ETH_VIRTUAL_ADDRESS = 0;
export const ATOMIC_ETH_RKEY = 8;
export const ATOMIC_ETH_SWAP_OR_ADD = 12;
export const ATOMIC_ETH_COMPARE = 20;
export const ATOMIC_ETH_BYTES = 28;

/** The drawing of docs/wire.md. */
export const ATOMIC_ETH_LAYOUT: HeaderLayout = {
  title: 'AtomicETH',
  source: 'IBTA volume 1, section 9.3',
  bytes: ATOMIC_ETH_BYTES,
  fields: [
    { name: 'virtualAddress', offset: ATOMIC_ETH_VIRTUAL_ADDRESS, bits: 64 },
    { name: 'rKey', offset: ATOMIC_ETH_RKEY, bits: 32 },
    { name: 'swapOrAdd', offset: ATOMIC_ETH_SWAP_OR_ADD, bits: 64 },
    { name: 'compare', offset: ATOMIC_ETH_COMPARE, bits: 64 },
  ],
};

const LAYER = 'atomic-eth';

/** The Atomic extended header, as a value. */
export interface AtomicEth {
  /** 64 bits: where in the responder's memory. */
  readonly virtualAddress: bigint;
  /** 32 bits: R_Key of the memory region or window. */
  readonly rKey: number;
  /** 64 bits: what COMPARE AND SWAP writes, or FETCH AND ADD adds. */
  readonly swapOrAdd: bigint;
  /** 64 bits: what COMPARE AND SWAP compares with; FETCH AND ADD ignores it. */
  readonly compare: bigint;
}

/** Reads an AtomicETH in place. */
export class AtomicEthView extends HeaderView {
  get virtualAddress(): bigint {
    return readBigUint(this.bytes, this.offset + ATOMIC_ETH_VIRTUAL_ADDRESS, 8);
  }
  get rKey(): number {
    return readU32(this.bytes, this.offset + ATOMIC_ETH_RKEY);
  }
  get swapOrAdd(): bigint {
    return readBigUint(this.bytes, this.offset + ATOMIC_ETH_SWAP_OR_ADD, 8);
  }
  get compare(): bigint {
    return readBigUint(this.bytes, this.offset + ATOMIC_ETH_COMPARE, 8);
  }
  get payloadOffset(): number {
    return this.offset + ATOMIC_ETH_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, ATOMIC_ETH_BYTES);
  }
}

/**
 * Reads an AtomicETH; the inverse of `buildAtomicEth`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseAtomicEth(bytes: Uint8Array, offset = 0): AtomicEth {
  const { virtualAddress, rKey, swapOrAdd, compare } = new AtomicEthView(bytes, offset);
  return { virtualAddress, rKey, swapOrAdd, compare };
}

/**
 * Writes an AtomicETH: 28 bytes.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildAtomicEth(header: AtomicEth): Uint8Array {
  const bytes = new Uint8Array(ATOMIC_ETH_BYTES);
  buildAtomicEthInto(bytes, 0, header);
  return bytes;
}

/** As `buildAtomicEth`, into `target`. @returns the offset behind the header. */
export function buildAtomicEthInto(target: Uint8Array, offset: number, header: AtomicEth): number {
  const { virtualAddress, rKey, swapOrAdd, compare } = header;
  requireBigField('atomicEth.virtualAddress', virtualAddress, U64_MAX);
  requireField('atomicEth.rKey', rKey, U32_MAX);
  requireBigField('atomicEth.swapOrAdd', swapOrAdd, U64_MAX);
  requireBigField('atomicEth.compare', compare, U64_MAX);
  requireTarget(LAYER, target, offset, ATOMIC_ETH_BYTES);
  writeBigUint(target, offset + ATOMIC_ETH_VIRTUAL_ADDRESS, 8, virtualAddress);
  writeU32(target, offset + ATOMIC_ETH_RKEY, rKey);
  writeBigUint(target, offset + ATOMIC_ETH_SWAP_OR_ADD, 8, swapOrAdd);
  writeBigUint(target, offset + ATOMIC_ETH_COMPARE, 8, compare);
  return offset + ATOMIC_ETH_BYTES;
}

/**
 * Atomic acknowledge extended transport header, AtomicAckETH (IBTA volume 1, section 9.3).
 *
 *   0 original remote data (8)
 *
 * It follows the AETH of an ATOMIC ACKNOWLEDGE.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { requireBytes, requireTarget } from '../bytes.js';
import { U64_MAX, readBigUint, requireBigField, writeBigUint } from '../wide-bytes.js';

/** Offsets from the first byte of the header. */
export const ATOMIC_ACK_ETH_ORIGINAL = 0;
export const ATOMIC_ACK_ETH_BYTES = 8;

/** The drawing of docs/wire.md. */
export const ATOMIC_ACK_ETH_LAYOUT: HeaderLayout = {
  title: 'AtomicAckETH',
  source: 'IBTA volume 1, section 9.3',
  bytes: ATOMIC_ACK_ETH_BYTES,
  fields: [
    { name: 'original', offset: ATOMIC_ACK_ETH_ORIGINAL, bits: 64 },
  ],
};

const LAYER = 'atomic-ack-eth';

/** The Atomic ACK extended header, as a value. */
export interface AtomicAckEth {
  /** 64 bits: what stood in the responder's memory before the operation. */
  readonly original: bigint;
}

/** Reads an AtomicAckETH in place. */
export class AtomicAckEthView extends HeaderView {
  get original(): bigint {
    return readBigUint(this.bytes, this.offset + ATOMIC_ACK_ETH_ORIGINAL, 8);
  }
  get payloadOffset(): number {
    return this.offset + ATOMIC_ACK_ETH_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, ATOMIC_ACK_ETH_BYTES);
  }
}

/**
 * Reads an AtomicAckETH; the inverse of `buildAtomicAckEth`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseAtomicAckEth(bytes: Uint8Array, offset = 0): AtomicAckEth {
  const { original } = new AtomicAckEthView(bytes, offset);
  return { original };
}

/**
 * Writes an AtomicAckETH: 8 bytes.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildAtomicAckEth(header: AtomicAckEth): Uint8Array {
  const bytes = new Uint8Array(ATOMIC_ACK_ETH_BYTES);
  buildAtomicAckEthInto(bytes, 0, header);
  return bytes;
}

/** As `buildAtomicAckEth`, into `target`. @returns the offset behind the header. */
export function buildAtomicAckEthInto(target: Uint8Array, offset: number, header: AtomicAckEth): number {
  const { original } = header;
  requireBigField('atomicAckEth.original', original, U64_MAX);
  requireTarget(LAYER, target, offset, ATOMIC_ACK_ETH_BYTES);
  writeBigUint(target, offset + ATOMIC_ACK_ETH_ORIGINAL, 8, original);
  return offset + ATOMIC_ACK_ETH_BYTES;
}

/**
 * RDMA extended transport header, RETH (IBTA volume 1, section 9.3).
 *
 *   0 virtual address (8) | 8 R_Key (4) | 12 DMA length (4)
 *
 * Only the first or only packet of an RDMA WRITE has one, and the RDMA READ request.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { requireField, requireBytes, requireTarget } from '../bytes.js';
import { U32_MAX, U64_MAX, readBigUint, readU32, requireBigField, writeBigUint, writeU32 } from '../wide-bytes.js';

/** Offsets from the first byte of the header. */
export const RETH_VIRTUAL_ADDRESS = 0;
export const RETH_RKEY = 8;
export const RETH_DMA_LENGTH = 12;
export const RETH_BYTES = 16;

/** The drawing of docs/wire.md. */
export const RETH_LAYOUT: HeaderLayout = {
  title: 'RETH',
  source: 'IBTA volume 1, section 9.3',
  bytes: RETH_BYTES,
  fields: [
    { name: 'virtualAddress', offset: RETH_VIRTUAL_ADDRESS, bits: 64 },
    { name: 'rKey', offset: RETH_RKEY, bits: 32 },
    { name: 'dmaLength', offset: RETH_DMA_LENGTH, bits: 32 },
  ],
};

const LAYER = 'reth';

/** The RDMA extended header, as a value. */
export interface Reth {
  /** 64 bits: where in the responder's memory. */
  readonly virtualAddress: bigint;
  /** 32 bits: R_Key of the memory region or window. */
  readonly rKey: number;
  /** Bytes of the whole message, not of this packet; 32 bits, of which the specification allows 0..2^31. */
  readonly dmaLength: number;
}

/** Reads an RETH in place. */
export class RethView extends HeaderView {
  get virtualAddress(): bigint {
    return readBigUint(this.bytes, this.offset + RETH_VIRTUAL_ADDRESS, 8);
  }
  get rKey(): number {
    return readU32(this.bytes, this.offset + RETH_RKEY);
  }
  get dmaLength(): number {
    return readU32(this.bytes, this.offset + RETH_DMA_LENGTH);
  }
  get payloadOffset(): number {
    return this.offset + RETH_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, RETH_BYTES);
  }
}

/**
 * Reads an RETH; the inverse of `buildReth`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseReth(bytes: Uint8Array, offset = 0): Reth {
  const { virtualAddress, rKey, dmaLength } = new RethView(bytes, offset);
  return { virtualAddress, rKey, dmaLength };
}

/**
 * Writes an RETH: 16 bytes.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildReth(header: Reth): Uint8Array {
  const bytes = new Uint8Array(RETH_BYTES);
  buildRethInto(bytes, 0, header);
  return bytes;
}

/** As `buildReth`, into `target`. @returns the offset behind the header. */
export function buildRethInto(target: Uint8Array, offset: number, header: Reth): number {
  const { virtualAddress, rKey, dmaLength } = header;
  requireBigField('reth.virtualAddress', virtualAddress, U64_MAX);
  requireField('reth.rKey', rKey, U32_MAX);
  requireField('reth.dmaLength', dmaLength, U32_MAX);
  requireTarget(LAYER, target, offset, RETH_BYTES);
  writeBigUint(target, offset + RETH_VIRTUAL_ADDRESS, 8, virtualAddress);
  writeU32(target, offset + RETH_RKEY, rKey);
  writeU32(target, offset + RETH_DMA_LENGTH, dmaLength);
  return offset + RETH_BYTES;
}

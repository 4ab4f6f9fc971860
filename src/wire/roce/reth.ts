/**
 * RDMA extended transport header, RETH (IBTA volume 1, section 9.3).
 *
 *   0 virtual address (8) | 8 R_Key (4) | 12 DMA length (4)
 *
 * Only the first or only packet of an RDMA WRITE has one, and the RDMA READ request.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

export const RETH = /* @__PURE__ */ defineHeader({
  title: 'RETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'reth',
  fields: (field) => ({
    /** 64 bits: where in the responder's memory. */
    virtualAddress: field.wide(),
    /** 32 bits: R_Key of the memory region or window. */
    rKey: field.bits(32),
    /** Bytes of the whole message, not of this packet; 32 bits, of which the specification allows 0..2^31. */
    dmaLength: field.bits(32),
  }),
});

/** Length of an RETH: 16 bytes. */
export const RETH_BYTES = RETH.bytes;
/** The drawing of docs/wire.md. */
export const RETH_LAYOUT = RETH.layout;

/** The RDMA extended header, as a value. */
export interface Reth extends HeaderValue<typeof RETH> {}

/** Reads an RETH in place. */
export class RethView extends RETH.View {}

/** Reads an RETH; the inverse of `buildReth`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseReth: ParseHeader<Reth> = RETH.parse;
/** Writes an RETH. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildReth: BuildHeader<Reth> = RETH.build;
/** As `buildReth`, into `target`. @returns the offset behind the header. */
export const buildRethInto: BuildHeaderInto<Reth> = RETH.buildInto;

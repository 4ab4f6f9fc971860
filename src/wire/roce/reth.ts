/**
 * RDMA extended transport header, RETH (IBTA volume 1, section 9.3).
 *
 *   0 virtual address (8) | 8 R_Key (4) | 12 DMA length (4)
 *
 * Present in the first or only packet of an RDMA WRITE, and in the RDMA READ request.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';

/** The RDMA extended header: 16 bytes. */
export const Reth = /* @__PURE__ */ defineHeader({
  title: 'RETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'reth',
  fields: (field) => ({
    /** 64 bits: address in the responder's memory. */
    virtualAddress: field.wide(),
    /** 32 bits: R_Key of the memory region or window. */
    rKey: field.bits(32),
    /** Length of the whole message (not of this packet), bytes; 32 bits, of which the specification allows 0..2^31. */
    dmaLength: field.bits(32),
  }),
});

/** The RDMA extended header, as a value. */
export interface Reth extends ValueOf<typeof Reth> {}

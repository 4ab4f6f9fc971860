/**
 * Atomic extended transport header, AtomicETH (IBTA volume 1, section 9.3).
 *
 *   0 virtual address (8) | 8 R_Key (4) | 12 swap or add (8) | 20 compare (8)
 *
 * The 64-bit fields after the R_Key are not 8-byte aligned.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';

/** The Atomic extended header: 28 bytes. */
export const AtomicEth = /* @__PURE__ */ defineHeader({
  title: 'AtomicETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'atomic-eth',
  where: 'atomicEth',
  fields: (field) => ({
    /** 64 bits: address in the responder's memory. */
    virtualAddress: field.wide(),
    /** 32 bits: R_Key of the memory region or window. */
    rKey: field.bits(32),
    /** 64 bits: value that COMPARE AND SWAP writes, or FETCH AND ADD adds. */
    swapOrAdd: field.wide(),
    /** 64 bits: value that COMPARE AND SWAP compares with; ignored by FETCH AND ADD. */
    compare: field.wide(),
  }),
});

/** The Atomic extended header, as a value. */
export interface AtomicEth extends ValueOf<typeof AtomicEth> {}

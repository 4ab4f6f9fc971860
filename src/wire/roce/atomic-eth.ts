/**
 * Atomic extended transport header, AtomicETH (IBTA volume 1, section 9.3).
 *
 *   0 virtual address (8) | 8 R_Key (4) | 12 swap or add (8) | 20 compare (8)
 *
 * The 64-bit fields behind the R_Key are not aligned to 8 bytes.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

export const ATOMIC_ETH = /* @__PURE__ */ defineHeader({
  title: 'AtomicETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'atomic-eth',
  where: 'atomicEth',
  fields: (field) => ({
    /** 64 bits: where in the responder's memory. */
    virtualAddress: field.wide(),
    /** 32 bits: R_Key of the memory region or window. */
    rKey: field.bits(32),
    /** 64 bits: what COMPARE AND SWAP writes, or FETCH AND ADD adds. */
    swapOrAdd: field.wide(),
    /** 64 bits: what COMPARE AND SWAP compares with; FETCH AND ADD ignores it. */
    compare: field.wide(),
  }),
});

/** Length of an AtomicETH: 28 bytes. */
export const ATOMIC_ETH_BYTES = ATOMIC_ETH.bytes;
/** The drawing of docs/wire.md. */
export const ATOMIC_ETH_LAYOUT = ATOMIC_ETH.layout;

/** The Atomic extended header, as a value. */
export interface AtomicEth extends HeaderValue<typeof ATOMIC_ETH> {}

/** Reads an AtomicETH in place. */
export class AtomicEthView extends ATOMIC_ETH.View {}

/** Reads an AtomicETH; the inverse of `buildAtomicEth`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseAtomicEth: ParseHeader<AtomicEth> = ATOMIC_ETH.parse;
/** Writes an AtomicETH. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildAtomicEth: BuildHeader<AtomicEth> = ATOMIC_ETH.build;
/** As `buildAtomicEth`, into `target`. @returns the offset behind the header. */
export const buildAtomicEthInto: BuildHeaderInto<AtomicEth> = ATOMIC_ETH.buildInto;

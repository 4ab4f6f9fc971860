/**
 * Atomic acknowledge extended transport header, AtomicAckETH (IBTA volume 1, section 9.3).
 *
 *   0 original remote data (8)
 *
 * It follows the AETH of an ATOMIC ACKNOWLEDGE.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

export const ATOMIC_ACK_ETH = /* @__PURE__ */ defineHeader({
  title: 'AtomicAckETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'atomic-ack-eth',
  where: 'atomicAckEth',
  fields: (field) => ({
    /** 64 bits: the responder's memory before the operation. */
    original: field.wide(),
  }),
});

/** Length of an AtomicAckETH: 8 bytes. */
export const ATOMIC_ACK_ETH_BYTES = ATOMIC_ACK_ETH.bytes;
/** The drawing of docs/wire.md. */
export const ATOMIC_ACK_ETH_LAYOUT = ATOMIC_ACK_ETH.layout;

/** The Atomic ACK extended header, as a value. */
export interface AtomicAckEth extends HeaderValue<typeof ATOMIC_ACK_ETH> {}

/** Reads an AtomicAckETH in place. */
export class AtomicAckEthView extends ATOMIC_ACK_ETH.View {}

/** Reads an AtomicAckETH; the inverse of `buildAtomicAckEth`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseAtomicAckEth: ParseHeader<AtomicAckEth> = ATOMIC_ACK_ETH.parse;
/** Writes an AtomicAckETH. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildAtomicAckEth: BuildHeader<AtomicAckEth> = ATOMIC_ACK_ETH.build;
/** As `buildAtomicAckEth`, into `target`. @returns the offset behind the header. */
export const buildAtomicAckEthInto: BuildHeaderInto<AtomicAckEth> = ATOMIC_ACK_ETH.buildInto;

/**
 * Atomic acknowledge extended transport header, AtomicAckETH (IBTA volume 1, section 9.3).
 *
 *   0 original remote data (8)
 *
 * It follows the AETH of an ATOMIC ACKNOWLEDGE.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';

/** The Atomic ACK extended header: 8 bytes. */
export const AtomicAckEth = /* @__PURE__ */ defineHeader({
  title: 'AtomicAckETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'atomic-ack-eth',
  where: 'atomicAckEth',
  fields: (field) => ({
    /** 64 bits: the value in the responder's memory before the operation. */
    original: field.wide(),
  }),
});

/** The Atomic ACK extended header, as a value. */
export interface AtomicAckEth extends ValueOf<typeof AtomicAckEth> {}

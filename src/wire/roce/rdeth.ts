/**
 * Reliable datagram extended transport header, RDETH (IBTA volume 1, section 9.3).
 *
 *   0 reserved | 1 EE context (3)
 *
 * Present in all packets of RD, directly after the BTH.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';

/** The reliable datagram extended header: 4 bytes. Reserved bits are written as 0 by default. */
export const Rdeth = /* @__PURE__ */ defineHeader({
  title: 'RDETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'rdeth',
  fields: (field) => ({
    /** Reserved first byte. */
    reserved8: field.bits(8, 0),
    /** 24 bits: end-to-end context of the receiver. */
    eeContext: field.bits(24),
  }),
});

/** The reliable datagram extended header, as a value. */
export interface Rdeth extends ValueOf<typeof Rdeth> {}

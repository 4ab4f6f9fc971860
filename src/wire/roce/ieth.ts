/**
 * Invalidate extended transport header, IETH (IBTA volume 1, section 9.3).
 *
 *   0 R_Key (4)
 *
 * Present in SEND last and SEND only with invalidate, of RC and XRC.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';

/** The invalidate extended header: 4 bytes. */
export const Ieth = /* @__PURE__ */ defineHeader({
  title: 'IETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'ieth',
  fields: (field) => ({
    /** 32 bits: R_Key that the receiver invalidates. */
    rKey: field.bits(32),
  }),
});

/** The invalidate extended header, as a value. */
export interface Ieth extends ValueOf<typeof Ieth> {}

/**
 * Extended reliable connection transport header, XRCETH (IBTA volume 1, section 9.3; Annex A14).
 *
 *   0 reserved | 1 XRC shared receive queue (3)
 *
 * Present in requests of XRC, directly after the BTH; not in its responses and acknowledgements.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';

/** The XRC extended header: 4 bytes. Reserved bits are written as 0 by default. */
export const Xrceth = /* @__PURE__ */ defineHeader({
  title: 'XRCETH',
  source: 'IBTA volume 1, section 9.3; Annex A14',
  layer: 'xrceth',
  fields: (field) => ({
    /** Reserved first byte. */
    reserved8: field.bits(8, 0),
    /** 24 bits: number of the shared receive queue that the request targets. */
    sharedReceiveQueue: field.bits(24),
  }),
});

/** The XRC extended header, as a value. */
export interface Xrceth extends ValueOf<typeof Xrceth> {}

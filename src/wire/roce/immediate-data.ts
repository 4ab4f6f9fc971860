/**
 * Immediate data extended transport header, ImmDt (IBTA volume 1, section 9.3).
 *
 *   0 immediate data (4)
 *
 * If present, it is the last header before the payload.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';

/** Immediate data: 4 bytes. */
export const ImmediateData = /* @__PURE__ */ defineHeader({
  title: 'ImmDt',
  source: 'IBTA volume 1, section 9.3',
  layer: 'immdt',
  fields: (field) => ({
    /** 32 bits, as a number in network byte order; delivered in the receiver's completion. */
    immediateData: field.bits(32),
  }),
});

/** Immediate data, as a value. */
export interface ImmediateData extends ValueOf<typeof ImmediateData> {}

/**
 * Timestamp extended header of MRC, TSETH: after the METH if the BTH's `ts` is set (OCP MRC 1.0;
 * docs/specs/mrc-formats.md, section 2.6). Probes and endpoint operations end in the same four bytes.
 *
 *   0 timestamp (2) | 2 tsr 1, reserved 11, ftype 4
 */
import { requireField } from '../bytes.js';
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { extendHeader } from '../header/extend-header.js';

const TSETH_FORM_TYPE = 1;
const TIMESTAMP_MAX = 0xffff;
const TSETH = /* @__PURE__ */ defineHeader({
  title: 'TSETH',
  source: 'OCP MRC 1.0, as docs/specs/mrc-formats.md, section 2.6',
  layer: 'tseth',
  fields: (field) => ({
    /** Send time in ticks, modulo 2^16. */
    timestamp: field.bits(16),
    /** `tsr`: 0 = ticks of 128 ns; 1 = defined by the implementation. */
    resolution: field.bits(1, 0),
    /** The eleven bits before `ftype`. */
    reserved11: field.bits(11, 0),
    /** `ftype`, 4 bits: 1. */
    formType: field.bits(4, TSETH_FORM_TYPE),
  }),
});

/** The timestamp extended header, as a value. */
export interface Tseth extends ValueOf<typeof TSETH> {}

/** The timestamp extended header: 4 bytes. Defaults when written: ticks of 128 ns, form type 1, reserved bits 0. */
export const Tseth = /* @__PURE__ */ extendHeader(TSETH, {
  /** The only defined `ftype`. */
  FORM_TYPE: TSETH_FORM_TYPE,
  /** Nanoseconds per tick with `tsr` 0; with `tsr` 1 the unit is unknown (docs/reference/sources.md). */
  TICK_NS: 128,
  /**
   * Ticks from one timestamp to a later one, 0..65,535. Timestamps wrap after 2^16 ticks (8.39 ms with `tsr` 0), so
   * longer times are too small by whole wraps.
   * @throws RoceError `invalid-argument` for a timestamp beyond 16 bits.
   */
  ticksBetween(earlier: number, later: number): number {
    requireField('earlier', earlier, TIMESTAMP_MAX);
    requireField('later', later, TIMESTAMP_MAX);
    return (later - earlier) & TIMESTAMP_MAX;
  },
});

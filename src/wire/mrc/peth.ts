/**
 * Probe extended header of MRC, PETH (OCP MRC 1.0, tables 7-18 and 7-19; docs/specs/mrc-formats.md, section 2.9).
 *
 *   0 reserved (2) | 2 reserved | 3 vendor code | 4 probe id (2) | 6 reserved (2) | 8 spdcid (2) | 10 dpdcid (2)
 *   12 timestamp (2) | 14 tsr 1, reserved 11, ftype 4
 *
 * A probe consumes no PSN. The response is a SACK with `probeResponse`.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { Tseth } from './tseth.js';

/** The probe extended header: 16 bytes. All fields but the probe's number have defaults. */
export const Peth = /* @__PURE__ */ defineHeader({
  title: 'PETH',
  source: 'OCP MRC 1.0, tables 7-18 and 7-19, as docs/specs/mrc-formats.md, section 2.9',
  layer: 'peth',
  fields: (field) => ({
    /** The first 16 bits. */
    reserved16: field.bits(16, 0),
    /** The byte before the vendor code. */
    reserved8: field.bits(8, 0),
    /** 8 bits, defined by the sender's vendor. */
    vendorCode: field.bits(8, 0),
    /** 16 bits, repeated in the SACK that answers the probe. */
    probeId: field.bits(16),
    /** The 16 bits after the probe's number. */
    reservedB16: field.bits(16, 0),
    /** 16 bits: connection id, in most sources the sender's. */
    spdcid: field.bits(16, 0),
    /** 16 bits: connection id, in most sources the destination's. */
    dpdcid: field.bits(16, 0),
    /** Send time in ticks, modulo 2^16. */
    timestamp: field.bits(16, 0),
    /** `tsr`: 0 = ticks of 128 ns; 1 = defined by the implementation. */
    resolution: field.bits(1, 0),
    /** The eleven bits before `ftype`. */
    reserved11: field.bits(11, 0),
    /** `ftype`, 4 bits: 1. */
    formType: field.bits(4, Tseth.FORM_TYPE),
  }),
});

/** The probe extended header, as a value. */
export interface Peth extends ValueOf<typeof Peth> {}

/**
 * Extended headers of MRC's requests, probes and endpoint operations (OCP MRC 1.0; docs/specs/mrc-formats.md, sections
 * 2.6, 2.9 and 2.10).
 *
 *   METH   0 RQMSN (2) | 2 MSN (2)                                 after the BTH of every request
 *   TSETH  0 timestamp (2) | 2 tsr 1, reserved 11, ftype 4         after the METH if the BTH's `ts` is set
 *   PETH   0 reserved (2) | 2 reserved | 3 vendor code | 4 probe id (2) | 6 reserved (2) | 8 spdcid (2) | 10 dpdcid (2)
 *          12 TSETH (4)
 *   ERTH   0 type 4, next header 5, reserved 5, op 2 | 2 reserved | 3 vendor code | 4 port status (4) | 8 reserved (4)
 *          12 TSETH (4)
 *
 * A probe consumes no PSN; the response is a SACK with `probeResponse`. An endpoint operation's number is the low 16
 * bits of the BTH's PSN; its destination QP is 2.
 */
import { requireField } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';

/** The message extended header: 4 bytes. RQMSN is written as 0 by default. */
export const Meth = /* @__PURE__ */ defineHeader({
  title: 'METH',
  source: 'OCP MRC 1.0, as docs/specs/mrc-formats.md, section 2.6',
  layer: 'meth',
  fields: (field) => ({
    /** Counts messages of WRITE with immediate, modulo 2^16; unused (0) in a plain WRITE. */
    rqmsn: field.bits(16, 0),
    /** Counts messages, modulo 2^16; the same in all packets of a message. */
    msn: field.bits(16),
  }),
});

/** The message extended header, as a value. */
export interface Meth extends ValueOf<typeof Meth> {}

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
    /** 16 bits, repeated in the SACK that responds to the probe. */
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

const ERTH = /* @__PURE__ */ defineHeader({
  title: 'ERTH',
  source: 'OCP MRC 1.0, as docs/specs/mrc-formats.md, section 2.10',
  layer: 'erth',
  fields: (field) => ({
    /** Type, 4 bits: 0. */
    type: field.bits(4, 0),
    /** 5 bits: 0, none. */
    mrcNextHeader: field.bits(5, 0),
    /** The five bits before `operation`. */
    reserved5: field.bits(5, 0),
    /** 2 bits: 0 port status, 1 probe of an entropy value. */
    operation: field.bits(2),
    /** The byte before the vendor code. */
    reserved8: field.bits(8, 0),
    /** 8 bits, defined by the sender's vendor. */
    vendorCode: field.bits(8, 0),
    /** 32 bits: bit i is set if port i + 1 of the sender is reachable. */
    portStatus: field.bits(32, 0),
    /** The four bytes before the timestamp. */
    reserved32: field.bits(32, 0),
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

/** The endpoint request header, as a value. */
export interface Erth extends ValueOf<typeof ERTH> {}

/** The endpoint request header: 16 bytes. All fields but the operation have defaults. */
export const Erth = /* @__PURE__ */ extendHeader(ERTH, {
  /** Operation: the sender reports which of its ports work. */
  OPERATION_PORT_STATUS: 0,
  /** Operation: the sender tests an entropy value. */
  OPERATION_EV_PROBE: 1,
});

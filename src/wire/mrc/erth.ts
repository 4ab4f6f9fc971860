/**
 * Endpoint request header of MRC, ERTH (OCP MRC 1.0; docs/specs/mrc-formats.md, section 2.10).
 *
 *   0 type 4, next header 5, reserved 5, op 2 | 2 reserved | 3 vendor code | 4 port status (4) | 8 reserved (4)
 *   12 timestamp (2) | 14 tsr 1, reserved 11, ftype 4
 *
 * The low 16 bits of the BTH's PSN are the request's number; its destination QP is 2.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { Tseth } from './tseth.js';
import { extendHeader } from '../header/extend-header.js';

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

/**
 * Endpoint request header of MRC, ERTH (OCP MRC 1.0; docs/specs/mrc-formats.md, section 2.10).
 *
 *   0 type 4, next header 5, reserved 5, op 2 | 2 reserved | 3 vendor code | 4 port status (4) | 8 reserved (4)
 *   12 timestamp (2) | 14 tsr 1, reserved 11, ftype 4
 *
 * The low 16 bits of the BTH's PSN are the request's number; its destination QP is 2.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';
import { TSETH_FORM_TYPE } from './tseth.js';

/** Operation: the sender tells which of its ports work. */
export const MRC_OPERATION_PORT_STATUS = 0;
/** Operation: the sender tests an entropy value. */
export const MRC_OPERATION_EV_PROBE = 1;

export const ERTH = /* @__PURE__ */ defineHeader({
  title: 'ERTH',
  source: 'OCP MRC 1.0, as docs/specs/mrc-formats.md, section 2.10',
  layer: 'erth',
  fields: (field) => ({
    /** 4 bits: 0. */
    type: field.bits(4, 0),
    /** 5 bits: 0, none. */
    mrcNextHeader: field.bits(5, 0),
    /** The five bits before `operation`. */
    reserved5: field.bits(5, 0),
    /** 2 bits: 0 port status, 1 probe of an entropy value. */
    operation: field.bits(2),
    /** The byte before the vendor code. */
    reserved8: field.bits(8, 0),
    /** 8 bits whose meaning the sender's vendor defines. */
    vendorCode: field.bits(8, 0),
    /** 32 bits: bit i is set while port i + 1 of the sender can be reached. */
    portStatus: field.bits(32, 0),
    /** The four bytes before the timestamp. */
    reserved32: field.bits(32, 0),
    /** Time of sending in ticks, modulo 2^16. */
    timestamp: field.bits(16, 0),
    /** `tsr`: 0 = ticks of 128 ns; 1 = defined by the implementation. */
    resolution: field.bits(1, 0),
    /** The eleven bits before `ftype`. */
    reserved11: field.bits(11, 0),
    /** `ftype`, 4 bits: 1. */
    formType: field.bits(4, TSETH_FORM_TYPE),
  }),
});

/** Length of an ERTH: 16 bytes. */
export const ERTH_BYTES = ERTH.bytes;
/** The drawing of docs/wire.md. */
export const ERTH_LAYOUT = ERTH.layout;

/** The endpoint request header, as a value. */
export interface Erth extends HeaderValue<typeof ERTH> {}
/** Input of `buildErth`: everything but the operation has a default. */
export interface ErthFields extends HeaderFields<typeof ERTH> {}

/** Reads an ERTH in place. */
export class ErthView extends ERTH.View {}

/** Reads an ERTH; the inverse of `buildErth`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseErth: ParseHeader<Erth> = ERTH.parse;
/** Writes an ERTH. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildErth: BuildHeader<ErthFields> = ERTH.build;
/** As `buildErth`, into `target`. @returns the offset behind the header. */
export const buildErthInto: BuildHeaderInto<ErthFields> = ERTH.buildInto;

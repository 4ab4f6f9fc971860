/**
 * Endpoint response header of MRC, EETH (OCP MRC 1.0; docs/specs/mrc-formats.md, section 2.10).
 *
 *   0 type 4, next header 5, reserved 1, op' 2, op 2, reserved 2 | 2 reserved (2) | 4 reserved (24) | 28 timestamp (2)
 *   30 reserved (6)
 *
 * Published sources place `op` in bits 3..2 of the second byte, or in bits 5..4 (`MrcEethPlace`). Both are fields here,
 * so that no bit is lost.
 */
import { requireChoice, requireField, requireRecord } from '../bytes.js';
import { type FieldsOf, type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';

const RESERVED_BYTES = 24;
const TAIL_BYTES = 6;
const OPERATION_MAX = 3;

const EETH = /* @__PURE__ */ defineHeader({
  title: 'EETH',
  source: 'OCP MRC 1.0, as docs/specs/mrc-formats.md, section 2.10',
  layer: 'eeth',
  fields: (field) => ({
    /** Type, 4 bits: 0. */
    type: field.bits(4, 0),
    /** 5 bits: 0, none. */
    mrcNextHeader: field.bits(5, 0),
    /** The bit before `operationAlternative`. */
    reserved1: field.bits(1, 0),
    /** 2 bits, where one source places the operation. */
    operationAlternative: field.bits(2, 0),
    /** 2 bits: operation of the request, where two sources place it. */
    operation: field.bits(2, 0),
    /** The two bits after `operation`. */
    reserved2: field.bits(2, 0),
    /** The 16 bits before `reserved`. */
    reserved16: field.bits(16, 0),
    /** 24 reserved bytes, 0. */
    reserved: field.bytesOf(RESERVED_BYTES),
    /** Timestamp of the request. */
    timestamp: field.bits(16, 0),
    /** The last 6 bytes. */
    reservedTail: field.bytesOf(TAIL_BYTES),
  }),
});

/** The endpoint response header, as a value. */
export interface Eeth extends ValueOf<typeof EETH> {}
/** Input of `Eeth.write`; all fields default to 0. */
export type EethFields = Partial<FieldsOf<typeof EETH>>;

/** The endpoint response header: 36 bytes. */
export const Eeth = /* @__PURE__ */ extendHeader(EETH, {
  /**
   * Reads an EETH, copying its reserved bytes; the inverse of `Eeth.write`. @throws RoceError `invalid-packet` if it is
   * truncated.
   */
  read(bytes: Uint8Array, offset = 0): Eeth {
    const { reserved, reservedTail, ...fields } = EETH.read(bytes, offset);
    return { ...fields, reserved: Uint8Array.from(reserved), reservedTail: Uint8Array.from(reservedTail) };
  },
  /**
   * Writes an EETH.
   * @returns the offset after the header.
   * @throws RoceError `invalid-argument` naming a field out of range.
   */
  writeInto(target: Uint8Array, offset: number, header: EethFields): number {
    requireRecord('eeth', header);
    const { reserved = new Uint8Array(RESERVED_BYTES), reservedTail = new Uint8Array(TAIL_BYTES) } = header;
    return EETH.writeInto(target, offset, { ...header, reserved, reservedTail });
  },
  /**
   * Reads the operation of an endpoint response. @throws RoceError `invalid-argument` naming the value out of range.
   */
  operationOf(eeth: Pick<Eeth, 'operation' | 'operationAlternative'>,
    place: MrcEethPlace = 'bits-3-2'): MrcEethOperation {
    requireRecord('eeth', eeth);
    requireChoice('place', place, ['bits-3-2', 'bits-5-4']);
    requireField('eeth.operation', eeth.operation, OPERATION_MAX);
    requireField('eeth.operationAlternative', eeth.operationAlternative, OPERATION_MAX);
    const [chosen, other] = place === 'bits-3-2' ?
      [eeth.operation, eeth.operationAlternative] :
      [eeth.operationAlternative, eeth.operation];
    return { operation: chosen, isAmbiguous: chosen === 0 && other !== 0 };
  },
});

/** Bits of an EETH's second byte that hold the operation: 3..2 (default), or 5..4. */
export type MrcEethPlace = 'bits-3-2' | 'bits-5-4';

/** The operation of an endpoint response. */
export interface MrcEethOperation {
  /** 0 port status, 1 probe of an entropy value. */
  readonly operation: number;
  /** The chosen bits are 0 but the others are not: the sender may place the operation there. */
  readonly isAmbiguous: boolean;
}

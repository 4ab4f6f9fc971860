/**
 * Immediate data extended transport header, ImmDt (IBTA volume 1, section 9.3).
 *
 *   0 immediate data (4)
 *
 * It is the last header before the payload of whatever has one.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

export const IMMEDIATE_DATA = /* @__PURE__ */ defineHeader({
  title: 'ImmDt',
  source: 'IBTA volume 1, section 9.3',
  layer: 'immdt',
  fields: (field) => ({
    /** 32 bits, as a number in network byte order; the receiver's completion shows them. */
    immediateData: field.bits(32),
  }),
});

/** Length of an ImmDt: 4 bytes. */
export const IMMEDIATE_DATA_BYTES = IMMEDIATE_DATA.bytes;
/** The drawing of docs/wire.md. */
export const IMMEDIATE_DATA_LAYOUT = IMMEDIATE_DATA.layout;

/** Immediate data, as a value. */
export interface ImmediateData extends HeaderValue<typeof IMMEDIATE_DATA> {}

/** Reads an ImmDt in place. */
export class ImmediateDataView extends IMMEDIATE_DATA.View {}

/** Reads an ImmDt; the inverse of `buildImmediateData`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseImmediateData: ParseHeader<ImmediateData> = IMMEDIATE_DATA.parse;
/** Writes an ImmDt. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildImmediateData: BuildHeader<ImmediateData> = IMMEDIATE_DATA.build;
/** As `buildImmediateData`, into `target`. @returns the offset behind the header. */
export const buildImmediateDataInto: BuildHeaderInto<ImmediateData> = IMMEDIATE_DATA.buildInto;

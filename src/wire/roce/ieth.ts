/**
 * Invalidate extended transport header, IETH (IBTA volume 1, section 9.3).
 *
 *   0 R_Key (4)
 *
 * SEND last and SEND only with invalidate have one, of RC and of XRC.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

export const IETH = /* @__PURE__ */ defineHeader({
  title: 'IETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'ieth',
  fields: (field) => ({
    /** 32 bits: R_Key that the receiver invalidates. */
    rKey: field.bits(32),
  }),
});

/** Length of an IETH: 4 bytes. */
export const IETH_BYTES = IETH.bytes;
/** The drawing of docs/wire.md. */
export const IETH_LAYOUT = IETH.layout;

/** The invalidate extended header, as a value. */
export interface Ieth extends HeaderValue<typeof IETH> {}

/** Reads an IETH in place. */
export class IethView extends IETH.View {}

/** Reads an IETH; the inverse of `buildIeth`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseIeth: ParseHeader<Ieth> = IETH.parse;
/** Writes an IETH. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildIeth: BuildHeader<Ieth> = IETH.build;
/** As `buildIeth`, into `target`. @returns the offset behind the header. */
export const buildIethInto: BuildHeaderInto<Ieth> = IETH.buildInto;

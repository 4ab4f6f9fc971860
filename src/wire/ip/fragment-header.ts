/**
 * IPv6 Fragment header (RFC 8200, section 4.5).
 *
 *   0 next header | 1 reserved | 2 fragment offset 13, reserved 2, more fragments 1 | 4 identification (4)
 *
 * The one extension header without a length: always 8 bytes. Only the fragment at offset 0 has the headers of the
 * packet behind it. Next header value 44.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

/** Unit of the fragment offset. */
export const FRAGMENT_UNIT_BYTES = 8;

export const FRAGMENT = /* @__PURE__ */ defineHeader({
  title: 'IPv6 Fragment header',
  source: 'RFC 8200, section 4.5',
  layer: 'fragment header',
  where: 'fragment',
  fields: (field) => ({
    /** Of the packet's first header that is cut up; the same in all fragments. */
    nextHeader: field.bits(8),
    /** 0 on sending, ignored on receipt. */
    reserved8: field.bits(8, 0),
    /** In units of 8 bytes, 13 bits. */
    fragmentOffset: field.bits(13),
    /** The two bits before M: 0 on sending, ignored on receipt. */
    reserved2: field.bits(2, 0),
    /** M: this is not the last fragment. */
    moreFragments: field.flag(),
    /** 32 bits; one per packet of a pair of addresses. */
    identification: field.bits(32),
  }),
});

/** Length of the header: 8 bytes, always. */
export const FRAGMENT_BYTES = FRAGMENT.bytes;
/** The drawing of docs/wire.md. */
export const FRAGMENT_HEADER_LAYOUT = FRAGMENT.layout;

/** An IPv6 Fragment header, as a value. */
export interface FragmentHeader extends HeaderValue<typeof FRAGMENT> {}

/** Input of `buildFragmentHeader`: reserved bits 0 unless stated. */
export interface FragmentHeaderFields extends HeaderFields<typeof FRAGMENT> {}

/** Reads a Fragment header in place. */
export class FragmentHeaderView extends FRAGMENT.View {}

/**
 * Reads a Fragment header; the inverse of `buildFragmentHeader`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export const parseFragmentHeader: ParseHeader<FragmentHeader> = FRAGMENT.parse;
/** Writes a Fragment header. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildFragmentHeader: BuildHeader<FragmentHeaderFields> = FRAGMENT.build;
/** As `buildFragmentHeader`, into `target`. @returns the offset behind the header. */
export const buildFragmentHeaderInto: BuildHeaderInto<FragmentHeaderFields> = FRAGMENT.buildInto;

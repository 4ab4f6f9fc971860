/**
 * IPv6 Fragment header (RFC 8200, section 4.5).
 *
 *   0 next header | 1 reserved | 2 fragment offset 13, reserved 2, more fragments 1 | 4 identification (4)
 *
 * The only extension header without a length: always 8 bytes. Only the fragment at offset 0 is followed by the packet's
 * headers. Next header value 44.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { extendHeader } from '../header/extend-header.js';

const FRAGMENT = /* @__PURE__ */ defineHeader({
  title: 'IPv6 Fragment header',
  source: 'RFC 8200, section 4.5',
  layer: 'fragment header',
  where: 'fragment',
  fields: (field) => ({
    /** Type of the first header in the fragmented part; the same in all fragments. */
    nextHeader: field.bits(8),
    /** 0 on sending, ignored on receipt. */
    reserved8: field.bits(8, 0),
    /** In units of 8 bytes, 13 bits. */
    fragmentOffset: field.bits(13),
    /** The two bits before M: 0 on sending, ignored on receipt. */
    reserved2: field.bits(2, 0),
    /** M: this is not the last fragment. */
    moreFragments: field.flag(),
    /** 32 bits; identifies the packet among those with the same addresses. */
    identification: field.bits(32),
  }),
});

/** An IPv6 Fragment header, as a value. */
export interface FragmentHeader extends ValueOf<typeof FRAGMENT> {}

/** An IPv6 Fragment header, always 8 bytes. Reserved bits are written as 0 by default. */
export const FragmentHeader = /* @__PURE__ */ extendHeader(FRAGMENT, {
  /** Unit of the fragment offset. */
  UNIT_BYTES: 8,
});

/**
 * Loopback header of BSD (tcpdump.org, LINKTYPE_NULL and LINKTYPE_LOOP): the start of each packet of link types 0 and
 * 108.
 *
 *   0 address family (4)
 *
 * LINKTYPE_NULL has the family in the byte order of the capturing host, LINKTYPE_LOOP in network byte order. IPv4 is
 * 2 everywhere; IPv6 is 10 (Linux), 23 (Windows), 24 (NetBSD, OpenBSD), 28 (FreeBSD) or 30 (macOS).
 */
import { defineHeader } from '../header/define-header.js';
import { readUint } from '../bytes.js';

const FAMILY_IPV4 = 2;
const FAMILIES_IPV6: readonly number[] = [10, 23, 24, 28, 30];
const HALF = 0x10000;

/** The loopback header. */
export const Loopback = /* @__PURE__ */ defineHeader({
  title: 'BSD loopback (NULL, LOOP)',
  source: 'tcpdump.org, LINKTYPE_NULL, LINKTYPE_LOOP',
  layer: 'loopback header',
  where: 'loopback',
  fields: (field) => ({
    /** Address family of the capturing host: 2 = IPv4; its byte order may be either one. */
    family: field.bits(32),
  }),
});

/** IP version of a loopback header in either byte order; 0 for other families. The caller has checked the length. */
export function loopbackVersion(bytes: Uint8Array, offset: number): 0 | 4 | 6 {
  const family = readUint(bytes, offset, Loopback.lenBytes);
  // A family is below 65,536, so the byte order with the smaller number is correct.
  const value = family < HALF ? family : swapped(family);
  if (value === FAMILY_IPV4) return 4;
  return FAMILIES_IPV6.includes(value) ? 6 : 0;
}

function swapped(value: number): number {
  return ((value & 0xff) << 24 | (value & 0xff00) << 8 | (value >>> 8) & 0xff00 | value >>> 24) >>> 0;
}

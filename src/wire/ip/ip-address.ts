/**
 * Text and bytes of IP addresses and prefixes.
 *
 * The internal form is 16 bytes in network order. An IPv4 address a.b.c.d is the IPv4-mapped ::ffff:a.b.c.d
 * (RFC 4291, section 2.5.5.2), so one table holds peers of both families.
 *
 *   text            RFC 4291, section 2.2: groups of hexadecimal digits, one "::", a dotted quad as the last 32 bits
 *   canonical text  RFC 5952, section 4: lower case, no leading zeros, the longest run of two or more zero groups
 *                   (the first of several) as "::"; section 5: IPv4-mapped addresses end in a dotted quad
 */

import { RoceError, lengthError } from '../../errors.js';
import { invalidArgument, requireField, requireLength, requirePlace, requireRecord } from '../bytes.js';

/** Length of an address, bytes. */
export const IP_ADDRESS_BYTES = 16;
const IPV4_OFFSET = 12;
const IPV4_MAPPED_BITS = 8 * IPV4_OFFSET;
const ADDRESS_BITS = 8 * IP_ADDRESS_BYTES;
const GROUP_COUNT = 8;

/** An address and its number of significant leading bits. */
export interface IpPrefix {
  /** 16 bytes, network order; zero after the first `lengthBits` bits. */
  readonly address: Uint8Array;
  /** 0..128; an IPv4 prefix /n has n + 96. */
  readonly lengthBits: number;
}

/**
 * Parses an IPv4 or IPv6 address.
 *
 * @param text a dotted quad, or an IPv6 address without a zone; no surrounding spaces.
 * @param where name in errors.
 * @returns 16 new bytes in network order; IPv4 as IPv4-mapped.
 * @throws RoceError `invalid-argument` for anything else.
 */
export function parseIpAddress(text: string, where = 'address'): Uint8Array {
  const bytes = typeof text === 'string' ? readAddress(text) : undefined;
  if (bytes !== undefined) return bytes;
  const allowed = 'an IPv4 address such as 192.0.2.1 or an IPv6 address such as 2001:db8::1';
  throw invalidArgument(where, text, allowed);
}

/**
 * Formats an address in its usual notation: IPv4-mapped as a dotted quad, others per RFC 5952.
 *
 * @param bytes at least `offset` + 16 bytes, network order.
 * @throws RoceError `invalid-argument` if there are fewer.
 */
export function formatIpAddress(bytes: Uint8Array, offset = 0): string {
  checkRoom(bytes, offset);
  if (isIpv4Mapped(bytes, offset)) return formatQuad(bytes, offset + IPV4_OFFSET);
  return formatGroups(readGroups(bytes, offset));
}

/**
 * Formats an address strictly per RFC 5952, including IPv4-mapped ones: `::ffff:192.0.2.1` (its section 5).
 *
 * @throws RoceError `invalid-argument` if there are fewer than `offset` + 16 bytes.
 */
export function formatIpv6Address(bytes: Uint8Array, offset = 0): string {
  checkRoom(bytes, offset);
  if (isIpv4Mapped(bytes, offset)) return `::ffff:${formatQuad(bytes, offset + IPV4_OFFSET)}`;
  return formatGroups(readGroups(bytes, offset));
}

/** Returns the IPv4 address at `offset` in its 16-byte IPv4-mapped form. */
export function mapIpv4(bytes: Uint8Array, offset: number): Uint8Array {
  const address = new Uint8Array(IP_ADDRESS_BYTES);
  address[10] = 0xff;
  address[11] = 0xff;
  address.set(bytes.subarray(offset, offset + 4), 12);
  return address;
}

/** Whether an address is IPv4-mapped. */
export function isIpv4Mapped(bytes: Uint8Array, offset = 0): boolean {
  requirePlace(bytes, offset);
  for (let i = 0; i < 10; i++) if (bytes[offset + i] !== 0) return false;
  return bytes[offset + 10] === 0xff && bytes[offset + 11] === 0xff;
}

/**
 * Checks that all addresses are IPv4, or all IPv6.
 * @returns whether they are IPv4.
 * @throws RoceError `invalid-argument` if they are of different families.
 */
export function sameFamily(where: string, ...addresses: readonly Uint8Array[]): boolean {
  for (const address of addresses) requireLength(`${where} address`, address, IP_ADDRESS_BYTES);
  const ipv4Count = addresses.filter((address) => isIpv4Mapped(address)).length;
  if (ipv4Count === 0 || ipv4Count === addresses.length) return ipv4Count > 0;
  throw new RoceError('invalid-argument', {
    what: 'addresses',
    problem: 'are of different families',
    got: addresses.map((address) => formatIpAddress(address)),
    allowed: 'all IPv4 (IPv4-mapped) or all IPv6',
    where,
  });
}

/**
 * Parses `address/length`; an address without length is a prefix of full length.
 *
 * @param text for example `2001:db8::/32`, `10.0.0.0/8`, `2001:db8::1`.
 * @throws RoceError `invalid-argument` for an invalid address or length, or if bits beyond the length are set.
 */
export function parsePrefix(text: string, where = 'prefix'): IpPrefix {
  const slash = typeof text === 'string' ? text.indexOf('/') : -1;
  const addressText = slash < 0 ? text : text.slice(0, slash);
  const address = parseIpAddress(addressText, where);
  const base = addressText.includes(':') ? 0 : IPV4_MAPPED_BITS;
  if (slash < 0) return { address, lengthBits: ADDRESS_BITS };

  const lengthText = text.slice(slash + 1);
  const lengthBits = /^(0|[1-9]\d{0,2})$/.test(lengthText) ? base + Number(lengthText) : Infinity;
  if (lengthBits > ADDRESS_BITS) {
    const allowed = `an address and a length of 0 to ${ADDRESS_BITS - base} bits`;
    throw invalidArgument(where, text, allowed);
  }
  if (!isZeroBehind(address, lengthBits)) {
    const allowed = `zeros after its first ${lengthBits - base} bits`;
    throw invalidArgument(where, text, allowed);
  }
  return { address, lengthBits };
}

/** Whether the address at `offset` (16 bytes) begins with the prefix. */
export function prefixContains(prefix: IpPrefix, bytes: Uint8Array, offset = 0): boolean {
  requireRecord('prefix', prefix);
  requireLength('prefix.address', prefix.address, IP_ADDRESS_BYTES);
  requireField('prefix.lengthBits', prefix.lengthBits, ADDRESS_BITS);
  requirePlace(bytes, offset);
  for (let i = 0, left = prefix.lengthBits; left > 0; i++, left -= 8) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
    const difference = bytes[offset + i] ^ prefix.address[i];
    if ((difference & mask) !== 0) return false;
  }
  return true;
}

function readAddress(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(IP_ADDRESS_BYTES);
  if (text.includes(':')) return readIpv6(text, bytes) ? bytes : undefined;
  bytes[10] = 0xff;
  bytes[11] = 0xff;
  return readQuad(text, bytes, IPV4_OFFSET) ? bytes : undefined;
}

function readQuad(text: string, bytes: Uint8Array, offset: number): boolean {
  const parts = text.split('.');
  if (parts.length !== 4) return false;
  return parts.every((part, i) => {
    // Reject leading zeros: some parsers read such numbers as octal (RFC 6943, section 3.1.1).
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return false;
    bytes[offset + i] = Number(part);
    return true;
  });
}

function readIpv6(text: string, bytes: Uint8Array): boolean {
  const hexText = replaceQuad(text);
  const halves = hexText?.split('::') ?? [];
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (groups.length === 1) return groups[0].length === GROUP_COUNT && writeGroups(groups[0], bytes, 0);
  if (groups.length !== 2) return false;

  const [head, tail] = groups;
  // "::" represents at least one group.
  if (head.length + tail.length >= GROUP_COUNT) return false;
  return writeGroups(head, bytes, 0) && writeGroups(tail, bytes, IP_ADDRESS_BYTES - 2 * tail.length);
}

/** Replaces a dotted quad at the end by two groups; undefined if it is malformed. */
function replaceQuad(text: string): string | undefined {
  const start = text.lastIndexOf(':') + 1;
  const last = text.slice(start);
  if (!last.includes('.')) return text;
  const quad = new Uint8Array(4);
  if (!readQuad(last, quad, 0)) return undefined;
  const high = ((quad[0] << 8) | quad[1]).toString(16);
  const low = ((quad[2] << 8) | quad[3]).toString(16);
  return `${text.slice(0, start)}${high}:${low}`;
}

function writeGroups(groups: readonly string[], bytes: Uint8Array, offset: number): boolean {
  return groups.every((group, i) => {
    if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return false;
    const value = Number.parseInt(group, 16);
    bytes[offset + 2 * i] = value >> 8;
    bytes[offset + 2 * i + 1] = value & 0xff;
    return true;
  });
}

function checkRoom(bytes: Uint8Array, offset: number): void {
  requirePlace(bytes, offset);
  if (offset >= 0 && offset + IP_ADDRESS_BYTES <= bytes.length) return;
  const required = IP_ADDRESS_BYTES;
  const available = Math.max(0, bytes.length - offset);
  throw lengthError({ code: 'invalid-argument', layer: 'address', where: 'bytes', offset, required, available });
}

function formatQuad(bytes: Uint8Array, offset: number): string {
  return bytes.subarray(offset, offset + 4).join('.');
}

function readGroups(bytes: Uint8Array, offset: number): number[] {
  const groups: number[] = [];
  for (let i = 0; i < IP_ADDRESS_BYTES; i += 2) {
    groups.push((bytes[offset + i] << 8) | bytes[offset + i + 1]);
  }
  return groups;
}

function formatGroups(groups: readonly number[]): string {
  const run = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (run.length < 2) return hex.join(':');
  return `${hex.slice(0, run.start).join(':')}::${hex.slice(run.start + run.length).join(':')}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  groups.forEach((group, i) => {
    length = group === 0 ? length + 1 : 0;
    if (length > best.length) best = { start: i - length + 1, length };
  });
  return best;
}

function isZeroBehind(bytes: Uint8Array, lengthBits: number): boolean {
  return bytes.every((byte, i) => {
    const kept = Math.min(8, Math.max(0, lengthBits - 8 * i));
    return (byte & (0xff >> kept)) === 0;
  });
}

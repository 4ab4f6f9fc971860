/**
 * Headers that capture files have instead of, or before, a link header, by link type (tcpdump.org):
 *
 *   113  SLL   Linux "cooked" capture
 *              0 packet type (2) | 2 ARPHRD type (2) | 4 address length (2) | 6 address (8) | 14 protocol type (2)
 *   276  SLL2  version 2, used for example by `tcpdump -i any`
 *              0 protocol type (2) | 2 reserved (2) | 4 interface index (4) | 8 ARPHRD type (2) | 10 packet type (1)
 *              11 address length (1) | 12 address (8)
 *   0    NULL  BSD loopback, family in the byte order of the capturing host; 108 LOOP in network byte order
 *              0 address family (4)
 *   192  PPI   Per-Packet Information (CACE Technologies, "PPI Header format specification" 1.0.7)
 *              0 version (1) | 1 flags (1) | 2 length (2, little-endian) | 4 link type of the packet (4, little-endian) | 8 fields
 *   197  ERF   Extensible Record Format of Endace's capture cards (Endace, "ERF types")
 *              0 timestamp (8) | 8 type (1) | 9 flags (1) | 10 record length (2) | 12 loss counter (2) | 14 wire length (2)
 *              { extension header (8) }* while the top bit of the type, or of the extension header before, is set
 *
 * The address of SLL and SLL2 is that of the packet's sender; its length may exceed the eight bytes stored. VLAN tags
 * follow as after an Ethernet header, with a protocol type of 0x8100 and so on.
 *
 * In Ethernet records of ERF, two bytes of padding follow the header, included in the record length but not in the wire
 * length.
 */
import { defineHeader, extendHeader, type ValueOf } from '../header/define-header.js';
import { readUint } from '../bytes.js';

const SLL_ADDRESS_BYTES = 8;

const SLL = /* @__PURE__ */ defineHeader({
  title: 'Linux cooked capture (SLL)',
  source: 'tcpdump.org, LINKTYPE_LINUX_SLL',
  layer: 'linux sll header',
  where: 'sll',
  fields: (field) => ({
    /** 0 to us, 1 broadcast, 2 multicast, 3 to others, 4 from us. */
    packetType: field.bits(16),
    /** Kind of device, Linux ARPHRD_*: 1 Ethernet, 32 InfiniBand, 772 loopback. */
    arphrdType: field.bits(16),
    /** Length of the complete address, of which only the first eight bytes are stored. */
    addressLength: field.bits(16),
    /** 8 bytes; those beyond the address length are as received. */
    address: field.bytesOf(SLL_ADDRESS_BYTES),
    /** An EtherType for most devices. */
    protocolType: field.bits(16),
  }),
});

/** The header of a Linux "cooked" capture, as a value. */
export interface LinuxSll extends ValueOf<typeof SLL> {}

/** The header of a Linux "cooked" capture: 16 bytes. */
export const LinuxSll = /* @__PURE__ */ extendHeader(SLL, {
  /** Number of address bytes stored. */
  ADDRESS_BYTES: SLL_ADDRESS_BYTES,
  /** Packet type: sent to this host (tcpdump.org, LINKTYPE_LINUX_SLL). */
  TO_US: 0,
  /** Packet type: broadcast by another host. */
  BROADCAST: 1,
  /** Packet type: multicast, not broadcast, by another host. */
  MULTICAST: 2,
  /** Packet type: sent by another host to another host, seen in promiscuous mode. */
  TO_OTHERS: 3,
  /** Packet type: sent by this host. */
  FROM_US: 4,
});

/** The header of a Linux "cooked" capture, version 2: 20 bytes. Reserved bits are written as 0 by default. */
export const LinuxSll2 = /* @__PURE__ */ defineHeader({
  title: 'Linux cooked capture, version 2 (SLL2)',
  source: 'tcpdump.org, LINKTYPE_LINUX_SLL2',
  layer: 'linux sll2 header',
  where: 'sll2',
  fields: (field) => ({
    /** An EtherType for most devices. */
    protocolType: field.bits(16),
    /** Reserved; written as 0 by default. */
    reserved16: field.bits(16, 0),
    /** Interface of the capturing host, 32 bits; counted from 1. */
    interfaceIndex: field.bits(32),
    /** Kind of device, Linux ARPHRD_*: 1 Ethernet, 32 InfiniBand, 772 loopback. */
    arphrdType: field.bits(16),
    /** 0 to us, 1 broadcast, 2 multicast, 3 to others, 4 from us. */
    packetType: field.bits(8),
    /** Length of the complete address, of which only the first eight bytes are stored. */
    addressLength: field.bits(8),
    /** 8 bytes; those beyond the address length are as received. */
    address: field.bytesOf(LinuxSll.ADDRESS_BYTES),
  }),
});

/** The header of a Linux "cooked" capture, version 2, as a value. */
export interface LinuxSll2 extends ValueOf<typeof LinuxSll2> {}

const FAMILY_IPV4 = 2;
/** Linux, Windows, NetBSD and OpenBSD, FreeBSD, macOS. */
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

/** The PPI header. Multi-byte fields are little-endian on the wire. */
export const Ppi = /* @__PURE__ */ defineHeader({
  title: 'Per-Packet Information (PPI)',
  source: 'tcpdump.org, LINKTYPE_PPI',
  layer: 'ppi header',
  where: 'ppi',
  followedBy: 'fields, up to the length',
  fields: (field) => ({
    /** Version, 0. */
    ppiVersion: field.bits(8, 0),
    /** Bit 0: fields are aligned to 32 bits. */
    flags: field.bits(8, 0),
    /** Length of the whole header, bytes, little-endian. */
    lengthBytes: field.bytesOf(2),
    /** Link type of the packet after it, little-endian. */
    linkTypeBytes: field.bytesOf(4),
    /** Fields, each of type, length and data. */
    fields: field.rest(),
  }),
});

const LENGTH = Ppi.offsetOf('lengthBytes');
const LINK_TYPE = Ppi.offsetOf('linkTypeBytes');

/** Length of the whole header, bytes. The caller has checked that the fixed part is complete. */
export function ppiHeaderBytes(bytes: Uint8Array, offset: number): number {
  return bytes[offset + LENGTH] | (bytes[offset + LENGTH + 1] << 8);
}

/** Link type of the packet after the header. The caller has checked that the fixed part is complete. */
export function ppiLinkType(bytes: Uint8Array, offset: number): number {
  const at = offset + LINK_TYPE;
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** Bit of the type, and of an extension header's first byte: an extension header follows. */
const MORE = 0x80;
const TYPE_MASK = 0x7f;
/** Padding between the header and the destination address of an Ethernet record. */
const ETHERNET_PAD_BYTES = 2;
const EXTENSION_BYTES = 8;
/** TYPE_ETH, TYPE_COLOR_ETH, TYPE_DSM_COLOR_ETH, TYPE_COLOR_HASH_ETH. */
const ETHERNET_TYPES: readonly number[] = [2, 11, 16, 20];
const TYPE_IPV4 = 22;
const TYPE_IPV6 = 23;

/** The fixed part of the ERF header. */
export const Erf = /* @__PURE__ */ defineHeader({
  title: 'Endace ERF',
  source: 'tcpdump.org, LINKTYPE_ERF',
  layer: 'erf header',
  where: 'erf',
  followedBy: 'extension headers of 8 bytes while the top bit of the type is set; 2 bytes in Ethernet records',
  fields: (field) => ({
    /** Little-endian 32.32 seconds since 1970. */
    timestamp: field.bytesOf(8),
    /** Type of the record, 2 = Ethernet; the top bit announces an extension header. */
    recordType: field.bits(8),
    /** Interface in the low two bits; bit 3 truncated, bit 4 receive error. */
    flags: field.bits(8, 0),
    /** Length of the record including this header, bytes. */
    recordLength: field.bits(16, 0),
    /** Number of packets lost before this one, or the colour. */
    lossCounter: field.bits(16, 0),
    /** Length on the wire, including Ethernet's frame check sequence, bytes. */
    wireLength: field.bits(16),
    /** Extension headers and padding. */
    more: field.rest(),
  }),
});

const RECORD_TYPE = Erf.offsetOf('recordType');

/** Protocol of the packet in an ERF record. */
export type ErfPayload = 'ethernet' | 'ipv4' | 'ipv6' | 'unknown';

/** Protocol of the packet after the header. The caller has checked that the fixed part is complete. */
export function erfPayload(bytes: Uint8Array, offset: number): ErfPayload {
  const type = bytes[offset + RECORD_TYPE] & TYPE_MASK;
  if (ETHERNET_TYPES.includes(type)) return 'ethernet';
  if (type === TYPE_IPV4) return 'ipv4';
  return type === TYPE_IPV6 ? 'ipv6' : 'unknown';
}

/** Length of the header with extension headers and padding, as far as captured. */
export function erfHeaderBytes(bytes: Uint8Array, offset: number): number {
  let end = offset + Erf.lenBytes;
  let hasMore = (bytes[offset + RECORD_TYPE] & MORE) !== 0;
  while (hasMore && end < bytes.length) {
    hasMore = (bytes[end] & MORE) !== 0;
    end += EXTENSION_BYTES;
  }
  return end - offset + (erfPayload(bytes, offset) === 'ethernet' ? ETHERNET_PAD_BYTES : 0);
}

/**
 * Link-layer header types of capture files, as registered at tcpdump.org ("Link-Layer Header Types"). The reader
 * reports the number that the file carries; the constants are those that can carry RoCE traffic.
 */
import { RoceError } from '../errors.js';

/** BSD loopback; the address family is in the byte order of the capturing host. */
export const LINK_TYPE_NULL = 0;
/** Ethernet II, starting at the destination address, usually without FCS. */
export const LINK_TYPE_ETHERNET = 1;
/** Raw IP, the number used in files by BSD and others. */
export const LINK_TYPE_RAW_BSD = 12;
/** Raw IP, the number used in files by OpenBSD. */
export const LINK_TYPE_RAW_OPENBSD = 14;
/** Raw IP; the version nibble distinguishes IPv4 and IPv6. */
export const LINK_TYPE_RAW = 101;
/** OpenBSD loopback; the address family is in network byte order. */
export const LINK_TYPE_LOOP = 108;
/** Linux "cooked" header, version 1 (16 bytes). */
export const LINK_TYPE_LINUX_SLL = 113;
/** Per-Packet Information header, before a packet of the link type that it states. */
export const LINK_TYPE_PPI = 192;
/** Endace's Extensible Record Format. */
export const LINK_TYPE_ERF = 197;
/** Raw IPv4. */
export const LINK_TYPE_IPV4 = 228;
/** Raw IPv6. */
export const LINK_TYPE_IPV6 = 229;
/** InfiniBand, starting at the LRH. */
export const LINK_TYPE_INFINIBAND = 247;
/** Linux "cooked" header, version 2 (20 bytes). */
export const LINK_TYPE_LINUX_SLL2 = 276;

/** All link types for raw IP of either version. */
export const RAW_LINK_TYPES: readonly number[] = [LINK_TYPE_RAW, LINK_TYPE_RAW_BSD, LINK_TYPE_RAW_OPENBSD];

/** Includes types that are often captured by mistake. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [6, 'Token Ring'],
  [9, 'PPP'],
  [10, 'FDDI'],
  [50, 'PPP in HDLC'],
  [51, 'PPPoE'],
  [104, 'Cisco HDLC'],
  [105, 'IEEE 802.11'],
  [107, 'Frame Relay'],
  [119, 'IEEE 802.11 with Prism header'],
  [127, 'IEEE 802.11 with radiotap header'],
  [163, 'IEEE 802.11 with AVS header'],
  [189, 'USB (Linux)'],
  [220, 'USB (Linux, mmapped)'],
  [239, 'NFLOG'],
  [249, 'USBPcap'],
  [252, 'Wireshark upper PDU'],
  [253, 'Netlink'],
  [274, 'Ethernet mPacket'],
  [LINK_TYPE_ETHERNET, 'Ethernet'],
  [LINK_TYPE_NULL, 'BSD loopback (NULL)'],
  [LINK_TYPE_LOOP, 'OpenBSD loopback (LOOP)'],
  [LINK_TYPE_RAW, 'raw IP'],
  [LINK_TYPE_RAW_BSD, 'raw IP'],
  [LINK_TYPE_RAW_OPENBSD, 'raw IP'],
  [LINK_TYPE_PPI, 'PPI'],
  [LINK_TYPE_ERF, 'ERF'],
  [LINK_TYPE_IPV4, 'raw IPv4'],
  [LINK_TYPE_IPV6, 'raw IPv6'],
  [LINK_TYPE_LINUX_SLL, 'Linux cooked'],
  [LINK_TYPE_LINUX_SLL2, 'Linux cooked v2'],
  [LINK_TYPE_INFINIBAND, 'InfiniBand'],
]);

/**
 * The common name of a link type, or its number as registered at tcpdump.org.
 *
 * @example
 * linkTypeName(LINK_TYPE_RAW); // 'raw IP'
 */
export function linkTypeName(linkType: number): string {
  if (typeof linkType !== 'number') {
    throw new RoceError('invalid-argument', { where: 'linkType', got: linkType, allowed: 'a number' });
  }
  return NAMES.get(linkType) ?? `link type ${linkType}`;
}

/**
 * Numbers of a walk. STEP_*: the next step, which reads headers from an offset, with a number. UNREAD_*: the field that
 * announces a part that the walk does not read, with its number.
 */

/** The walk ends. */
export const STEP_END = 0;
/** A link header; the number is the link type. */
export const STEP_LINK = 1;
/** An Ethernet header. */
export const STEP_ETHERNET = 2;
/** The contents announced by an EtherType, which is the number. */
export const STEP_ETHER_TYPE = 3;
/** An IP header; the number is the version that the preceding header states. */
export const STEP_IP = 4;

/** Everything was read. */
export const UNREAD_NOTHING = 0;
/** An EtherType. */
export const UNREAD_ETHER_TYPE = 1;
/** An IP protocol or IPv6 next header. */
export const UNREAD_IP_PROTOCOL = 2;
/** A UDP destination port. */
export const UNREAD_UDP_PORT = 3;
/** A destination service access point of 802.2 LLC. */
export const UNREAD_LLC = 4;
/** A fragment of a datagram; the number is its protocol. */
export const UNREAD_FRAGMENT = 5;
/** An IPv6 Routing header before RoCE; the number is its type. */
export const UNREAD_ROUTED = 6;
/** An address family of a loopback header, or a record type of ERF. */
export const UNREAD_LINK = 7;
/** The first byte after an MPLS label stack. */
export const UNREAD_MPLS = 8;

/** Names of the fields, by number. */
export const UNREAD_NAMES = [
  'nothing',
  'ether-type',
  'ip-protocol',
  'udp-port',
  'llc',
  'fragment',
  'routing',
  'link',
  'mpls',
] as const;

/** Name of a field that announces an unread part. */
export type UnreadField = Exclude<(typeof UNREAD_NAMES)[number], 'nothing'>;

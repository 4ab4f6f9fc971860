/** IP protocol and IPv6 next header numbers (IANA, "Protocol Numbers"). */
export const IpProtocol = {
  /** Next header value of the Hop-by-Hop Options header (RFC 8200, section 4.3). */
  HOP_BY_HOP: 0,
  /** Protocol number of ICMPv4. */
  ICMP: 1,
  /** Protocol number, and IPv6 next header. */
  UDP: 17,
  /** Next header value of the Routing header (RFC 8200, section 4.4). */
  ROUTING: 43,
  /** Next header value of the Fragment header (RFC 8200, section 4.5). */
  FRAGMENT: 44,
  /** IP protocol of GRE (RFC 2784). */
  GRE: 47,
  /** Next header value of ICMPv6. */
  ICMPV6: 58,
  /** Next header value "no next header" (RFC 8200, section 4.7). */
  NONE: 59,
  /** Next header value of the Destination Options header (RFC 8200, section 4.6). */
  DESTINATION_OPTIONS: 60,
} as const;

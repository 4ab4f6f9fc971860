/**
 * MPLS label stack entry (RFC 3032, section 2.1), and the control word of Ethernet pseudowires (RFC 4385, section 3).
 *
 *   0 label (20 bits), traffic class (3 bits), bottom of stack (1 bit), time to live (8 bits)
 *
 * A stack does not state what it carries. A first nibble of 4 or 6 indicates IP (RFC 4928, section 3), 0 the control
 * word of an Ethernet pseudowire; the explicit null labels 0 and 2 mean IPv4 and IPv6.
 */
import { defineHeader } from '../header/define-header.js';

/** EtherType of MPLS, unicast (RFC 5332). */
export const ETHERTYPE_MPLS = 0x8847;
/** EtherType of MPLS with upstream-assigned labels (RFC 5332). */
export const ETHERTYPE_MPLS_UPSTREAM = 0x8848;
/** IP protocol of MPLS (RFC 4023). */
export const PROTOCOL_MPLS = 137;
/** UDP port of MPLS (RFC 7510). */
export const MPLS_UDP_PORT = 6635;
/** Label "IPv4 explicit null" (RFC 3032, section 2.1). */
export const LABEL_IPV4_EXPLICIT_NULL = 0;
/** Label "IPv6 explicit null" (RFC 3032, section 2.1). */
export const LABEL_IPV6_EXPLICIT_NULL = 2;

/** An MPLS label stack entry. */
export const Mpls = /* @__PURE__ */ defineHeader({
  title: 'MPLS label stack entry',
  source: 'RFC 3032, section 2.1',
  layer: 'mpls',
  fields: (field) => ({
    /** 0..1048575; values below 16 are reserved. */
    label: field.bits(20),
    /** Formerly EXP, 0..7 (RFC 5462). */
    trafficClass: field.bits(3, 0),
    /** Whether it is the last entry. */
    bottomOfStack: field.flag(),
    /** Time to live, 0..255. */
    ttl: field.bits(8, 64),
  }),
});

/** The control word of an Ethernet pseudowire. */
export const ControlWord = /* @__PURE__ */ defineHeader({
  title: 'Pseudowire control word',
  source: 'RFC 4385, section 3; RFC 4448, section 4.6',
  layer: 'control word',
  where: 'controlWord',
  fields: (field) => ({
    /** First nibble 0, then flags and length, mostly 0. */
    flags: field.bits(16, 0),
    /** 0 = not used. */
    sequenceNumber: field.bits(16, 0),
  }),
});

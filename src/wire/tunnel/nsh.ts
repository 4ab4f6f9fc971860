/**
 * Network Service Header (RFC 8300, section 2), as VXLAN-GPE and EtherType 0x894f carry it.
 *
 *   0 version, O, TTL, length in words (2) | 2 metadata type (1) | 3 next protocol (1) | 4 service path (4) | 8 contexts
 */
import { defineHeader } from '../header/define-header.js';

/** EtherType of NSH (RFC 8300, section 11.1). */
export const ETHERTYPE_NSH = 0x894f;

/** The Network Service Header. */
export const Nsh = /* @__PURE__ */ defineHeader({
  title: 'Network Service Header (NSH)',
  source: 'RFC 8300, section 2',
  layer: 'nsh',
  followedBy: 'context headers, up to the length',
  fields: (field) => ({
    nshVersion: field.bits(2, 0),
    /** Whether it is an OAM packet. */
    oam: field.flag(false),
    reserved1: field.bits(1, 0),
    ttl: field.bits(6, 63),
    /** Length of the whole header / 4. */
    length: field.length(6, { unitBytes: 4 }),
    reserved4: field.bits(4, 0),
    /** 1 = 16 bytes of context, 2 = variable. */
    metadataType: field.bits(4, 2),
    /** 1 IPv4, 2 IPv6, 3 Ethernet, 4 NSH, 5 MPLS. */
    nextProtocol: field.bits(8),
    servicePath: field.bits(24),
    serviceIndex: field.bits(8, 255),
    /** Context headers. */
    contexts: field.rest(),
  }),
});

/**
 * Headers of overlay networks, for services over IP or Ethernet:
 *
 *   VXLAN    RFC 7348, section 5, in UDP; with a next protocol VXLAN-GPE (draft-ietf-nvo3-vxlan-gpe, section 3), otherwise
 *            an Ethernet frame follows
 *            0 flags (1) | 1 reserved, group policy (2) | 3 next protocol (1) | 4 VNI (3) | 7 reserved (1)
 *   GENEVE   RFC 8926, section 3.4, in UDP
 *            0 version, length of the options in words | 1 flags | 2 protocol type, an EtherType (2) | 4 VNI (3) | 7 reserved
 *            8 options
 *   NSH      RFC 8300, section 2, after VXLAN-GPE or EtherType 0x894f
 *            0 version, O, TTL, length in words (2) | 2 metadata type (1) | 3 next protocol (1) | 4 service path (4)
 *            8 contexts
 */
import { defineHeader } from '../header/define-header.js';

/** UDP port of VXLAN (RFC 7348, section 8). */
export const VXLAN_PORT = 4789;
/** UDP port of VXLAN in Linux before RFC 7348, still the default there (iproute2, ip-link). */
export const VXLAN_LINUX_PORT = 8472;
/** UDP port of VXLAN-GPE. */
export const VXLAN_GPE_PORT = 4790;
/** Flag: the VNI is valid. */
export const VXLAN_FLAG_VNI = 0x08;
/** Mask of the VXLAN-GPE version, 0. */
export const VXLAN_GPE_VERSION_MASK = 0x30;
/** Flag: the next protocol is given. */
export const VXLAN_FLAG_PROTOCOL = 0x04;

/** The VXLAN header. */
export const Vxlan = /* @__PURE__ */ defineHeader({
  title: 'VXLAN, VXLAN-GPE',
  source: 'RFC 7348, section 5; draft-ietf-nvo3-vxlan-gpe, section 3',
  layer: 'vxlan',
  fields: (field) => ({
    /** 0x08: VNI valid; in GPE also 0x04: next protocol given. */
    flags: field.bits(8, VXLAN_FLAG_VNI),
    /** Reserved, or a group policy. */
    reserved16: field.bits(16, 0),
    /** GPE: 1 IPv4, 2 IPv6, 3 Ethernet, 4 NSH, 5 MPLS. */
    nextProtocol: field.bits(8, 0),
    /** VXLAN network identifier, 24 bits. */
    vni: field.bits(24),
    reserved8: field.bits(8, 0),
  }),
});

/** UDP port of GENEVE (RFC 8926, section 3.3). */
export const GENEVE_PORT = 6081;

/** The GENEVE header. */
export const Geneve = /* @__PURE__ */ defineHeader({
  title: 'GENEVE',
  source: 'RFC 8926, section 3.4',
  layer: 'geneve',
  followedBy: 'options, 4 bytes for each unit of the length',
  fields: (field) => ({
    geneveVersion: field.bits(2, 0),
    /** Bytes of the options / 4. */
    optionsLength: field.length(6, { unitBytes: 4, uncountedBytes: 8 }),
    /** Whether it is a control packet. */
    control: field.flag(false),
    /** Whether an option is critical. */
    critical: field.flag(false),
    reserved6: field.bits(6, 0),
    /** EtherType of the contents; 0x6558 = Ethernet. */
    protocolType: field.bits(16),
    /** Virtual network identifier, 24 bits. */
    vni: field.bits(24),
    reserved8: field.bits(8, 0),
    /** Tunnel options, each of class, type, length and data. */
    options: field.rest(252, new Uint8Array(0)),
  }),
});

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

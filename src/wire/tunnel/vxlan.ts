/**
 * VXLAN (RFC 7348, section 5), and its generic protocol extension (draft-ietf-nvo3-vxlan-gpe, section 3), in UDP.
 *
 *   0 flags (1) | 1 reserved, group policy (2) | 3 next protocol (1) | 4 VNI (3) | 7 reserved (1)
 *
 * Without the P flag an Ethernet frame follows.
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

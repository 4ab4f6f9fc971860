/**
 * Headers between Ethernet's addresses and the network layer; each is announced by an EtherType and ends in the next
 * one.
 *
 *   VLAN tag    TCI (2), EtherType (2)                                   after a Linux cooked header or another tag
 *   E-TAG       priority, E-CIDs (6), EtherType (2)                      0x893f, IEEE 802.1BR
 *   VN-tag      direction, interfaces (4), EtherType (2)                 0x8926, Cisco
 *   CMD         version (1), options (1), { option (4) }*, EtherType (2) 0x8909, Cisco metadata
 *   Arista      subtype (2), version (2), time (6 or 8), EtherType (2)   0xd28b, vendor-specific protocol
 *   LLC, SNAP   DSAP, SSAP, control (3), OUI (3), EtherType (2)          after a length of at most 1,500
 */
import { defineHeader } from '../header/define-header.js';

/** Tag control information and the EtherType after it (IEEE 802.1Q, section 9). */
export const Vlan = /* @__PURE__ */ defineHeader({
  title: 'VLAN tag behind an EtherType',
  source: 'IEEE 802.1Q, section 9',
  layer: 'vlan',
  fields: (field) => ({
    /** PCP, the priority, 0..7. */
    priority: field.bits(3, 0),
    /** DEI, the drop eligible indicator. */
    dropEligible: field.flag(false),
    /** VID, the VLAN ID, 0..4095. */
    vlanId: field.bits(12),
    /** EtherType of the contents. */
    etherType: field.bits(16),
  }),
});

/** E-TAG of a port extender (IEEE 802.1BR, section 7.5). */
export const ETag = /* @__PURE__ */ defineHeader({
  title: 'E-TAG',
  source: 'IEEE 802.1BR, section 7.5',
  layer: 'e-tag',
  where: 'etag',
  fields: (field) => ({
    /** E-PCP, the priority, 0..7. */
    priority: field.bits(3, 0),
    /** E-DEI, the drop eligible indicator. */
    dropEligible: field.flag(false),
    /** Ingress_E-CID_base, base part of the ingress channel identifier. */
    ingressChannelBase: field.bits(12, 0),
    reserved2: field.bits(2, 0),
    /** GRP, the group bits of the channel identifier. */
    group: field.bits(2, 0),
    /** E-CID_base, base part of the channel identifier. */
    channelBase: field.bits(12, 0),
    /** Ingress_E-CID_ext, extension of the ingress channel identifier. */
    ingressChannelExtension: field.bits(8, 0),
    /** E-CID_ext, extension of the channel identifier. */
    channelExtension: field.bits(8, 0),
    /** EtherType of the contents. */
    etherType: field.bits(16),
  }),
});

/** Cisco's VN-tag (Cisco, "VN-Link", the proposal for 802.1Qbh). */
export const VnTag = /* @__PURE__ */ defineHeader({
  title: 'VN-tag',
  source: 'Cisco VN-tag (proposal for IEEE 802.1Qbh)',
  layer: 'vn-tag',
  where: 'vnTag',
  fields: (field) => ({
    /** False: towards the bridge; true: from it. */
    direction: field.flag(false),
    /** Whether the destination is a list of interfaces. */
    pointer: field.flag(false),
    /** Destination virtual interface, or list. */
    destinationInterface: field.bits(14, 0),
    /** Whether the frame is returned to its source. */
    looped: field.flag(false),
    reserved1: field.bits(1, 0),
    tagVersion: field.bits(2, 0),
    /** Source virtual interface. */
    sourceInterface: field.bits(12, 0),
    /** EtherType of the contents. */
    etherType: field.bits(16),
  }),
});

/** The fixed part of Cisco metadata; options and an EtherType follow. */
export const CiscoMetadata = /* @__PURE__ */ defineHeader({
  title: 'Cisco metadata (CMD)',
  source: 'Cisco TrustSec, inline security group tags',
  layer: 'cisco metadata',
  where: 'ciscoMetadata',
  followedBy: 'options of 4 bytes each, then the EtherType of what follows',
  fields: (field) => ({
    /** Version, 1. */
    metadataVersion: field.bits(8, 1),
    /** Number of options. */
    optionCount: field.bits(8),
    /** Options and EtherType. */
    more: field.rest(),
  }),
});

/** The fixed part of Arista's header; a time and an EtherType follow. */
export const Arista = /* @__PURE__ */ defineHeader({
  title: 'Arista timestamp',
  source: 'Arista, 7500R and 7280R timestamping headers',
  layer: 'arista timestamp',
  where: 'arista',
  followedBy: 'a time of 8 or 6 bytes, then the EtherType of what follows',
  fields: (field) => ({
    /** Subtype: 1 = timestamp. */
    subtype: field.bits(16, 1),
    /** 0x0010 and 0x0110: 64-bit time, TAI and UTC; 0x0020 and 0x0120: 48-bit time. */
    timestampVersion: field.bits(16),
    /** Time and EtherType. */
    more: field.rest(),
  }),
});

/** LLC with SNAP (IEEE 802.2; RFC 1042). */
export const Snap = /* @__PURE__ */ defineHeader({
  title: 'LLC with SNAP',
  source: 'IEEE 802.2; RFC 1042',
  layer: 'snap',
  fields: (field) => ({
    /** DSAP, 0xaa. */
    dsap: field.bits(8, 0xaa),
    /** SSAP, 0xaa. */
    ssap: field.bits(8, 0xaa),
    /** 3 = unnumbered information. */
    control: field.bits(8, 3),
    /** 0 = an EtherType follows. */
    oui: field.bits(24, 0),
    /** EtherType of the contents. */
    etherType: field.bits(16),
  }),
});

const ETHERTYPE_BYTES = 2;
const CISCO_OPTION_BYTES = 4;
const ARISTA_TIMESTAMP = 1;
/** Length of the time in bytes, by version. */
const ARISTA_TIME_BYTES: ReadonlyMap<number, number> = new Map([[0x0010, 8], [0x0110, 8], [0x0020, 6], [0x0120, 6]]);

/** Length of Cisco metadata with this number of options, bytes. */
export function ciscoMetadataBytes(optionCount: number): number {
  return CiscoMetadata.lenBytes + optionCount * CISCO_OPTION_BYTES + ETHERTYPE_BYTES;
}

/** Length of Arista's header, bytes; 0 for another subtype or version, whose length is unknown. */
export function aristaBytes(subtype: number, version: number): number {
  const timeBytes = subtype === ARISTA_TIMESTAMP ? ARISTA_TIME_BYTES.get(version) : undefined;
  return timeBytes === undefined ? 0 : Arista.lenBytes + timeBytes + ETHERTYPE_BYTES;
}

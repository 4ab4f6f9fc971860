/** EtherTypes and the TPIDs of tags. */
export const EtherType = {
  /** EtherType of IPv4 (RFC 894). */
  IPV4: 0x0800,
  /** EtherType of IPv6 (RFC 2464, section 3). */
  IPV6: 0x86dd,
  /** TPID of a customer VLAN tag (IEEE 802.1Q, section 9.5). */
  VLAN: 0x8100,
  /** TPID of a service VLAN tag (802.1ad; IEEE 802.1Q, section 9.5). */
  SERVICE_VLAN: 0x88a8,
  /** TPID of the outer tag of switches older than 802.1ad. */
  LEGACY_SERVICE_VLAN: 0x9100,
  /** EtherType of MAC control frames, PAUSE and PFC among them (IEEE 802.3, clause 31). */
  MAC_CONTROL: 0x8808,
  /** EtherType of RoCEv1, followed by a GRH (Annex A16). */
  ROCE_V1: 0x8915,
  /** EtherType of an E-TAG (IEEE 802.1BR, table 7-1). */
  ETAG: 0x893f,
  /** EtherType of Cisco's VN-tag. */
  VN_TAG: 0x8926,
  /** EtherType of Cisco metadata. */
  CISCO_METADATA: 0x8909,
  /** EtherType of Arista's vendor-specific protocol, which carries timestamps. */
  ARISTA: 0xd28b,
  /** EtherType of bridged Ethernet: in GRE, NVGRE and GENEVE (RFC 1701; RFC 7637). */
  BRIDGED_ETHERNET: 0x6558,
} as const;

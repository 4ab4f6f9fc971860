/**
 * Ethernet II header with 802.1Q and 802.1ad tags (IEEE 802.3, section 3.1.1; IEEE 802.1Q, section 9).
 *
 *   0 destination (6) | 6 source (6) | { TPID (2) | PCP 3, DEI 1, VID 12 }* | EtherType (2)
 *
 * The frame check sequence is not included: captures omit it.
 */
import { readU16, requireBytes, requireList, requireRecord, writeU16, requireField } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';

const MAC_BYTES = 6;

const ETHERNET = /* @__PURE__ */ defineHeader({
  title: 'Ethernet II',
  source: 'IEEE 802.3, section 3.1.1',
  layer: 'ethernet header',
  where: 'ethernet',
  fields: (field) => {
    const addresses = {
      /** Destination MAC address, 6 bytes. */
      destination: field.bytesOf(MAC_BYTES),
      /** MAC address of the sender, 6 bytes. */
      source: field.bytesOf(MAC_BYTES),
    };
    // At this position, or after the tags.
    field.implied('etherType', 16);
    return addresses;
  },
});

/** A VLAN tag, which precedes the EtherType. */
export const VlanTag = /* @__PURE__ */ defineHeader({
  title: 'VLAN tag (802.1Q, 802.1ad)',
  source: 'IEEE 802.1Q, section 9.5',
  layer: 'vlan tag',
  where: 'ethernet.tags',
  fields: (field) => ({
    /** 0x8100 (802.1Q), 0x88a8 (802.1ad), 0x9100 (older). */
    tpid: field.bits(16),
    /** PCP, the priority, 0..7. */
    priority: field.bits(3),
    /** DEI, the drop eligible indicator. */
    dropEligible: field.flag(),
    /** VID, the VLAN ID, 0..4095. */
    vlanId: field.bits(12),
  }),
});

/** Offset of the EtherType, or of the first TPID. */
const ETHERNET_TYPE = ETHERNET.offsetOf('etherType');

/** One VLAN tag. */
export interface VlanTag extends ValueOf<typeof VlanTag> {}

/** An Ethernet header with its VLAN tags, as a value. */
export interface Ethernet extends ValueOf<typeof ETHERNET> {
  /** VLAN tags, outermost first. */
  readonly tags: readonly VlanTag[];
  /** The EtherType after the tags. */
  readonly etherType: number;
}

/** More tags than fit in any frame; only `tagCount` of them are read. */
const TAGS_MAX = 0xffff;

/** Reads an Ethernet header in place. */
export class EthernetView extends ETHERNET.View {
  /** Number of VLAN tags before the EtherType. */
  get tagCount(): number {
    return (typeOffsetAt(this.bytes, this.offset) - this.offset - ETHERNET_TYPE) / VlanTag.lenBytes;
  }
  override get headerBytes(): number {
    return this.payloadOffset - this.offset;
  }
  /** Offset of the network layer. */
  override get payloadOffset(): number {
    return typeOffsetAt(this.bytes, this.offset) + 2;
  }
  /** EtherType after the tags, 0..65535. */
  get etherType(): number {
    return readU16(this.bytes, typeOffsetAt(this.bytes, this.offset));
  }
  /**
   * One VLAN tag, as a value.
   * @param index 0 = outermost; must be below `tagCount`, which is not checked.
   * @throws RoceError `invalid-argument` for an invalid index, `invalid-packet` if the bytes end before this tag.
   */
  tag(index: number): VlanTag {
    requireField('index', index, TAGS_MAX);
    return VlanTag.read(this.bytes, this.offset + ETHERNET_TYPE + index * VlanTag.lenBytes);
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    super.check(bytes, offset);
    for (let at = offset + ETHERNET_TYPE; isVlanTagType(readU16(bytes, at)); at += VlanTag.lenBytes) {
      requireBytes('ethernet header', bytes, offset, at + VlanTag.lenBytes + 2 - offset);
    }
  }
}

/** An Ethernet header with its VLAN tags. */
export const Ethernet = /* @__PURE__ */ extendHeader(ETHERNET, {
  /** Reads an Ethernet header in place. */
  View: EthernetView,
  /** Length of a MAC address: 6 bytes (IEEE 802.3, section 3.2.3). */
  MAC_BYTES,
  /**
   * Reads an Ethernet header; the inverse of `Ethernet.write`.
   * @throws RoceError `invalid-packet` if it is truncated.
   */
  read(bytes: Uint8Array, offset = 0): Ethernet {
    const view = new EthernetView(bytes, offset);
    const tags = Array.from({ length: view.tagCount }, (_, index) => view.tag(index));
    return { ...ETHERNET.read(bytes, offset), tags, etherType: view.etherType };
  },
  /**
   * Writes an Ethernet header.
   * @returns the offset after the header.
   * @throws RoceError `invalid-argument` naming a field out of range.
   */
  writeInto(target: Uint8Array, offset: number, header: Ethernet): number {
    requireRecord('ethernet', header);
    const { tags, etherType } = header;
    ETHERNET.writePartInto(target, offset, header, ETHERNET.lenBytes + tagBytes(tags), { etherType });
    let at = offset + ETHERNET_TYPE;
    for (const tag of tags) at = VlanTag.writeInto(target, at, tag);
    writeU16(target, at, etherType);
    return at + 2;
  },
  /** Number of bytes that `write` writes. */
  lenBytesOf(header: Ethernet): number {
    requireRecord('ethernet', header);
    return ETHERNET.lenBytes + tagBytes(header.tags);
  },
});

function tagBytes(tags: Ethernet['tags']): number {
  requireList('ethernet.tags', tags);
  return tags.length * VlanTag.lenBytes;
}

/** Offset of the EtherType after all tags; the caller has checked the length. */
function typeOffsetAt(bytes: Uint8Array, offset: number): number {
  let at = offset + ETHERNET_TYPE;
  while (isVlanTagType(readU16(bytes, at))) at += VlanTag.lenBytes;
  return at;
}

/** Whether this number is the TPID of a VLAN tag. */
export function isVlanTagType(etherType: number): boolean {
  return (etherType === EtherType.VLAN || etherType === EtherType.SERVICE_VLAN ||
    etherType === EtherType.LEGACY_SERVICE_VLAN);
}

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

/**
 * Ethernet II header with 802.1Q and 802.1ad tags (IEEE 802.3, section 3.1.1; IEEE 802.1Q, section 9).
 *
 *   0 destination (6) | 6 source (6) | { TPID (2) | PCP 3, DEI 1, VID 12 }* | EtherType (2)
 *
 * The frame check sequence is not part of it: captures leave it out.
 */
import { allocating, readU16, requireBytes, requireList, requireRecord, writeU16, requireField } from '../bytes.js';
import { type BuildHeader, type HeaderValue, defineHeader } from '../header/define-header.js';

/** Length of a MAC address: 6 bytes (IEEE 802.3, section 3.2.3). */
export const MAC_BYTES = 6;

/** EtherType of IPv4 (RFC 894). */
export const ETHERTYPE_IPV4 = 0x0800;
/** EtherType of IPv6 (RFC 2464, section 3). */
export const ETHERTYPE_IPV6 = 0x86dd;
/** TPID of a customer VLAN tag (IEEE 802.1Q, section 9.5). */
export const ETHERTYPE_VLAN = 0x8100;
/** TPID of a service VLAN tag (802.1ad; IEEE 802.1Q, section 9.5). */
export const ETHERTYPE_SERVICE_VLAN = 0x88a8;
/** TPID of the outer tag of switches older than 802.1ad. */
export const ETHERTYPE_LEGACY_SERVICE_VLAN = 0x9100;

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
    // Here, or behind the tags.
    field.implied('etherType', 16);
    return addresses;
  },
});

/** A tag precedes the EtherType. */
const VLAN_TAG = /* @__PURE__ */ defineHeader({
  title: 'VLAN tag (802.1Q, 802.1ad)',
  source: 'IEEE 802.1Q, section 9.5',
  layer: 'vlan tag',
  where: 'ethernet.tags',
  fields: (field) => ({
    /** 0x8100 (802.1Q), 0x88a8 (802.1ad), 0x9100 (older). */
    tpid: field.bits(16),
    /** PCP, 0..7. */
    priority: field.bits(3),
    /** DEI. */
    dropEligible: field.flag(),
    /** VID, 0..4095. */
    vlanId: field.bits(12),
  }),
});

/** Header without tags. */
export const ETHERNET_BYTES = ETHERNET.bytes;
/** Length of a VLAN tag: 4 bytes. */
export const VLAN_TAG_BYTES = VLAN_TAG.bytes;
/** The drawing of docs/wire.md, without tags. */
export const ETHERNET_LAYOUT = ETHERNET.layout;
/** The drawing of docs/wire.md. */
export const VLAN_TAG_LAYOUT = VLAN_TAG.layout;
/** Offset of the EtherType, or of the first TPID. */
const ETHERNET_TYPE = ETHERNET.offsetOf('etherType');

/** One VLAN tag. */
export interface VlanTag extends HeaderValue<typeof VLAN_TAG> {}

/** An Ethernet header with its VLAN tags, as a value. */
export interface EthernetHeader extends HeaderValue<typeof ETHERNET> {
  /** Outermost first. */
  readonly tags: readonly VlanTag[];
  /** The one behind the tags. */
  readonly etherType: number;
}

/** Far more than any frame has room for; `tagCount` of them are used. */
const TAGS_MAX = 0xffff;

/** Reads an Ethernet header in place. */
export class EthernetView extends ETHERNET.View {
  /** VLAN tags before the EtherType; none is 0. */
  get tagCount(): number {
    return (typeOffsetAt(this.bytes, this.offset) - this.offset - ETHERNET_TYPE) / VLAN_TAG_BYTES;
  }
  override get headerBytes(): number {
    return this.payloadOffset - this.offset;
  }
  /** Offset of the network layer. */
  override get payloadOffset(): number {
    return typeOffsetAt(this.bytes, this.offset) + 2;
  }
  /** EtherType behind the tags, 0..65535. */
  get etherType(): number {
    return readU16(this.bytes, typeOffsetAt(this.bytes, this.offset));
  }
  /**
   * One VLAN tag, as a value.
   * @param index 0 = outermost; below `tagCount`, which is not checked.
   * @throws RoceError `invalid-argument` for an invalid index, `invalid-packet` when the bytes end before such a tag.
   */
  tag(index: number): VlanTag {
    requireField('index', index, TAGS_MAX);
    return VLAN_TAG.parse(this.bytes, this.offset + ETHERNET_TYPE + index * VLAN_TAG_BYTES);
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    super.check(bytes, offset);
    for (let at = offset + ETHERNET_TYPE; isVlanTagType(readU16(bytes, at)); at += VLAN_TAG_BYTES) {
      requireBytes('ethernet header', bytes, offset, at + VLAN_TAG_BYTES + 2 - offset);
    }
  }
}

/**
 * Reads an Ethernet header; the inverse of `buildEthernet`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseEthernet(bytes: Uint8Array, offset = 0): EthernetHeader {
  const view = new EthernetView(bytes, offset);
  const tags = Array.from({ length: view.tagCount }, (_, index) => view.tag(index));
  return { ...ETHERNET.parse(bytes, offset), tags, etherType: view.etherType };
}

/**
 * Writes an Ethernet header.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export const buildEthernet: BuildHeader<EthernetHeader> = /* @__PURE__ */ allocating(
  ({ tags }) => ETHERNET_BYTES + tagBytes(tags),
  buildEthernetInto,
);

/** As `buildEthernet`, into `target`. @returns the offset behind the header. */
export function buildEthernetInto(target: Uint8Array, offset: number, header: EthernetHeader): number {
  requireRecord('ethernet', header);
  const { tags, etherType } = header;
  ETHERNET.buildPartInto(target, offset, header, ETHERNET_BYTES + tagBytes(tags), { etherType });
  let at = offset + ETHERNET_TYPE;
  for (const tag of tags) at = VLAN_TAG.buildInto(target, at, tag);
  writeU16(target, at, etherType);
  return at + 2;
}

function tagBytes(tags: EthernetHeader['tags']): number {
  requireList('ethernet.tags', tags);
  return tags.length * VLAN_TAG_BYTES;
}

/** Offset of the EtherType behind all tags; the caller has checked the length. */
function typeOffsetAt(bytes: Uint8Array, offset: number): number {
  let at = offset + ETHERNET_TYPE;
  while (isVlanTagType(readU16(bytes, at))) at += VLAN_TAG_BYTES;
  return at;
}

/** Whether a VLAN tag begins with this number. */
export function isVlanTagType(etherType: number): boolean {
  return (etherType === ETHERTYPE_VLAN || etherType === ETHERTYPE_SERVICE_VLAN ||
    etherType === ETHERTYPE_LEGACY_SERVICE_VLAN);
}

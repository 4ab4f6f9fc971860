/**
 * Ethernet II header with 802.1Q and 802.1ad tags (IEEE 802.3, section 3.1.1; IEEE 802.1Q, section 9).
 *
 *   0 destination (6) | 6 source (6) | { TPID (2) | PCP 3, DEI 1, VID 12 }* | EtherType (2)
 *
 * The frame check sequence is not part of it: captures leave it out.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { readU16, requireField, requireLength, requireBytes, requireTarget, writeU16 } from '../bytes.js';

/** Offsets from the first byte of the frame. */
export const ETHERNET_DESTINATION = 0;
export const ETHERNET_SOURCE = 6;
/** EtherType, or the first TPID. */
export const ETHERNET_TYPE = 12;
/** Header without tags. */
export const ETHERNET_BYTES = 14;
export const MAC_BYTES = 6;
export const VLAN_TAG_BYTES = 4;

export const ETHERTYPE_IPV4 = 0x0800;
export const ETHERTYPE_IPV6 = 0x86dd;
export const ETHERTYPE_VLAN = 0x8100;
export const ETHERTYPE_SERVICE_VLAN = 0x88a8;
/** Outer tag of switches older than 802.1ad. */
export const ETHERTYPE_LEGACY_SERVICE_VLAN = 0x9100;

/** The drawing of docs/wire.md. */
export const ETHERNET_LAYOUT: HeaderLayout = {
  title: 'Ethernet II',
  source: 'IEEE 802.3, section 3.1.1',
  bytes: ETHERNET_BYTES,
  fields: [
    { name: 'destination', offset: ETHERNET_DESTINATION, bits: 48 },
    { name: 'source', offset: ETHERNET_SOURCE, bits: 48 },
    { name: 'etherType', offset: ETHERNET_TYPE, bits: 16 },
  ],
};

/** A tag stands before the EtherType. The drawing of docs/wire.md. */
export const VLAN_TAG_LAYOUT: HeaderLayout = {
  title: 'VLAN tag (802.1Q, 802.1ad)',
  source: 'IEEE 802.1Q, section 9.5',
  bytes: VLAN_TAG_BYTES,
  fields: [
    { name: 'tpid', offset: 0, bits: 16 },
    { name: 'priority', offset: 2, bits: 3 },
    { name: 'dropEligible', offset: 2, bit: 3, bits: 1 },
    { name: 'vlanId', offset: 2, bit: 4, bits: 12 },
  ],
};

const LAYER = 'ethernet header';

/** One VLAN tag. */
export interface VlanTag {
  /** 0x8100 (802.1Q), 0x88a8 (802.1ad), 0x9100 (older). */
  readonly tpid: number;
  /** PCP, 0..7. */
  readonly priority: number;
  /** DEI. */
  readonly dropEligible: boolean;
  /** VID, 0..4095. */
  readonly vlanId: number;
}

/** An Ethernet header with its VLAN tags, as a value. */
export interface EthernetHeader {
  /** 6 bytes. */
  readonly destination: Uint8Array;
  /** 6 bytes. */
  readonly source: Uint8Array;
  /** Outermost first. */
  readonly tags: readonly VlanTag[];
  /** The one behind the tags. */
  readonly etherType: number;
}

/** Reads an Ethernet header in place. */
export class EthernetView extends HeaderView {
  get tagCount(): number {
    let at = this.offset + ETHERNET_TYPE;
    while (isVlanTagType(readU16(this.bytes, at))) at += VLAN_TAG_BYTES;
    return (at - this.offset - ETHERNET_TYPE) / VLAN_TAG_BYTES;
  }

  get destination(): Uint8Array {
    return this.bytes.subarray(this.offset, this.offset + MAC_BYTES);
  }

  get source(): Uint8Array {
    return this.bytes.subarray(this.offset + ETHERNET_SOURCE, this.offset + ETHERNET_SOURCE + MAC_BYTES);
  }

  get headerBytes(): number {
    return ETHERNET_BYTES + this.tagCount * VLAN_TAG_BYTES;
  }

  /** Where the network layer starts. */
  get payloadOffset(): number {
    return this.offset + this.headerBytes;
  }

  get etherType(): number {
    return readU16(this.bytes, this.payloadOffset - 2);
  }

  /** @param index 0 = outermost; below `tagCount`. */
  tag(index: number): VlanTag {
    const at = this.offset + ETHERNET_TYPE + index * VLAN_TAG_BYTES;
    const control = readU16(this.bytes, at + 2);
    return {
      tpid: readU16(this.bytes, at),
      priority: control >> 13,
      dropEligible: (control & 0x1000) !== 0,
      vlanId: control & 0xfff,
    };
  }

  protected check(bytes: Uint8Array, offset: number): void {
    let headerBytes = ETHERNET_BYTES;
    requireBytes(LAYER, bytes, offset, headerBytes);
    while (isVlanTagType(readU16(bytes, offset + headerBytes - 2))) {
      headerBytes += VLAN_TAG_BYTES;
      requireBytes(LAYER, bytes, offset, headerBytes);
    }
  }
}

/**
 * Reads an Ethernet header; the inverse of `buildEthernet`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseEthernet(bytes: Uint8Array, offset = 0): EthernetHeader {
  const view = new EthernetView(bytes, offset);
  const { etherType } = view;
  const tags = Array.from({ length: view.tagCount }, (_, index) => view.tag(index));
  return { destination: view.destination.slice(), source: view.source.slice(), tags, etherType };
}

/**
 * Writes an Ethernet header.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildEthernet(header: EthernetHeader): Uint8Array {
  const bytes = new Uint8Array(ETHERNET_BYTES + header.tags.length * VLAN_TAG_BYTES);
  buildEthernetInto(bytes, 0, header);
  return bytes;
}

/** As `buildEthernet`, into `target`. @returns the offset behind the header. */
export function buildEthernetInto(target: Uint8Array, offset: number, header: EthernetHeader): number {
  requireLength('ethernet.destination', header.destination, MAC_BYTES);
  requireLength('ethernet.source', header.source, MAC_BYTES);
  requireField('ethernet.etherType', header.etherType, 0xffff);
  requireTarget('ethernet', target, offset, ETHERNET_BYTES + header.tags.length * VLAN_TAG_BYTES);
  target.set(header.destination, offset + ETHERNET_DESTINATION);
  target.set(header.source, offset + ETHERNET_SOURCE);
  let at = offset + ETHERNET_TYPE;
  for (const tag of header.tags) at = writeTag(target, at, tag);
  writeU16(target, at, header.etherType);
  return at + 2;
}

function writeTag(target: Uint8Array, at: number, tag: VlanTag): number {
  requireField('ethernet.tags.tpid', tag.tpid, 0xffff);
  requireField('ethernet.tags.priority', tag.priority, 7);
  requireField('ethernet.tags.vlanId', tag.vlanId, 0xfff);
  writeU16(target, at, tag.tpid);
  writeU16(target, at + 2, (tag.priority << 13) | (tag.dropEligible ? 0x1000 : 0) | tag.vlanId);
  return at + VLAN_TAG_BYTES;
}

/** Does a VLAN tag begin with this number? */
export function isVlanTagType(etherType: number): boolean {
  return (etherType === ETHERTYPE_VLAN || etherType === ETHERTYPE_SERVICE_VLAN ||
    etherType === ETHERTYPE_LEGACY_SERVICE_VLAN);
}

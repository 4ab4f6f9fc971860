/**
 * Converts frames of every link type to what the engine accepts: Ethernet, or bare IP datagrams.
 *
 * A cooked header of Linux (`tcpdump -i any`) is longer than an Ethernet header, so its last bytes are rewritten as one:
 * with the sender's address and the protocol type where Ethernet has them. Everything else follows the dissector
 * (src/packet/walk-link.ts), which also states that it reads nothing behind VLAN tags there, and that a link type of one
 * IP version carries no other.
 */
import { LINK_TYPE_ETHERNET, LINK_TYPE_IPV4, LINK_TYPE_IPV6, LINK_TYPE_LINUX_SLL, LINK_TYPE_LINUX_SLL2,
  LINK_TYPE_RAW } from '../capture/index.js';
import type { FrameLink } from '../engine/packet-batch.js';
import { IPV4 } from '../wire/ip/ipv4.js';
import { IPV6 } from '../wire/ip/ipv6.js';
import { ETHERNET_BYTES, MAC_BYTES, isVlanTagType } from '../wire/link/ethernet.js';
import { SLL, SLL_BYTES } from '../wire/link/linux-sll.js';
import { SLL2, SLL2_BYTES } from '../wire/link/linux-sll2.js';

/** Link types that the engine decodes. */
export const READABLE: ReadonlySet<number> = new Set([
  LINK_TYPE_ETHERNET,
  LINK_TYPE_RAW,
  LINK_TYPE_IPV4,
  LINK_TYPE_IPV6,
  LINK_TYPE_LINUX_SLL,
  LINK_TYPE_LINUX_SLL2,
]);

const STATED_VERSIONS: ReadonlyMap<number, { readonly version: number; readonly headerBytes: number }> = new Map([
  [LINK_TYPE_IPV4, { version: 4, headerBytes: IPV4.bytes }],
  [LINK_TYPE_IPV6, { version: 6, headerBytes: IPV6.bytes }],
]);

/** How the engine reads a frame, and from which byte. */
export interface FramePlace {
  readonly link: FrameLink;
  readonly skippedBytes: number;
}

/** A cooked header: its length, and the offsets of the fields that Ethernet has too. */
interface CookedHeader {
  readonly lenBytes: number;
  readonly protocolOffset: number;
  readonly addressOffset: number;
  readonly place: FramePlace;
}

const ETHERNET: FramePlace = { link: 'ethernet', skippedBytes: 0 };
const RAW_IP: FramePlace = { link: 'raw-ip', skippedBytes: 0 };
const COOKED: ReadonlyMap<number, CookedHeader> = new Map([
  [
    LINK_TYPE_LINUX_SLL,
    cooked(SLL_BYTES, SLL.offsetOf('protocolType'), SLL.offsetOf('address')),
  ],
  [
    LINK_TYPE_LINUX_SLL2,
    cooked(SLL2_BYTES, SLL2.offsetOf('protocolType'), SLL2.offsetOf('address')),
  ],
]);
const TYPE_BYTES = 2;

function cooked(lenBytes: number, protocolOffset: number, addressOffset: number): CookedHeader {
  const place: FramePlace = { link: 'ethernet', skippedBytes: lenBytes - ETHERNET_BYTES };
  return { lenBytes, protocolOffset, addressOffset, place };
}

/** Converts the frame at `offset` of `arena` to a form that the engine can read; modifies the bytes of its link header. */
export function placeForEngine(arena: Uint8Array, offset: number, lenBytes: number, linkType: number): FramePlace {
  if (linkType === LINK_TYPE_ETHERNET) return ETHERNET;
  const header = COOKED.get(linkType);
  if (header !== undefined) {
    if (lenBytes >= header.lenBytes) toEthernet(arena, offset, header);
    return header.place;
  }
  if (lenBytes > 0) resolveVersion(arena, offset, lenBytes, linkType);
  return RAW_IP;
}

/**
 * Bytes on the wire for the engine. The version of a frame without captured bytes is unknown, so the engine could not see
 * that the stated version needs more bytes than the frame ever had.
 */
export function wireBytesForEngine(capturedBytes: number, originalBytes: number, linkType: number): number {
  const headerBytes = STATED_VERSIONS.get(linkType)?.headerBytes ?? 0;
  return capturedBytes === 0 && originalBytes < headerBytes ? 0 : originalBytes;
}

/** The engine reads the version first; if the link type states it, any other version is wrong, and a shorter frame short. */
function resolveVersion(arena: Uint8Array, offset: number, lenBytes: number, linkType: number): void {
  const stated = STATED_VERSIONS.get(linkType);
  const byte = arena[offset] ?? 0;
  if (stated === undefined || byte >> 4 === stated.version) return;
  arena[offset] = (byte & 0x0f) | (lenBytes < stated.headerBytes ? stated.version << 4 : 0);
}

function toEthernet(arena: Uint8Array, offset: number, header: CookedHeader): void {
  const { lenBytes, protocolOffset, addressOffset } = header;
  const high = arena[offset + protocolOffset] ?? 0;
  const low = arena[offset + protocolOffset + 1] ?? 0;
  const etherTypeAt = offset + lenBytes - TYPE_BYTES;
  arena.copyWithin(etherTypeAt - MAC_BYTES, offset + addressOffset, offset + addressOffset + MAC_BYTES);
  const isTag = isVlanTagType((high << 8) | low);
  arena[etherTypeAt] = isTag ? 0 : high;
  arena[etherTypeAt + 1] = isTag ? 0 : low;
}

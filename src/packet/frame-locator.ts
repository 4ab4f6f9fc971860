/**
 * Finds the packet for the engine in a frame of any link type, after tags and inside tunnels.
 *
 *   plain frames        are left unchanged: the engine's parser can read them from their first byte. Most frames are RoCEv2 over
 *                       Ethernet and need no walk
 *   everything else     one walk (dissect-into.ts); the engine reads from the network header of the innermost packet on
 *
 * Thus `dissect` and the engine see the same packet: the one that the walk finds. The engine reads MAC control and
 * RoCEv1 only after an Ethernet header, so one is written over the header before them.
 */
import { LINK_ETHERNET, LINK_OTHER, LINK_RAW_IP, WHY_IP_SHORT, WHY_LINK_SHORT } from '../abi/codes.js';
import { tunnelNumber, type FrameLocator } from '../abi/frame-locator.js';
import { LINK_TYPE_ETHERNET, LINK_TYPE_IPV4, LINK_TYPE_IPV6, LINK_TYPE_LINUX_SLL, LINK_TYPE_LINUX_SLL2,
  RAW_LINK_TYPES } from '../capture/link-types.js';
import { readU16, requireField, requirePlace, writeU16 } from '../wire/bytes.js';
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { Ipv4 } from '../wire/ip/ipv4.js';
import { Ipv6 } from '../wire/ip/ipv6.js';
import { EtherType, Ethernet, VlanTag, isVlanTagType } from '../wire/link/ethernet.js';
import { LinuxSll, LinuxSll2 } from '../wire/link/capture-headers.js';
import { dissectInto } from './dissect-into.js';
import { Dissection } from './dissection.js';
import { LAYER_LINUX_SLL, LAYER_LINUX_SLL2, LAYER_NONE } from './layer-kinds.js';
import { LinkRules } from './rules.js';
import { isTunnelPort, isTunnelProtocol } from './tunnel-numbers.js';

const SLL_PROTOCOL = LinuxSll.offsetOf('protocolType');
const SLL_ADDRESS = LinuxSll.offsetOf('address');
const SLL2_PROTOCOL = LinuxSll2.offsetOf('protocolType');
const SLL2_ADDRESS = LinuxSll2.offsetOf('address');
const TYPE_BYTES = 2;
const ECN_MASK = 3;
const VERSION_OF_TYPE: ReadonlyMap<number, number> = new Map([[EtherType.IPV4, 4], [EtherType.IPV6, 6]]);
const IPV6_ECN_SHIFT = 4;

const IPV4_PROTOCOL = Ipv4.offsetOf('protocol');
const IPV6_NEXT_HEADER = Ipv6.offsetOf('nextHeader');
const TAGS_MAX = 2;
const UNIT_BYTES = 8;
const PORT_OFFSET = 2;

/**
 * A locator for `engine.packets.locator`.
 *
 * @example
 * engine.packets.locator = frameLocator();
 * engine.packets.add(timePs, vxlanFrame);
 */
export function frameLocator(): FrameLocator {
  return new Locator();
}

class Locator implements FrameLocator {
  link = LINK_ETHERNET;
  offset = 0;
  capturedBytes = 0;
  originalBytes = 0;
  tunnel = 0;
  readonly #dissection = new Dissection();
  readonly #rules = new LinkRules();

  locate(arena: Uint8Array, offset: number, capturedBytes: number, originalBytes: number, linkType: number): void {
    requirePlace(arena, offset);
    requireField('capturedBytes', capturedBytes, Number.MAX_SAFE_INTEGER);
    requireField('originalBytes', originalBytes, Number.MAX_SAFE_INTEGER);
    this.tunnel = 0;
    if (linkType === LINK_TYPE_ETHERNET && isPlainEthernet(arena, offset, offset + capturedBytes)) {
      this.#set(LINK_ETHERNET, offset, capturedBytes, originalBytes);
      return;
    }
    const headerBytes = plainIpAt(arena, offset, capturedBytes, linkType);
    if (headerBytes >= 0) {
      this.#set(LINK_RAW_IP, offset + headerBytes, capturedBytes - headerBytes, originalBytes - headerBytes);
      return;
    }
    this.#walk(arena, offset, capturedBytes, originalBytes, linkType);
  }

  #set(link: number, offset: number, capturedBytes: number, originalBytes: number): void {
    this.link = link;
    this.offset = offset;
    this.capturedBytes = capturedBytes;
    this.originalBytes = originalBytes;
  }

  #walk(arena: Uint8Array, offset: number, capturedBytes: number, originalBytes: number, linkType: number): void {
    const frame = arena.subarray(offset, offset + capturedBytes);
    const d = dissectInto(this.#dissection, frame, originalBytes, this.#rules.of(linkType));
    if (d.tunnelKind !== LAYER_NONE) {
      this.tunnel = tunnelNumber(d.tunnelKind, d.trafficClass & ECN_MASK, d.outerEcn, d.isEcnDropped);
    }
    const from = d.networkOffset;
    const limit = Math.max(from, Math.min(d.networkLimit, capturedBytes));
    const version = VERSION_OF_TYPE.get(d.networkType);
    if (version !== undefined) {
      writeVersion(frame, from, limit, version);
      if (d.ipVersion !== 0 && this.tunnel !== 0) writeEcn(frame, d.ipOffset, d.ipVersion, d.effectiveEcn);
      // If none of its bytes are captured, the engine could not tell that the header is too short.
      const isShort = limit === from && d.why === WHY_IP_SHORT && !d.troubleIsCut;
      this.#set(LINK_RAW_IP, offset + from, limit - from, isShort ? 0 : d.networkLimit - from);
    } else if (isBehindEthernet(d.networkType) && from >= Ethernet.lenBytes) {
      const start = from - Ethernet.lenBytes;
      writeEthernet(frame, start, d);
      this.#set(LINK_ETHERNET, offset + start, limit - start, d.networkLimit - start);
    } else if (d.why === WHY_LINK_SHORT) {
      // No byte of an Ethernet header was captured: it is cut or short, as is the whole frame.
      this.#set(LINK_ETHERNET, offset, 0, d.troubleIsCut ? Ethernet.lenBytes : 0);
    } else if (RAW_LINK_TYPES.includes(linkType)) this.#set(LINK_RAW_IP, offset, capturedBytes, originalBytes);
    else this.#set(LINK_OTHER, offset, capturedBytes, originalBytes);
  }
}

/** Bytes before a plain IP packet whose version matches its link header; -1 if there is none, or if it needs a walk. */
function plainIpAt(arena: Uint8Array, offset: number, capturedBytes: number, linkType: number): number {
  const headerBytes = linkType === LINK_TYPE_LINUX_SLL ?
    LinuxSll.lenBytes :
    linkType === LINK_TYPE_LINUX_SLL2 ?
    LinuxSll2.lenBytes :
    0;
  if (capturedBytes <= headerBytes) return -1;
  const at = offset + headerBytes;
  const version = arena[at] >> 4;
  if (!statesVersion(arena, offset, linkType, version)) return -1;
  const end = offset + capturedBytes;
  if (version === 4) return isPlainIpv4(arena, at, end) ? headerBytes : -1;
  return version === 6 && isPlainIpv6(arena, at, end) ? headerBytes : -1;
}

function statesVersion(arena: Uint8Array, offset: number, linkType: number, version: number): boolean {
  switch (linkType) {
    case LINK_TYPE_LINUX_SLL:
      return VERSION_OF_TYPE.get(readU16(arena, offset + SLL_PROTOCOL)) === version;
    case LINK_TYPE_LINUX_SLL2:
      return VERSION_OF_TYPE.get(readU16(arena, offset + SLL2_PROTOCOL)) === version;
    case LINK_TYPE_IPV4:
      return version === 4;
    case LINK_TYPE_IPV6:
      return version === 6;
  }
  return RAW_LINK_TYPES.includes(linkType);
}

function isBehindEthernet(etherType: number): boolean {
  return etherType === EtherType.MAC_CONTROL || etherType === EtherType.ROCE_V1;
}

/**
 * The engine accepts both IP versions in raw IP. Make a version that contradicts the link header an error for the
 * engine too, unless the header is short: that error comes first.
 */
function writeVersion(frame: Uint8Array, at: number, limit: number, version: number): void {
  if (at >= limit || frame[at] >> 4 === version) return;
  const isShort = limit - at < (version === 4 ? Ipv4.lenBytes : Ipv6.lenBytes);
  frame[at] = (frame[at] & 0x0f) | (isShort ? version << 4 : 0);
}

function writeEcn(frame: Uint8Array, at: number, version: number, ecn: number): void {
  if (version === 4) frame[at + 1] = (frame[at + 1] & ~ECN_MASK) | ecn;
  else frame[at + 1] = (frame[at + 1] & ~(ECN_MASK << IPV6_ECN_SHIFT)) | (ecn << IPV6_ECN_SHIFT);
}

/**
 * Writes an Ethernet header before a network header; its source is that of the cooked header directly before, if any.
 */
function writeEthernet(frame: Uint8Array, start: number, d: Dissection): void {
  const typeAt = start + Ethernet.lenBytes - TYPE_BYTES;
  const kind = d.kinds[0];
  if (kind === LAYER_LINUX_SLL)
    frame.copyWithin(typeAt - Ethernet.MAC_BYTES, SLL_ADDRESS, SLL_ADDRESS + Ethernet.MAC_BYTES);
  else if (kind === LAYER_LINUX_SLL2)
    frame.copyWithin(typeAt - Ethernet.MAC_BYTES, SLL2_ADDRESS, SLL2_ADDRESS + Ethernet.MAC_BYTES);
  writeU16(frame, typeAt, d.networkType);
}

/** Whether the engine, reading an Ethernet frame from its first byte, finds the same packet as the walk. */
function isPlainEthernet(bytes: Uint8Array, at: number, end: number): boolean {
  let body = at + Ethernet.lenBytes;
  if (body > end) return true;
  let etherType = (bytes[body - 2] << 8) | bytes[body - 1];
  for (let tags = 0; tags < TAGS_MAX && isVlanTagType(etherType); tags++) {
    body += VlanTag.lenBytes;
    if (body > end) return true;
    etherType = (bytes[body - 2] << 8) | bytes[body - 1];
  }
  if (etherType === EtherType.IPV4) return isPlainIpv4(bytes, body, end);
  if (etherType === EtherType.IPV6) return isPlainIpv6(bytes, body, end);
  return etherType === EtherType.MAC_CONTROL || etherType === EtherType.ROCE_V1;
}

/** Whether an IPv4 packet carries no tunnel. */
function isPlainIpv4(bytes: Uint8Array, at: number, end: number): boolean {
  if (at + Ipv4.lenBytes > end) return true;
  const protocol = bytes[at + IPV4_PROTOCOL];
  return protocol === IpProtocol.UDP ?
    isPlainPort(bytes, at + (bytes[at] & 15) * 4, end) :
    !isTunnelProtocol(protocol);
}

/** Whether an IPv6 packet carries no tunnel. */
function isPlainIpv6(bytes: Uint8Array, at: number, end: number): boolean {
  let here = at + Ipv6.lenBytes;
  if (here > end) return true;
  let next = bytes[at + IPV6_NEXT_HEADER];
  while (next !== IpProtocol.UDP) {
    if (next === IpProtocol.ROUTING || isTunnelProtocol(next)) return false;
    const isOptions = next === IpProtocol.HOP_BY_HOP || next === IpProtocol.DESTINATION_OPTIONS;
    if ((!isOptions && next !== IpProtocol.FRAGMENT) || here + UNIT_BYTES > end) return true;
    next = bytes[here];
    here += isOptions ? (bytes[here + 1] + 1) * UNIT_BYTES : UNIT_BYTES;
  }
  return isPlainPort(bytes, here, end);
}

function isPlainPort(bytes: Uint8Array, udp: number, end: number): boolean {
  const at = udp + PORT_OFFSET;
  if (at + 2 > end) return true;
  return !isTunnelPort((bytes[at] << 8) | bytes[at + 1]);
}

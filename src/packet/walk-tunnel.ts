/**
 * Headers of tunnels: each leads to an EtherType, an IP version or an Ethernet frame, from which the walk continues.
 *
 *   over UDP    VXLAN and VXLAN-GPE, GENEVE, MPLS, GRE, by port
 *   over IP     GRE with ERSPAN and Mellanox mirrors, MPLS, Ethernet (143), by protocol; IP in IP is in walk-ip.ts
 *   over a link MPLS, NSH
 *
 * The sources are in src/wire/tunnel. If a port announces a header that the bytes do not match, they are payload.
 */
import { WHY_LINK_SHORT } from '../abi/codes.js';
import { LINK_TYPE_ETHERNET, LINK_TYPE_RAW } from '../capture/link-types.js';
import { readU16, readU24 } from '../wire/bytes.js';
import { Ipv4 } from '../wire/ip/ipv4.js';
import { Ipv6 } from '../wire/ip/ipv6.js';
import { EtherType, Ethernet, isVlanTagType } from '../wire/link/ethernet.js';
import { ERSPAN_3_FRAME_ETHERNET, ERSPAN_3_FRAME_IP, ERSPAN_3_SUBHEADER_BYTES, ETHERTYPE_ERSPAN_2, ETHERTYPE_ERSPAN_3,
  ETHERTYPE_MELLANOX_MIRROR, Erspan2, Erspan3, MellanoxMirror } from '../wire/tunnel/erspan.js';
import { ETHERTYPE_NSH, Geneve, GENEVE_PORT, Nsh, Vxlan, VXLAN_FLAG_PROTOCOL, VXLAN_FLAG_VNI, VXLAN_GPE_PORT,
  VXLAN_GPE_VERSION_MASK, VXLAN_LINUX_PORT, VXLAN_PORT } from '../wire/tunnel/overlays.js';
import { GRE_FLAG_ROUTING, GRE_FLAG_SEQUENCE, GRE_UDP_PORT, GRE_VERSION_MASK, Gre } from '../wire/tunnel/gre.js';
import { ETHERTYPE_MPLS, MPLS_UDP_PORT, Mpls, ControlWord, LABEL_IPV4_EXPLICIT_NULL,
  LABEL_IPV6_EXPLICIT_NULL } from '../wire/tunnel/mpls.js';
import type { Dissection } from './dissection.js';
import { LAYER_ERSPAN_2, LAYER_ERSPAN_3, LAYER_GENEVE, LAYER_GRE, LAYER_MELLANOX_MIRROR, LAYER_NSH, LAYER_VXLAN,
  LAYER_CONTROL_WORD, LAYER_MPLS } from './layer-kinds.js';
import { STEP_ETHERNET, STEP_ETHER_TYPE, STEP_LINK, STEP_IP, UNREAD_MPLS } from './walk-codes.js';

const VXLAN_NEXT_PROTOCOL = Vxlan.offsetOf('nextProtocol');
const GENEVE_PROTOCOL = Geneve.offsetOf('protocolType');
const GENEVE_UNIT_BYTES = 4;
const GENEVE_LENGTH_MASK = 0x3f;
const GRE_PROTOCOL = Gre.offsetOf('protocolType');
const ERSPAN_3_TAIL = Erspan3.offsetOf('hasEthernet');
const NSH_PROTOCOL = Nsh.offsetOf('nextProtocol');
const NSH_UNIT_BYTES = 4;
/** EtherTypes by next-protocol number of VXLAN-GPE and NSH (RFC 8300, section 11.2.5). */
const NEXT_PROTOCOLS: readonly number[] = [
  0,
  EtherType.IPV4,
  EtherType.IPV6,
  EtherType.BRIDGED_ETHERNET,
  ETHERTYPE_NSH,
  ETHERTYPE_MPLS,
];

/** The octet of a label with the bottom of the stack. */
const MPLS_BOTTOM = 2;
const IPV4_TOTAL_LENGTH = Ipv4.offsetOf('totalLength');
const IPV6_PAYLOAD_LENGTH = Ipv6.offsetOf('payloadLength');
const ETHERTYPE_ARP = 0x0806;
/** EtherTypes by which an Ethernet frame is recognised. */
const COMMON_ETHER_TYPES: readonly number[] = [
  EtherType.IPV4,
  EtherType.IPV6,
  ETHERTYPE_MPLS,
  EtherType.ROCE_V1,
  EtherType.MAC_CONTROL,
  ETHERTYPE_ARP,
];

/**
 * Walks a UDP payload that a tunnel's port announces. @returns false if it is not a tunnel, and remains to be walked.
 */
export function walkUdpTunnel(d: Dissection, port: number, at: number, limit: number): boolean {
  switch (port) {
    case VXLAN_PORT:
    case VXLAN_LINUX_PORT:
    case VXLAN_GPE_PORT:
      return walkVxlan(d, port === VXLAN_GPE_PORT, at, limit);
    case GENEVE_PORT:
      return walkGeneve(d, at, limit);
    case MPLS_UDP_PORT:
      return isThere(d, at, Mpls.lenBytes, limit) && enterMpls(d, at, limit);
    case GRE_UDP_PORT:
      return walkGre(d, at, limit);
  }
  return false;
}

function walkVxlan(d: Dissection, isGpe: boolean, at: number, limit: number): boolean {
  if (!isThere(d, at, Vxlan.lenBytes, limit)) return false;
  const flags = d.bytes[at];
  if ((flags & VXLAN_FLAG_VNI) === 0 || (isGpe && (flags & VXLAN_GPE_VERSION_MASK) !== 0)) return false;
  const states = isGpe && (flags & VXLAN_FLAG_PROTOCOL) !== 0;
  const type = states ? NEXT_PROTOCOLS[d.bytes[at + VXLAN_NEXT_PROTOCOL]] : EtherType.BRIDGED_ETHERNET;
  if (!type || !d.enter(LAYER_VXLAN)) return false;
  d.add(LAYER_VXLAN, at, Vxlan.lenBytes);
  d.next(STEP_ETHER_TYPE, at + Vxlan.lenBytes, limit, type);
  return true;
}

function walkGeneve(d: Dissection, at: number, limit: number): boolean {
  if (!isThere(d, at, Geneve.lenBytes, limit) || d.bytes[at] >> 6 !== 0) return false;
  const length = Geneve.lenBytes + (d.bytes[at] & GENEVE_LENGTH_MASK) * GENEVE_UNIT_BYTES;
  if (!isThere(d, at, length, limit) || !d.enter(LAYER_GENEVE)) return false;
  d.add(LAYER_GENEVE, at, length);
  d.next(STEP_ETHER_TYPE, at + length, limit, readU16(d.bytes, at + GENEVE_PROTOCOL));
  return true;
}

/** Walks GRE and its contents. @returns false for another version, or with routing: then it remains to be walked. */
export function walkGre(d: Dissection, at: number, limit: number): boolean {
  if (!isThere(d, at, Gre.lenBytes, limit)) return false;
  const flags = readU16(d.bytes, at);
  const length = Gre.lenBytesOf(flags);
  if ((flags & (GRE_FLAG_ROUTING | GRE_VERSION_MASK)) !== 0 || !isThere(d, at, length, limit)) return false;
  const type = readU16(d.bytes, at + GRE_PROTOCOL);
  const end = at + length;
  switch (type) {
    case ETHERTYPE_ERSPAN_2:
      return (flags & GRE_FLAG_SEQUENCE) === 0 ?
        walkMirrored(d, at, LAYER_GRE, 0, limit) :
        walkMirrored(d, at, LAYER_ERSPAN_2, Erspan2.lenBytes, limit);
    case ETHERTYPE_ERSPAN_3:
      return walkErspan3(d, at, limit);
    case ETHERTYPE_MELLANOX_MIRROR:
      return walkMirrored(d, at, LAYER_MELLANOX_MIRROR, MellanoxMirror.lenBytes, limit);
  }
  if (!d.enter(LAYER_GRE)) return false;
  d.add(LAYER_GRE, at, length);
  d.next(STEP_ETHER_TYPE, end, limit, type);
  return true;
}

/** Walks GRE, a header of `mirrorBytes`, and the mirrored frame. */
function walkMirrored(d: Dissection, at: number, kind: number, mirrorBytes: number, limit: number,
  linkType = LINK_TYPE_ETHERNET): boolean {
  const greLength = Gre.lenBytesOf(readU16(d.bytes, at));
  const headerAt = at + greLength;
  const frameAt = headerAt + mirrorBytes;
  if (!isThere(d, at, frameAt - at, limit)) return false;
  const frameLimit = d.enterMirrored(kind, frameAt, limit);
  if (frameLimit === 0) return false;
  d.add(LAYER_GRE, at, greLength);
  if (mirrorBytes > 0) d.add(kind, headerAt, mirrorBytes);
  d.next(STEP_LINK, frameAt, frameLimit, linkType);
  return true;
}

function walkErspan3(d: Dissection, at: number, limit: number): boolean {
  const headerAt = at + Gre.lenBytesOf(readU16(d.bytes, at));
  if (!isThere(d, headerAt, Erspan3.lenBytes, limit)) return false;
  const tail = readU16(d.bytes, headerAt + ERSPAN_3_TAIL);
  const length = Erspan3.lenBytes + (tail & 1) * ERSPAN_3_SUBHEADER_BYTES;
  const frameType = (tail >> 10) & 0x1f;
  if (frameType !== ERSPAN_3_FRAME_ETHERNET && frameType !== ERSPAN_3_FRAME_IP) return false;
  return walkMirrored(d, at, LAYER_ERSPAN_3, length, limit,
    frameType === ERSPAN_3_FRAME_IP ? LINK_TYPE_RAW : LINK_TYPE_ETHERNET);
}

/**
 * Enters an Ethernet frame inside IP (next header 143). @returns false if it is nested too deep: then it remains to be
 * walked.
 */
export function enterEthernet(d: Dissection, outerKind: number, at: number, limit: number): boolean {
  if (!d.enter(outerKind)) return false;
  d.next(STEP_ETHERNET, at, limit);
  return true;
}

/** Walks a Network Service Header and its contents. */
export function walkNsh(d: Dissection, at: number, limit: number): void {
  d.passShim();
  if (d.lacks(LAYER_NSH, at, at + Nsh.lenBytes, limit, WHY_LINK_SHORT)) return;
  const length = Math.max(Nsh.lenBytes, (d.bytes[at + 1] & 0x3f) * NSH_UNIT_BYTES);
  if (d.lacks(LAYER_NSH, at, at + length, limit, WHY_LINK_SHORT)) return;
  d.add(LAYER_NSH, at, length);
  d.next(STEP_ETHER_TYPE, at + length, limit, NEXT_PROTOCOLS[d.bytes[at + NSH_PROTOCOL]] ?? 0);
}

/** Whether a header is complete and inside its enclosing packet. If not, its bytes are payload. */
function isThere(d: Dissection, at: number, length: number, limit: number): boolean {
  return at + length <= d.capturedEnd && at + length <= limit;
}

/** Enters MPLS inside IP or UDP. @returns false if it is nested too deep: then it remains to be walked. */
export function enterMpls(d: Dissection, at: number, limit: number): boolean {
  if (!d.enter(LAYER_MPLS)) return false;
  walkMpls(d, at, limit);
  return true;
}

/**
 * Walks an MPLS label stack and its contents: IP, or an Ethernet pseudowire with or without a control word (RFC 3032;
 * RFC 4385; RFC 4448, section 4.6; RFC 4928, section 3).
 */
export function walkMpls(d: Dissection, at: number, limit: number): void {
  d.passShim();
  let here = at;
  let isBottom = false;
  while (!isBottom) {
    if (d.lacks(LAYER_MPLS, here, here + Mpls.lenBytes, limit, WHY_LINK_SHORT)) return;
    d.add(LAYER_MPLS, here, Mpls.lenBytes);
    isBottom = (d.bytes[here + MPLS_BOTTOM] & 1) !== 0;
    here += Mpls.lenBytes;
  }
  const label = readU24(d.bytes, here - Mpls.lenBytes) >> 4;
  if (label === LABEL_IPV4_EXPLICIT_NULL) d.next(STEP_IP, here, limit, 4);
  else if (label === LABEL_IPV6_EXPLICIT_NULL) d.next(STEP_IP, here, limit, 6);
  else walkBelowLabels(d, here, limit);
}

/**
 * Labels do not state what they carry. The first nibble identifies IP (RFC 4928, section 3) and a control word. A
 * pseudowire without one may begin with any address, so where the nibble is ambiguous, the EtherType field decides.
 */
function walkBelowLabels(d: Dissection, at: number, limit: number): void {
  if (d.lacks(LAYER_MPLS, at, at + 1, limit, WHY_LINK_SHORT)) return;
  const nibble = d.bytes[at] >> 4;
  const frameAt = at + ControlWord.lenBytes;
  if (isIpAt(d, at, limit)) d.next(STEP_IP, at, limit, nibble);
  else if (nibble === 0 && (hasEtherType(d, frameAt, limit) || !hasEtherType(d, at, limit))) {
    if (d.lacks(LAYER_CONTROL_WORD, at, frameAt, limit, WHY_LINK_SHORT)) return;
    d.add(LAYER_CONTROL_WORD, at, ControlWord.lenBytes);
    d.next(STEP_ETHERNET, frameAt, limit);
  } else if (hasEtherType(d, at, limit)) d.next(STEP_ETHERNET, at, limit);
  else if (nibble === 4 || nibble === 6) d.next(STEP_IP, at, limit, nibble);
  else d.leave(UNREAD_MPLS, d.bytes[at], at, limit);
}

/** Whether an IP header with plausible lengths begins here. */
function isIpAt(d: Dissection, at: number, limit: number): boolean {
  const version = d.bytes[at] >> 4;
  if (version === 4) {
    const totalBytes = at + Ipv4.lenBytes <= d.capturedEnd ? readU16(d.bytes, at + IPV4_TOTAL_LENGTH) : 0;
    return (d.bytes[at] & 15) * 4 >= Ipv4.lenBytes && totalBytes >= Ipv4.lenBytes && at + totalBytes <= limit;
  }
  const isWhole = version === 6 && at + Ipv6.lenBytes <= d.capturedEnd;
  return isWhole && at + Ipv6.lenBytes + readU16(d.bytes, at + IPV6_PAYLOAD_LENGTH) <= limit;
}

/** Whether an Ethernet frame beginning here would have a common EtherType. */
function hasEtherType(d: Dissection, at: number, limit: number): boolean {
  const end = at + Ethernet.lenBytes;
  if (end > d.capturedEnd || end > limit) return false;
  const etherType = readU16(d.bytes, end - 2);
  return isVlanTagType(etherType) || COMMON_ETHER_TYPES.includes(etherType);
}

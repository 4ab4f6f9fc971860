/**
 * An MPLS label stack and its contents: IP, or an Ethernet pseudowire with or without a control word (RFC 3032; RFC
 * 4385; RFC 4448, section 4.6; RFC 4928, section 3).
 */
import { WHY_LINK_SHORT } from '../abi/codes.js';
import { EtherType, Ethernet, isVlanTagType } from '../wire/link/ethernet.js';
import { readU16, readU24 } from '../wire/bytes.js';
import { Ipv4 } from '../wire/ip/ipv4.js';
import { Ipv6 } from '../wire/ip/ipv6.js';
import { ControlWord, ETHERTYPE_MPLS, LABEL_IPV4_EXPLICIT_NULL, LABEL_IPV6_EXPLICIT_NULL,
  Mpls } from '../wire/tunnel/mpls.js';
import type { Dissection } from './dissection.js';
import { LAYER_CONTROL_WORD, LAYER_MPLS } from './layer-kinds.js';
import { STEP_ETHERNET, STEP_IP } from './steps.js';
import { UNREAD_MPLS } from './unread.js';

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

/** Enters MPLS inside IP or UDP. @returns false if it is nested too deep: then it remains to be walked. */
export function enterMpls(d: Dissection, at: number, limit: number): boolean {
  if (!d.enter(LAYER_MPLS)) return false;
  walkMpls(d, at, limit);
  return true;
}

/** Walks a label stack and its contents. */
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

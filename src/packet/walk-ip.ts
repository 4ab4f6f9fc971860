/**
 * Second part of a dissection: from an IP header to its payload.
 *
 * IPv4 (Annex A17, section A17.3.1.1), IPv6 and its extension headers (RFC 8200, section 4; RFC 8754), IP in IP.
 * Classes are those of the engine's parser: routing headers, later fragments, and protocols other than UDP are "other".
 * A packet inside IP is walked like the outer one.
 */
import { CLASS_MALFORMED, CLASS_OTHER, WHY_EXTENSION_HEADER, WHY_EXTENSION_LENGTH, WHY_IHL, WHY_IPV4_FIELDS,
  WHY_IP_LENGTH, WHY_IP_SHORT, WHY_IP_VERSION, WHY_NONE } from '../abi/codes.js';
import { EtherType } from '../wire/link/ethernet.js';
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { Ipv4 } from '../wire/ip/ipv4.js';
import { Ipv6, ExtensionHeader, FragmentHeader, RoutingHeader } from '../wire/ip/ipv6.js';
import { SegmentRouting } from '../wire/ip/segment-routing.js';
import { readU16 } from '../wire/bytes.js';
import { PROTOCOL_MPLS } from '../wire/tunnel/mpls.js';
import type { Dissection } from './dissection.js';
import { LAYER_DESTINATION_OPTIONS, LAYER_FRAGMENT, LAYER_HOP_BY_HOP, LAYER_IPV4, LAYER_IPV6, LAYER_PAYLOAD,
  LAYER_ROCE_FC_ICMP, LAYER_ROUTING, LAYER_SEGMENT_ROUTING } from './layer-kinds.js';
import { STEP_IP, UNREAD_FRAGMENT, UNREAD_IP_PROTOCOL, UNREAD_ROUTED } from './walk-codes.js';
import type { DissectionRules } from './rules.js';
import { PROTOCOL_ETHERNET, PROTOCOL_IPV4, PROTOCOL_IPV6 } from './tunnel-numbers.js';
import { walkOptions } from './walk-options.js';
import { walkUdp } from './walk-roce.js';
import { enterMpls, enterEthernet, walkGre } from './walk-tunnel.js';

const IPV4_TRAFFIC_CLASS = Ipv4.offsetOf('dscp');
const IPV4_TOTAL_LENGTH = Ipv4.offsetOf('totalLength');
const IPV4_FLAGS_FRAGMENT = Ipv4.offsetOf('flags');
const IPV4_PROTOCOL = Ipv4.offsetOf('protocol');
const IPV6_PAYLOAD_LENGTH = Ipv6.offsetOf('payloadLength');
const IPV6_NEXT_HEADER = Ipv6.offsetOf('nextHeader');
const EXTENSION_NEXT_HEADER = ExtensionHeader.offsetOf('nextHeader');
const EXTENSION_LENGTH = ExtensionHeader.offsetOf('headerExtLen');
const FRAGMENT_OFFSET_FLAGS = FragmentHeader.offsetOf('fragmentOffset');
const ROUTING_TYPE = RoutingHeader.offsetOf('routingType');

const PROTOCOL_ICMP = 1;
const PROTOCOL_ICMPV6 = 58;
const IPV4_FLAG_BITS_SHIFT = 13;
const FRAGMENT_OFFSET_MASK = 0x1fff;
/** Fragment header: the offset is in the upper 13 bits of a word. */
const LATER_FRAGMENT = 8;
/** Length of a discovery reply without its data. */
const ROCE_FC_ICMP_BYTES = 12;

/** Walks an IP header, whose version the preceding header states. */
export function walkIp(d: Dissection, offset: number, version: number, limit: number, rules: DissectionRules): void {
  const isIpv4 = version === 4;
  const kind = isIpv4 ? LAYER_IPV4 : LAYER_IPV6;
  d.beginNetwork(isIpv4 ? EtherType.IPV4 : EtherType.IPV6, offset, limit);
  if (d.lacks(kind, offset, offset + (isIpv4 ? Ipv4.lenBytes : Ipv6.lenBytes), limit, WHY_IP_SHORT)) return;
  const found = d.bytes[offset] >> 4;
  if (found !== version) {
    d.fail(kind, offset, version, found, WHY_IP_VERSION);
    return;
  }
  const trafficClass = isIpv4 ? d.bytes[offset + IPV4_TRAFFIC_CLASS] : (readU16(d.bytes, offset) >> 4) & 0xff;
  d.beginIp(offset, trafficClass);
  if (d.ipVersion === 0 && !d.resolved) {
    d.ipVersion = version;
    d.ipOffset = offset;
    d.trafficClass = trafficClass;
    d.checkEcn();
  }
  if (isIpv4) walkIpv4(d, offset, limit, rules);
  else walkIpv6(d, offset, limit, rules);
}

function walkIpv4(d: Dissection, at: number, limit: number, rules: DissectionRules): void {
  const headerBytes = (d.bytes[at] & 15) * 4;
  const totalBytes = readU16(d.bytes, at + IPV4_TOTAL_LENGTH);
  if (headerBytes < Ipv4.lenBytes) {
    d.fail(LAYER_IPV4, at, Ipv4.lenBytes, headerBytes, WHY_IHL);
    return;
  }
  if (totalBytes < Ipv4.lenBytes) {
    d.fail(LAYER_IPV4, at, Ipv4.lenBytes, totalBytes, WHY_IP_LENGTH);
    return;
  }
  if (at + totalBytes > limit && !isTrimmed(d, at, 4, rules)) {
    d.fail(LAYER_IPV4, at, totalBytes, limit - at, WHY_IP_LENGTH);
    return;
  }
  if (totalBytes < headerBytes) {
    d.fail(LAYER_IPV4, at, headerBytes, totalBytes, WHY_IHL);
    return;
  }
  const endOffset = Math.min(at + totalBytes, limit);
  const fragment = readU16(d.bytes, at + IPV4_FLAGS_FRAGMENT);
  const isLaterFragment = (fragment & FRAGMENT_OFFSET_MASK) > 0;
  const protocol = d.bytes[at + IPV4_PROTOCOL];
  if (isLaterFragment || protocol !== IpProtocol.UDP) d.resolve(CLASS_OTHER, WHY_NONE);
  // Truncated options are trouble, but the UDP header after them determines the class.
  if (!d.lacks(LAYER_IPV4, at, at + headerBytes, endOffset, WHY_NONE)) d.add(LAYER_IPV4, at, headerBytes);
  if (!d.resolved) {
    const flags = fragment >> IPV4_FLAG_BITS_SHIFT;
    d.isFirstFragment = (flags & Ipv4.FLAG_MF) !== 0;
    const isAsAnnexRequires = headerBytes === Ipv4.lenBytes && flags === Ipv4.FLAG_DF;
    d.strictObjection = isAsAnnexRequires ? WHY_NONE : WHY_IPV4_FIELDS;
  }
  if (isLaterFragment) {
    d.note(UNREAD_FRAGMENT, protocol);
    d.addRest(LAYER_PAYLOAD, at + headerBytes, endOffset);
    return;
  }
  const isFragment = ((fragment >> IPV4_FLAG_BITS_SHIFT) & Ipv4.FLAG_MF) !== 0;
  d.isFragment = isFragment;
  walkUpper(d, LAYER_IPV4, protocol, at + headerBytes, endOffset, rules);
}

function walkIpv6(d: Dissection, at: number, limit: number, rules: DissectionRules): void {
  const chainOffset = at + Ipv6.lenBytes;
  const statedEnd = chainOffset + readU16(d.bytes, at + IPV6_PAYLOAD_LENGTH);
  if (statedEnd > limit && !isTrimmed(d, at, 6, rules)) {
    d.fail(LAYER_IPV6, at, statedEnd - chainOffset, limit - chainOffset, WHY_IP_LENGTH);
    return;
  }
  const endOffset = Math.min(statedEnd, limit);
  d.add(LAYER_IPV6, at, Ipv6.lenBytes);
  let next = d.bytes[at + IPV6_NEXT_HEADER];
  let here = chainOffset;
  let isFragment = false;
  while (isExtensionHeader(next)) {
    if (next === IpProtocol.HOP_BY_HOP && here !== chainOffset) break;
    const length = walkExtensionHeader(d, next, here, endOffset, rules);
    if (length === 0) return;
    const isLaterFragment = next === IpProtocol.FRAGMENT && isLater(d, here);
    isFragment ||= next === IpProtocol.FRAGMENT;
    next = d.bytes[here + EXTENSION_NEXT_HEADER];
    here += length;
    if (isLaterFragment) {
      // A later fragment begins in the middle of the datagram, so its bytes are no header.
      d.note(UNREAD_FRAGMENT, next);
      d.addRest(LAYER_PAYLOAD, here, endOffset);
      return;
    }
  }
  if (next !== IpProtocol.UDP) d.resolve(CLASS_OTHER, WHY_NONE);
  if (!d.resolved) {
    d.isFirstFragment = isFragment;
    d.strictObjection = here === chainOffset ? WHY_NONE : WHY_EXTENSION_HEADER;
  }
  d.isFragment = isFragment;
  walkUpper(d, LAYER_IPV6, next, here, endOffset, rules);
}

/** Whether a packet shorter than its length field was trimmed: malformed for a RoCEv2 endpoint, but readable. */
function isTrimmed(d: Dissection, at: number, version: number, { mrc, uet }: DissectionRules): boolean {
  if (mrc?.takesTrimmed(d, at, version) !== true && uet?.takesTrimmed(d, at, version) !== true) return false;
  d.resolve(CLASS_MALFORMED, WHY_IP_LENGTH);
  return true;
}

function isExtensionHeader(next: number): boolean {
  return (next === IpProtocol.DESTINATION_OPTIONS || next === IpProtocol.HOP_BY_HOP || next === IpProtocol.ROUTING ||
    next === IpProtocol.FRAGMENT);
}

/** @returns its length in bytes, or 0 if it cannot be read. */
function walkExtensionHeader(d: Dissection, next: number, at: number, endOffset: number,
  rules: DissectionRules): number {
  const kind = layerOf(d, next, at);
  if (d.lacks(kind, at, at + ExtensionHeader.UNIT_BYTES, endOffset, WHY_EXTENSION_LENGTH)) return 0;
  const units = next === IpProtocol.FRAGMENT ? 1 : d.bytes[at + EXTENSION_LENGTH] + 1;
  const length = units * ExtensionHeader.UNIT_BYTES;
  if (at + length > endOffset) return failed(d, kind, at, length, endOffset - at, WHY_EXTENSION_LENGTH);
  // After a routing header the IP destination is not yet final; a later fragment has no UDP header.
  const isLaterFragment = next === IpProtocol.FRAGMENT && isLater(d, at);
  if (next === IpProtocol.ROUTING) d.note(UNREAD_ROUTED, d.bytes[at + ROUTING_TYPE]);
  if (next === IpProtocol.ROUTING || isLaterFragment) d.resolve(CLASS_OTHER, WHY_NONE);
  if (d.lacks(kind, at, at + length, endOffset, WHY_EXTENSION_LENGTH)) return 0;
  if (kind === LAYER_HOP_BY_HOP || kind === LAYER_DESTINATION_OPTIONS) {
    if (!walkOptions(d, kind, at, length, rules)) return 0;
  }
  d.add(kind, at, length);
  return length;
}

function isLater(d: Dissection, at: number): boolean {
  return readU16(d.bytes, at + FRAGMENT_OFFSET_FLAGS) >= LATER_FRAGMENT;
}

function layerOf(d: Dissection, next: number, at: number): number {
  if (next === IpProtocol.HOP_BY_HOP) return LAYER_HOP_BY_HOP;
  if (next === IpProtocol.DESTINATION_OPTIONS) return LAYER_DESTINATION_OPTIONS;
  if (next === IpProtocol.FRAGMENT) return LAYER_FRAGMENT;
  return d.bytes[at + ROUTING_TYPE] === SegmentRouting.ROUTING_TYPE ? LAYER_SEGMENT_ROUTING : LAYER_ROUTING;
}

/** Walks the bytes after the IP header and its extension headers. */
function walkUpper(d: Dissection, kind: number, protocol: number, at: number, endOffset: number,
  rules: DissectionRules): void {
  if (protocol === IpProtocol.UDP) {
    walkUdp(d, at, endOffset, rules);
    return;
  }
  if (protocol === rules.uet?.settings.ipProtocol && !d.isFragment) {
    rules.uet.walkNative(d, at, endOffset);
    return;
  }
  if (d.isFragment) d.note(UNREAD_FRAGMENT, protocol);
  else if (isDiscovery(d, protocol, at, rules)) {
    addDiscovery(d, at, endOffset);
    return;
  } else if (walkInner(d, kind, protocol, at, endOffset)) return;
  else d.note(UNREAD_IP_PROTOCOL, protocol);
  d.addRest(LAYER_PAYLOAD, at, endOffset);
}

/** @returns false if the protocol is not a tunnel, or if it is nested too deep. */
function walkInner(d: Dissection, kind: number, protocol: number, at: number, limit: number): boolean {
  switch (protocol) {
    case PROTOCOL_IPV4:
    case PROTOCOL_IPV6:
      if (!d.enter(kind)) return false;
      d.isIpInIp = true;
      d.next(STEP_IP, at, limit, protocol === PROTOCOL_IPV4 ? 4 : 6);
      return true;
    case IpProtocol.GRE:
      return walkGre(d, at, limit);
    case PROTOCOL_MPLS:
      return enterMpls(d, at, limit);
    case PROTOCOL_ETHERNET:
      return enterEthernet(d, kind, at, limit);
  }
  return false;
}

function isDiscovery(d: Dissection, protocol: number, at: number, rules: DissectionRules): boolean {
  if (at >= d.capturedEnd) return false;
  const type = d.bytes[at];
  if (protocol === PROTOCOL_ICMP) return type === rules.discoveryIcmpType;
  return protocol === PROTOCOL_ICMPV6 && type === rules.discoveryIcmpv6Type;
}

function addDiscovery(d: Dissection, at: number, endOffset: number): void {
  if (!d.lacks(LAYER_ROCE_FC_ICMP, at, at + ROCE_FC_ICMP_BYTES, endOffset, WHY_NONE)) {
    d.addRest(LAYER_ROCE_FC_ICMP, at, endOffset);
  }
}

function failed(d: Dissection, kind: number, at: number, required: number, actual: number, why: number): 0 {
  d.fail(kind, at, required, actual, why);
  return 0;
}

/**
 * IP layer of the reference parser: from an IP header to the UDP header behind it.
 *
 * IPv4 per Annex A17, A17.3.1.1; IPv6 and its extension headers per RFC 8200, section 4. Only Hop-by-Hop Options
 * (first place only), Destination Options and Fragment headers are stepped over.
 */
import {
  CLASS_CUT, CLASS_MALFORMED, CLASS_OTHER, WHY_EXTENSION_HEADER, WHY_EXTENSION_LENGTH, WHY_IHL, WHY_IP_LENGTH,
  WHY_IP_SHORT, WHY_IP_VERSION, WHY_IPV4_FIELDS, WHY_NONE, WHY_OPTION_LENGTH,
} from '../abi/codes.js';
import type { NetworkLayer } from './parse-link.js';
import { type Option, readOptions } from './parse-options.js';
import { type FrameOctets, isVerdict, verdict, type Verdict } from './parse-verdict.js';

const IPV4_HEADER_BYTES = 20;
const IPV6_HEADER_BYTES = 40;
const PROTOCOL_UDP = 17;

const NEXT_HOP_BY_HOP = 0;
const NEXT_ROUTING = 43;
const NEXT_FRAGMENT = 44;
const NEXT_DESTINATION = 60;

/** The outermost IP header, whole and of the right version. */
export interface IpHeader {
  readonly version: 4 | 6;
  readonly offset: number;
  readonly trafficClass: number;
}

/** A datagram that holds a UDP header, or the first fragment of one. */
export interface UdpDatagram {
  readonly ip: IpHeader;
  readonly udpOffset: number;
  /** Just behind the last octet that the IP header claims. */
  readonly endOffset: number;
  readonly isFirstFragment: boolean;
  /** What a strict Annex A17 port has against it: a WHY_*, WHY_NONE for nothing. */
  readonly strictObjection: number;
  readonly options: readonly Option[];
}

export function readIpHeader(frame: FrameOctets, layer: NetworkLayer): IpHeader | Verdict {
  const { offset, version } = layer;
  const lack = frame.lacks(offset + (version === 4 ? IPV4_HEADER_BYTES : IPV6_HEADER_BYTES), WHY_IP_SHORT);
  if (lack) return lack;
  if (frame.u8(offset) >> 4 !== version) return verdict(CLASS_MALFORMED, WHY_IP_VERSION);
  const trafficClass = version === 4 ? frame.u8(offset + 1) : (frame.u16(offset) >> 4) & 0xff;
  return { version, offset, trafficClass };
}

export function findUdp(frame: FrameOctets, ip: IpHeader): UdpDatagram | Verdict {
  return ip.version === 4 ? findUdpInIpv4(frame, ip) : findUdpInIpv6(frame, ip);
}

function findUdpInIpv4(frame: FrameOctets, ip: IpHeader): UdpDatagram | Verdict {
  const at = ip.offset;
  const headerBytes = (frame.u8(at) % 16) * 4;
  const totalBytes = frame.u16(at + 2);
  if (headerBytes < IPV4_HEADER_BYTES) return verdict(CLASS_MALFORMED, WHY_IHL);
  if (totalBytes < IPV4_HEADER_BYTES || at + totalBytes > frame.original) return verdict(CLASS_MALFORMED, WHY_IP_LENGTH);
  if (totalBytes < headerBytes) return verdict(CLASS_MALFORMED, WHY_IHL);

  const flags = frame.u16(at + 6) >> 13;
  const fragmentOffset = frame.u16(at + 6) % 0x2000;
  if (fragmentOffset > 0 || frame.u8(at + 9) !== PROTOCOL_UDP) return verdict(CLASS_OTHER, WHY_NONE);
  const isAsAnnexWants = headerBytes === IPV4_HEADER_BYTES && flags === 0b010;
  return {
    ip,
    udpOffset: at + headerBytes,
    endOffset: at + totalBytes,
    isFirstFragment: (flags & 0b001) !== 0,
    strictObjection: isAsAnnexWants ? WHY_NONE : WHY_IPV4_FIELDS,
    options: [],
  };
}

function findUdpInIpv6(frame: FrameOctets, ip: IpHeader): UdpDatagram | Verdict {
  const chainOffset = ip.offset + IPV6_HEADER_BYTES;
  const endOffset = chainOffset + frame.u16(ip.offset + 4);
  if (endOffset > frame.original) return verdict(CLASS_MALFORMED, WHY_IP_LENGTH);

  const options: Option[] = [];
  let isFirstFragment = false;
  let next = frame.u8(ip.offset + 6);
  let at = chainOffset;
  while (next !== PROTOCOL_UDP) {
    if (next === NEXT_HOP_BY_HOP && at !== chainOffset) return verdict(CLASS_OTHER, WHY_NONE);
    const header = readExtensionHeader(frame, next, at, endOffset);
    if (isVerdict(header)) return header;
    options.push(...header.options);
    isFirstFragment ||= next === NEXT_FRAGMENT;
    next = frame.u8(at);
    at = header.endOffset;
  }
  const strictObjection = at === chainOffset ? WHY_NONE : WHY_EXTENSION_HEADER;
  return { ip, udpOffset: at, endOffset, isFirstFragment, strictObjection, options };
}

interface ExtensionHeader {
  readonly endOffset: number;
  readonly options: readonly Option[];
}

function readExtensionHeader(frame: FrameOctets, kind: number, at: number, limit: number): ExtensionHeader | Verdict {
  const isKnown =
    kind === NEXT_HOP_BY_HOP || kind === NEXT_DESTINATION || kind === NEXT_FRAGMENT || kind === NEXT_ROUTING;
  if (!isKnown) return verdict(CLASS_OTHER, WHY_NONE);
  if (at + 8 > limit) return verdict(CLASS_MALFORMED, WHY_EXTENSION_LENGTH);
  if (at + 8 > frame.captured) return verdict(CLASS_CUT, WHY_EXTENSION_LENGTH);
  const endOffset = kind === NEXT_FRAGMENT ? at + 8 : at + 8 + 8 * frame.u8(at + 1);
  if (endOffset > limit) return verdict(CLASS_MALFORMED, WHY_EXTENSION_LENGTH);

  // With a routing header the destination address is not the last one: not for this host.
  if (kind === NEXT_ROUTING) return verdict(CLASS_OTHER, WHY_NONE);
  if (kind === NEXT_FRAGMENT) {
    const isLater = frame.u16(at + 2) >= 8;
    return isLater ? verdict(CLASS_OTHER, WHY_NONE) : { endOffset, options: [] };
  }
  if (endOffset > frame.captured) return verdict(CLASS_CUT, WHY_EXTENSION_LENGTH);
  const options = readOptions(frame, at + 2, endOffset, kind === NEXT_HOP_BY_HOP ? 'hop-by-hop' : 'destination');
  return options ? { endOffset, options } : verdict(CLASS_MALFORMED, WHY_OPTION_LENGTH);
}

/**
 * A quick look at a frame: does the engine's parser read all of it from its first byte? Most frames are RoCEv2 over Ethernet
 * and need no walk.
 */
import { NEXT_HEADER_DESTINATION_OPTIONS, NEXT_HEADER_FRAGMENT, NEXT_HEADER_HOP_BY_HOP,
  NEXT_HEADER_ROUTING } from '../wire/ip/extension-header.js';
import { IPV4, IPV4_BYTES } from '../wire/ip/ipv4.js';
import { IPV6, IPV6_BYTES } from '../wire/ip/ipv6.js';
import { PROTOCOL_UDP } from '../wire/ip/udp.js';
import { ETHERNET_BYTES, ETHERTYPE_IPV4, ETHERTYPE_IPV6, VLAN_TAG_BYTES,
  isVlanTagType } from '../wire/link/ethernet.js';
import { ETHERTYPE_MAC_CONTROL } from '../wire/link/mac-control.js';
import { ETHERTYPE_ROCE_V1 } from '../wire/roce/grh.js';
import { isTunnelPort, isTunnelProtocol } from './tunnel-numbers.js';

const IPV4_PROTOCOL = IPV4.offsetOf('protocol');
const IPV6_NEXT_HEADER = IPV6.offsetOf('nextHeader');
const TAGS_MAX = 2;
const UNIT_BYTES = 8;
const PORT_OFFSET = 2;

/** Whether the engine reads an Ethernet frame from its first byte as the walk does. */
export function isPlainEthernet(bytes: Uint8Array, at: number, end: number): boolean {
  let body = at + ETHERNET_BYTES;
  if (body > end) return true;
  let etherType = (bytes[body - 2] << 8) | bytes[body - 1];
  for (let tags = 0; tags < TAGS_MAX && isVlanTagType(etherType); tags++) {
    body += VLAN_TAG_BYTES;
    if (body > end) return true;
    etherType = (bytes[body - 2] << 8) | bytes[body - 1];
  }
  if (etherType === ETHERTYPE_IPV4) return isPlainIpv4(bytes, body, end);
  if (etherType === ETHERTYPE_IPV6) return isPlainIpv6(bytes, body, end);
  return etherType === ETHERTYPE_MAC_CONTROL || etherType === ETHERTYPE_ROCE_V1;
}

/** Whether an IPv4 packet is no tunnel. */
export function isPlainIpv4(bytes: Uint8Array, at: number, end: number): boolean {
  if (at + IPV4_BYTES > end) return true;
  const protocol = bytes[at + IPV4_PROTOCOL];
  return protocol === PROTOCOL_UDP ?
    isPlainPort(bytes, at + (bytes[at] & 15) * 4, end) :
    !isTunnelProtocol(protocol);
}

/** Whether an IPv6 packet is no tunnel. */
export function isPlainIpv6(bytes: Uint8Array, at: number, end: number): boolean {
  let here = at + IPV6_BYTES;
  if (here > end) return true;
  let next = bytes[at + IPV6_NEXT_HEADER];
  while (next !== PROTOCOL_UDP) {
    if (next === NEXT_HEADER_ROUTING || isTunnelProtocol(next)) return false;
    const isOptions = next === NEXT_HEADER_HOP_BY_HOP || next === NEXT_HEADER_DESTINATION_OPTIONS;
    if ((!isOptions && next !== NEXT_HEADER_FRAGMENT) || here + UNIT_BYTES > end) return true;
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

/**
 * Quick check whether the engine's parser can read a frame from its first byte. Most frames are RoCEv2 over Ethernet
 * and need no walk.
 */
import { EtherType, Ethernet, VlanTag, isVlanTagType } from '../wire/link/ethernet.js';
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { Ipv4 } from '../wire/ip/ipv4.js';
import { Ipv6 } from '../wire/ip/ipv6.js';
import { isTunnelPort, isTunnelProtocol } from './tunnel-numbers.js';

const IPV4_PROTOCOL = Ipv4.offsetOf('protocol');
const IPV6_NEXT_HEADER = Ipv6.offsetOf('nextHeader');
const TAGS_MAX = 2;
const UNIT_BYTES = 8;
const PORT_OFFSET = 2;

/** Whether the engine, reading an Ethernet frame from its first byte, finds the same packet as the walk. */
export function isPlainEthernet(bytes: Uint8Array, at: number, end: number): boolean {
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
export function isPlainIpv4(bytes: Uint8Array, at: number, end: number): boolean {
  if (at + Ipv4.lenBytes > end) return true;
  const protocol = bytes[at + IPV4_PROTOCOL];
  return protocol === IpProtocol.UDP ?
    isPlainPort(bytes, at + (bytes[at] & 15) * 4, end) :
    !isTunnelProtocol(protocol);
}

/** Whether an IPv6 packet carries no tunnel. */
export function isPlainIpv6(bytes: Uint8Array, at: number, end: number): boolean {
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

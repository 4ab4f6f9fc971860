/** Addresses of nodes in discovery: the IPv6 addresses of captures, or in IPv4 10.0.0.0/8 plus the node's index + 1. */
import type { IpPrefix } from '../../../wire/ip/ip-address.js';
import { addressOfNode } from '../../../switching/network-addresses.js';

const MAPPED_PREFIX_BYTES = 12;
const IPV4_NET = 10;
/** Matches every IPv4 and IPv6 address. */
export const ANYONE: readonly IpPrefix[] = [{ address: new Uint8Array(16), lengthBits: 0 }];

/** The address of a node, 16 bytes. An IPv4 address is mapped into IPv6 (RFC 4291, section 2.5.5.2). */
export function discoveryAddress(form: 'ipv4' | 'ipv6', node: number): Uint8Array {
  if (form === 'ipv6') return addressOfNode(node);
  const bytes = new Uint8Array(16);
  bytes.fill(0xff, MAPPED_PREFIX_BYTES - 2, MAPPED_PREFIX_BYTES);
  new DataView(bytes.buffer).setUint32(MAPPED_PREFIX_BYTES, IPV4_NET * 2 ** 24 + node + 1);
  return bytes;
}

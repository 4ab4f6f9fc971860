/** Forwards an IP packet: decrements its hop limit and updates IPv4's checksum. */
import { writeU16 } from '../../../wire/bytes.js';
import { Ipv4 } from '../../../wire/ip/ipv4.js';
import { Ipv6 } from '../../../wire/ip/ipv6.js';

const VERSION_SHIFT = 4;
const IPV4_TTL = Ipv4.offsetOf('ttl');
const IPV4_CHECKSUM = Ipv4.offsetOf('checksum');
const IPV6_HOP_LIMIT = Ipv6.offsetOf('hopLimit');

/** The packet with its hop limit decremented; undefined if that is exhausted. */
export function nextHopLimit(bytes: Uint8Array): Uint8Array | undefined {
  const isIpv4 = bytes[0] >> VERSION_SHIFT === 4;
  const at = isIpv4 ? IPV4_TTL : IPV6_HOP_LIMIT;
  if (bytes[at] <= 1) return undefined;
  const next = bytes.slice();
  next[at] -= 1;
  if (isIpv4) writeU16(next, IPV4_CHECKSUM, Ipv4.computeChecksum(next));
  return next;
}

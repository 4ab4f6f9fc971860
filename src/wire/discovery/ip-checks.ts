/**
 * What a receiver checks of an IP packet before it looks at discovery.
 */
import { RoceError } from '../../errors.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped } from '../ip/ip-address.js';
import type { Ipv4View } from '../ip/ipv4.js';
import { computeIpv4Checksum } from '../ip/ipv4.js';
import { invalidPacket, requireLength, requireBytes } from '../bytes.js';

const LAYER = 'ipv4 header';

/** @throws RoceError `invalid-packet` unless the total length covers the header and lies within the bytes. */
export function expectIpv4Length(view: Ipv4View): void {
  const { bytes, offset, totalLength, headerBytes } = view;
  if (totalLength < headerBytes) {
    const allowed = `at least ${headerBytes} bytes`;
    throw invalidPacket(LAYER, offset, 'has a short total length', `${totalLength} bytes`, allowed);
  }
  requireBytes('ipv4 datagram', bytes, offset, totalLength);
}

/** @throws RoceError `invalid-packet` unless the header checksum is right (RFC 791, section 3.1). */
export function expectIpv4Checksum(view: Ipv4View): void {
  const right = computeIpv4Checksum(view.bytes, view.offset);
  if (view.checksum === right) return;
  throw invalidPacket(LAYER, view.offset, 'has a wrong checksum', view.checksum, `${right}`);
}

/** @throws RoceError `invalid-argument` unless all addresses are IPv4, or all IPv6. */
export function sameFamily(where: string, ...addresses: readonly Uint8Array[]): void {
  for (const address of addresses) requireLength(`${where} address`, address, IP_ADDRESS_BYTES);
  const ipv4Count = addresses.filter((address) => isIpv4Mapped(address)).length;
  if (ipv4Count === 0 || ipv4Count === addresses.length) return;
  throw new RoceError('invalid-argument', 'addresses of two families', {
    got: `${ipv4Count} of ${addresses.length} are IPv4`,
    allowed: 'all IPv4 (IPv4-mapped) or all IPv6',
    where,
  });
}

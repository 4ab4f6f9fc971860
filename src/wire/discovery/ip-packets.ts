/** IPv4 and IPv6 packets that carry discovery requests and replies. */
import { NO_BYTES, invalidPacket, requireBytes } from '../bytes.js';
import { type IpHeader, type LocatedIp, buildIpInto, ipHeaderBytes, locateIp } from '../ip/ip-header.js';
import { Ipv4 } from '../ip/ipv4.js';

/** Default hop limit. */
export const DISCOVERY_HOP_LIMIT = 64;

/** A packet to write; defaults: hop limit 64, other fields 0. */
export type IpPacketFields = Pick<IpHeader, 'source' | 'destination' | 'protocol'> & Partial<IpHeader> & {
  readonly payload: Uint8Array;
};

/** @throws RoceError `invalid-argument` naming a field out of range. @param options IPv4 options. */
export function buildIpPacket(packet: IpPacketFields, options = NO_BYTES): Uint8Array {
  const defaults = { dscp: 0, ecn: 0, hopLimit: DISCOVERY_HOP_LIMIT, flowLabel: 0, identification: 0 };
  const header = { ...defaults, ...packet };
  const { payload } = packet;
  const bytes = new Uint8Array(ipHeaderBytes(header) + options.length + payload.length);
  bytes.set(payload, buildIpInto(bytes, 0, header, payload.length, options));
  return bytes;
}

/**
 * Reads an IP header, and checks that its packet is complete; bytes after it are ignored.
 *
 * @param layer for errors.
 * @throws RoceError `invalid-packet`: truncated, or a wrong IPv4 header checksum.
 */
export function readIp(layer: string, bytes: Uint8Array): LocatedIp {
  requireBytes(layer, bytes, 0, 1);
  const ip = locateIp(bytes, 0);
  const { ipVersion, payloadOffset, endOffset } = ip;
  if (endOffset < payloadOffset) {
    const allowed = { min: payloadOffset, unit: 'bytes' };
    throw invalidPacket('ipv4 header', 0, 'has a short total length', endOffset, allowed);
  }
  requireBytes(layer, bytes, 0, endOffset);
  if (ipVersion === 6) return ip;
  const { checksum } = Ipv4.read(bytes);
  const right = Ipv4.computeChecksum(bytes);
  if (checksum !== right) throw invalidPacket('ipv4 header', 0, 'has a wrong checksum', checksum, right);
  return ip;
}

/**
 * UDP header (RFC 768), as RoCEv2 uses it (IBTA Annex A17, section A17.3.2).
 *
 *   0 source port | 2 destination port | 4 length (this header to the ICRC) | 6 checksum
 *
 * RoCEv2 sends checksum 0, over IPv6 too: its packets carry the ICRC.
 */
import { HeaderView } from '../header/header-view.js';
import { internetChecksum, sumOfWords } from '../internet-checksum.js';
import type { HeaderLayout } from '../header/layout.js';
import { readU16, requireField, requireBytes, requireTarget, writeU16 } from '../bytes.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped } from './ip-address.js';

/** Offsets from the first byte of the header. */
export const UDP_SOURCE_PORT = 0;
export const UDP_DESTINATION_PORT = 2;
export const UDP_LENGTH = 4;
export const UDP_CHECKSUM = 6;
export const UDP_BYTES = 8;

/** Destination port of RoCEv2 (CA17-20; Fast CNP draft, section 3). */
export const ROCE_V2_PORT = 4791;
/** Protocol number, and IPv6 next header. */
export const PROTOCOL_UDP = 17;

/** The drawing of docs/wire.md. */
export const UDP_LAYOUT: HeaderLayout = {
  title: 'UDP',
  source: 'RFC 768; IBTA Annex A17, section A17.3.2',
  bytes: UDP_BYTES,
  fields: [
    { name: 'sourcePort', offset: UDP_SOURCE_PORT, bits: 16 },
    { name: 'destinationPort', offset: UDP_DESTINATION_PORT, bits: 16 },
    { name: 'length', offset: UDP_LENGTH, bits: 16 },
    { name: 'checksum', offset: UDP_CHECKSUM, bits: 16 },
  ],
};

const LAYER = 'udp header';

/** A UDP header, as a value. */
export interface UdpHeader {
  /** Flow entropy: one value per ordered flow (Annex A17, section A17.9.4). */
  readonly sourcePort: number;
  readonly destinationPort: number;
  /** Bytes, this header to the end of the payload. */
  readonly length: number;
  /** As on the wire; 0 = none. */
  readonly checksum: number;
}

/** What `buildUdp` needs: destination port 4791 and checksum 0 unless told otherwise. */
export type UdpFields = Pick<UdpHeader, 'sourcePort' | 'length'> & Partial<UdpHeader>;

/** Reads a UDP header in place. */
export class UdpView extends HeaderView {
  get sourcePort(): number {
    return readU16(this.bytes, this.offset + UDP_SOURCE_PORT);
  }
  get destinationPort(): number {
    return readU16(this.bytes, this.offset + UDP_DESTINATION_PORT);
  }
  get length(): number {
    return readU16(this.bytes, this.offset + UDP_LENGTH);
  }
  get checksum(): number {
    return readU16(this.bytes, this.offset + UDP_CHECKSUM);
  }
  override get payloadOffset(): number {
    return this.offset + UDP_BYTES;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, UDP_BYTES);
  }
}

/**
 * Reads a UDP header; the inverse of `buildUdp`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseUdp(bytes: Uint8Array, offset = 0): UdpHeader {
  const { sourcePort, destinationPort, length, checksum } = new UdpView(bytes, offset);
  return { sourcePort, destinationPort, length, checksum };
}

/**
 * Writes a UDP header.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildUdp(header: UdpFields): Uint8Array {
  const bytes = new Uint8Array(UDP_BYTES);
  buildUdpInto(bytes, 0, header);
  return bytes;
}

/** As `buildUdp`, into `target`. @returns the offset behind the header. */
export function buildUdpInto(target: Uint8Array, offset: number, header: UdpFields): number {
  const { sourcePort, destinationPort = ROCE_V2_PORT, length, checksum = 0 } = header;
  requireField('udp.sourcePort', sourcePort, 0xffff);
  requireField('udp.destinationPort', destinationPort, 0xffff);
  requireField('udp.length', length, 0xffff);
  requireField('udp.checksum', checksum, 0xffff);
  requireTarget('udp', target, offset, UDP_BYTES);
  writeU16(target, offset + UDP_SOURCE_PORT, sourcePort);
  writeU16(target, offset + UDP_DESTINATION_PORT, destinationPort);
  writeU16(target, offset + UDP_LENGTH, length);
  writeU16(target, offset + UDP_CHECKSUM, checksum);
  return offset + UDP_BYTES;
}

/**
 * The checksum that a UDP datagram should have, if it is to have one (RFC 768; RFC 8200, section 8.1: the upper-layer
 * length and next header 17, whatever extension headers there are). The checksum field itself counts as 0.
 *
 * @param source 16 bytes; IPv4 as IPv4-mapped.
 * @param destination as `source`.
 * @param datagram UDP header and payload.
 * @returns 1..65535: a computed 0 is sent as 65535.
 */
export function computeUdpChecksum(source: Uint8Array, destination: Uint8Array, datagram: Uint8Array): number {
  requireBytes(LAYER, datagram, 0, UDP_BYTES);
  const from = isIpv4Mapped(source) ? 12 : 0;
  let sum = PROTOCOL_UDP + datagram.length - readU16(datagram, UDP_CHECKSUM);
  sum += sumOfWords(source, from, IP_ADDRESS_BYTES) + sumOfWords(destination, from, IP_ADDRESS_BYTES);
  sum += sumOfWords(datagram, 0, datagram.length);
  return internetChecksum(sum) || 0xffff;
}

/**
 * IPv4 header (RFC 791, section 3.1), as RoCEv2 uses it (IBTA Annex A17, section A17.3.1.1).
 *
 *   0 version 4, IHL 4 | 1 DSCP 6, ECN 2 | 2 total length | 4 identification | 6 flags 3, fragment offset 13
 *   8 TTL | 9 protocol | 10 header checksum | 12 source (4) | 16 destination (4) | 20 options
 *
 * Addresses are the 16 bytes of their IPv4-mapped form, as everywhere in this library.
 */
import { RoceError } from '../../errors.js';
import { HeaderView } from '../header/header-view.js';
import { internetChecksum, sumOfWords } from '../internet-checksum.js';
import type { HeaderLayout } from '../header/layout.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped, mapIpv4 } from './ip-address.js';
import { invalidPacket, readU16, requireField, requireLength, requireBytes, requireTarget,
  writeU16 } from '../bytes.js';

/** Offsets from the first byte of the header. */
export const IPV4_VERSION_IHL = 0;
export const IPV4_TRAFFIC_CLASS = 1;
export const IPV4_TOTAL_LENGTH = 2;
export const IPV4_IDENTIFICATION = 4;
export const IPV4_FLAGS_FRAGMENT = 6;
export const IPV4_TTL = 8;
export const IPV4_PROTOCOL = 9;
export const IPV4_CHECKSUM = 10;
export const IPV4_SOURCE = 12;
export const IPV4_DESTINATION = 16;
/** Header without options. */
export const IPV4_BYTES = 20;

/** "Don't fragment", as RoCEv2 requires (CA17-7). */
export const IPV4_FLAG_DF = 2;
export const IPV4_FLAG_MF = 1;

/** The drawing of docs/wire.md. */
export const IPV4_LAYOUT: HeaderLayout = {
  title: 'IPv4',
  source: 'RFC 791, section 3.1; IBTA Annex A17, section A17.3.1.1',
  bytes: IPV4_BYTES,
  fields: [
    { name: 'version', offset: IPV4_VERSION_IHL, bits: 4 },
    { name: 'ihl', offset: IPV4_VERSION_IHL, bit: 4, bits: 4 },
    { name: 'dscp', offset: IPV4_TRAFFIC_CLASS, bits: 6 },
    { name: 'ecn', offset: IPV4_TRAFFIC_CLASS, bit: 6, bits: 2 },
    { name: 'totalLength', offset: IPV4_TOTAL_LENGTH, bits: 16 },
    { name: 'identification', offset: IPV4_IDENTIFICATION, bits: 16 },
    { name: 'flags', offset: IPV4_FLAGS_FRAGMENT, bits: 3 },
    { name: 'fragmentOffset', offset: IPV4_FLAGS_FRAGMENT, bit: 3, bits: 13 },
    { name: 'ttl', offset: IPV4_TTL, bits: 8 },
    { name: 'protocol', offset: IPV4_PROTOCOL, bits: 8 },
    { name: 'checksum', offset: IPV4_CHECKSUM, bits: 16 },
    { name: 'source', offset: IPV4_SOURCE, bits: 32 },
    { name: 'destination', offset: IPV4_DESTINATION, bits: 32 },
  ],
  followedBy: 'options, a multiple of 4 bytes; none in RoCEv2 (CA17-3)',
};

const LAYER = 'ipv4 header';

/** An IPv4 header, as a value. */
export interface Ipv4Header {
  /** 0..63. */
  readonly dscp: number;
  /** 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE (RFC 3168, section 5). */
  readonly ecn: number;
  /** Header and payload, bytes. */
  readonly totalLength: number;
  readonly identification: number;
  /** Three bits: reserved, DF, MF. */
  readonly flags: number;
  /** In units of 8 bytes. */
  readonly fragmentOffset: number;
  readonly ttl: number;
  readonly protocol: number;
  /** As on the wire. */
  readonly checksum: number;
  /** 16 bytes, IPv4-mapped. */
  readonly source: Uint8Array;
  /** 16 bytes, IPv4-mapped. */
  readonly destination: Uint8Array;
  /** Empty in RoCEv2 (CA17-3); a multiple of 4 bytes. */
  readonly options: Uint8Array;
}

/** What `buildIpv4` needs; without `checksum` the right one is computed. */
export type Ipv4Fields = Omit<Ipv4Header, 'checksum'> & { readonly checksum?: number };

/** Reads an IPv4 header in place. */
export class Ipv4View extends HeaderView {
  get headerBytes(): number {
    return (this.bytes[this.offset] & 15) * 4;
  }
  get dscp(): number {
    return this.bytes[this.offset + IPV4_TRAFFIC_CLASS] >> 2;
  }
  get ecn(): number {
    return this.bytes[this.offset + IPV4_TRAFFIC_CLASS] & 3;
  }
  get totalLength(): number {
    return readU16(this.bytes, this.offset + IPV4_TOTAL_LENGTH);
  }
  get identification(): number {
    return readU16(this.bytes, this.offset + IPV4_IDENTIFICATION);
  }
  get flags(): number {
    return this.bytes[this.offset + IPV4_FLAGS_FRAGMENT] >> 5;
  }
  get fragmentOffset(): number {
    return readU16(this.bytes, this.offset + IPV4_FLAGS_FRAGMENT) & 0x1fff;
  }
  get ttl(): number {
    return this.bytes[this.offset + IPV4_TTL];
  }
  get protocol(): number {
    return this.bytes[this.offset + IPV4_PROTOCOL];
  }
  get checksum(): number {
    return readU16(this.bytes, this.offset + IPV4_CHECKSUM);
  }
  /** 16 new bytes: the mapped form does not stand in the packet. */
  get source(): Uint8Array {
    return mapIpv4(this.bytes, this.offset + IPV4_SOURCE);
  }
  /** 16 new bytes: the mapped form does not stand in the packet. */
  get destination(): Uint8Array {
    return mapIpv4(this.bytes, this.offset + IPV4_DESTINATION);
  }
  override get payloadOffset(): number {
    return this.offset + this.headerBytes;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, IPV4_BYTES);
    const version = bytes[offset] >> 4;
    if (version !== 4) throw invalidPacket(LAYER, offset, 'has another version', version, '4');
    const words = bytes[offset] & 15;
    if (words < 5) throw invalidPacket(LAYER, offset, 'has a short IHL', words, '5..15 words');
    requireBytes(LAYER, bytes, offset, words * 4);
  }
}

/**
 * Reads an IPv4 header; the inverse of `buildIpv4`. The checksum is reported, not judged.
 * @throws RoceError `invalid-packet`: too short, another version, or an IHL below 5.
 */
export function parseIpv4(bytes: Uint8Array, offset = 0): Ipv4Header {
  const view = new Ipv4View(bytes, offset);
  const { dscp, ecn, totalLength, identification, flags, fragmentOffset, ttl, protocol, checksum } = view;
  const { source, destination } = view;
  const options = bytes.slice(offset + IPV4_BYTES, view.payloadOffset);
  return {
    dscp,
    ecn,
    totalLength,
    identification,
    flags,
    fragmentOffset,
    ttl,
    protocol,
    checksum,
    source,
    destination,
    options,
  };
}

/**
 * Writes an IPv4 header.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildIpv4(header: Ipv4Fields): Uint8Array {
  const bytes = new Uint8Array(IPV4_BYTES + header.options.length);
  buildIpv4Into(bytes, 0, header);
  return bytes;
}

/** As `buildIpv4`, into `target`. @returns the offset behind the header. */
export function buildIpv4Into(target: Uint8Array, offset: number, header: Ipv4Fields): number {
  requireIpv4Fields(header);
  const headerBytes = IPV4_BYTES + header.options.length;
  requireTarget('ipv4', target, offset, headerBytes);
  target[offset + IPV4_VERSION_IHL] = 0x40 | (headerBytes / 4);
  target[offset + IPV4_TRAFFIC_CLASS] = (header.dscp << 2) | header.ecn;
  writeU16(target, offset + IPV4_TOTAL_LENGTH, header.totalLength);
  writeU16(target, offset + IPV4_IDENTIFICATION, header.identification);
  writeU16(target, offset + IPV4_FLAGS_FRAGMENT, (header.flags << 13) | header.fragmentOffset);
  target[offset + IPV4_TTL] = header.ttl;
  target[offset + IPV4_PROTOCOL] = header.protocol;
  target.set(header.source.subarray(12), offset + IPV4_SOURCE);
  target.set(header.destination.subarray(12), offset + IPV4_DESTINATION);
  target.set(header.options, offset + IPV4_BYTES);
  writeU16(target, offset + IPV4_CHECKSUM, header.checksum ?? computeIpv4Checksum(target, offset));
  return offset + headerBytes;
}

/**
 * The checksum that the header at `offset` should have (RFC 791, section 3.1), whatever its checksum field holds.
 * @throws RoceError `invalid-packet` as `Ipv4View`.
 */
export function computeIpv4Checksum(bytes: Uint8Array, offset = 0): number {
  const { headerBytes } = new Ipv4View(bytes, offset);
  const sum = sumOfWords(bytes, offset, offset + headerBytes);
  return internetChecksum(sum - readU16(bytes, offset + IPV4_CHECKSUM));
}

function requireIpv4Fields(header: Ipv4Fields): void {
  requireField('ipv4.dscp', header.dscp, 63);
  requireField('ipv4.ecn', header.ecn, 3);
  requireField('ipv4.totalLength', header.totalLength, 0xffff);
  requireField('ipv4.identification', header.identification, 0xffff);
  requireField('ipv4.flags', header.flags, 7);
  requireField('ipv4.fragmentOffset', header.fragmentOffset, 0x1fff);
  requireField('ipv4.ttl', header.ttl, 0xff);
  requireField('ipv4.protocol', header.protocol, 0xff);
  if (header.checksum !== undefined) requireField('ipv4.checksum', header.checksum, 0xffff);
  requireMapped('ipv4.source', header.source);
  requireMapped('ipv4.destination', header.destination);
  const { length } = header.options;
  if (length % 4 === 0 && length <= 40) return;
  throw new RoceError('invalid-argument', 'options of a wrong length', {
    got: length,
    allowed: 'a multiple of 4 bytes, 0..40',
    where: 'ipv4.options',
  });
}

function requireMapped(where: string, address: Uint8Array): void {
  requireLength(where, address, IP_ADDRESS_BYTES);
  if (isIpv4Mapped(address)) return;
  throw new RoceError('invalid-argument', 'not an IPv4 address', {
    got: 'another IPv6 address',
    allowed: 'an IPv4-mapped address ::ffff:a.b.c.d',
    where,
  });
}

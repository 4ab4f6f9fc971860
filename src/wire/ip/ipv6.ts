/**
 * IPv6 header (RFC 8200, section 3), as RoCEv2 uses it (IBTA Annex A17, section A17.3.1.2).
 *
 *   0 version 4, traffic class 8 (DSCP 6, ECN 2), flow label 20 | 4 payload length | 6 next header | 7 hop limit
 *   8 source (16) | 24 destination (16)
 */
import { HeaderView } from '../header/header-view.js';
import type { HeaderLayout } from '../header/layout.js';
import { IP_ADDRESS_BYTES } from './ip-address.js';
import { invalidPacket, readU16, readU24, requireField, requireLength, requireBytes, requireTarget, writeU16,
  writeU24 } from '../bytes.js';

/** Offsets from the first byte of the header. */
export const IPV6_VERSION_CLASS_LABEL = 0;
export const IPV6_PAYLOAD_LENGTH = 4;
export const IPV6_NEXT_HEADER = 6;
export const IPV6_HOP_LIMIT = 7;
export const IPV6_SOURCE = 8;
export const IPV6_DESTINATION = 24;
export const IPV6_BYTES = 40;

/** The drawing of docs/wire.md. */
export const IPV6_LAYOUT: HeaderLayout = {
  title: 'IPv6',
  source: 'RFC 8200, section 3; IBTA Annex A17, section A17.3.1.2',
  bytes: IPV6_BYTES,
  fields: [
    { name: 'version', offset: IPV6_VERSION_CLASS_LABEL, bits: 4 },
    { name: 'dscp', offset: IPV6_VERSION_CLASS_LABEL, bit: 4, bits: 6 },
    { name: 'ecn', offset: IPV6_VERSION_CLASS_LABEL + 1, bit: 2, bits: 2 },
    { name: 'flowLabel', offset: IPV6_VERSION_CLASS_LABEL + 1, bit: 4, bits: 20 },
    { name: 'payloadLength', offset: IPV6_PAYLOAD_LENGTH, bits: 16 },
    { name: 'nextHeader', offset: IPV6_NEXT_HEADER, bits: 8 },
    { name: 'hopLimit', offset: IPV6_HOP_LIMIT, bits: 8 },
    { name: 'source', offset: IPV6_SOURCE, bits: 128 },
    { name: 'destination', offset: IPV6_DESTINATION, bits: 128 },
  ],
};

const LAYER = 'ipv6 header';

/** An IPv6 header, as a value. */
export interface Ipv6Header {
  /** 0..63. */
  readonly dscp: number;
  /** 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE (RFC 3168, section 5). */
  readonly ecn: number;
  /** 20 bits. */
  readonly flowLabel: number;
  /** Bytes behind this header, extension headers included. */
  readonly payloadLength: number;
  readonly nextHeader: number;
  readonly hopLimit: number;
  /** 16 bytes. */
  readonly source: Uint8Array;
  /** 16 bytes. */
  readonly destination: Uint8Array;
}

/** Reads an IPv6 header in place. */
export class Ipv6View extends HeaderView {
  get trafficClass(): number {
    return (readU16(this.bytes, this.offset) >> 4) & 0xff;
  }
  get dscp(): number {
    return this.trafficClass >> 2;
  }
  get ecn(): number {
    return this.trafficClass & 3;
  }
  get flowLabel(): number {
    return readU24(this.bytes, this.offset + 1) & 0xfffff;
  }
  get payloadLength(): number {
    return readU16(this.bytes, this.offset + IPV6_PAYLOAD_LENGTH);
  }
  get nextHeader(): number {
    return this.bytes[this.offset + IPV6_NEXT_HEADER];
  }
  get hopLimit(): number {
    return this.bytes[this.offset + IPV6_HOP_LIMIT];
  }
  get source(): Uint8Array {
    return this.bytes.subarray(this.offset + IPV6_SOURCE, this.offset + IPV6_SOURCE + IP_ADDRESS_BYTES);
  }
  get destination(): Uint8Array {
    return this.bytes.subarray(this.offset + IPV6_DESTINATION, this.offset + IPV6_DESTINATION + IP_ADDRESS_BYTES);
  }
  override get payloadOffset(): number {
    return this.offset + IPV6_BYTES;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, IPV6_BYTES);
    const version = bytes[offset] >> 4;
    if (version !== 6) throw invalidPacket(LAYER, offset, 'has another version', version, '6');
  }
}

/**
 * Reads an IPv6 header; the inverse of `buildIpv6`.
 * @throws RoceError `invalid-packet`: too short, or another version.
 */
export function parseIpv6(bytes: Uint8Array, offset = 0): Ipv6Header {
  const view = new Ipv6View(bytes, offset);
  const { dscp, ecn, flowLabel, payloadLength, nextHeader, hopLimit } = view;
  const source = view.source.slice();
  return { dscp, ecn, flowLabel, payloadLength, nextHeader, hopLimit, source, destination: view.destination.slice() };
}

/**
 * Writes an IPv6 header.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildIpv6(header: Ipv6Header): Uint8Array {
  const bytes = new Uint8Array(IPV6_BYTES);
  buildIpv6Into(bytes, 0, header);
  return bytes;
}

/** As `buildIpv6`, into `target`. @returns the offset behind the header. */
export function buildIpv6Into(target: Uint8Array, offset: number, header: Ipv6Header): number {
  requireField('ipv6.dscp', header.dscp, 63);
  requireField('ipv6.ecn', header.ecn, 3);
  requireField('ipv6.flowLabel', header.flowLabel, 0xfffff);
  requireField('ipv6.payloadLength', header.payloadLength, 0xffff);
  requireField('ipv6.nextHeader', header.nextHeader, 0xff);
  requireField('ipv6.hopLimit', header.hopLimit, 0xff);
  requireLength('ipv6.source', header.source, IP_ADDRESS_BYTES);
  requireLength('ipv6.destination', header.destination, IP_ADDRESS_BYTES);
  requireTarget('ipv6', target, offset, IPV6_BYTES);
  const trafficClass = (header.dscp << 2) | header.ecn;
  target[offset] = 0x60 | (trafficClass >> 4);
  writeU24(target, offset + 1, ((trafficClass & 15) << 20) | header.flowLabel);
  writeU16(target, offset + IPV6_PAYLOAD_LENGTH, header.payloadLength);
  target[offset + IPV6_NEXT_HEADER] = header.nextHeader;
  target[offset + IPV6_HOP_LIMIT] = header.hopLimit;
  target.set(header.source, offset + IPV6_SOURCE);
  target.set(header.destination, offset + IPV6_DESTINATION);
  return offset + IPV6_BYTES;
}

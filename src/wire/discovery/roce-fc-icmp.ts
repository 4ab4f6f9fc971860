/**
 * ICMP message ICMP_TYPE_ROCE_FC (Technical Disclosure Commons 1652, figure 2), over ICMPv4 (RFC 792) and, as an
 * extension of this library, over ICMPv6 (RFC 4443).
 *
 *   0 type | 1 code | 2 checksum (2) | 4 ID (2) | 6 flags (2) | 8 outbound hops (2) | 10 return hops (2)
 *   12 class/QoS map data (up to 64), to the end of the message
 *
 * The disclosure says "first 32 bytes (type/code/checksum)"; figure 2 shows that bits are meant. It has no number.
 */
import { HeaderView } from '../header/header-view.js';
import type { HeaderLayout } from '../header/layout.js';
import { invalidPacket, readU16, requireField, requireBytes, requireTarget, writeU16 } from '../bytes.js';
import type { IcmpPseudoHeader } from './icmp-checksum.js';
import { computeIcmpChecksum } from './icmp-checksum.js';
import { ROCE_FC_DATA_MAX_BYTES } from './roce-fc-option.js';

/** Offsets from the first byte of the message. */
export const ROCE_FC_ICMP_TYPE = 0;
export const ROCE_FC_ICMP_CODE = 1;
export const ROCE_FC_ICMP_CHECKSUM = 2;
export const ROCE_FC_ICMP_ID = 4;
export const ROCE_FC_ICMP_FLAGS = 6;
export const ROCE_FC_ICMP_OUTBOUND = 8;
export const ROCE_FC_ICMP_RETURN = 10;
/** The message without data. */
export const ROCE_FC_ICMP_BYTES = 12;

/** Default type over ICMPv4, one of the two for experiments (RFC 4727). */
export const ROCE_FC_DEFAULT_ICMP_TYPE = 253;
/** Default type over ICMPv6: informational, private experimentation (RFC 4443, section 2.1). */
export const ROCE_FC_DEFAULT_ICMPV6_TYPE = 200;

/** Codes. */
export const ROCE_FC_SUPPORTED = 0;
export const ROCE_FC_NOT_SUPPORTED = 1;
export const ROCE_FC_PARTIALLY_SUPPORTED = 2;

/** Flags. Only the last bit is defined. */
export const ROCE_FC_TRANSIT = 0;
export const ROCE_FC_FINAL_DESTINATION = 1;

/** The drawing of docs/wire.md. */
export const ROCE_FC_ICMP_LAYOUT: HeaderLayout = {
  title: 'ICMP_TYPE_ROCE_FC',
  source: 'TDCommons 1652, figure 2',
  bytes: ROCE_FC_ICMP_BYTES,
  fields: [
    { name: 'type', offset: ROCE_FC_ICMP_TYPE, bits: 8 },
    { name: 'code', offset: ROCE_FC_ICMP_CODE, bits: 8 },
    { name: 'checksum', offset: ROCE_FC_ICMP_CHECKSUM, bits: 16 },
    { name: 'idNumber', offset: ROCE_FC_ICMP_ID, bits: 16 },
    { name: 'flags', offset: ROCE_FC_ICMP_FLAGS, bits: 16 },
    { name: 'outboundHopCount', offset: ROCE_FC_ICMP_OUTBOUND, bits: 16 },
    { name: 'returnHopCount', offset: ROCE_FC_ICMP_RETURN, bits: 16 },
  ],
  followedBy: 'class/QoS map data, up to 64 bytes, to the end of the message',
};

const LAYER = 'roce-fc icmp';

/** What a reply says, whatever carries it. */
export interface RoceFcReply {
  /** 0 supported as specified in the data, 1 not supported, 2 partially. */
  readonly code: number;
  /** 16 bits: the request's. */
  readonly idNumber: number;
  /** 0 on the way, 1 final destination; 16 bits. */
  readonly flags: number;
  /** The request's, counted up by routers; 0..65535. */
  readonly outboundHopCount: number;
  /** 0..65535; see `ReturnHopCountReading` for what nodes say there. */
  readonly returnHopCount: number;
  /** Class/QoS map data, see qos-data.ts; at most 64 bytes. */
  readonly data: Uint8Array;
}

/** A reply in an ICMP message, as a value. */
export interface RoceFcIcmp extends RoceFcReply {
  readonly type: number;
  /** As on the wire. */
  readonly checksum: number;
}

/** What `buildRoceFcIcmp` needs. */
export interface RoceFcIcmpFields extends RoceFcReply {
  /** 253 unless told otherwise, 200 with a pseudo-header. */
  readonly type?: number;
  /** Computed unless given. */
  readonly checksum?: number;
  /** Given for ICMPv6, whose checksum covers it. */
  readonly pseudoHeader?: IcmpPseudoHeader;
}

/** Reads a message in place; it ends where the bytes end. */
export class RoceFcIcmpView extends HeaderView {
  get type(): number {
    return this.bytes[this.offset + ROCE_FC_ICMP_TYPE];
  }
  get code(): number {
    return this.bytes[this.offset + ROCE_FC_ICMP_CODE];
  }
  get checksum(): number {
    return readU16(this.bytes, this.offset + ROCE_FC_ICMP_CHECKSUM);
  }
  get idNumber(): number {
    return readU16(this.bytes, this.offset + ROCE_FC_ICMP_ID);
  }
  get flags(): number {
    return readU16(this.bytes, this.offset + ROCE_FC_ICMP_FLAGS);
  }
  get outboundHopCount(): number {
    return readU16(this.bytes, this.offset + ROCE_FC_ICMP_OUTBOUND);
  }
  get returnHopCount(): number {
    return readU16(this.bytes, this.offset + ROCE_FC_ICMP_RETURN);
  }
  get data(): Uint8Array {
    return this.bytes.subarray(this.payloadOffset);
  }
  override get payloadOffset(): number {
    return this.offset + ROCE_FC_ICMP_BYTES;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, ROCE_FC_ICMP_BYTES);
    const dataBytes = bytes.length - offset - ROCE_FC_ICMP_BYTES;
    if (dataBytes <= ROCE_FC_DATA_MAX_BYTES) return;
    const allowed = `at most ${ROCE_FC_DATA_MAX_BYTES} bytes`;
    throw invalidPacket(LAYER, offset, 'has too much data', `${dataBytes} bytes`, allowed);
  }
}

/**
 * Reads a reply; the inverse of `buildRoceFcIcmp`. The checksum is reported, not judged.
 *
 * @param bytes up to the end of the message, as the IP header tells it.
 * @throws RoceError `invalid-packet` when the bytes end inside it or the data is longer than 64 bytes.
 */
export function parseRoceFcIcmp(bytes: Uint8Array, offset = 0): RoceFcIcmp {
  const view = new RoceFcIcmpView(bytes, offset);
  const { type, code, checksum, idNumber, flags, outboundHopCount, returnHopCount } = view;
  return { type, code, checksum, idNumber, flags, outboundHopCount, returnHopCount, data: view.data.slice() };
}

/**
 * Writes a reply.
 *
 * Source: TDCommons 1652, figure 2; checksum RFC 792 or, with a pseudo-header, RFC 4443, section 2.3.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildRoceFcIcmp(message: RoceFcIcmpFields): Uint8Array {
  const bytes = new Uint8Array(ROCE_FC_ICMP_BYTES + message.data.length);
  buildRoceFcIcmpInto(bytes, 0, message);
  return bytes;
}

/** As `buildRoceFcIcmp`, into `target`. @returns the offset behind the message. */
export function buildRoceFcIcmpInto(target: Uint8Array, offset: number, message: RoceFcIcmpFields): number {
  const { pseudoHeader, code, idNumber, flags, outboundHopCount, returnHopCount, data } = message;
  const { type = pseudoHeader ? ROCE_FC_DEFAULT_ICMPV6_TYPE : ROCE_FC_DEFAULT_ICMP_TYPE } = message;
  requireField('roceFcIcmp.type', type, 0xff);
  requireField('roceFcIcmp.code', code, 0xff);
  requireField('roceFcIcmp.checksum', message.checksum ?? 0, 0xffff);
  requireField('roceFcIcmp.idNumber', idNumber, 0xffff);
  requireField('roceFcIcmp.flags', flags, 0xffff);
  requireField('roceFcIcmp.outboundHopCount', outboundHopCount, 0xffff);
  requireField('roceFcIcmp.returnHopCount', returnHopCount, 0xffff);
  requireField('roceFcIcmp.data.length', data.length, ROCE_FC_DATA_MAX_BYTES);
  const endOffset = offset + ROCE_FC_ICMP_BYTES + data.length;
  requireTarget('roceFcIcmp', target, offset, ROCE_FC_ICMP_BYTES + data.length);
  target[offset + ROCE_FC_ICMP_TYPE] = type;
  target[offset + ROCE_FC_ICMP_CODE] = code;
  writeU16(target, offset + ROCE_FC_ICMP_ID, idNumber);
  writeU16(target, offset + ROCE_FC_ICMP_FLAGS, flags);
  writeU16(target, offset + ROCE_FC_ICMP_OUTBOUND, outboundHopCount);
  writeU16(target, offset + ROCE_FC_ICMP_RETURN, returnHopCount);
  target.set(data, offset + ROCE_FC_ICMP_BYTES);
  const checksum = message.checksum ?? computeIcmpChecksum(target, offset, endOffset, pseudoHeader);
  writeU16(target, offset + ROCE_FC_ICMP_CHECKSUM, checksum);
  return endOffset;
}

/** Does the reply come from the final destination? The other 15 flags are not defined and not looked at. */
export function isFinalDestination(reply: Pick<RoceFcReply, 'flags'>): boolean {
  return (reply.flags & ROCE_FC_FINAL_DESTINATION) !== 0;
}

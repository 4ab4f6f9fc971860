/**
 * ICMP message ICMP_TYPE_ROCE_FC (Technical Disclosure Commons 1652, figure 2), over ICMPv4 (RFC 792) and, as an
 * extension of this library, over ICMPv6 (RFC 4443).
 *
 *   0 type | 1 code | 2 checksum (2) | 4 ID (2) | 6 flags (2) | 8 outbound hops (2) | 10 return hops (2)
 *   12 class/QoS map data (up to 64), to the end of the message
 *
 * The disclosure says "first 32 bytes (type/code/checksum)"; figure 2 shows that bits are meant. It assigns no type
 * number.
 */
import { lengthOf, requireField, requireRecord, writeU16 } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import { type IcmpPseudoHeader, computeIcmpChecksum } from '../internet-checksum.js';
import { RoceFcOption } from './roce-fc-option.js';

const MESSAGE = /* @__PURE__ */ defineHeader({
  title: 'ICMP_TYPE_ROCE_FC',
  source: 'TDCommons 1652, figure 2',
  layer: 'roce-fc icmp',
  where: 'roceFcIcmp',
  followedBy: 'class/QoS map data, up to 64 bytes, to the end of the message',
  fields: (field) => ({
    /** ICMP type, 0..255; the disclosure assigns none, 253 and 200 are the defaults. */
    type: field.bits(8),
    /** 0 supported as specified in the data, 1 not supported, 2 partially. */
    code: field.bits(8),
    /** Checksum, as received. */
    checksum: field.bits(16),
    /** 16 bits, copied from the request. */
    idNumber: field.bits(16),
    /** 0 router, 1 final destination; 16 bits. */
    flags: field.bits(16),
    /** The request's count, incremented by routers; 0..65535. */
    outboundHopCount: field.bits(16),
    /** 0..65535; `ReturnHopCountReading` lists what nodes report here. */
    returnHopCount: field.bits(16),
    /** Class/QoS map data, see qos-data.ts; at most 64 bytes. */
    data: field.rest(RoceFcOption.DATA_MAX_BYTES),
  }),
});

const CHECKSUM = MESSAGE.offsetOf('checksum');

/** A reply in an ICMP message, as a value. */
export interface RoceFcIcmp extends ValueOf<typeof MESSAGE> {}

/** A reply in an ICMP message. */
export const RoceFcIcmp = /* @__PURE__ */ extendHeader(MESSAGE, {
  /** Default type over ICMPv4, one of the two for experiments (RFC 4727). */
  DEFAULT_ICMP_TYPE: 253,
  /** Default type over ICMPv6: informational, private experimentation (RFC 4443, section 2.1). */
  DEFAULT_ICMPV6_TYPE: 200,
  /** Code: the node supports RoCE as specified in the data (TDCommons 1652, figure 2). */
  SUPPORTED: 0,
  /** Code: the node does not support RoCE. */
  NOT_SUPPORTED: 1,
  /** Code: the node partially supports RoCE. */
  PARTIALLY_SUPPORTED: 2,
  /** Flags of a router; only the last of the 16 bits is defined. */
  TRANSIT: 0,
  /** Flag of the final destination; the other 15 bits are undefined. */
  FINAL_DESTINATION: 1,
  /**
   * Writes a reply.
   *
   * Source: TDCommons 1652, figure 2; checksum RFC 792 or, with a pseudo-header, RFC 4443, section 2.3.
   * @returns the offset after the message.
   * @throws RoceError `invalid-argument` naming a field out of range.
   */
  writeInto(target: Uint8Array, offset: number, message: RoceFcIcmpFields): number {
    requireRecord('roceFcIcmp', message);
    const { pseudoHeader, checksum } = message;
    const { type = pseudoHeader ? RoceFcIcmp.DEFAULT_ICMPV6_TYPE : RoceFcIcmp.DEFAULT_ICMP_TYPE } = message;
    const endOffset = MESSAGE.writeInto(target, offset, { ...message, type, checksum: checksum ?? 0 });
    if (checksum !== undefined) return endOffset;
    writeU16(target, offset + CHECKSUM, computeIcmpChecksum(target, offset, endOffset, pseudoHeader));
    return endOffset;
  },
  /** Number of bytes that `write` writes. */
  lenBytesOf(message: RoceFcIcmpFields): number {
    requireRecord('roceFcIcmp', message);
    return MESSAGE.lenBytes + lengthOf('roceFcIcmp.data', message.data);
  },
  /** Whether the reply comes from the final destination. The other 15 flags are undefined and ignored. */
  isFinalDestination(reply: Pick<RoceFcReply, 'flags'>): boolean {
    requireRecord('reply', reply);
    requireField('reply.flags', reply.flags, 0xffff);
    return (reply.flags & RoceFcIcmp.FINAL_DESTINATION) !== 0;
  },
});

/** Contents of a reply, independent of its carrier. */
export interface RoceFcReply extends Omit<RoceFcIcmp, 'type' | 'checksum'> {}

/** Input of `RoceFcIcmp.write`. */
export interface RoceFcIcmpFields extends RoceFcReply {
  /** Default 253, or 200 with a pseudo-header. */
  readonly type?: number;
  /** Checksum; computed by default. */
  readonly checksum?: number;
  /** Required for ICMPv6, whose checksum covers it. */
  readonly pseudoHeader?: IcmpPseudoHeader;
}

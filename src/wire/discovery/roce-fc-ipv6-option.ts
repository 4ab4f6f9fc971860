/**
 * IP_OPT_ROCE_FC in IPv6: an extension of this library, since Technical Disclosure Commons 1652 only has a 32-bit
 * originator. It is an option of the Hop-by-Hop Options header (RFC 8200, section 4.3), which every router reads.
 *
 *   0 type | 1 length of what follows | 2 flags (2) | 4 ID (2) | 6 outbound hops (2) | 8 return hops (2)
 *   10 originator (16) | 26 class/QoS map data (up to 64)
 *
 * After type and length come the fields of figure 1 in the same order, with a wider originator. The option is at 4n+2
 * (directly after the header's first two bytes), so that the originator is 4-aligned. The change bit of the type must
 * be 1: routers write the outbound hop count.
 */
import type { NumberRule } from '../header/field-table.js';
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { NO_BYTES, invalidArgument, requireField } from '../bytes.js';
import { IP_ADDRESS_BYTES } from '../ip/ip-address.js';
import { Ipv6Option } from '../ip/ipv6-options.js';
import { RoceFcOption } from './roce-fc-option.js';
import { extendHeader } from '../header/extend-header.js';

const ROCE_FC6_DEFAULT_OPTION_TYPE = 0x3e;
/** The change bit is required, since routers write the hop count. */
const WITH_CHANGE_BIT: NumberRule = {
  allowed: 'a type with change bit (0x20) 1',
  accepts: (type) => (type & Ipv6Option.CHANGE_MASK) !== 0,
};

const OPTION = /* @__PURE__ */ defineHeader({
  title: 'IP_OPT_ROCE_FC in IPv6',
  source: 'own extension of TDCommons 1652, figure 1; RFC 8200, section 4.2',
  layer: 'roce-fc ipv6 option',
  where: 'roceFc6Option',
  followedBy: 'class/QoS map data, up to 64 bytes, as far as the length says',
  fields: (field) => ({
    /** 8 bits, the change bit (0x20) set. */
    type: field.ruled(WITH_CHANGE_BIT, 8, ROCE_FC6_DEFAULT_OPTION_TYPE),
    /** 16 bits, "reserved: some control flags will be defined". */
    flags: field.impliedLength('length', 8, { uncountedBytes: Ipv6Option.lenBytes }).bits(16, 0),
    /** 16 bits, chosen by the originator. */
    idNumber: field.bits(16),
    /** Number of routers that have handled the request, 0..65535. */
    outboundHopCount: field.bits(16, 0),
    /** 65535 in a request. */
    returnHopCount: field.bits(16, RoceFcOption.REQUEST),
    /** 16 bytes: destination of replies. */
    originator: field.bytesOf(IP_ADDRESS_BYTES),
    /** Class/QoS map data, see qos-data.ts; may be empty. */
    data: field.rest(RoceFcOption.DATA_MAX_BYTES, NO_BYTES),
  }),
});

/** Offsets of the fields that routers write, from the option's type byte. */
export const ROCE_FC6_OPTION_OUTBOUND = OPTION.offsetOf('outboundHopCount');

/** A request in an IPv6 option, as a value. */
export interface RoceFc6Option extends ValueOf<typeof OPTION> {}

/** Reads the option in place. */
export class RoceFc6OptionView extends OPTION.View {
  /** Bytes after type and length. */
  declare readonly length: number;
}

/** A request in an IPv6 option. Defaults when written: those of a new request. */
export const RoceFc6Option = /* @__PURE__ */ extendHeader(OPTION, {
  /** Reads the option in place. */
  View: RoceFc6OptionView,
  /** Default type, experimental (RFC 4727): action bits 00 (nodes that do not know it skip it), change bit 1. */
  DEFAULT_OPTION_TYPE: ROCE_FC6_DEFAULT_OPTION_TYPE,
  /** Offset of the option in its Hop-by-Hop Options header. */
  OPTION_PLACE: 2,
});

/** @throws RoceError `invalid-argument` unless the type has 8 bits, including the change bit. */
export function requireRoceFc6OptionType(where: string, type: number): void {
  requireField(where, type, 0xff);
  if (!WITH_CHANGE_BIT.accepts(type)) throw invalidArgument(where, type, WITH_CHANGE_BIT.allowed);
}

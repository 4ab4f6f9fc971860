/**
 * IP_OPT_ROCE_FC in IPv6: an extension of this library, as Technical Disclosure Commons 1652 draws 32 bits of
 * originator only. An option of the Hop-by-Hop Options header (RFC 8200, section 4.3), which every router reads.
 *
 *   0 type | 1 length of what follows | 2 flags (2) | 4 ID (2) | 6 outbound hops (2) | 8 return hops (2)
 *   10 originator (16) | 26 class/QoS map data (up to 64)
 *
 * Behind the two bytes come figure 1's fields in figure 1's order, the originator widened. The option is at 4n+2
 * (right behind the header's two bytes), so that the originator is 4-aligned. The change bit of the type must be 1:
 * routers write the outbound hop count.
 */
import type { NumberRule } from '../header/field-table.js';
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';
import { NO_BYTES, invalidArgument, requireField } from '../bytes.js';
import { IP_ADDRESS_BYTES } from '../ip/ip-address.js';
import { OPTION_CHANGE_MASK, OPTION_DATA } from '../ip/ipv6-options.js';
import { ROCE_FC_DATA_MAX_BYTES, ROCE_FC_REQUEST } from './roce-fc-option.js';

/** Default type, one of those for experiments (RFC 4727): action bits 00 (ignorant nodes skip it), change bit 1. */
export const ROCE_FC6_DEFAULT_OPTION_TYPE = 0x3e;
/** Offset of the option in its Hop-by-Hop Options header. */
export const ROCE_FC6_OPTION_PLACE = 2;

/** Routers write the hop count. */
const WITH_CHANGE_BIT: NumberRule = {
  allowed: 'a type with change bit (0x20) 1',
  accepts: (type) => (type & OPTION_CHANGE_MASK) !== 0,
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
    flags: field.impliedLength('length', 8, { uncountedBytes: OPTION_DATA }).bits(16, 0),
    /** 16 bits, the originator's own. */
    idNumber: field.bits(16),
    /** Routers that handled the request so far, 0..65535. */
    outboundHopCount: field.bits(16, 0),
    /** 65535 in a request. */
    returnHopCount: field.bits(16, ROCE_FC_REQUEST),
    /** 16 bytes: where replies go. */
    originator: field.bytesOf(IP_ADDRESS_BYTES),
    /** Class/QoS map data, see qos-data.ts; may be empty. */
    data: field.rest(ROCE_FC_DATA_MAX_BYTES, NO_BYTES),
  }),
});

/** The option without data. */
export const ROCE_FC6_OPTION_BYTES = OPTION.bytes;
/** The drawing of docs/wire.md. */
export const ROCE_FC6_OPTION_LAYOUT = OPTION.layout;
/** Offsets of the fields that routers write, from the option's type byte. */
export const ROCE_FC6_OPTION_OUTBOUND = OPTION.offsetOf('outboundHopCount');

/** A request in an IPv6 option, as a value. */
export interface RoceFc6Option extends HeaderValue<typeof OPTION> {}

/** Input of `buildRoceFc6Option`: a request, nothing counted yet, unless stated. */
export interface RoceFc6OptionFields extends HeaderFields<typeof OPTION> {}

/** Reads the option in place. */
export class RoceFc6OptionView extends OPTION.View {
  /** Bytes after type and length. */
  declare readonly length: number;
}

/**
 * Reads an IP_OPT_ROCE_FC of IPv6; the inverse of `buildRoceFc6Option`.
 * @throws RoceError `invalid-packet` when the bytes end inside it, its data is longer than 64 bytes, or the change
 * bit is 0.
 */
export const parseRoceFc6Option: ParseHeader<RoceFc6Option> = OPTION.parse;
/**
 * Writes an IP_OPT_ROCE_FC of IPv6, type and length included.
 *
 * Source: own extension, see the head of this file.
 * @throws RoceError `invalid-argument` naming a field out of range, data beyond 64 bytes, or a type without change bit.
 */
export const buildRoceFc6Option: BuildHeader<RoceFc6OptionFields> = OPTION.build;
/** As `buildRoceFc6Option`, into `target`. @returns the offset behind the option. */
export const buildRoceFc6OptionInto: BuildHeaderInto<RoceFc6OptionFields> = OPTION.buildInto;

/** @throws RoceError `invalid-argument` unless it has 8 bits, the change bit among them. */
export function requireRoceFc6OptionType(where: string, type: number): void {
  requireField(where, type, 0xff);
  if (!WITH_CHANGE_BIT.accepts(type)) throw invalidArgument(where, type, WITH_CHANGE_BIT.allowed);
}

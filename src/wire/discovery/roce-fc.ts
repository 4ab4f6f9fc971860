/**
 * Request and reply of lossless discovery (Technical Disclosure Commons 1652, "Mechanism to discover end-to-end
 * lossless network characteristic"): the IP option IP_OPT_ROCE_FC (figure 1), with the option area of an IPv4 header
 * (RFC 791, section 3.1), and the ICMP message ICMP_TYPE_ROCE_FC (figure 2), over ICMPv4 (RFC 792) or ICMPv6 (RFC
 * 4443).
 *
 *   figure 1            0 reserved (flags) (2) | 2 ID (2) | 4 outbound hops (2) | 6 return hops (2) | 8 originator (4)
 *                       12 class/QoS map data (up to 64)
 *   head `type-length`  the first 16 bits are 0 type, 1 length; no flags (the shape of RFC 1393's traceroute option)
 *   head `flags`        0 type | 1 length | figure 1 from byte 2 on
 *   IPv6                0 type | 1 length of what follows | figure 1 from byte 2 on, with an originator of 16 bytes
 *   figure 2            0 type | 1 code | 2 checksum (2) | 4 ID (2) | 6 flags (2) | 8 outbound hops (2)
 *                       10 return hops (2) | 12 class/QoS map data (up to 64), to the end of the message
 *
 * Figure 1 has neither type nor length, but IPv4 nodes need both to skip an option: hence the two heads. 64 bytes of
 * data do not fit in IPv4: IHL has 4 bits, so a header has at most 60 bytes and its options at most 40, of which 12
 * (`type-length`) or 14 (`flags`) are used, so at most 28 or 26 remain. For figure 2 the disclosure says "first 32
 * bytes (type/code/checksum)"; the figure shows that bits are meant. It assigns no type number.
 *
 * IPv6 is an extension of this library, since the originator of figure 1 has 32 bits: an option of the Hop-by-Hop
 * Options header (RFC 8200, section 4.3), which every router reads, at 4n+2 (directly after the header's first two
 * bytes), so that the originator is 4-aligned. The change bit of its type must be 1: routers write the outbound hop
 * count. The reply is then an ICMPv6 message.
 */
import { NO_BYTES, requireChoice, requireField, requireRecord, invalidArgument, lengthOf, writeU16 } from '../bytes.js';
import { type FieldsOf, type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import type { FieldTable, NumberRule } from '../header/field.js';
import { type IcmpPseudoHeader, computeIcmpChecksum } from '../internet-checksum.js';
import { IP_ADDRESS_BYTES } from '../ip/ip-address.js';
import { Ipv6Option } from '../ip/ipv6-options.js';

/** The types of one byte (RFC 791, section 3.1). */
export const IPV4_OPTION_END = 0;
export const IPV4_OPTION_NOP = 1;
/** Maximum header length of 15 words, less the five that every header has. */
export const IPV4_OPTIONS_MAX_BYTES = 40;
/** The length of the option area is a multiple of this. */
const IPV4_OPTIONS_UNIT_BYTES = 4;

const ANY_OPTION = /* @__PURE__ */ defineHeader({
  title: 'IPv4 option',
  source: 'RFC 791, section 3.1',
  layer: 'ipv4 option',
  fields: (field) => ({
    type: field.bits(8),
    length: field.length(8, { maximumBytes: IPV4_OPTIONS_MAX_BYTES }),
  }),
});

const ROCE_FC_DEFAULT_OPTION_TYPE = 0x5e;
const ROCE_FC_REQUEST = 0xffff;
/** Meaning of the first 16 bits of figure 1: the option's type and length, or flags that follow type and length. */
export type RoceFcHead = 'type-length' | 'flags';

/** Types 0 and 1 are single-byte options. */
const WITH_LENGTH = {
  allowed: { min: IPV4_OPTION_NOP + 1, max: 0xff, multipleOf: 1 },
  accepts: (type: number) => type > IPV4_OPTION_NOP,
};

/** Type and length, common to both heads. */
const beginning = (field: FieldTable): FieldTable =>
  field.impliedLength('length', 8, { maximumBytes: IPV4_OPTIONS_MAX_BYTES });
/** The fields after type, length and flags. */
const request = (field: FieldTable) => ({
  /** 16 bits, chosen by the originator. */
  idNumber: field.bits(16),
  /** Number of routers that have handled the request, 0..65535. */
  outboundHopCount: field.bits(16, 0),
  /** 65535 in a request. */
  returnHopCount: field.bits(16, ROCE_FC_REQUEST),
  /** 16 bytes: destination of replies; IPv4-mapped in IPv4. */
  originator: field.ipv4Address(),
  /** Class/QoS map data, see qos-data.ts; may be empty. */
  data: field.rest(IPV4_OPTIONS_MAX_BYTES, NO_BYTES),
});
const COMMON = {
  source: 'TDCommons 1652, figure 1',
  layer: 'roce-fc option',
  where: 'roceFcOption',
  followedBy: 'class/QoS map data, as far as the length says',
} as const;

const TYPE_LENGTH = /* @__PURE__ */ defineHeader({
  ...COMMON,
  title: 'IP_OPT_ROCE_FC, head type-length',
  fields: (field) => ({
    /** IPv4 option type, 2..255; default 0x5e (RFC 4727). */
    type: field.ruled(WITH_LENGTH, 8, ROCE_FC_DEFAULT_OPTION_TYPE),
    ...request(beginning(field)),
  }),
});
const FLAGS = /* @__PURE__ */ defineHeader({
  ...COMMON,
  title: 'IP_OPT_ROCE_FC, head flags',
  fields: (field) => ({
    /** IPv4 option type, 2..255; default 0x5e (RFC 4727). */
    type: field.ruled(WITH_LENGTH, 8, ROCE_FC_DEFAULT_OPTION_TYPE),
    /** 16 bits, "reserved: some control flags will be defined"; 0 for head `type-length`, which has no flags. */
    flags: beginning(field).bits(16, 0),
    ...request(field),
  }),
});
const HEADS = { 'type-length': TYPE_LENGTH, flags: FLAGS } as const;

/** Contents of a request, the same in IPv4 and IPv6. */
export interface RoceFcRequest extends Omit<ValueOf<typeof FLAGS>, 'type'> {}

/** A request in an IPv4 option, as a value. */
export interface RoceFcOption extends ValueOf<typeof FLAGS> {
  /** The layout in which it was read, or is to be written; default `type-length`. */
  readonly head: RoceFcHead;
}

/** Input of `RoceFcOption.write`; defaults: those of a new request. */
export interface RoceFcOptionFields extends FieldsOf<typeof FLAGS>, Partial<Pick<RoceFcOption, 'head'>> {}

/** Reads an option with head `type-length` in place. */
export class RoceFcOptionView extends TYPE_LENGTH.View {
  /** Length of the whole option, bytes. */
  declare readonly length: number;
  /** 0, since head `type-length` has no flags. */
  readonly flags = 0;
}

/** A request in an IPv4 option. */
export const RoceFcOption = /* @__PURE__ */ extendHeader(TYPE_LENGTH, {
  /** Reads an option with head `type-length` in place. */
  View: RoceFcOptionView,
  /**
   * Default type, one of the four for experiments (RFC 4727): copied 0, since fragments do not need it; class 2,
   * debugging and measurement; number 30. The disclosure assigns no number.
   */
  DEFAULT_OPTION_TYPE: ROCE_FC_DEFAULT_OPTION_TYPE,
  /** Return hop count of a request. */
  REQUEST: ROCE_FC_REQUEST,
  /** Maximum data in figures 1 and 2. */
  DATA_MAX_BYTES: 64,
  /** Maximum data that fits an IPv4 option with either head. */
  IPV4_DATA_BYTES: IPV4_OPTIONS_MAX_BYTES - FLAGS.lenBytes,
  /** Length of an option, including type and length, bytes. */
  lenBytesWith(head: RoceFcHead, dataBytes: number): number {
    requireField('dataBytes', dataBytes, 0xff);
    return headerOf('head', head).lenBytes + dataBytes;
  },
  /**
   * Reads an IP_OPT_ROCE_FC; the inverse of `RoceFcOption.write`.
   *
   * @param head the head that the network uses; it cannot be recognised from the bytes.
   * @throws RoceError `invalid-packet` if it is truncated, or its length is not 12 (`flags`: 14) to 40.
   */
  read(bytes: Uint8Array, offset = 0, head: RoceFcHead = 'type-length'): RoceFcOption {
    return { head, flags: 0, ...headerOf('head', head).read(bytes, offset) };
  },
  /**
   * Writes an IP_OPT_ROCE_FC, without padding after it.
   *
   * Source: TDCommons 1652, figure 1.
   * @throws RoceError `invalid-argument` naming a field out of range, data that does not fit into 40 bytes of options
   * (at most 28 with head `type-length`, 26 with `flags`), or an originator that is not an IPv4 address.
   */
  write(option: RoceFcOptionFields): Uint8Array {
    return headerFor(option).write(option);
  },
  /** Like `RoceFcOption.write`, into `target`. @returns the offset after the option. */
  writeInto(target: Uint8Array, offset: number, option: RoceFcOptionFields): number {
    return headerFor(option).writeInto(target, offset, option);
  },
});

/** Reads an option with head `flags` in place. */
export class RoceFcFlagsOptionView extends FLAGS.View {
  /** Length of the whole option, bytes. */
  declare readonly length: number;
}

/** An IP_OPT_ROCE_FC with head `flags`; `RoceFcOption` reads and writes both heads. */
export const RoceFcFlagsOption = /* @__PURE__ */ extendHeader(FLAGS, {
  /** Reads an option with head `flags` in place. */
  View: RoceFcFlagsOptionView,
});

/** Offset of the hop count that routers write, from the option's first byte. */
export function outboundOffsetOf(head: RoceFcHead): number {
  return HEADS[head].offsetOf('outboundHopCount');
}

function headerFor(option: RoceFcOptionFields) {
  requireRecord('option', option);
  const { head = 'type-length', flags = 0 } = option;
  const header = headerOf('roceFcOption.head', head);
  if (head === 'type-length') requireField('roceFcOption.flags', flags, 0);
  return header;
}

/** @throws RoceError `invalid-argument` for an unknown head. */
function headerOf(where: string, head: RoceFcHead) {
  requireChoice(where, head, Object.keys(HEADS));
  return HEADS[head];
}

const ROCE_FC6_DEFAULT_OPTION_TYPE = 0x3e;
/** The change bit is required, since routers write the hop count. */
const WITH_CHANGE_BIT: NumberRule = {
  allowed: 'a type with change bit (0x20) 1',
  accepts: (type) => (type & Ipv6Option.CHANGE_MASK) !== 0,
};

const IPV6_OPTION = /* @__PURE__ */ defineHeader({
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
export const ROCE_FC6_OPTION_OUTBOUND = IPV6_OPTION.offsetOf('outboundHopCount');

/** A request in an IPv6 option, as a value. */
export interface RoceFc6Option extends ValueOf<typeof IPV6_OPTION> {}

/** Reads the option in place. */
export class RoceFc6OptionView extends IPV6_OPTION.View {
  /** Bytes after type and length. */
  declare readonly length: number;
}

/** A request in an IPv6 option. Defaults when written: those of a new request. */
export const RoceFc6Option = /* @__PURE__ */ extendHeader(IPV6_OPTION, {
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

/** One option, in place. */
export interface Ipv4Option {
  readonly type: number;
  /** Offset of its type byte. */
  readonly offset: number;
  /** Length of the whole option, bytes. */
  readonly bytes: number;
}

/**
 * Returns the options between two offsets, in order, without "no operation" and anything after the end of the list.
 *
 * Source: RFC 791, section 3.1.
 * @throws RoceError `invalid-packet` if an option is shorter than its first two bytes or extends beyond the area.
 */
export function readIpv4Options(bytes: Uint8Array, offset: number, endOffset: number): Ipv4Option[] {
  const options: Ipv4Option[] = [];
  for (let at = offset; at < endOffset && bytes[at] !== IPV4_OPTION_END;) {
    const isNop = bytes[at] === IPV4_OPTION_NOP;
    const lenBytes = isNop ? 1 : ANY_OPTION.lenBytesAt(bytes, at, endOffset);
    if (!isNop) options.push({ type: bytes[at], offset: at, bytes: lenBytes });
    at += lenBytes;
  }
  return options;
}

/** Builds an option area with one option, padded with "end of list". */
export function padIpv4Options(option: Uint8Array): Uint8Array {
  const area = new Uint8Array(Math.ceil(option.length / IPV4_OPTIONS_UNIT_BYTES) * IPV4_OPTIONS_UNIT_BYTES);
  area.set(option);
  return area;
}

const ICMP_MESSAGE = /* @__PURE__ */ defineHeader({
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

const ICMP_CHECKSUM = ICMP_MESSAGE.offsetOf('checksum');

/** A reply in an ICMP message, as a value. */
export interface RoceFcIcmp extends ValueOf<typeof ICMP_MESSAGE> {}

/** A reply in an ICMP message. */
export const RoceFcIcmp = /* @__PURE__ */ extendHeader(ICMP_MESSAGE, {
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
    const endOffset = ICMP_MESSAGE.writeInto(target, offset, { ...message, type, checksum: checksum ?? 0 });
    if (checksum !== undefined) return endOffset;
    writeU16(target, offset + ICMP_CHECKSUM, computeIcmpChecksum(target, offset, endOffset, pseudoHeader));
    return endOffset;
  },
  /** Number of bytes that `write` writes. */
  lenBytesOf(message: RoceFcIcmpFields): number {
    requireRecord('roceFcIcmp', message);
    return ICMP_MESSAGE.lenBytes + lengthOf('roceFcIcmp.data', message.data);
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

/**
 * IPv4 option IP_OPT_ROCE_FC (Technical Disclosure Commons 1652, "Mechanism to discover end-to-end lossless network
 * characteristic", figure 1).
 *
 *   figure 1            0 reserved (flags) (2) | 2 ID (2) | 4 outbound hops (2) | 6 return hops (2) | 8 originator (4)
 *                       12 class/QoS map data (up to 64)
 *   head `type-length`  the first 16 bits are 0 type, 1 length; no flags (the shape of RFC 1393's traceroute option)
 *   head `flags`        0 type | 1 length | figure 1 from byte 2 on
 *
 * Figure 1 has neither type nor length, but IPv4 nodes need both to skip an option: hence the two heads. 64 bytes of
 * data do not fit in IPv4: the option area has 40 bytes, of which 12 (`type-length`) or 14 (`flags`) are used, so at
 * most 28 or 26 remain. The originator has 32 bits; for IPv6 see roce-fc-ipv6-option.ts.
 */
import { NO_BYTES, requireChoice, requireField, requireRecord } from '../bytes.js';
import type { FieldTable } from '../header/field-table.js';
import { type FieldsOf, type ValueOf, defineHeader } from '../header/define-header.js';
import { IPV4_OPTIONS_MAX_BYTES, IPV4_OPTION_NOP } from './ipv4-options.js';
import { extendHeader } from '../header/extend-header.js';

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

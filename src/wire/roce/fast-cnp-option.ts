/**
 * The two Destination Options of a Fast CNP (draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4, figures 3 and 4).
 *
 *   option 1  0 type | 1 length 16 | 2 original destination (16)
 *   option 2  0 type | 1 length 2 + L + 16 | 2 reserved | 3 IOAM option type | 4 IOAM trace (L) | 4 + L original
 *             destination (16)
 *
 * Type: action bits 10, change bit 0. The numbers are not assigned yet, so they are options. The default for both is
 * 0x9E, the only experimental number with these bits (RFC 4727); the two options are then distinguished by length.
 * Alignment: the draft specifies none. Option 1 is written at 8n+6, so that the address is 8-aligned (like the Home
 * Address option, RFC 6275, section 6.3), or directly after the header's first two bytes (as drawn in figure 3). Option
 * 2 is written at 4n, as drawn and as RFC 9486 aligns the trace. Both are accepted at any offset.
 */
import { invalidArgument, invalidPacket, requireChoice, requireField, requireLength, requireRecord,
  lengthOf } from '../bytes.js';
import type { FieldTable } from '../header/field.js';
import { defineHeader, extendHeader } from '../header/define-header.js';
import { EXTENSION_LENGTH_RULE, type LocatedExtensionHeader } from '../ip/ipv6.js';
import { IP_ADDRESS_BYTES } from '../ip/ip-address.js';
import { Ipv6Option, type LocatedIpv6Option, readOptions, rejectUnknownOption } from '../ip/ipv6-options.js';
import { IoamTraceHeader } from '../telemetry/ioam-trace.js';

/** Default of both option types: 0x9e, experimental (RFC 4727), action bits 10, change bit 0. */
export const FAST_CNP_OPTION_TYPE = 0x9e;
/** Data of option 1: 16 bytes, the original destination. */
export const FAST_CNP_1_DATA_BYTES = IP_ADDRESS_BYTES;

const OFFSET_8N_6 = 6;
const OFFSET_COMPACT = 2;
const OFFSET_4N = 4;
const LAYER = 'fast cnp option';

/** The parts of a Destination Options header with option 1, so that the option has the layout of figure 3. */
const OPTION_1 = {
  source: 'draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4, figure 3; RFC 8200, section 4.6',
  layer: LAYER,
  head: (field: FieldTable) => ({
    /** Protocol number of the next header: 17, UDP. */
    nextHeader: field.bits(8),
    /** Bytes of the header / 8 - 1. */
    headerExtLen: field.length(8, EXTENSION_LENGTH_RULE),
  }),
  option: (field: FieldTable) => ({
    /** 8 bits; 0x9e unless the network has agreed on another type. */
    optionType: field.bits(8),
    /** Length of the data: 16. */
    dataBytes: field.bits(8),
    /** 16 bytes: destination of the packet that met congestion. */
    originalDestination: field.bytesOf(IP_ADDRESS_BYTES),
  }),
  padding: (field: FieldTable) => ({
    /** PadN, 4 bytes. */
    padding: field.bytesOf(OFFSET_8N_6 - OFFSET_COMPACT),
  }),
} as const;

/**
 * A complete Destination Options header with option 1 at 8n+6: 24 bytes, with the option's type in the third byte of a
 * word.
 */
export const FastCnpOption1 = /* @__PURE__ */ defineHeader({
  ...OPTION_1,
  title: 'Destination Options with Fast CNP option 1 at 8n+6',
  fields: (field) => ({ ...OPTION_1.head(field), ...OPTION_1.padding(field), ...OPTION_1.option(field) }),
});
/** Like `FastCnpOption1`, in the encoding `compact`, with the padding at the end. */
export const FastCnpOption1Compact = /* @__PURE__ */ defineHeader({
  ...OPTION_1,
  title: 'Destination Options with Fast CNP option 1, compact',
  fields: (field) => ({ ...OPTION_1.head(field), ...OPTION_1.option(field), ...OPTION_1.padding(field) }),
});

/** Option 2, starting at its type; it is at 4n of its header. */
const OPTION_2 = /* @__PURE__ */ defineHeader({
  title: 'Fast CNP option 2',
  source: 'draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4, figure 4',
  layer: LAYER,
  followedBy: 'IOAM trace, dataBytes - 18 bytes; original destination, 16 bytes',
  fields: (field) => ({
    /** 8 bits; 0x9e unless the network has agreed on another type. */
    optionType: field.bits(8),
    /** Length of the rest of the option, bytes. */
    dataBytes: field.length(8, { uncountedBytes: Ipv6Option.lenBytes }),
    /** Reserved, 0. */
    reserved8: field.bits(8, 0),
    /** 0 pre-allocated, 1 incremental. */
    ioamType: field.bits(8),
    /** The trace, then the original destination. */
    traceAndDestination: field.rest(),
  }),
});

/** Offset of the reserved byte from the first byte of option 2's data: 0 (draft, figure 4). */
export const FAST_CNP_2_RESERVED = OPTION_2.offsetOf('reserved8') - Ipv6Option.lenBytes;
/** Offset of the IOAM option-type from the first byte of option 2's data: 1 (draft, figure 4). */
export const FAST_CNP_2_IOAM_TYPE = OPTION_2.offsetOf('ioamType') - Ipv6Option.lenBytes;
/** Offset of the IOAM trace, its Namespace-ID first, from the first byte of option 2's data: 2. */
export const FAST_CNP_2_TRACE = OPTION_2.lenBytes - Ipv6Option.lenBytes;
/** Option 2 of a Fast CNP, starting at its type, with the IOAM trace of the packet that met congestion. */
export const FastCnpOption2 = /* @__PURE__ */ extendHeader(OPTION_2, {
  /** Maximum trace length in option 2: whole 4-byte words within 255 bytes. */
  TRACE_MAX_BYTES: Math.floor((Ipv6Option.DATA_MAX_BYTES - FAST_CNP_2_TRACE - IP_ADDRESS_BYTES) / 4) * 4,
});

/** Minimum data length of option 2: a trace without nodes. */
export const FAST_CNP_2_LEAST_DATA_BYTES = FAST_CNP_2_TRACE + IoamTraceHeader.lenBytes + IP_ADDRESS_BYTES;
/** Alignment of option 1 in its header. */
export type FastCnpEncoding = '8n+6' | 'compact';

/** Option types, each with action bits 10 and change bit 0. */
export interface FastCnpOptionTypes {
  /** IPv6 option type of option 1, 0x80..0x9f; default 0x9e (RFC 4727), since none is assigned. */
  readonly optionType1?: number;
  /** IPv6 option type of option 2, 0x80..0x9f; default 0x9e, since the length distinguishes the two options. */
  readonly optionType2?: number;
}

/** An IOAM trace in option 2. */
export interface IoamTrace {
  /** 0 pre-allocated, 1 incremental. */
  readonly ioamType: number;
  /** From the Namespace-ID to the last byte of node data; 8..236 bytes. */
  readonly data: Uint8Array;
}

/** Contents of a Fast CNP's option. */
export interface FastCnpOption {
  /** 16 bytes: destination of the packet that met congestion. */
  readonly originalDestination: Uint8Array;
  /** Present in option 2. */
  readonly trace?: IoamTrace;
}

/** An option as received: its contents and position. */
export interface ReceivedFastCnpOption extends FastCnpOption {
  /** 1: only the original destination; 2: also the IOAM trace of the data packet (draft, section 4). */
  readonly option: 1 | 2;
  /** The option type as received, 0x80..0x9f. */
  readonly optionType: number;
  /** `compact` if option 1 was directly after the header's first two bytes. */
  readonly encoding: FastCnpEncoding;
}

/**
 * Checks option types, and fills in the defaults.
 *
 * @throws RoceError `invalid-argument` unless the action bits are 10 and the change bit is 0 (section 4).
 */
export function resolveOptionTypes(types: FastCnpOptionTypes): Required<FastCnpOptionTypes> {
  const { optionType1 = FAST_CNP_OPTION_TYPE, optionType2 = FAST_CNP_OPTION_TYPE } = types;
  requireOptionType('optionType1', optionType1);
  requireOptionType('optionType2', optionType2);
  return { optionType1, optionType2 };
}

/**
 * Builds the Destination Options header of a Fast CNP: option 2 if there is a trace, else option 1.
 * @throws RoceError `invalid-argument` for an invalid type or address, or a trace that does not fit.
 */
export function buildFastCnpOptions({ originalDestination, trace }: FastCnpOption, types: FastCnpOptionTypes = {},
  encoding: FastCnpEncoding = '8n+6'): Uint8Array {
  const { optionType1, optionType2 } = resolveOptionTypes(types);
  requireChoice('encoding', encoding, ['8n+6', 'compact']);
  requireLength('originalDestination', originalDestination, IP_ADDRESS_BYTES);
  if (trace === undefined) {
    return Ipv6Option.writeHeader(optionType1, originalDestination, encoding === '8n+6' ? OFFSET_8N_6 : OFFSET_COMPACT);
  }
  requireTrace(trace);
  const data = new Uint8Array(FAST_CNP_2_TRACE + trace.data.length + IP_ADDRESS_BYTES);
  data[FAST_CNP_2_IOAM_TYPE] = trace.ioamType;
  data.set(trace.data, FAST_CNP_2_TRACE);
  data.set(originalDestination, FAST_CNP_2_TRACE + trace.data.length);
  return Ipv6Option.writeHeader(optionType2, data, OFFSET_4N);
}

/**
 * Reads the Destination Options header of a Fast CNP.
 * @throws RoceError `invalid-packet` unless it has exactly one Fast CNP option of a valid length; other options must
 * have action bits 00 (skip if unknown).
 */
export function parseFastCnpOptions(bytes: Uint8Array, header: LocatedExtensionHeader,
  types: FastCnpOptionTypes = {}): ReceivedFastCnpOption {
  const { optionType1, optionType2 } = resolveOptionTypes(types);
  const options = readOptions(bytes, header);
  const own = options.filter(({ type }) => type === optionType1 || type === optionType2);
  for (const option of options) if (!own.includes(option)) rejectUnknownOption(option);
  if (own.length !== 1) {
    const allowed = 'one Fast CNP option';
    throw invalidPacket(LAYER, header.offset, 'does not occur exactly once', own.length, allowed);
  }
  const [option] = own;
  const { type, offset, dataBytes } = option;
  if (type === optionType1 && dataBytes === FAST_CNP_1_DATA_BYTES) return readOption1(bytes, header, option);
  if (type === optionType2 && dataBytes >= FAST_CNP_2_LEAST_DATA_BYTES) return readOption2(bytes, option);
  const allowed = [FAST_CNP_1_DATA_BYTES, { min: FAST_CNP_2_LEAST_DATA_BYTES, unit: 'bytes' }];
  throw invalidPacket(LAYER, offset, 'has a wrong length', dataBytes, allowed);
}

function readOption1(bytes: Uint8Array, header: LocatedExtensionHeader,
  option: LocatedIpv6Option): ReceivedFastCnpOption {
  const originalDestination = bytes.slice(option.dataOffset, option.dataOffset + IP_ADDRESS_BYTES);
  const encoding = option.offset - header.offset === OFFSET_COMPACT ? 'compact' : '8n+6';
  return { option: 1, optionType: option.type, encoding, originalDestination };
}

function readOption2(bytes: Uint8Array, option: LocatedIpv6Option): ReceivedFastCnpOption {
  const endOffset = option.dataOffset + option.dataBytes;
  const traceEnd = endOffset - IP_ADDRESS_BYTES;
  const data = bytes.slice(option.dataOffset + FAST_CNP_2_TRACE, traceEnd);
  const trace = { ioamType: bytes[option.dataOffset + FAST_CNP_2_IOAM_TYPE], data };
  const originalDestination = bytes.slice(traceEnd, endOffset);
  return { option: 2, optionType: option.type, encoding: '8n+6', originalDestination, trace };
}

function requireOptionType(where: string, type: number): void {
  requireField(where, type, 0xff);
  if ((type & (Ipv6Option.ACTION_MASK | Ipv6Option.CHANGE_MASK)) === Ipv6Option.ACTION_DISCARD_AND_TELL) return;
  throw invalidArgument(where, type, '0x80 to 0x9f: action bits 10, change bit 0');
}

function requireTrace(trace: IoamTrace): void {
  requireRecord('trace', trace);
  const { ioamType, data } = trace;
  requireField('trace.ioamType', ioamType, 0xff);
  lengthOf('trace.data', data);
  if (data.length >= IoamTraceHeader.lenBytes && data.length <= FastCnpOption2.TRACE_MAX_BYTES) return;
  const allowed = { min: IoamTraceHeader.lenBytes, max: FastCnpOption2.TRACE_MAX_BYTES, unit: 'bytes' };
  throw invalidArgument('trace.data', data.length, allowed, 'length of the IOAM trace');
}

/**
 * Contents of the IPv6 options that this library knows: Fast CNP options 1 and 2
 * (draft-xiao-rtgwg-rocev2-fast-cnp, section 4) and IOAM (RFC 9486, section 3).
 */
import { requireRecord, lengthOf } from '../wire/bytes.js';
import { RoceError } from '../errors.js';
import { IP_ADDRESS_BYTES } from '../wire/ip/ip-address.js';
import type { AlignedOption, OptionField } from '../wire/ip/ipv6-options.js';
import { FAST_CNP_1_DATA_BYTES, FAST_CNP_2_IOAM_TYPE, FAST_CNP_2_LEAST_DATA_BYTES, FAST_CNP_2_RESERVED,
  FAST_CNP_2_TRACE, FAST_CNP_OPTION_TYPE, type FastCnpOptionTypes } from '../wire/roce/fast-cnp-option.js';
import { IoamOption } from '../wire/telemetry/ioam-option.js';
import { IoamTraceData } from '../wire/telemetry/ioam-trace-data.js';

/** An IOAM option, with its trace if that is consistent. */
export interface IoamContents {
  /** IOAM: option type 0x31 or 0x11 (RFC 9486, section 4). */
  readonly kind: 'ioam';
  /** 0 and 1 are traces (IANA, IOAM Option-Type). */
  readonly ioamOptionType: number;
  /** The trace with its node records; absent for other IOAM option types, and if it cannot be read. */
  readonly trace?: IoamTraceData;
  /** Why the trace cannot be read. */
  readonly trouble?: string;
}

/** A Fast CNP of option 1. */
export interface FastCnp1Contents {
  /** Option 1 (draft, figure 3). */
  readonly kind: 'fast-cnp-1';
  /** 16 bytes: destination of the packet that met congestion. */
  readonly originalDestination: Uint8Array;
}

/** A Fast CNP of option 2: includes the IOAM trace of the packet that met congestion. */
export interface FastCnp2Contents extends Omit<IoamContents, 'kind'> {
  /** Option 2 (draft, figure 4). */
  readonly kind: 'fast-cnp-2';
  /** 16 bytes: destination of the packet that met congestion. */
  readonly originalDestination: Uint8Array;
}

/** Contents of an option of a known type. */
export type OptionContents = IoamContents | FastCnp1Contents | FastCnp2Contents;

/**
 * @param header the header that contains the option: Fast CNP options are Destination Options.
 * @returns undefined for padding and for other options.
 */
export function readOptionContents(option: OptionField, header: 'hop-by-hop' | 'destination-options',
  optionTypes: FastCnpOptionTypes = {}): OptionContents | undefined {
  requireRecord('option', option);
  requireRecord('optionTypes', optionTypes);
  const { optionType1 = FAST_CNP_OPTION_TYPE, optionType2 = FAST_CNP_OPTION_TYPE } = optionTypes;
  if (option.kind !== 'option') return undefined;
  const { type, data } = option;
  lengthOf('option.data', data);
  const isFastCnp = header === 'destination-options' && (type === optionType1 || type === optionType2);
  if (!isFastCnp) return IoamOption.isType(type) && data.length >= FAST_CNP_2_TRACE ? readIoam(data) : undefined;
  if (type === optionType1 && data.length === FAST_CNP_1_DATA_BYTES) {
    return { kind: 'fast-cnp-1', originalDestination: data };
  }
  return type === optionType2 && data.length >= FAST_CNP_2_LEAST_DATA_BYTES ? readOption2(data) : undefined;
}

function readOption2(data: Uint8Array): FastCnp2Contents {
  const addressOffset = data.length - IP_ADDRESS_BYTES;
  const ioam = readIoam(data.subarray(FAST_CNP_2_RESERVED, addressOffset));
  return { ...ioam, kind: 'fast-cnp-2', originalDestination: data.subarray(addressOffset) };
}

/** IOAM in option 2 has the layout of a Hop-by-Hop option: a reserved byte, its type, its data. */
function readIoam(data: Uint8Array): IoamContents {
  const ioamOptionType = data[FAST_CNP_2_IOAM_TYPE];
  const traceKind = IoamTraceData.kindOf(ioamOptionType);
  if (traceKind === undefined) return { kind: 'ioam', ioamOptionType };
  try {
    const trace = IoamTraceData.read(data, FAST_CNP_2_TRACE, data.length - FAST_CNP_2_TRACE, traceKind);
    return { kind: 'ioam', ioamOptionType, trace };
  } catch (error) {
    if (error instanceof RoceError) return { kind: 'ioam', ioamOptionType, trouble: error.message };
    throw error;
  }
}

/** Alignment of these types: option 1 at 8n+6, option 2 and IOAM at 4n (wire/roce/fast-cnp-option.ts). */
export function alignOption(type: number, data: Uint8Array): AlignedOption {
  if (IoamOption.isType(type)) return { type, data, align: { x: 4, y: 0 } };
  if (type !== FAST_CNP_OPTION_TYPE) return { type, data };
  return { type, data, align: data.length === FAST_CNP_1_DATA_BYTES ? { x: 8, y: 6 } : { x: 4, y: 0 } };
}

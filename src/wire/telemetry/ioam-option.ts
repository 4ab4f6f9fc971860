/**
 * IOAM in an IPv6 option (RFC 9486, section 3; IANA registry "In Situ OAM"): Hop-by-Hop or Destination Options header.
 *
 *   0 option type | 1 length of what follows | 2 reserved | 3 IOAM option-type | 4 IOAM data
 *
 * Traps: the option's length counts from byte 2, so the data are 2 bytes shorter than it says. Option type and IOAM
 * option-type are two things. The option begins at a multiple of 4 bytes from its header's start.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';
import { OPTION_DATA, OPTION_DATA_MAX_BYTES, buildOptionsHeader } from '../ip/ipv6-options.js';
import { PROTOCOL_UDP } from '../ip/udp.js';

/** IPv6 option type whose data may change en route, as a trace's do: action bits 00, change bit 1. */
export const IOAM_OPTION_MAY_CHANGE = 0x31;
/** IPv6 option type whose data do not change en route: action bits 00, change bit 0. */
export const IOAM_OPTION_UNCHANGING = 0x11;
/** The option begins at a multiple of this from the start of its header: "4n". */
export const IOAM_OPTION_ALIGNMENT_BYTES = 4;
/** IOAM option-type of a pre-allocated trace (IANA, "IOAM Option-Type"; RFC 9197, section 4.4). */
export const IOAM_TYPE_PREALLOCATED_TRACE = 0;
/** IOAM option-type of an incremental trace (RFC 9197, section 4.4). */
export const IOAM_TYPE_INCREMENTAL_TRACE = 1;
/** IOAM option-type of a proof of transit (RFC 9197, section 4.5). */
export const IOAM_TYPE_PROOF_OF_TRANSIT = 2;
/** IOAM option-type of edge-to-edge data (RFC 9197, section 4.6). */
export const IOAM_TYPE_EDGE_TO_EDGE = 3;
/** IOAM option-type of direct export (RFC 9326). */
export const IOAM_TYPE_DIRECT_EXPORT = 4;

/** Names of the IOAM option-types 0..4, by number. */
export const IOAM_TYPE_NAMES = [
  'pre-allocated trace',
  'incremental trace',
  'proof of transit',
  'edge-to-edge',
  'direct export',
] as const;

const IOAM_OPTION = /* @__PURE__ */ defineHeader({
  title: 'IOAM option',
  source: 'RFC 9486, section 3',
  layer: 'ioam option',
  followedBy: 'data of the IOAM option-type, length - 2 bytes',
  fields: (field) => ({
    /** 0x31, data may change en route, or 0x11. */
    optionType: field.ruled({ allowed: [IOAM_OPTION_MAY_CHANGE, IOAM_OPTION_UNCHANGING], accepts: isIoamOption }, 8,
      IOAM_OPTION_MAY_CHANGE),
    /** 8 bits, 0 on sending. */
    reserved: field.impliedLength('length', 8, { uncountedBytes: OPTION_DATA }).bits(8, 0),
    /** 0..255; `IOAM_TYPE_NAMES` names 0..4. */
    ioamOptionType: field.bits(8),
    /** Content as defined by the IOAM option-type, 0..253 bytes. */
    data: field.rest(),
  }),
});

/** Option without its data. */
export const IOAM_OPTION_BYTES = IOAM_OPTION.bytes;
/** Offset of the data, from the first byte of the option. */
export const IOAM_OPTION_DATA = IOAM_OPTION.bytes;
/** Most data of one option: its length has 8 bits and counts two bytes before the data. */
export const IOAM_OPTION_DATA_MAX_BYTES = OPTION_DATA_MAX_BYTES - (IOAM_OPTION_DATA - OPTION_DATA);
/** The drawing of docs/wire.md. */
export const IOAM_OPTION_LAYOUT = IOAM_OPTION.layout;

/** The head of an IPv6 option that carries IOAM data, as a value. */
export interface IoamOption extends HeaderValue<typeof IOAM_OPTION> {}

/** Input of `buildIoamOption`: `optionType` 0x31 and `reserved` 0 unless stated. */
export interface IoamOptionFields extends HeaderFields<typeof IOAM_OPTION> {}

/** Reads an IOAM option in place. */
export class IoamOptionView extends IOAM_OPTION.View {
  /** Bytes of the data. */
  get dataBytes(): number {
    return this.headerBytes - IOAM_OPTION_BYTES;
  }
  /** Offset of the data. */
  override get payloadOffset(): number {
    return this.offset + IOAM_OPTION_DATA;
  }
}

/** @returns whether this is the type of an IPv6 option that carries IOAM. */
export function isIoamOption(optionType: number): boolean {
  return optionType === IOAM_OPTION_MAY_CHANGE || optionType === IOAM_OPTION_UNCHANGING;
}

/**
 * Reads an IOAM option; the inverse of `buildIoamOption`. The data are copied.
 * @throws RoceError `invalid-packet`: another option type, a length below 2, or too short.
 */
export const parseIoamOption: ParseHeader<IoamOption> = IOAM_OPTION.parse;
/** Writes an IOAM option from its type byte on. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildIoamOption: BuildHeader<IoamOptionFields> = IOAM_OPTION.build;
/** As `buildIoamOption`, into `target`. @returns the offset behind the option. */
export const buildIoamOptionInto: BuildHeaderInto<IoamOptionFields> = IOAM_OPTION.buildInto;

/**
 * Builds a Hop-by-Hop or Destination Options header with this one option, 4n-aligned and padded.
 *
 * @param nextHeader what follows the header; UDP by default.
 * @throws RoceError `invalid-argument` as `buildIoamOption`.
 */
export function buildIoamOptionsHeader(option: IoamOptionFields, nextHeader = PROTOCOL_UDP): Uint8Array {
  const bytes = buildIoamOption(option);
  return buildOptionsHeader(bytes[0], bytes.subarray(OPTION_DATA), IOAM_OPTION_ALIGNMENT_BYTES, nextHeader);
}

/**
 * IOAM in an IPv6 option (RFC 9486, section 3; IANA registry "In Situ OAM"): Hop-by-Hop or Destination Options header.
 *
 *   0 option type | 1 length of what follows | 2 reserved | 3 IOAM option-type | 4 IOAM data
 *
 * Note that the option's length counts from byte 2, so the data is 2 bytes shorter than the length. Option type and
 * IOAM option-type are different fields. The option begins at a multiple of 4 bytes from its header's start.
 */
import { extendHeader, type FieldsOf, type ValueOf, defineHeader } from '../header/define-header.js';
import { IpProtocol } from '../ip/ip-protocol.js';
import { Ipv6Option } from '../ip/ipv6-options.js';

const IOAM_OPTION_MAY_CHANGE = 0x31;
const IOAM_OPTION_UNCHANGING = 0x11;
const IOAM_OPTION = /* @__PURE__ */ defineHeader({
  title: 'IOAM option',
  source: 'RFC 9486, section 3',
  layer: 'ioam option',
  followedBy: 'data of the IOAM option-type, length - 2 bytes',
  fields: (field) => ({
    /** 0x31 if the data may change en route, else 0x11. */
    optionType: field.ruled({ allowed: [IOAM_OPTION_MAY_CHANGE, IOAM_OPTION_UNCHANGING], accepts: isIoamOption }, 8,
      IOAM_OPTION_MAY_CHANGE),
    /** 8 bits, 0 on sending. */
    reserved: field.impliedLength('length', 8, { uncountedBytes: Ipv6Option.lenBytes }).bits(8, 0),
    /** 0..255; `IoamOption.TYPE_NAMES` names 0..4. */
    ioamOptionType: field.bits(8),
    /** Contents as defined by the IOAM option-type, 0..253 bytes. */
    data: field.rest(),
  }),
});

/** An IPv6 option that carries IOAM data, as a value. */
export interface IoamOption extends ValueOf<typeof IOAM_OPTION> {}

/** Reads an IOAM option in place. */
export class IoamOptionView extends IOAM_OPTION.View {
  /** Length of the data, bytes. */
  get dataBytes(): number {
    return this.headerBytes - IOAM_OPTION.lenBytes;
  }
  /** Offset of the data. */
  override get payloadOffset(): number {
    return this.offset + IOAM_OPTION.lenBytes;
  }
}

/** An IPv6 option that carries IOAM data. Defaults when written: `optionType` 0x31, `reserved` 0. */
export const IoamOption = /* @__PURE__ */ extendHeader(IOAM_OPTION, {
  /** Reads an IOAM option in place. */
  View: IoamOptionView,
  /** IPv6 option type for data that may change en route, like a trace: action bits 00, change bit 1. */
  MAY_CHANGE: IOAM_OPTION_MAY_CHANGE,
  /** IPv6 option type for data that does not change en route: action bits 00, change bit 0. */
  UNCHANGING: IOAM_OPTION_UNCHANGING,
  /** The option begins at a multiple of this from the start of its header ("4n"). */
  ALIGNMENT_BYTES: 4,
  /** IOAM option-type of a pre-allocated trace (IANA, "IOAM Option-Type"; RFC 9197, section 4.4). */
  TYPE_PREALLOCATED_TRACE: 0,
  /** IOAM option-type of an incremental trace (RFC 9197, section 4.4). */
  TYPE_INCREMENTAL_TRACE: 1,
  /** IOAM option-type of a proof of transit (RFC 9197, section 4.5). */
  TYPE_PROOF_OF_TRANSIT: 2,
  /** IOAM option-type of edge-to-edge data (RFC 9197, section 4.6). */
  TYPE_EDGE_TO_EDGE: 3,
  /** IOAM option-type of direct export (RFC 9326). */
  TYPE_DIRECT_EXPORT: 4,
  /** Names of the IOAM option-types 0..4, by number. */
  TYPE_NAMES: [
    'pre-allocated trace',
    'incremental trace',
    'proof of transit',
    'edge-to-edge',
    'direct export',
  ],
  /** Maximum data length of an option: its length has 8 bits and counts two bytes before the data. */
  DATA_MAX_BYTES: Ipv6Option.DATA_MAX_BYTES - (IOAM_OPTION.lenBytes - Ipv6Option.lenBytes),
  /** Whether this type of an IPv6 option carries IOAM. */
  isType: (optionType: number): boolean => isIoamOption(optionType),
  /**
   * Builds a Hop-by-Hop or Destination Options header with only this option, 4n-aligned and padded.
   *
   * @param nextHeader protocol after the header; default UDP.
   * @throws RoceError `invalid-argument` like `IoamOption.write`.
   */
  writeOptionsHeader(option: FieldsOf<typeof IOAM_OPTION>, nextHeader: number = IpProtocol.UDP): Uint8Array {
    const bytes = IoamOption.write(option);
    return Ipv6Option.writeHeader(bytes[0], bytes.subarray(Ipv6Option.lenBytes), IoamOption.ALIGNMENT_BYTES,
      nextHeader);
  },
});

function isIoamOption(optionType: number): boolean {
  return optionType === IOAM_OPTION_MAY_CHANGE || optionType === IOAM_OPTION_UNCHANGING;
}

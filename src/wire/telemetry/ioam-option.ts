/**
 * IOAM in an IPv6 option (RFC 9486, section 3; IANA registry "In Situ OAM"): Hop-by-Hop or Destination Options header.
 *
 *   0 option type | 1 length of what follows | 2 reserved | 3 IOAM option-type | 4 IOAM data
 *
 * Traps: the option's length counts from byte 2, so the data are 2 bytes shorter than it says. Option type and IOAM
 * option-type are two things. The option begins at a multiple of 4 bytes from its header's start.
 */
import { RoceError } from '../../errors.js';
import { HeaderView } from '../header/header-view.js';
import { OPTION_DATA, OPTION_DATA_MAX_BYTES, OPTION_LENGTH, buildOptionsHeader } from '../ip/ipv6-options.js';
import { PROTOCOL_UDP } from '../ip/udp.js';
import type { HeaderLayout } from '../header/layout.js';
import { invalidPacket, requireField, requireBytes, requireTarget } from '../bytes.js';

/** Offsets from the first byte of the option. */
export const IOAM_OPTION_OPTION_TYPE = 0;
export const IOAM_OPTION_LENGTH = 1;
export const IOAM_OPTION_RESERVED = 2;
export const IOAM_OPTION_IOAM_TYPE = 3;
export const IOAM_OPTION_DATA = 4;
/** Option without its data. */
export const IOAM_OPTION_BYTES = 4;

/** IPv6 option type whose data may change en route, as a trace's do: action bits 00, change bit 1. */
export const IOAM_OPTION_MAY_CHANGE = 0x31;
/** IPv6 option type whose data do not change en route: action bits 00, change bit 0. */
export const IOAM_OPTION_UNCHANGING = 0x11;
/** The option begins at a multiple of this from the start of its header: "4n". */
export const IOAM_OPTION_ALIGNMENT_BYTES = 4;
/** Most data of one option: its length has 8 bits and counts two bytes before the data. */
export const IOAM_OPTION_DATA_MAX_BYTES = OPTION_DATA_MAX_BYTES - (IOAM_OPTION_DATA - OPTION_DATA);

/** IOAM option-types (IANA, "IOAM Option-Type"). */
export const IOAM_TYPE_PREALLOCATED_TRACE = 0;
export const IOAM_TYPE_INCREMENTAL_TRACE = 1;
export const IOAM_TYPE_PROOF_OF_TRANSIT = 2;
export const IOAM_TYPE_EDGE_TO_EDGE = 3;
export const IOAM_TYPE_DIRECT_EXPORT = 4;

/** Names of the IOAM option-types 0..4, by number. */
export const IOAM_TYPE_NAMES = [
  'pre-allocated trace',
  'incremental trace',
  'proof of transit',
  'edge-to-edge',
  'direct export',
] as const;

/** The drawing of docs/wire.md. */
export const IOAM_OPTION_LAYOUT: HeaderLayout = {
  title: 'IOAM option',
  source: 'RFC 9486, section 3',
  bytes: IOAM_OPTION_BYTES,
  fields: [
    { name: 'optionType', offset: IOAM_OPTION_OPTION_TYPE, bits: 8 },
    { name: 'length', offset: IOAM_OPTION_LENGTH, bits: 8 },
    { name: 'reserved', offset: IOAM_OPTION_RESERVED, bits: 8 },
    { name: 'ioamOptionType', offset: IOAM_OPTION_IOAM_TYPE, bits: 8 },
  ],
  followedBy: 'data of the IOAM option-type, length - 2 bytes',
};

const LAYER = 'ioam option';
const OPTION_TYPES = '0x31 or 0x11';

/** The head of an IPv6 option that carries IOAM data, as a value. */
export interface IoamOption {
  /** 0x31, data may change en route, or 0x11. */
  readonly optionType: number;
  /** 8 bits, 0 on sending. */
  readonly reserved: number;
  /** 0..255; `IOAM_TYPE_NAMES` names 0..4. */
  readonly ioamOptionType: number;
  /** What the IOAM option-type defines, 0..253 bytes. */
  readonly data: Uint8Array;
}

/** What `buildIoamOption` needs: `optionType` 0x31 and `reserved` 0 unless told otherwise. */
export type IoamOptionFields = Pick<IoamOption, 'ioamOptionType' | 'data'> & Partial<IoamOption>;

/** Reads an IOAM option in place. */
export class IoamOptionView extends HeaderView {
  get optionType(): number {
    return this.bytes[this.offset + IOAM_OPTION_OPTION_TYPE];
  }
  get reserved(): number {
    return this.bytes[this.offset + IOAM_OPTION_RESERVED];
  }
  get ioamOptionType(): number {
    return this.bytes[this.offset + IOAM_OPTION_IOAM_TYPE];
  }
  /** Bytes of the data. */
  get dataBytes(): number {
    return this.bytes[this.offset + IOAM_OPTION_LENGTH] + OPTION_DATA - IOAM_OPTION_DATA;
  }
  /** Not a copy. */
  get data(): Uint8Array {
    return this.bytes.subarray(this.payloadOffset, this.payloadOffset + this.dataBytes);
  }
  override get payloadOffset(): number {
    return this.offset + IOAM_OPTION_DATA;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, IOAM_OPTION_BYTES);
    const type = bytes[offset + IOAM_OPTION_OPTION_TYPE];
    if (!isIoamOption(type)) throw invalidPacket(LAYER, offset, 'has another option type', type, OPTION_TYPES);
    const lenBytes = OPTION_DATA + bytes[offset + OPTION_LENGTH];
    if (lenBytes < IOAM_OPTION_BYTES) {
      throw invalidPacket(LAYER, offset, 'has a short length', lenBytes - OPTION_DATA, '2..255 bytes');
    }
    requireBytes(LAYER, bytes, offset, lenBytes);
  }
}

/** @returns is this the type of an IPv6 option that carries IOAM? */
export function isIoamOption(optionType: number): boolean {
  return optionType === IOAM_OPTION_MAY_CHANGE || optionType === IOAM_OPTION_UNCHANGING;
}

/**
 * Reads an IOAM option; the inverse of `buildIoamOption`. The data are copied.
 *
 * @param offset of the option's type byte.
 * @throws RoceError `invalid-packet`: another option type, a length below 2, or too short.
 */
export function parseIoamOption(bytes: Uint8Array, offset = 0): IoamOption {
  const view = new IoamOptionView(bytes, offset);
  const { optionType, reserved, ioamOptionType } = view;
  return { optionType, reserved, ioamOptionType, data: view.data.slice() };
}

/**
 * Writes an IOAM option from its type byte on.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildIoamOption(option: IoamOptionFields): Uint8Array {
  const bytes = new Uint8Array(IOAM_OPTION_BYTES + option.data.length);
  buildIoamOptionInto(bytes, 0, option);
  return bytes;
}

/** As `buildIoamOption`, into `target`. @returns the offset behind the option. */
export function buildIoamOptionInto(target: Uint8Array, offset: number, option: IoamOptionFields): number {
  const { optionType = IOAM_OPTION_MAY_CHANGE, reserved = 0, ioamOptionType, data } = option;
  requireOptionType(optionType);
  requireField(`${LAYER}.reserved`, reserved, 0xff);
  requireField(`${LAYER}.ioamOptionType`, ioamOptionType, 0xff);
  requireField(`${LAYER}.data.length`, data.length, IOAM_OPTION_DATA_MAX_BYTES);
  requireTarget(LAYER, target, offset, IOAM_OPTION_BYTES + data.length);
  target[offset + IOAM_OPTION_OPTION_TYPE] = optionType;
  target[offset + IOAM_OPTION_LENGTH] = data.length + IOAM_OPTION_DATA - OPTION_DATA;
  target[offset + IOAM_OPTION_RESERVED] = reserved;
  target[offset + IOAM_OPTION_IOAM_TYPE] = ioamOptionType;
  target.set(data, offset + IOAM_OPTION_DATA);
  return offset + IOAM_OPTION_BYTES + data.length;
}

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

function requireOptionType(got: number): void {
  if (isIoamOption(got)) return;
  const where = `${LAYER}.optionType`;
  throw new RoceError('invalid-argument', 'not the type of an IOAM option', { got, allowed: OPTION_TYPES, where });
}

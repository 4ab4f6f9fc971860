/**
 * Choices for what the documents leave open about ARN messages (draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1).
 *
 *   Para-Type   the draft numbers its bits, but does not say from which end: `bitOrder`
 *   flow        "five-tuple", without a layout: `flowFormat`, `flowPadding`
 *   time        "compression time", without a unit: `timeUnit` (see `compression-time.ts`)
 *
 * Both ends have to agree on them: nothing in a message states them. The codec leaves the time a number; `timeUnit` is
 * here so that one object holds all that was agreed on.
 */
import { requireChoice, requireRecord, requireField } from '../bytes.js';
import type { CompressionTimeFormat } from './compression-time.js';

/** Bits of Para-Type: which parameters a message has. */
export const ParaType = {
  /** Para-Type bit of the flow identifier, a five-tuple (draft, section 4.1.1). */
  FLOW: 0,
  /** Para-Type bit of the path id, 32 bits. */
  PATH: 1,
  /** Para-Type bit of the priority id of the affected flows, 32 bits (section 4.1.1.1). */
  PRIORITY: 2,
  /** Para-Type bit of the compression time of the affected flows, 32 bits (section 4.1.1.2). */
  COMPRESSION_TIME: 3,
  /** Bits from here to 7 name parameters of unknown size. */
  KNOWN_BITS: 4,
} as const;

const BIT_ORDERS = ['msb-first', 'lsb-first'] as const;
const FLOW_FORMATS = ['versioned', 'ipv4', 'ipv6'] as const;
const FLOW_PADDINGS = ['to-4', 'none'] as const;

/** Whether bit 0 of the Para-Type byte is the most or the least significant one. */
export type ArnBitOrder = (typeof BIT_ORDERS)[number];

/**
 * Layout of a five-tuple in a message: addresses, protocol, ports, in this order.
 *
 * - `versioned`: a byte with the IP version first, 4 or 6; then addresses of 4 or 16 bytes: 14 or 38 bytes.
 * - `ipv4`: addresses of 4 bytes, always: 13 bytes; IPv6 flows can't be stated.
 * - `ipv6`: addresses of 16 bytes, always, IPv4 as IPv4-mapped: 37 bytes.
 */
export type ArnFlowFormat = (typeof FLOW_FORMATS)[number];

/** Zero bytes behind the five-tuple: up to a multiple of 4, or none. */
export type ArnFlowPadding = (typeof FLOW_PADDINGS)[number];

/** The choices; each has a default. */
export interface ArnFormat extends CompressionTimeFormat {
  /** Default `msb-first`, as the IETF draws bits. */
  readonly bitOrder?: ArnBitOrder;
  /** Default `versioned`: the one that is compact, holds both families and shows its own end. */
  readonly flowFormat?: ArnFlowFormat;
  /** Default `to-4`: the parameters behind it stay on the rows of the draft's drawings. */
  readonly flowPadding?: ArnFlowPadding;
}

/** The defaults. */
export const arnFormatDefaults = Object.freeze({
  /** As the IETF draws bits. */
  bitOrder: 'msb-first',
  /** Compact, holds both families and shows its own end. */
  flowFormat: 'versioned',
  /** Parameters stay on the rows of the draft's drawings. */
  flowPadding: 'to-4',
  /** Microseconds; the draft states no unit (`CompressionTimeFormat`). */
  timeUnit: 'us',
} as const satisfies ArnFormat);

/** The order of bits agreed on. @throws RoceError `invalid-argument` for an unknown one. */
export function bitOrderOf(format: ArnFormat): ArnBitOrder {
  requireRecord('format', format);
  const { bitOrder = arnFormatDefaults.bitOrder } = format;
  requireChoice('arn format.bitOrder', bitOrder, BIT_ORDERS);
  return bitOrder;
}

/** The form of five-tuples agreed on. @throws RoceError `invalid-argument` for an unknown one. */
export function flowFormatOf(format: ArnFormat): ArnFlowFormat {
  requireRecord('format', format);
  const { flowFormat = arnFormatDefaults.flowFormat } = format;
  requireChoice('arn format.flowFormat', flowFormat, FLOW_FORMATS);
  return flowFormat;
}

/** Five-tuples take a multiple of this many bytes. @throws RoceError `invalid-argument` for an unknown padding. */
export function flowUnitBytesOf({ flowPadding = arnFormatDefaults.flowPadding }: ArnFormat): number {
  requireChoice('arn format.flowPadding', flowPadding, FLOW_PADDINGS);
  return flowPadding === 'to-4' ? 4 : 1;
}

/** The mask of Para-Type bit `bit` (0..7) in its byte. */
export function paraMask(bit: number, bitOrder: ArnBitOrder): number {
  requireField('bit', bit, 7);
  return bitOrder === 'msb-first' ? 0x80 >> bit : 1 << bit;
}

/** The masks of the bits whose parameters are unknown, all in one. */
export function unknownParaMask(bitOrder: ArnBitOrder): number {
  return bitOrder === 'msb-first' ? 0xff >> ParaType.KNOWN_BITS : (0xff << ParaType.KNOWN_BITS) & 0xff;
}

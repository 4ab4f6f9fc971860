/**
 * Options for what the documents leave open about ARN messages (draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1).
 *
 *   Para-Type   the draft numbers its bits, but not from which end: `bitOrder`
 *   flow        "five-tuple", without a layout: `flowFormat`, `flowPadding`
 *   time        "compression time" (section 4.1.1.2), without a unit: `timeUnit`, either microseconds or `pfc-quanta`, 512 bit
 *               times at the rate of the link, as in PAUSE and PFC frames (IEEE 802.3, annex 31B)
 *
 * Both ends must use the same options, which messages do not state. The codec does not convert times: see
 * `compressionTimePs` and `compressionTimeOf`, which round up, so that no flow is held for less time than requested.
 */
import { PS_PER_US } from '../../units.js';
import { U32_MAX, invalidArgument, requireChoice, requireField, requireRecord } from '../bytes.js';

/** Bits of Para-Type, which indicate the parameters of a message. */
export const ParaType = {
  /** Para-Type bit of the flow identifier, a five-tuple (draft, section 4.1.1). */
  FLOW: 0,
  /** Para-Type bit of the path id, 32 bits. */
  PATH: 1,
  /** Para-Type bit of the priority id of the affected flows, 32 bits (section 4.1.1.1). */
  PRIORITY: 2,
  /** Para-Type bit of the compression time of the affected flows, 32 bits (section 4.1.1.2). */
  COMPRESSION_TIME: 3,
  /** Bits from here to 7 indicate parameters of unknown size. */
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
 * - `ipv4`: always addresses of 4 bytes: 13 bytes; no IPv6 flows.
 * - `ipv6`: always addresses of 16 bytes, IPv4 as IPv4-mapped: 37 bytes.
 */
export type ArnFlowFormat = (typeof FLOW_FORMATS)[number];

/** Zero bytes after the five-tuple: up to a multiple of 4, or none. */
export type ArnFlowPadding = (typeof FLOW_PADDINGS)[number];

/** Options of the ARN format; each has a default. */
export interface ArnFormat extends CompressionTimeFormat {
  /** Default `msb-first`, as the IETF draws bits. */
  readonly bitOrder?: ArnBitOrder;
  /** Default `versioned`: compact, supports both families, and its length follows from its first byte. */
  readonly flowFormat?: ArnFlowFormat;
  /** Default `to-4`: later parameters stay aligned as in the draft's drawings. */
  readonly flowPadding?: ArnFlowPadding;
}

/** Defaults of the options. */
export const arnFormatDefaults = Object.freeze({
  /** As the IETF draws bits. */
  bitOrder: 'msb-first',
  /** Compact, supports both families, and its length follows from its first byte. */
  flowFormat: 'versioned',
  /** Parameters stay aligned as in the draft's drawings. */
  flowPadding: 'to-4',
  /** Microseconds; the draft states no unit (`CompressionTimeFormat`). */
  timeUnit: 'us',
} as const satisfies ArnFormat);

/** The order of bits. @throws RoceError `invalid-argument` for an unknown one. */
export function bitOrderOf(format: ArnFormat): ArnBitOrder {
  requireRecord('format', format);
  const { bitOrder = arnFormatDefaults.bitOrder } = format;
  requireChoice('arn format.bitOrder', bitOrder, BIT_ORDERS);
  return bitOrder;
}

/** The format of five-tuples. @throws RoceError `invalid-argument` for an unknown one. */
export function flowFormatOf(format: ArnFormat): ArnFlowFormat {
  requireRecord('format', format);
  const { flowFormat = arnFormatDefaults.flowFormat } = format;
  requireChoice('arn format.flowFormat', flowFormat, FLOW_FORMATS);
  return flowFormat;
}

/** Unit to which five-tuples are padded, bytes. @throws RoceError `invalid-argument` for an unknown padding. */
export function flowUnitBytesOf({ flowPadding = arnFormatDefaults.flowPadding }: ArnFormat): number {
  requireChoice('arn format.flowPadding', flowPadding, FLOW_PADDINGS);
  return flowPadding === 'to-4' ? 4 : 1;
}

/** The mask of Para-Type bit `bit` (0..7) in its byte. */
export function paraMask(bit: number, bitOrder: ArnBitOrder): number {
  requireField('bit', bit, 7);
  return bitOrder === 'msb-first' ? 0x80 >> bit : 1 << bit;
}

/** The mask of all bits that indicate unknown parameters. */
export function unknownParaMask(bitOrder: ArnBitOrder): number {
  return bitOrder === 'msb-first' ? 0xff >> ParaType.KNOWN_BITS : (0xff << ParaType.KNOWN_BITS) & 0xff;
}

const UNITS = ['us', 'pfc-quanta'] as const;

/** Number of bits whose transmission takes one quantum. */
export const PFC_QUANTUM_BITS = 512;

const PS_PER_SECOND = 10n ** 12n;

/** The unit of a compression time. */
export type CompressionTimeUnit = (typeof UNITS)[number];

/** How compression times are encoded; both ends must agree. */
export interface CompressionTimeFormat {
  /** Unit of compression times. Default `us`. */
  readonly timeUnit?: CompressionTimeUnit;
  /** Rate of the link, bits per second, a whole number; needed by `pfc-quanta`, ignored by `us`. */
  readonly rateBps?: number;
}

/**
 * Converts a compression time to picoseconds, rounded up.
 *
 * @param compressionTime 32 bits.
 * @throws RoceError `invalid-argument` for an invalid number or unit, or a time of more than 2^53 - 1 ps.
 */
export function compressionTimePs(compressionTime: number, format: CompressionTimeFormat = {}): number {
  requireField('arn.compressionTime', compressionTime, U32_MAX);
  const rateBps = quantaRateOf(format);
  if (rateBps === undefined) return compressionTime * PS_PER_US;
  const bits = BigInt(compressionTime) * BigInt(PFC_QUANTUM_BITS);
  const timePs = Number(divideUp(bits * PS_PER_SECOND, BigInt(rateBps)));
  if (Number.isSafeInteger(timePs)) return timePs;
  throw invalidArgument('arn.compressionTime', compressionTime, 'a time of at most 2^53 - 1 picoseconds');
}

/**
 * Converts picoseconds to a compression time, rounded up.
 *
 * @throws RoceError `invalid-argument` for a time that is not a whole number, below 0, or too long for 32 bits.
 */
export function compressionTimeOf(timePs: number, format: CompressionTimeFormat = {}): number {
  const rateBps = quantaRateOf(format);
  if (Number.isSafeInteger(timePs) && timePs >= 0) {
    const time = rateBps === undefined ? Math.ceil(timePs / PS_PER_US) : quantaOf(timePs, rateBps);
    if (time <= U32_MAX) return time;
  }
  const allowed = `whole picoseconds, at most ${U32_MAX} ${format.timeUnit ?? 'us'}`;
  throw invalidArgument('timePs', timePs, allowed);
}

/**
 * The link rate on which quanta are based; undefined for microseconds.
 *
 * @throws RoceError `invalid-argument` for an unknown unit, or quanta without a rate.
 */
export function quantaRateOf(format: CompressionTimeFormat): number | undefined {
  requireRecord('format', format);
  const { timeUnit = 'us', rateBps } = format;
  requireChoice('timeUnit', timeUnit, UNITS);
  if (timeUnit === 'us') return undefined;
  if (rateBps !== undefined && Number.isSafeInteger(rateBps) && rateBps > 0) return rateBps;
  throw invalidArgument('rateBps', rateBps, { above: 0, multipleOf: 1, unit: 'bit/s' }, 'link rate for quanta');
}

function quantaOf(timePs: number, rateBps: number): number {
  const psTimesRate = BigInt(timePs) * BigInt(rateBps);
  return Number(divideUp(psTimesRate, BigInt(PFC_QUANTUM_BITS) * PS_PER_SECOND));
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

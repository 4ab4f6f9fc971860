/**
 * IPv6 options of the reference parser (RFC 8200, section 4.2) and what the parser looks for among them:
 * the Fast CNP option (draft-xiao-rtgwg-rocev2-fast-cnp, section 4), an IOAM trace (RFC 9486), and unknown options
 * that ask to be discarded.
 */
import { CLASS_CNP, CLASS_FAST_CNP_1, CLASS_FAST_CNP_2 } from '../abi/codes.js';
import type { FrameOctets } from './parse-verdict.js';

const PAD_1 = 0;
const PAD_N = 1;
const IOAM_TYPES: readonly number[] = [0x31, 0x11];
const ADDRESS_BYTES = 16;
/** Reserved octet and IOAM Option-Type. */
const IOAM_PREFIX_BYTES = 2;
const TRACE_HEADER_BYTES = 8;
/** 0 pre-allocated, 1 incremental; higher numbers are no traces. */
const LAST_TRACE_OPTION_TYPE = 1;

/** One option that is not padding. */
export interface Option {
  readonly header: 'hop-by-hop' | 'destination';
  readonly type: number;
  readonly dataOffset: number;
  readonly dataBytes: number;
}

/** The two configured option types of a Fast CNP. */
export interface FastCnpOptionTypes {
  readonly optionType1: number;
  readonly optionType2: number;
}

/** Octets of the frame that hold an IOAM trace, from its Namespace-ID on. */
export interface TraceSpan {
  readonly offset: number;
  readonly bytes: number;
}

/** What the Fast CNP options of a CNP say. */
export interface FastCnpFinding {
  /** CLASS_CNP when there is no such option. */
  readonly classCode: number;
  /** 0 when there is none. */
  readonly originalDestinationOffset: number;
}

/** The options between two offsets without padding, or undefined when one reaches beyond. */
export function readOptions(
  frame: FrameOctets,
  start: number,
  end: number,
  header: Option['header'],
): readonly Option[] | undefined {
  const options: Option[] = [];
  let at = start;
  while (at < end) {
    const type = frame.u8(at);
    if (type === PAD_1) {
      at += 1;
      continue;
    }
    if (at + 1 >= end) return undefined;
    const option = { header, type, dataOffset: at + 2, dataBytes: frame.u8(at + 1) };
    at = option.dataOffset + option.dataBytes;
    if (at > end) return undefined;
    if (type !== PAD_N) options.push(option);
  }
  return options;
}

function isFastCnpOption(option: Option, types: FastCnpOptionTypes): boolean {
  return option.header === 'destination' && [types.optionType1, types.optionType2].includes(option.type);
}

/** True when an option is unknown and its two action bits are not 00. */
export function hasOptionToDiscard(options: readonly Option[], types: FastCnpOptionTypes): boolean {
  return options.some(
    (option) => !isFastCnpOption(option, types) && !IOAM_TYPES.includes(option.type) && option.type >= 0x40,
  );
}

/** The one Fast CNP option of a CNP; undefined when its length fits neither form or there are several. */
export function findFastCnp(options: readonly Option[], types: FastCnpOptionTypes): FastCnpFinding | undefined {
  const [option, second] = options.filter((candidate) => isFastCnpOption(candidate, types));
  if (!option) return { classCode: CLASS_CNP, originalDestinationOffset: 0 };
  if (second) return undefined;
  const originalDestinationOffset = option.dataOffset + option.dataBytes - ADDRESS_BYTES;
  if (option.type === types.optionType1 && option.dataBytes === ADDRESS_BYTES) {
    return { classCode: CLASS_FAST_CNP_1, originalDestinationOffset };
  }
  const shortest = IOAM_PREFIX_BYTES + TRACE_HEADER_BYTES + ADDRESS_BYTES;
  if (option.type === types.optionType2 && option.dataBytes >= shortest) {
    return { classCode: CLASS_FAST_CNP_2, originalDestinationOffset };
  }
  return undefined;
}

/** The trace that goes with a packet: option 2's own copy, else the one in the Hop-by-Hop header. */
export function findTrace(
  frame: FrameOctets,
  options: readonly Option[],
  classCode: number,
  types: FastCnpOptionTypes,
): TraceSpan | undefined {
  const isCopy = classCode === CLASS_FAST_CNP_2;
  const trailerBytes = isCopy ? ADDRESS_BYTES : 0;
  const carrier = options.find((option) =>
    isCopy ? isFastCnpOption(option, types) : isHopTrace(frame, option),
  );
  if (!carrier || !isTrace(frame, carrier)) return undefined;
  const bytes = carrier.dataBytes - IOAM_PREFIX_BYTES - trailerBytes;
  return { offset: carrier.dataOffset + IOAM_PREFIX_BYTES, bytes };
}

function isHopTrace(frame: FrameOctets, option: Option): boolean {
  const isIoam = option.header === 'hop-by-hop' && IOAM_TYPES.includes(option.type);
  return isIoam && option.dataBytes >= IOAM_PREFIX_BYTES + TRACE_HEADER_BYTES && isTrace(frame, option);
}

function isTrace(frame: FrameOctets, option: Option): boolean {
  return frame.u8(option.dataOffset + 1) <= LAST_TRACE_OPTION_TYPE;
}

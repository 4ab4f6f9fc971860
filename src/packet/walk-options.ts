/**
 * Walks the options of a Hop-by-Hop or Destination Options header (RFC 8200, section 4.2), and records those that the class
 * depends on: Fast CNP options (draft-xiao-rtgwg-rocev2-fast-cnp, section 4), IOAM traces (RFC 9486), and unknown options
 * that require a discard.
 */
import { CLASS_CNP, CLASS_FAST_CNP_1, CLASS_FAST_CNP_2, WHY_OPTION_LENGTH } from '../abi/codes.js';
import { ExtensionHeader } from '../wire/ip/ipv6.js';
import { IP_ADDRESS_BYTES } from '../wire/ip/ip-address.js';
import { Ipv6Option, OPTION_LENGTH } from '../wire/ip/ipv6-options.js';
import type { Dissection } from './dissection.js';
import { LAYER_DESTINATION_OPTIONS } from './layer-kinds.js';
import type { DissectionRules } from './rules.js';

const OPTION_IOAM_CHANGING = 0x31;
const OPTION_IOAM_FIXED = 0x11;
/** Reserved byte and IOAM Option-Type, before the trace. */
const IOAM_PREFIX_BYTES = 2;
const TRACE_HEADER_BYTES = 8;
/** 0 pre-allocated, 1 incremental; higher numbers are not traces. */
const LAST_TRACE_OPTION_TYPE = 1;
const OPTION_2_LEAST_BYTES = IOAM_PREFIX_BYTES + TRACE_HEADER_BYTES + IP_ADDRESS_BYTES;

/** @returns false if an option extends beyond its header; that is trouble. */
export function walkOptions(d: Dissection, kind: number, at: number, length: number, rules: DissectionRules): boolean {
  const endOffset = at + length;
  let here = at + ExtensionHeader.lenBytes;
  while (here < endOffset) {
    const type = d.bytes[here];
    if (type === Ipv6Option.PAD1) {
      here += 1;
      continue;
    }
    const room = endOffset - here;
    const needed = room < Ipv6Option.lenBytes ?
      Ipv6Option.lenBytes :
      Ipv6Option.lenBytes + d.bytes[here + OPTION_LENGTH];
    if (needed > room) {
      d.fail(kind, here, needed, room, WHY_OPTION_LENGTH);
      return false;
    }
    if (type !== Ipv6Option.PADN && !d.resolved) noteOption(d, kind, here, rules);
    here += needed;
  }
  return true;
}

function noteOption(d: Dissection, kind: number, at: number, rules: DissectionRules): void {
  const type = d.bytes[at];
  if (kind === LAYER_DESTINATION_OPTIONS && (type === rules.optionType1 || type === rules.optionType2)) {
    if (d.fastCnpCount === 0) d.fastCnpOptionOffset = at;
    d.fastCnpCount += 1;
    return;
  }
  const isIoam = type === OPTION_IOAM_CHANGING || type === OPTION_IOAM_FIXED;
  if (!isIoam) {
    d.hasOptionToDiscard ||= (type & Ipv6Option.ACTION_MASK) !== 0;
  } else if (kind !== d.carriedTraceKind && isCarriedTrace(d, at)) {
    // A Hop-by-Hop header precedes all others, so a later one is Destination Options, which take precedence.
    d.carriedTraceOffset = at;
    d.carriedTraceKind = kind;
  }
}

function isCarriedTrace(d: Dissection, at: number): boolean {
  return d.bytes[at + OPTION_LENGTH] >= IOAM_PREFIX_BYTES + TRACE_HEADER_BYTES && isTrace(d, at);
}

function isTrace(d: Dissection, at: number): boolean {
  return d.bytes[at + Ipv6Option.lenBytes + 1] <= LAST_TRACE_OPTION_TYPE;
}

/**
 * @returns CLASS_CNP, CLASS_FAST_CNP_1 or _2 for a packet with the opcode of a CNP; 0 if its option has neither format.
 */
export function classOfCnp(d: Dissection, rules: DissectionRules): number {
  if (d.fastCnpCount === 0) return CLASS_CNP;
  if (d.fastCnpCount > 1) return 0;
  const type = d.bytes[d.fastCnpOptionOffset];
  const dataBytes = d.bytes[d.fastCnpOptionOffset + OPTION_LENGTH];
  if (type === rules.optionType1 && dataBytes === IP_ADDRESS_BYTES) return CLASS_FAST_CNP_1;
  return type === rules.optionType2 && dataBytes >= OPTION_2_LEAST_BYTES ? CLASS_FAST_CNP_2 : 0;
}

/** Records the offsets of the original destination and the IOAM trace of a packet, once its class is known. */
export function noteOptionContents(d: Dissection, classCode: number): void {
  const isFastCnp = classCode === CLASS_FAST_CNP_1 || classCode === CLASS_FAST_CNP_2;
  if (isFastCnp) {
    const dataBytes = d.bytes[d.fastCnpOptionOffset + OPTION_LENGTH];
    d.originalDestinationOffset = d.fastCnpOptionOffset + Ipv6Option.lenBytes + dataBytes - IP_ADDRESS_BYTES;
  }
  if (classCode === CLASS_FAST_CNP_2) {
    if (isTrace(d, d.fastCnpOptionOffset)) noteTrace(d, d.fastCnpOptionOffset, IP_ADDRESS_BYTES);
  } else if (d.carriedTraceOffset > 0) {
    noteTrace(d, d.carriedTraceOffset, 0);
  }
}

function noteTrace(d: Dissection, optionOffset: number, trailerBytes: number): void {
  d.ioamOffset = optionOffset + Ipv6Option.lenBytes + IOAM_PREFIX_BYTES;
  d.ioamBytes = d.bytes[optionOffset + OPTION_LENGTH] - IOAM_PREFIX_BYTES - trailerBytes;
}

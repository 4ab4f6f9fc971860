/**
 * Parses options of Hop-by-Hop and Destination Options headers (RFC 8200, section 4.2).
 *
 * The results are module variables because a wasm function returns one number; they are reset for each datagram and
 * read by roce.ts. A second Fast CNP option invalidates the first: the draft adds exactly one, and two addresses would
 * be ambiguous. A Fast CNP option in a Hop-by-Hop header counts as unknown. IOAM options (0x31 and 0x11,
 * RFC 9486) are known. The position of the first trace is stored; one in Destination Options takes precedence over one in a
 * Hop-by-Hop header, because nodes en route write only into the latter.
 */
import { CLASS_FAST_CNP_1, CLASS_FAST_CNP_2, CLASS_MALFORMED } from '../../src/abi/codes';
import { optionType1, optionType2 } from './config';

/** The datagram has an IPv6 extension header before the UDP header. */
export const NOTE_EXTENSION: u32 = 1;
/** It has IPv4 options, flags or a fragment offset that strict mode does not accept. */
export const NOTE_IPV4_FIELDS: u32 = 2;
/** It is a first fragment: more fragments follow. */
export const NOTE_FIRST_FRAGMENT: u32 = 4;
/** It has an unknown option whose action bits require discarding it. */
export const NOTE_UNKNOWN_OPTION: u32 = 8;

/** NOTE_* bits of the current datagram. */
export let notes: u32 = 0;
/** CLASS_FAST_CNP_1 or _2; CLASS_MALFORMED if the option fits neither or occurs twice; 0 if there is none. */
export let fastCnpClass: u32 = 0;
/** Offset of the address in the Fast CNP option. */
export let originalDestination: u32 = 0;
/** Offset and length of the trace that option 2 copies; 0 if it copies another IOAM option. */
export let copiedTrace: u32 = 0;
export let copiedTraceBytes: u32 = 0;
/** Offset and length of the trace in a separate option; 0 if there is none. */
export let carriedTrace: u32 = 0;
export let carriedTraceBytes: u32 = 0;
/** Whether that option is in a Destination Options header. */
let isForDestination: bool = false;

export const PAD_1: u32 = 0;
export const PAD_N: u32 = 1;
export const IOAM_CHANGING: u32 = 0x31;
const IOAM_CONSTANT: u32 = 0x11;
const ACTION_BITS: u32 = 0xc0;
export const ADDRESS_BYTES: u32 = 16;
/** Length of the reserved byte and the IOAM Option-Type before the IOAM data. */
export const IOAM_PREFIX_BYTES: u32 = 2;
/** Length of a trace header, Namespace-ID to Reserved, RFC 9197 section 4.4.1. */
export const TRACE_HEADER_BYTES: u32 = 8;
/** Last Option-Type of a trace: 0 is pre-allocated, 1 incremental. */
export const IOAM_LAST_TRACE_TYPE: u32 = 1;
export const OPTION_2_MIN_BYTES: u32 = IOAM_PREFIX_BYTES + TRACE_HEADER_BYTES + ADDRESS_BYTES;

export function resetFindings(firstNotes: u32): void {
  notes = firstNotes;
  fastCnpClass = 0;
  carriedTrace = 0;
  carriedTraceBytes = 0;
}

export function addNote(note: u32): void {
  notes |= note;
}

/** Parses the options in [at, end); returns false if one exceeds `end`. */
export function walkOptions(frame: usize, at: u32, end: u32, isDestination: bool): bool {
  while (at < end) {
    const type = <u32>load<u8>(frame + at);
    if (type == PAD_1) {
      at++;
      continue;
    }
    if (at + 2 > end) return false;
    const data = at + 2;
    const dataBytes = <u32>load<u8>(frame + at, 1);
    at = data + dataBytes;
    if (at > end) return false;
    if (type != PAD_N) noteOption(frame, type, data, dataBytes, isDestination);
  }
  return true;
}

function noteOption(frame: usize, type: u32, data: u32, dataBytes: u32, isDestination: bool): void {
  if (isDestination && (type == optionType1 || type == optionType2)) {
    noteFastCnp(frame, type, data, dataBytes);
  } else if (type == IOAM_CHANGING || type == IOAM_CONSTANT) {
    noteCarriedTrace(frame, data, dataBytes, isDestination);
  } else if (type & ACTION_BITS) {
    notes |= NOTE_UNKNOWN_OPTION;
  }
}

function noteFastCnp(frame: usize, type: u32, data: u32, dataBytes: u32): void {
  const isSecond = fastCnpClass != 0;
  fastCnpClass = CLASS_MALFORMED;
  if (isSecond) return;
  if (type == optionType1 && dataBytes == ADDRESS_BYTES) {
    fastCnpClass = CLASS_FAST_CNP_1;
    originalDestination = data;
  } else if (type == optionType2 && dataBytes >= OPTION_2_MIN_BYTES) {
    fastCnpClass = CLASS_FAST_CNP_2;
    originalDestination = data + dataBytes - ADDRESS_BYTES;
    const isTrace = load<u8>(frame + data, 1) <= IOAM_LAST_TRACE_TYPE;
    copiedTrace = isTrace ? data + IOAM_PREFIX_BYTES : 0;
    copiedTraceBytes = isTrace ? dataBytes - IOAM_PREFIX_BYTES - ADDRESS_BYTES : 0;
  }
}

function noteCarriedTrace(frame: usize, data: u32, dataBytes: u32, isDestination: bool): void {
  if ((carriedTrace && isForDestination == isDestination) || dataBytes < IOAM_PREFIX_BYTES + TRACE_HEADER_BYTES) return;
  if (load<u8>(frame + data, 1) > IOAM_LAST_TRACE_TYPE) return;
  isForDestination = isDestination;
  carriedTrace = data + IOAM_PREFIX_BYTES;
  carriedTraceBytes = dataBytes - IOAM_PREFIX_BYTES;
}

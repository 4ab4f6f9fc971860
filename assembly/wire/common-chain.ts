/**
 * The common extension headers of a Fast CNP domain, recognised by a few wide compares: exactly one header,
 * then UDP. options.ts handles all others.
 *
 *   option 1           Destination Options: the option, PadN of 4       address at 4   (draft, figure 3)
 *                      Destination Options: PadN of 4, the option       address at 8   (aligned)
 *   option 2           Destination Options: PadN of 2, the option       trace at 8, address last
 *   trace with data    Hop-by-Hop Options: PadN of 2, IOAM trace        trace at 8     (RFC 9486: 4n alignment)
 *
 * The last two may end in Pad1 or one PadN that fills the header.
 */
import { optionAlignedWord, optionFirstWord, optionType2 } from './config';
import { ADDRESS_BYTES, IOAM_CHANGING, IOAM_LAST_TRACE_TYPE, IOAM_PREFIX_BYTES, OPTION_2_MIN_BYTES, PAD_1, PAD_N,
  TRACE_HEADER_BYTES } from './options';

const IPV6_HEADER_BYTES: u32 = 40;
const OPTION_1_HEADER_BYTES: u64 = 24;
const PAD_FOUR_LE: u32 = 0x0201;
/** Mask and value of a header's first four bytes: next header UDP, any length, PadN of two. */
const PAD_TWO_MASK: u32 = 0xffff00ff;
const UDP_AND_PAD_TWO: u32 = 0x00010011;
/** Offset of the trace, after the PadN of two and the option's IOAM prefix. */
const TRACE_OFFSET: u32 = 8;

// A result is one number: bytes of the header (0: not a common one), then address, trace and length of the trace.
export const FOUND_ADDRESS_SHIFT: u64 = 16;
export const FOUND_TRACE_SHIFT: u64 = 32;
const FOUND_TRACE_BYTES_SHIFT: u64 = 48;

/** Recognises Destination Options directly after the IPv6 header at `ip`; at least 24 bytes of them are captured. */
@inline export function commonDestination(frame: usize, captured: u32, ip: u32): u64 {
  const at = ip + IPV6_HEADER_BYTES;
  const first = load<u64>(frame + at);
  if (first == optionAlignedWord) return OPTION_1_HEADER_BYTES | (<u64>(at + 8) << FOUND_ADDRESS_SHIFT);
  if (<u32>first == optionFirstWord) {
    const isPadded = <u32>load<u16>(frame + at, 20) == PAD_FOUR_LE;
    return isPadded ? OPTION_1_HEADER_BYTES | (<u64>(at + 4) << FOUND_ADDRESS_SHIFT) : 0;
  }
  return commonTrace(frame, captured, at, first, optionType2, OPTION_2_MIN_BYTES, ADDRESS_BYTES);
}

/** Recognises Hop-by-Hop Options directly after the IPv6 header at `ip`; at least 24 bytes of them are captured. */
@inline export function commonHopByHop(frame: usize, captured: u32, ip: u32): u64 {
  const at = ip + IPV6_HEADER_BYTES;
  const shortest = IOAM_PREFIX_BYTES + TRACE_HEADER_BYTES;
  return commonTrace(frame, captured, at, load<u64>(frame + at), IOAM_CHANGING, shortest, 0);
}

/** Recognises one option of the given type with a trace and `trailer` bytes of address. */
function commonTrace(frame: usize, captured: u32, at: u32, first: u64, type: u32, shortest: u32, trailer: u32): u64 {
  if ((<u32>first & PAD_TWO_MASK) != UDP_AND_PAD_TWO || (<u32>(first >> 32) & 0xff) != type) return 0;
  const headerBytes = ((<u32>first >> 5) & 0x7f8) + 8;
  const dataBytes = <u32>(first >> 40) & 0xff;
  const dataEnd = at + TRACE_OFFSET - IOAM_PREFIX_BYTES + dataBytes;
  const end = at + headerBytes;
  if (dataBytes < shortest || dataEnd > end || end > captured) return 0;
  if (<u32>(first >> 56) > IOAM_LAST_TRACE_TYPE || !isPadding(frame, dataEnd, end)) return 0;
  const found = <u64>headerBytes | (<u64>(at + TRACE_OFFSET) << FOUND_TRACE_SHIFT);
  const address: u64 = trailer ? <u64>(dataEnd - trailer) << FOUND_ADDRESS_SHIFT : 0;
  return found | address | (<u64>(dataBytes - IOAM_PREFIX_BYTES - trailer) << FOUND_TRACE_BYTES_SHIFT);
}

/** Whether the bytes from `at` to `end` are empty, a single Pad1, or a PadN that ends exactly at `end`. */
@inline function isPadding(frame: usize, at: u32, end: u32): bool {
  if (at == end) return true;
  const type = <u32>load<u8>(frame + at);
  if (at + 1 == end) return type == PAD_1;
  return type == PAD_N && at + 2 + <u32>load<u8>(frame + at, 1) == end;
}

/**
 * IPv6 base header and extension header chain (RFC 8200, section 4).
 *
 * Hop-by-Hop Options (only directly after the base header), Destination Options and Fragment headers are skipped.
 * Everything else except UDP ends the parse as CLASS_OTHER: a Routing header, because the destination
 * address is then not the final one, AH, ESP, tunnels, no next header, and a Hop-by-Hop header elsewhere.
 * Each step consumes at least eight bytes of the datagram, so its length bounds the number of steps.
 */
import { CLASS_CUT, CLASS_MALFORMED, CLASS_OTHER, WHY_EXTENSION_LENGTH, WHY_IP_LENGTH, WHY_IP_SHORT, WHY_IP_VERSION,
  WHY_NONE, WHY_OPTION_LENGTH } from '../../src/abi/codes';
import { be16 } from './bytes';
import { addNote, NOTE_EXTENSION, NOTE_FIRST_FRAGMENT, resetFindings, walkOptions } from './options';
import { conclude, concludeShort, recordIp } from './record';
import { parseUdp } from './roce';

const HEADER_BYTES: u32 = 40;
const EXTENSION_UNIT: u32 = 8;
const NEXT_HOP_BY_HOP: u32 = 0;
const NEXT_UDP: u32 = 17;
const NEXT_ROUTING: u32 = 43;
const NEXT_FRAGMENT: u32 = 44;
const NEXT_DESTINATION: u32 = 60;

/** Parses from the IPv6 header at offset `ip`. */
export function parseIpv6(frame: usize, captured: u32, original: u32, ip: u32, out: usize): u32 {
  const first = ip + HEADER_BYTES;
  if (captured < first) return concludeShort(out, first, original, WHY_IP_SHORT);
  const header = frame + ip;
  const versionAndClass = be16(header);
  if (versionAndClass >> 12 != 6) return conclude(out, CLASS_MALFORMED, WHY_IP_VERSION);
  recordIp(out, 6, (versionAndClass >> 4) & 0xff, ip);
  const end = first + be16(header + 4);
  if (end > original) return conclude(out, CLASS_MALFORMED, WHY_IP_LENGTH);
  resetFindings(0);
  return walkChain(frame, captured, ip, load<u8>(header, 6), end, out);
}

@inline function isSteppedOver(next: u32, isFirst: bool): bool {
  return next == NEXT_DESTINATION || next == NEXT_FRAGMENT || next == NEXT_ROUTING ||
    (isFirst && next == NEXT_HOP_BY_HOP);
}

function walkChain(frame: usize, captured: u32, ip: u32, next: u32, end: u32, out: usize): u32 {
  const first = ip + HEADER_BYTES;
  let at = first;
  while (next != NEXT_UDP) {
    if (!isSteppedOver(next, at == first)) return conclude(out, CLASS_OTHER, WHY_NONE);
    if (at + EXTENSION_UNIT > end) return conclude(out, CLASS_MALFORMED, WHY_EXTENSION_LENGTH);
    if (at + EXTENSION_UNIT > captured) return conclude(out, CLASS_CUT, WHY_EXTENSION_LENGTH);
    const header = frame + at;
    const after = at + (next == NEXT_FRAGMENT ? EXTENSION_UNIT : (<u32>load<u8>(header, 1) + 1) << 3);
    if (after > end) return conclude(out, CLASS_MALFORMED, WHY_EXTENSION_LENGTH);
    if (next == NEXT_ROUTING) return conclude(out, CLASS_OTHER, WHY_NONE);
    if (next == NEXT_FRAGMENT) {
      if (be16(header + 2) >> 3) return conclude(out, CLASS_OTHER, WHY_NONE);
      addNote(NOTE_FIRST_FRAGMENT);
    } else {
      if (after > captured) return conclude(out, CLASS_CUT, WHY_EXTENSION_LENGTH);
      const isWellFormed = walkOptions(frame, at + 2, after, next == NEXT_DESTINATION);
      if (!isWellFormed) return conclude(out, CLASS_MALFORMED, WHY_OPTION_LENGTH);
    }
    addNote(NOTE_EXTENSION);
    next = load<u8>(header);
    at = after;
  }
  return parseUdp(frame, captured, ip, at, end, out);
}

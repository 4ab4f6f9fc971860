/**
 * IPv4 (Annex A17, A17.3.1.1). This file accepts options and any flags; strict mode discards them once the
 * datagram is known to be RoCEv2. Later fragments carry no UDP header and are CLASS_OTHER.
 */
import { CLASS_MALFORMED, CLASS_OTHER, WHY_IHL, WHY_IP_LENGTH, WHY_IP_SHORT, WHY_IP_VERSION,
  WHY_NONE } from '../../src/abi/codes';
import { be16 } from './bytes';
import { NOTE_FIRST_FRAGMENT, NOTE_IPV4_FIELDS, resetFindings } from './options';
import { conclude, concludeShort, recordIp } from './record';
import { parseUdp } from './roce';

const HEADER_BYTES: u32 = 20;
const PROTOCOL_UDP: u32 = 17;
const MORE_FRAGMENTS: u32 = 0x2000;
const FRAGMENT_OFFSET: u32 = 0x1fff;
/** The only value of flags and fragment offset that CA17-7 and CA17-8 allow: DF. */
const DONT_FRAGMENT: u32 = 0x4000;

/** Parses from the IPv4 header at offset `ip`. */
export function parseIpv4(frame: usize, captured: u32, original: u32, ip: u32, out: usize): u32 {
  if (captured < ip + HEADER_BYTES) return concludeShort(out, ip + HEADER_BYTES, original, WHY_IP_SHORT);
  const header = frame + ip;
  const first = <u32>load<u8>(header);
  if (first >> 4 != 4) return conclude(out, CLASS_MALFORMED, WHY_IP_VERSION);
  recordIp(out, 4, load<u8>(header, 1), ip);
  const headerBytes = (first & 15) << 2;
  const total = be16(header + 2);
  if (headerBytes < HEADER_BYTES) return conclude(out, CLASS_MALFORMED, WHY_IHL);
  if (total < HEADER_BYTES || ip + total > original) return conclude(out, CLASS_MALFORMED, WHY_IP_LENGTH);
  if (headerBytes > total) return conclude(out, CLASS_MALFORMED, WHY_IHL);
  const fragment = be16(header + 6);
  if (load<u8>(header, 9) != PROTOCOL_UDP || fragment & FRAGMENT_OFFSET) return conclude(out, CLASS_OTHER, WHY_NONE);
  let notes: u32 = fragment & MORE_FRAGMENTS ? NOTE_FIRST_FRAGMENT : 0;
  if (headerBytes != HEADER_BYTES || fragment != DONT_FRAGMENT) notes |= NOTE_IPV4_FIELDS;
  resetFindings(notes);
  return parseUdp(frame, captured, ip, ip + headerBytes, ip + total, out);
}

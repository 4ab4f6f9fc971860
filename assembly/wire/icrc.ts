/**
 * Invariant CRC of RoCEv2 (Annex A17, A17.3.3, CA17-22).
 *
 * Input: 64 one-bits that replace the LRH, then the datagram from its first IP byte to the last byte before the ICRC.
 * Fields that change en route count as ones: IPv4 type of service, time to live and checksum; IPv6
 * traffic class, flow label and hop limit; UDP checksum; BTH byte 4. CRC-32 as in Ethernet, least significant
 * byte first on the wire, which is a little-endian load here.
 *
 * Eight bytes per step with eight tables of 256 words ("slicing by eight"). Masking is an OR on the loaded words,
 * so nothing is copied. Extension headers follow the configured policy, since no document covers them.
 */
import { ICRC_ABSENT, ICRC_LITERAL, ICRC_NORMALISE, ICRC_NOT_CHECKED, ICRC_RIGHT,
  ICRC_WRONG } from '../../src/abi/codes';
import { icrcChecked, icrcPolicy } from './config';

const POLYNOMIAL_REFLECTED: u32 = 0xedb88320;
/** The CRC register after the initial eight bytes of ones. */
const AFTER_ONES: u32 = 0xdebb20e3;
const ICRC_BYTES: u32 = 4;
const IPV6_HEADER_BYTES: u32 = 40;

// Masks on little-endian words: byte 0 is the lowest one.
const IPV4_TOS: u64 = 0x000000000000ff00;
const IPV4_TTL_AND_CHECKSUM: u64 = 0x00000000ffff00ff;
const IPV6_CLASS_LABEL_HOPS: u64 = 0xff000000ffffff0f;
const IPV6_LENGTH_AND_NEXT: u64 = 0x00ffffff00000000;
const UDP_CHECKSUM: u64 = 0xffff000000000000;
const BTH_BYTE_4: u64 = 0x000000ff00000000;
const NEXT_UDP: u64 = 17;

let table: usize = 0;

/**
 * Builds the tables.
 *
 * @param tableAddress - 8192 bytes of linear memory, 8-byte aligned, that nothing else writes
 */
export function initIcrc(tableAddress: usize): void {
  table = tableAddress;
  for (let i: u32 = 0; i < 256; i++) {
    let crc = i;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ POLYNOMIAL_REFLECTED : crc >> 1;
    store<u32>(table + (<usize>i << 2), crc);
  }
  for (let i: u32 = 256; i < 2048; i++) {
    const previous = load<u32>(table + (<usize>(i - 256) << 2));
    store<u32>(table + (<usize>i << 2), (previous >> 8) ^ entry(0, previous));
  }
}

/** Word `byte & 255` of table `slice`. */
@inline function entry(slice: usize, byte: u32): u32 {
  return load<u32>(table + (slice << 10) + (<usize>(byte & 0xff) << 2));
}

@inline function step8(crc: u32, bytes: u64): u32 {
  const low = <u32>bytes ^ crc;
  const high = <u32>(bytes >> 32);
  return (entry(7, low) ^ entry(6, low >> 8) ^ entry(5, low >> 16) ^ entry(4, low >> 24) ^
    entry(3, high) ^ entry(2, high >> 8) ^ entry(1, high >> 16) ^ entry(0, high >> 24));
}

@inline function step4(crc: u32, bytes: u32): u32 {
  const low = bytes ^ crc;
  return entry(3, low) ^ entry(2, low >> 8) ^ entry(1, low >> 16) ^ entry(0, low >> 24);
}

/** `step8`, not inlined, for the headers. */
function headerStep(crc: u32, bytes: u64): u32 {
  return step8(crc, bytes);
}

function run(crc: u32, at: usize, end: usize): u32 {
  for (; at + 8 <= end; at += 8) crc = step8(crc, load<u64>(at));
  for (; at < end; at++) crc = (crc >> 8) ^ entry(0, crc ^ load<u8>(at));
  return crc;
}

/** Adds the base header, masked, and its options, unmasked. */
function runIpv4(header: usize, udp: usize): u32 {
  let crc = headerStep(AFTER_ONES, load<u64>(header) | IPV4_TOS);
  crc = headerStep(crc, load<u64>(header, 8) | IPV4_TTL_AND_CHECKSUM);
  crc = step4(crc, load<u32>(header, 16));
  return run(crc, header + 20, udp);
}

/** Adds the base header, then the extension headers according to the policy. */
function runIpv6(header: usize, udp: usize, udpBytes: u32): u32 {
  const extensions = header + IPV6_HEADER_BYTES;
  let first = load<u64>(header) | IPV6_CLASS_LABEL_HOPS;
  if (icrcPolicy == ICRC_NORMALISE && extensions != udp) {
    const lengthAndNext = (<u64>bswap<u16>(<u16>udpBytes) << 32) | (NEXT_UDP << 48);
    first = (first & ~IPV6_LENGTH_AND_NEXT) | lengthAndNext;
  }
  const crc = run(headerStep(AFTER_ONES, first), header + 8, extensions);
  return icrcPolicy == ICRC_LITERAL ? run(crc, extensions, udp) : crc;
}

/** Computes the ICRC of a datagram with IP header at offset `ip`, UDP header at `udp`, and end of the ICRC at `end`. */
export function computeIcrc(frame: usize, ip: u32, udp: u32, end: u32): u32 {
  const header = frame + ip;
  const upper = frame + udp;
  let crc = load<u8>(header) >> 4 == 4 ? runIpv4(header, upper) : runIpv6(header, upper, end - udp);
  crc = headerStep(crc, load<u64>(upper) | UDP_CHECKSUM);
  crc = headerStep(crc, load<u64>(upper, 8) | BTH_BYTE_4);
  return ~run(crc, upper + 16, frame + end - ICRC_BYTES);
}

/** ICRC_* of a datagram as for `computeIcrc`, of which the bytes up to `captured` are available. */
@inline export function icrcVerdict(frame: usize, captured: u32, ip: u32, udp: u32, end: u32): u32 {
  if (end > captured) return ICRC_ABSENT;
  if (!icrcChecked) return ICRC_NOT_CHECKED;
  return checkIcrc(frame, ip, udp, end);
}

function checkIcrc(frame: usize, ip: u32, udp: u32, end: u32): u32 {
  return computeIcrc(frame, ip, udp, end) == load<u32>(frame + end - ICRC_BYTES) ? ICRC_RIGHT : ICRC_WRONG;
}

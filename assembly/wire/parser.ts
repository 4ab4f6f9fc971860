/**
 * In-place parser: one frame in, one packet record (src/abi/layout.ts, PACKET_*) out.
 *
 * Input: bytes [frame, frame + captured) of a frame that had `original` bytes on the wire. Nothing beyond them is
 * read, nothing is allocated. An `original` below `captured` counts as equal to it.
 *
 * Two paths produce the same record:
 * - the common path, a few wide loads and compares for the usual frames of a RoCE fabric: Ethernet with at most one
 *   tag, IPv6 or IPv4 as required by Annex A17, RoCEv2 data, ACKs and CNPs, and the extension headers of
 *   common-chain.ts;
 * - `parseLink` and the stages it calls, for all other frames. The common path falls back to it at the first mismatch.
 *
 * A truncated frame (captured < original) has its usual class if BTH (and AETH) are captured, otherwise CLASS_CUT.
 * A frame shorter than its own length fields is CLASS_MALFORMED. Rules: IBTA Annex A17 (RoCEv2), RFC 8200 (IPv6),
 * draft-xiao-rtgwg-rocev2-fast-cnp section 4.
 */
import { CLASS_CNP, CLASS_DATA, CLASS_FAST_CNP_1, CLASS_FAST_CNP_2, LINK_ETHERNET, NONE } from '../../src/abi/codes';
import { strictMode } from './config';
import { icrcVerdict } from './icrc';
import { parseLink } from './link';
import { resetRecord } from './record';
import { AETH_BYTES, BTH_BYTES, classOfSyndrome, ICRC_BYTES, isAcknowledgement, isTransportOpcode, OPCODE_CNP,
  sameAsSource, UDP_BYTES } from './roce';
import { FOUND_ADDRESS_SHIFT, FOUND_TRACE_SHIFT, commonDestination, commonHopByHop } from './common-chain';

export { configureParser } from './config';
export { computeIcrc, initIcrc } from './icrc';

/** Result of the common path for a frame that it does not support. */
const UNCOMMON: u32 = 0xff;
// EtherTypes and ports as loaded in little-endian order.
const ETHER_TYPE_IPV4_LE: u32 = 0x0008;
const ETHER_TYPE_IPV6_LE: u32 = 0xdd86;
const ETHER_TYPE_TAG_LE: u32 = 0x0081;
const ROCE_V2_PORT_LE: u32 = 0xb712;
/** Mask of version and next header in the first eight bytes of an IPv6 header. */
const IPV6_SHAPE: u64 = 0x00ff0000000000f0;
const IPV6_UDP: u64 = 0x0011000000000060;
const IPV6_DESTINATION: u64 = 0x003c000000000060;
const IPV6_HOP_BY_HOP: u64 = 0x0000000000000060;
/** Mask of version, header length, flags and fragment offset in the first eight bytes of an IPv4 header; values 4, 5, DF, 0. */
const IPV4_SHAPE: u64 = 0xffff0000000000ff;
const IPV4_PLAIN: u64 = 0x0040000000000045;
const PROTOCOL_UDP: u32 = 17;
const END_MAX: u32 = 0xffff;
/** Length of an untagged IPv4 frame up to and including the BTH. */
const COMMON_MIN_BYTES: u32 = 14 + 20 + UDP_BYTES + BTH_BYTES;
/** Length from IPv6 base header to BTH, without extension headers and with the shortest of the common ones. */
const IPV6_TO_BTH_BYTES: u32 = 40 + UDP_BYTES + BTH_BYTES;
const IPV6_CHAIN_TO_BTH_BYTES: u32 = IPV6_TO_BTH_BYTES + 24;

/**
 * Parses one frame into the 32 bytes at `out`.
 *
 * One flat function, since a call would cost a third of the common path.
 *
 * @param frame - address of the frame's first byte
 * @param captured - number of its bytes in memory
 * @param original - number of its bytes on the wire
 * @param link - LINK_ETHERNET, LINK_RAW_IP or LINK_OTHER
 * @param out - address of the packet record, 8-byte aligned; PACKET_QP is set to NONE, PACKET_OUTCOME to 0
 * @returns the frame's class, as in the record
 */
export function parseFrame(frame: usize, captured: u32, original: u32, link: u32, out: usize): u32 {
  if (original < captured) original = captured;
  if (link != LINK_ETHERNET || captured < COMMON_MIN_BYTES) return parseUncommon(frame, captured, original, link, out);
  let ip: u32 = 14;
  let etherType = <u32>load<u16>(frame, 12);
  if (etherType == ETHER_TYPE_TAG_LE) {
    ip = 18;
    etherType = load<u16>(frame, 16);
  }
  const header = frame + ip;
  const first = load<u64>(header);
  let network: u32 = 0;
  let udp: u32 = 0;
  let end: u32 = 0;
  let found: u64 = 0;
  if (etherType == ETHER_TYPE_IPV6_LE && captured >= ip + IPV6_TO_BTH_BYTES) {
    const shape = first & IPV6_SHAPE;
    network = 6 | ((swap16(<u32>first) << 4) & 0xff00);
    end = ip + 40 + swap16(<u32>(first >> 32));
    if (shape == IPV6_UDP) {
      udp = ip + 40;
    } else if (captured >= ip + IPV6_CHAIN_TO_BTH_BYTES && !strictMode) {
      if (shape == IPV6_DESTINATION) found = commonDestination(frame, captured, ip);
      else if (shape == IPV6_HOP_BY_HOP) found = commonHopByHop(frame, captured, ip);
      const chainBytes = <u32>found & 0xffff;
      const bthEnd = ip + IPV6_TO_BTH_BYTES + chainBytes;
      udp = chainBytes && captured >= bthEnd ? ip + 40 + chainBytes : 0;
    }
  } else if (etherType == ETHER_TYPE_IPV4_LE && captured >= ip + COMMON_MIN_BYTES - 14) {
    if ((first & IPV4_SHAPE) == IPV4_PLAIN && load<u8>(header, 9) == PROTOCOL_UDP) {
      network = 4 | (<u32>first & 0xff00);
      end = ip + swap16(<u32>first >> 16);
      udp = ip + 20;
    }
  }
  if (udp) {
    const classCode = finishCommon(frame, captured, original, ip, udp, end, network, found, out);
    if (classCode != UNCOMMON) return classCode;
  }
  return parseUncommon(frame, captured, original, link, out);
}

/** Swaps the low two bytes. */
@inline function swap16(value: u32): u32 {
  return ((value & 0xff) << 8) | ((value >> 8) & 0xff);
}

function parseUncommon(frame: usize, captured: u32, original: u32, link: u32, out: usize): u32 {
  resetRecord(out);
  return parseLink(frame, captured, original, link, out);
}

/** Completes the common path; `network`: IP version and above it the traffic class; `found`: result of common-chain.ts. */
@inline function finishCommon(frame: usize, captured: u32, original: u32, ip: u32, udp: u32, end: u32, network: u32,
  found: u64, out: usize): u32 {
  const bth = udp + UDP_BYTES;
  const address = <u32>(found >> FOUND_ADDRESS_SHIFT) & 0xffff;
  const ports = load<u64>(frame + udp);
  // Equal lengths also imply that the datagram contains the whole UDP header.
  if ((<u32>ports >> 16) != ROCE_V2_PORT_LE || udp + swap16(<u32>(ports >> 32)) != end) return UNCOMMON;
  if (end > original || end > END_MAX || end < bth + BTH_BYTES + ICRC_BYTES) return UNCOMMON;
  const transport = load<u64>(frame + bth);
  const opcode = <u32>transport & 0xff;
  const qpn = bswap<u32>(<u32>(transport >> 32)) & 0xffffff;
  if (!qpn) return UNCOMMON;
  let classCode: u32 = CLASS_DATA;
  let fromReceiver: u32 = 0;
  if (opcode == OPCODE_CNP) {
    classCode = CLASS_CNP;
    if (address) {
      classCode = found >> FOUND_TRACE_SHIFT ? CLASS_FAST_CNP_2 : CLASS_FAST_CNP_1;
      fromReceiver = sameAsSource(frame + ip, frame + address);
    }
  } else if (address || !isTransportOpcode(opcode)) {
    return UNCOMMON;
  } else if (isAcknowledgement(opcode)) {
    const aeth = bth + BTH_BYTES;
    if (aeth + AETH_BYTES > captured || aeth + AETH_BYTES + ICRC_BYTES > end) return UNCOMMON;
    classCode = classOfSyndrome(load<u8>(frame + aeth));
  }
  const icrc = icrcVerdict(frame, captured, ip, udp, end);
  store<u64>(out, <u64>(classCode | (network << 16)) | (<u64>(opcode | (icrc << 8) | (ip << 16)) << 32));
  store<u64>(out, <u64>bth | (found & ~<u64>0xffff), 8);
  store<u64>(out, <u64>qpn | (<u64>(<u32>NONE) << 32), 16);
  store<u64>(out, <u64>((fromReceiver << 8) | (end << 16)), 24);
  return classCode;
}

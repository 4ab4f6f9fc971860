/**
 * Link layer: Ethernet II with up to two VLAN tags, MAC control, RoCEv1, or raw IP.
 *
 * A third tag, an 802.3 length instead of an EtherType and every unknown EtherType lead to CLASS_OTHER.
 */
import { CLASS_MALFORMED, CLASS_OTHER, CLASS_PFC, CLASS_ROCE_V1, LINK_ETHERNET, LINK_OTHER, WHY_IP_LENGTH, WHY_IP_SHORT,
  WHY_IP_VERSION, WHY_LINK_SHORT, WHY_BTH_SHORT, WHY_NONE, CLASS_CUT } from '../../src/abi/codes';
import { be16 } from './bytes';
import { parseIpv4 } from './ipv4';
import { parseIpv6 } from './ipv6';
import { conclude, concludeShort } from './record';

const ETHER_TYPE_IPV4: u32 = 0x0800;
const ETHER_TYPE_IPV6: u32 = 0x86dd;
const ETHER_TYPE_MAC_CONTROL: u32 = 0x8808;
const ETHER_TYPE_ROCE_V1: u32 = 0x8915;
/** Addresses and EtherType of an untagged frame. */
const ETHERNET_BYTES: u32 = 14;
const TAG_BYTES: u32 = 4;
const TAGS_MAX: u32 = 2;
const PFC_OPCODE: u32 = 0x0101;
/** Length of a PFC frame's fields: opcode, class-enable vector, and eight times (802.1Qbb). */
const PFC_BYTES: u32 = 20;
const GRH_BYTES: u32 = 40;
const BTH_BYTES: u32 = 12;
const ICRC_BYTES: u32 = 4;

@inline function isTag(etherType: u32): bool {
  return etherType == 0x8100 || etherType == 0x88a8 || etherType == 0x9100;
}

/** Parses a frame from its first byte. */
export function parseLink(frame: usize, captured: u32, original: u32, link: u32, out: usize): u32 {
  if (link == LINK_OTHER) return conclude(out, CLASS_OTHER, WHY_NONE);
  if (link != LINK_ETHERNET) return parseRawIp(frame, captured, original, out);
  if (captured < ETHERNET_BYTES) return concludeShort(out, ETHERNET_BYTES, original, WHY_LINK_SHORT);
  let body = ETHERNET_BYTES;
  let etherType = be16(frame + 12);
  for (let tags: u32 = 0; tags < TAGS_MAX && isTag(etherType); tags++) {
    body += TAG_BYTES;
    if (captured < body) return concludeShort(out, body, original, WHY_LINK_SHORT);
    etherType = be16(frame + body - 2);
  }
  if (etherType == ETHER_TYPE_IPV6) return parseIpv6(frame, captured, original, body, out);
  if (etherType == ETHER_TYPE_IPV4) return parseIpv4(frame, captured, original, body, out);
  if (etherType == ETHER_TYPE_MAC_CONTROL) return parseMacControl(frame, captured, original, body, out);
  if (etherType == ETHER_TYPE_ROCE_V1) return parseRoceV1(frame, captured, original, body, out);
  return conclude(out, CLASS_OTHER, WHY_NONE);
}

function parseRawIp(frame: usize, captured: u32, original: u32, out: usize): u32 {
  if (!captured) return concludeShort(out, 1, original, WHY_IP_SHORT);
  const version = load<u8>(frame) >> 4;
  if (version == 6) return parseIpv6(frame, captured, original, 0, out);
  if (version == 4) return parseIpv4(frame, captured, original, 0, out);
  return conclude(out, CLASS_MALFORMED, WHY_IP_VERSION);
}

/** Only priority flow control has its own class; 802.3x PAUSE and others are CLASS_OTHER. */
function parseMacControl(frame: usize, captured: u32, original: u32, body: u32, out: usize): u32 {
  if (captured < body + 2) return concludeShort(out, body + 2, original, WHY_LINK_SHORT);
  if (be16(frame + body) != PFC_OPCODE) return conclude(out, CLASS_OTHER, WHY_NONE);
  if (captured < body + PFC_BYTES) return concludeShort(out, body + PFC_BYTES, original, WHY_LINK_SHORT);
  return conclude(out, CLASS_PFC, WHY_NONE);
}

/** The GRH has the format of an IPv6 header; its payload length covers BTH to ICRC. */
function parseRoceV1(frame: usize, captured: u32, original: u32, body: u32, out: usize): u32 {
  const bth = body + GRH_BYTES;
  if (captured < bth) return concludeShort(out, bth, original, WHY_IP_SHORT);
  if (load<u8>(frame + body) >> 4 != 6) return conclude(out, CLASS_MALFORMED, WHY_IP_VERSION);
  const payload = be16(frame + body + 4);
  if (payload < BTH_BYTES + ICRC_BYTES) return conclude(out, CLASS_MALFORMED, WHY_BTH_SHORT);
  if (bth + payload > original) return conclude(out, CLASS_MALFORMED, WHY_IP_LENGTH);
  if (captured < bth + BTH_BYTES) return conclude(out, CLASS_CUT, WHY_BTH_SHORT);
  return conclude(out, CLASS_ROCE_V1, WHY_NONE);
}

/**
 * UDP and the InfiniBand transport header after it (Annex A17, A17.3.2 and A17.3.3).
 *
 * Checks, in this order: not port 4791 (other), fragmented (discard), lengths too short (malformed),
 * BTH or AETH not captured (cut), an invalid Fast CNP option (malformed), rules that require dropping (discard).
 * The UDP length determines the end of the ICRC; further bytes of the IP payload are ignored.
 */
import { CLASS_ACK, CLASS_CNP, CLASS_CUT, CLASS_DATA, CLASS_DISCARD, CLASS_FAST_CNP_2, CLASS_MALFORMED, CLASS_NAK,
  CLASS_OTHER, WHY_AETH_SHORT, WHY_BTH_SHORT, WHY_EXTENSION_HEADER, WHY_FAST_CNP_OPTION, WHY_FRAGMENT, WHY_IPV4_FIELDS,
  WHY_NONE, WHY_OPCODE, WHY_QP_ZERO, WHY_UDP_LENGTH, WHY_UNKNOWN_OPTION } from '../../src/abi/codes';
import { PACKET_BTH_OFFSET, PACKET_DEST_QPN, PACKET_END_OFFSET, PACKET_FROM_RECEIVER, PACKET_ICRC, PACKET_IOAM_BYTES,
  PACKET_IOAM_OFFSET, PACKET_OPCODE, PACKET_ORIGINAL_DESTINATION_OFFSET } from '../../src/abi/layout';
import { be16, be32 } from './bytes';
import { strictMode } from './config';
import { icrcVerdict } from './icrc';
import { copiedTrace, copiedTraceBytes, fastCnpClass, carriedTrace, carriedTraceBytes, NOTE_EXTENSION,
  NOTE_FIRST_FRAGMENT, NOTE_IPV4_FIELDS, NOTE_UNKNOWN_OPTION, notes, originalDestination } from './options';
import { conclude } from './record';

const ROCE_V2_PORT: u32 = 4791;
export const UDP_BYTES: u32 = 8;
export const BTH_BYTES: u32 = 12;
export const AETH_BYTES: u32 = 4;
export const ICRC_BYTES: u32 = 4;
export const OPCODE_CNP: u32 = 0x81;
const OPCODE_ACK: u32 = 0x11;
const OPCODE_ATOMIC_ACK: u32 = 0x12;
const OPCODE_FIRST_CNP_CLASS: u32 = 0x80;
const TRANSPORT_XRC: u32 = 5;
const SYNDROME_KIND: u32 = 0xe0;
const SYNDROME_RNR_NAK: u32 = 0x20;
const SYNDROME_NAK: u32 = 0x60;
/** Limit of offsets, which are 16 bits wide in the packet record; every RoCE path MTU is far below it. */
const END_MAX: u32 = 0xffff;

/** Whether an opcode is an ACK of the reliable connected service; ACKs of RD and XRC count as data. */
@inline export function isAcknowledgement(opcode: u32): bool {
  return opcode == OPCODE_ACK || opcode == OPCODE_ATOMIC_ACK;
}

/** Whether an opcode belongs to the RC, UC, RD, UD or XRC transport, even if undefined: later revisions define more. */
@inline export function isTransportOpcode(opcode: u32): bool {
  return opcode < OPCODE_FIRST_CNP_CLASS || opcode >> 5 == TRANSPORT_XRC;
}

/** NAK codes and receiver-not-ready are CLASS_NAK; reserved syndromes count as plain ACKs. */
@inline export function classOfSyndrome(syndrome: u32): u32 {
  const kind = syndrome & SYNDROME_KIND;
  return kind == SYNDROME_NAK || kind == SYNDROME_RNR_NAK ? CLASS_NAK : CLASS_ACK;
}

/** 1 if the frame's IPv6 source is the address at `address`, else 0. */
@inline export function sameAsSource(header: usize, address: usize): u32 {
  const difference = (load<u64>(header, 8) ^ load<u64>(address)) | (load<u64>(header, 16) ^ load<u64>(address, 8));
  return u32(difference == 0);
}

/** Parses from the UDP header at offset `udp` of a datagram that ends at `end`; `notes` has further IP findings. */
export function parseUdp(frame: usize, captured: u32, ip: u32, udp: u32, end: u32, out: usize): u32 {
  if (udp + UDP_BYTES > end) return conclude(out, CLASS_MALFORMED, WHY_UDP_LENGTH);
  if (udp + UDP_BYTES > captured) return conclude(out, CLASS_CUT, WHY_UDP_LENGTH);
  if (be16(frame + udp + 2) != ROCE_V2_PORT) return conclude(out, CLASS_OTHER, WHY_NONE);
  if (notes & NOTE_FIRST_FRAGMENT) return conclude(out, CLASS_DISCARD, whyDiscard(0, 0));
  const udpBytes = be16(frame + udp + 4);
  const udpEnd = udp + udpBytes;
  if (udpEnd > end || udpEnd > END_MAX || udpBytes < UDP_BYTES) return conclude(out, CLASS_MALFORMED, WHY_UDP_LENGTH);
  if (udpBytes < UDP_BYTES + BTH_BYTES + ICRC_BYTES) return conclude(out, CLASS_MALFORMED, WHY_BTH_SHORT);
  if (udp + UDP_BYTES + BTH_BYTES > captured) return conclude(out, CLASS_CUT, WHY_BTH_SHORT);
  return parseBth(frame, captured, ip, udp, udpEnd, out);
}

function parseBth(frame: usize, captured: u32, ip: u32, udp: u32, end: u32, out: usize): u32 {
  const bth = udp + UDP_BYTES;
  const opcode = <u32>load<u8>(frame + bth);
  let classCode: u32 = CLASS_DATA;
  if (opcode == OPCODE_CNP) {
    classCode = fastCnpClass ? fastCnpClass : CLASS_CNP;
    if (classCode == CLASS_MALFORMED) return conclude(out, CLASS_MALFORMED, WHY_FAST_CNP_OPTION);
  } else if (isAcknowledgement(opcode)) {
    const aeth = bth + BTH_BYTES;
    if (aeth + AETH_BYTES + ICRC_BYTES > end) return conclude(out, CLASS_MALFORMED, WHY_AETH_SHORT);
    if (aeth + AETH_BYTES > captured) return conclude(out, CLASS_CUT, WHY_AETH_SHORT);
    classCode = classOfSyndrome(load<u8>(frame + aeth));
  }
  const qpn = be32(frame + bth + 4) & 0xffffff;
  const why = whyDiscard(opcode, qpn);
  if (why != WHY_NONE) return conclude(out, CLASS_DISCARD, why);
  recordRoce(frame, ip, bth, end, opcode, qpn, classCode, out);
  store<u8>(out, icrcVerdict(frame, captured, ip, udp, end), PACKET_ICRC);
  return conclude(out, classCode, WHY_NONE);
}

/** The first rule that discards this RoCEv2 datagram; opcode and QPN don't matter for a fragment. */
function whyDiscard(opcode: u32, qpn: u32): u32 {
  if (strictMode && notes & NOTE_EXTENSION) return WHY_EXTENSION_HEADER;
  if (strictMode && notes & NOTE_IPV4_FIELDS) return WHY_IPV4_FIELDS;
  if (notes & NOTE_FIRST_FRAGMENT) return WHY_FRAGMENT;
  if (notes & NOTE_UNKNOWN_OPTION) return WHY_UNKNOWN_OPTION;
  if (!qpn) return WHY_QP_ZERO;
  return isTransportOpcode(opcode) || opcode == OPCODE_CNP ? WHY_NONE : WHY_OPCODE;
}

function recordRoce(frame: usize, ip: u32, bth: u32, end: u32, opcode: u32, qpn: u32, classCode: u32,
  out: usize): void {
  store<u8>(out, opcode, PACKET_OPCODE);
  store<u16>(out, bth, PACKET_BTH_OFFSET);
  store<u32>(out, qpn, PACKET_DEST_QPN);
  store<u16>(out, end, PACKET_END_OFFSET);
  const copiesTrace = classCode == CLASS_FAST_CNP_2;
  store<u16>(out, copiesTrace ? copiedTrace : carriedTrace, PACKET_IOAM_OFFSET);
  store<u16>(out, copiesTrace ? copiedTraceBytes : carriedTraceBytes, PACKET_IOAM_BYTES);
  if (opcode != OPCODE_CNP || !fastCnpClass) return;
  store<u16>(out, originalDestination, PACKET_ORIGINAL_DESTINATION_OFFSET);
  store<u8>(out, sameAsSource(frame + ip, frame + originalDestination), PACKET_FROM_RECEIVER);
}

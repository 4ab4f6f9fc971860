/**
 * UDP and BTH of the reference parser (Annex A17, A17.3.2 and A17.3.3): from a UDP header to a RoCEv2 packet.
 */
import {
  CLASS_ACK, CLASS_CUT, CLASS_DATA, CLASS_DISCARD, CLASS_MALFORMED, CLASS_NAK, CLASS_OTHER, PARSE_STRICT_A17,
  WHY_AETH_SHORT, WHY_BTH_SHORT, WHY_FAST_CNP_OPTION, WHY_FRAGMENT, WHY_NONE, WHY_OPCODE, WHY_QP_ZERO, WHY_UDP_LENGTH,
  WHY_UNKNOWN_OPTION,
} from '../abi/codes.js';
import type { UdpDatagram } from './parse-ip.js';
import { type FastCnpFinding, type FastCnpOptionTypes, findFastCnp, hasOptionToDiscard } from './parse-options.js';
import { type FrameOctets, isVerdict, verdict, type Verdict } from './parse-verdict.js';

const ROCE_V2_PORT = 4791;
const UDP_HEADER_BYTES = 8;
const BTH_BYTES = 12;
const AETH_BYTES = 4;
const ICRC_BYTES = 4;
const OPCODE_CNP = 0x81;
const RC_ACKNOWLEDGEMENTS: readonly number[] = [0x11, 0x12];
/** Top three bits of the opcodes of RC, UC, RD, UD and XRC. */
const TRANSPORTS: readonly number[] = [0, 1, 2, 3, 5];
/** Top three bits of a syndrome that means NAK: receiver not ready, and NAK proper. */
const NAK_KINDS: readonly number[] = [1, 3];
/** The packet record keeps offsets in 16 bits. */
const LARGEST_END_OFFSET = 0xffff;

export interface RoceRules extends FastCnpOptionTypes {
  readonly mode: number;
}

/** A RoCEv2 packet. */
export interface RocePacket extends FastCnpFinding {
  readonly opcode: number;
  readonly bthOffset: number;
  readonly destQpn: number;
  readonly endOffset: number;
}

export function readRoce(frame: FrameOctets, datagram: UdpDatagram, rules: RoceRules): RocePacket | Verdict {
  const endOffset = findRoceEnd(frame, datagram, rules);
  if (typeof endOffset !== 'number') return endOffset;
  const bthOffset = datagram.udpOffset + UDP_HEADER_BYTES;
  if (bthOffset + BTH_BYTES > frame.captured) return verdict(CLASS_CUT, WHY_BTH_SHORT);

  const opcode = frame.u8(bthOffset);
  const destQpn = frame.u24(bthOffset + 5);
  const finding = classify(frame, datagram, opcode, bthOffset, endOffset, rules);
  if (isVerdict(finding)) return finding;
  const objection = strictObjection(datagram, rules) || objectionTo(datagram, opcode, destQpn, rules);
  if (objection !== WHY_NONE) return verdict(CLASS_DISCARD, objection);
  return { ...finding, opcode, bthOffset, destQpn, endOffset };
}

/** Offset behind the ICRC by the UDP length, once the port is right and the lengths leave room. */
function findRoceEnd(frame: FrameOctets, datagram: UdpDatagram, rules: RoceRules): number | Verdict {
  const { udpOffset } = datagram;
  const payloadOffset = udpOffset + UDP_HEADER_BYTES;
  if (payloadOffset > datagram.endOffset) return verdict(CLASS_MALFORMED, WHY_UDP_LENGTH);
  if (payloadOffset > frame.captured) return verdict(CLASS_CUT, WHY_UDP_LENGTH);
  if (frame.u16(udpOffset + 2) !== ROCE_V2_PORT) return verdict(CLASS_OTHER, WHY_NONE);
  if (datagram.isFirstFragment) return verdict(CLASS_DISCARD, strictObjection(datagram, rules) || WHY_FRAGMENT);

  const endOffset = udpOffset + frame.u16(udpOffset + 4);
  const isWithin = endOffset >= payloadOffset && endOffset <= Math.min(datagram.endOffset, LARGEST_END_OFFSET);
  if (!isWithin) return verdict(CLASS_MALFORMED, WHY_UDP_LENGTH);
  const hasRoom = endOffset - payloadOffset >= BTH_BYTES + ICRC_BYTES;
  return hasRoom ? endOffset : verdict(CLASS_MALFORMED, WHY_BTH_SHORT);
}

function classify(
  frame: FrameOctets,
  datagram: UdpDatagram,
  opcode: number,
  bthOffset: number,
  endOffset: number,
  types: FastCnpOptionTypes,
): FastCnpFinding | Verdict {
  if (opcode === OPCODE_CNP) {
    return findFastCnp(datagram.options, types) ?? verdict(CLASS_MALFORMED, WHY_FAST_CNP_OPTION);
  }
  const plain = (classCode: number): FastCnpFinding => ({ classCode, originalDestinationOffset: 0 });
  if (!RC_ACKNOWLEDGEMENTS.includes(opcode)) return plain(CLASS_DATA);
  const aethEnd = bthOffset + BTH_BYTES + AETH_BYTES;
  if (aethEnd + ICRC_BYTES > endOffset) return verdict(CLASS_MALFORMED, WHY_AETH_SHORT);
  if (aethEnd > frame.captured) return verdict(CLASS_CUT, WHY_AETH_SHORT);
  const kind = frame.u8(bthOffset + BTH_BYTES) >> 5;
  return plain(NAK_KINDS.includes(kind) ? CLASS_NAK : CLASS_ACK);
}

function strictObjection(datagram: UdpDatagram, rules: RoceRules): number {
  return rules.mode === PARSE_STRICT_A17 ? datagram.strictObjection : WHY_NONE;
}

function objectionTo(datagram: UdpDatagram, opcode: number, destQpn: number, types: FastCnpOptionTypes): number {
  if (hasOptionToDiscard(datagram.options, types)) return WHY_UNKNOWN_OPTION;
  if (destQpn === 0) return WHY_QP_ZERO;
  return opcode === OPCODE_CNP || TRANSPORTS.includes(opcode >> 5) ? WHY_NONE : WHY_OPCODE;
}

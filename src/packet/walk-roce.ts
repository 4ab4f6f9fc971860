/**
 * Last part of a dissection: from the UDP header to the ICRC (Annex A17, sections A17.3.2 and A17.3.3; IBTA volume 1,
 * section 9), or to an ARN message.
 */
import { CLASS_ACK, CLASS_CUT, CLASS_DATA, CLASS_DISCARD, CLASS_MALFORMED, CLASS_NAK, CLASS_OTHER, ICRC_NOT_CHECKED,
  PARSE_STRICT_A17, WHY_AETH_SHORT, WHY_BTH_SHORT, WHY_FAST_CNP_OPTION, WHY_FRAGMENT, WHY_NONE, WHY_OPCODE, WHY_QP_ZERO,
  WHY_UDP_LENGTH, WHY_UNKNOWN_OPTION, ICRC_NORMALISE, ICRC_OMIT, ICRC_RIGHT, ICRC_WRONG } from '../abi/codes.js';
import { arnFormatDefaults, paraMask, unknownParaMask, ParaType } from '../wire/arn/arn-format.js';
import { ARN_PARA_TYPE, Arn } from '../wire/arn/arn.js';
import { readU16, readU24 } from '../wire/bytes.js';
import { IP_ADDRESS_BYTES } from '../wire/ip/ip-address.js';
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { Ipv6 } from '../wire/ip/ipv6.js';
import { UdpPort, Udp } from '../wire/ip/udp.js';
import { Aeth, EXTENDED_HEADER_BYTES } from '../wire/roce/extended-headers.js';
import { Bth, Opcode } from '../wire/roce/bth.js';
import { Cnp } from '../wire/roce/cnp.js';
import { Icrc } from '../wire/roce/icrc.js';
import type { Dissection } from './dissection.js';
import { LAYER_AETH, LAYER_BTH, LAYER_CNP_RESERVED, LAYER_ICRC, LAYER_PAD, LAYER_PAYLOAD, LAYER_RDETH, LAYER_TRAILER,
  LAYER_UDP, LAYER_ARN } from './layer-kinds.js';
import { UNREAD_FRAGMENT, UNREAD_UDP_PORT } from './walk-codes.js';
import type { DissectionRules } from './rules.js';
import { classOfCnp, noteOptionContents } from './walk-options.js';
import { walkUdpTunnel } from './walk-tunnel.js';

const IPV6_SOURCE = Ipv6.offsetOf('source');
const UDP_DESTINATION_PORT = Udp.offsetOf('destinationPort');
const UDP_LENGTH = Udp.offsetOf('length');

const BTH_PAD_COUNT = Bth.offsetOf('padCount');
const BTH_DEST_QPN = Bth.offsetOf('destQpn');
const OPCODE_RC_ACK = 0x11;
const OPCODE_RC_ATOMIC_ACK = 0x12;
/** Top three bits of an opcode: RC, UC, RD, UD are 0..3, XRC is 5. */
const TRANSPORT_SHIFT = 5;
const LAST_PLAIN_TRANSPORT = 3;
const TRANSPORT_XRC = 5;
/** The engine's packet record stores offsets in 16 bits. */
const LARGEST_END_OFFSET = 0xffff;

/** The flow in an ARN message: IP version, two addresses, protocol, two ports, padded to words of four bytes. */
const IPV4_FLOW_BYTES = 16;
const IPV6_FLOW_BYTES = 40;

/** Walks a UDP datagram that ends at `endOffset` according to the IP header. */
export function walkUdp(d: Dissection, at: number, endOffset: number, rules: DissectionRules): void {
  const payloadOffset = at + Udp.lenBytes;
  if (d.lacks(LAYER_UDP, at, payloadOffset, endOffset, WHY_UDP_LENGTH)) return;
  d.add(LAYER_UDP, at, Udp.lenBytes);
  const port = readU16(d.bytes, at + UDP_DESTINATION_PORT);
  if (rules.mrc?.takes(d, port, payloadOffset, endOffset) === true && !d.isFragment) {
    if (port !== UdpPort.ROCE_V2) d.resolve(CLASS_OTHER, WHY_NONE);
    else resolveLikeRoce(d, at, endOffset, rules);
    rules.mrc.walk(d, at, endOffset, rules.checksIcrc);
    return;
  }
  if (port !== UdpPort.ROCE_V2) {
    d.resolve(CLASS_OTHER, WHY_NONE);
    walkOtherUdp(d, port, payloadOffset, endOffset, rules);
    return;
  }
  if (d.isFragment) {
    d.resolve(CLASS_DISCARD, strictObjection(d, rules) || WHY_FRAGMENT);
    d.addRest(LAYER_PAYLOAD, payloadOffset, endOffset);
    return;
  }
  walkRoce(d, at, endOffset, rules);
}

function walkOtherUdp(d: Dissection, port: number, at: number, endOffset: number, rules: DissectionRules): void {
  if (port === rules.arnPort && !d.isFragment) {
    walkArn(d, at, endOffset);
    return;
  }
  if (rules.uet?.takesPort(port) === true && !d.isFragment) {
    rules.uet.walkUdp(d, at - Udp.lenBytes, endOffset);
    return;
  }
  if (d.isFragment) d.note(UNREAD_FRAGMENT, IpProtocol.UDP);
  else if (walkUdpTunnel(d, port, at, endOffset)) return;
  else d.note(UNREAD_UDP_PORT, port);
  d.addRest(LAYER_PAYLOAD, at, endOffset);
}

function walkRoce(d: Dissection, udpOffset: number, datagramEnd: number, rules: DissectionRules): void {
  const bthOffset = udpOffset + Udp.lenBytes;
  const length = readU16(d.bytes, udpOffset + UDP_LENGTH);
  const endOffset = udpOffset + length;
  if (length < Udp.lenBytes) {
    d.fail(LAYER_UDP, udpOffset, Udp.lenBytes, length, WHY_UDP_LENGTH);
    return;
  }
  const limitOffset = Math.min(datagramEnd, originOf(d) + LARGEST_END_OFFSET);
  if (endOffset > limitOffset) {
    d.fail(LAYER_UDP, udpOffset, length, limitOffset - udpOffset, WHY_UDP_LENGTH);
    return;
  }
  const room = endOffset - bthOffset;
  if (room < Bth.lenBytes + Icrc.lenBytes) {
    d.fail(LAYER_BTH, bthOffset, Bth.lenBytes + Icrc.lenBytes, room, WHY_BTH_SHORT);
    return;
  }
  if (d.lacks(LAYER_BTH, bthOffset, bthOffset + Bth.lenBytes, endOffset, WHY_BTH_SHORT)) return;
  if (!d.resolved) resolveRoce(d, bthOffset, endOffset, rules);
  walkTransport(d, bthOffset, endOffset);
  if (d.troubleKind === 0) d.addRest(LAYER_TRAILER, endOffset, datagramEnd);
}

/** The class of an MRC packet to the RoCEv2 port, where its opcode is reserved; MRC's own walk reports the problems. */
function resolveLikeRoce(d: Dissection, udpOffset: number, datagramEnd: number, rules: DissectionRules): void {
  const bthOffset = udpOffset + Udp.lenBytes;
  const length = readU16(d.bytes, udpOffset + UDP_LENGTH);
  const endOffset = udpOffset + length;
  if (length < Udp.lenBytes || endOffset > Math.min(datagramEnd, originOf(d) + LARGEST_END_OFFSET)) {
    d.resolve(CLASS_MALFORMED, WHY_UDP_LENGTH);
  } else if (endOffset - bthOffset < Bth.lenBytes + Icrc.lenBytes) d.resolve(CLASS_MALFORMED, WHY_BTH_SHORT);
  else if (bthOffset + Bth.lenBytes > d.capturedEnd) d.resolve(CLASS_CUT, WHY_BTH_SHORT);
  else if (!d.resolved) resolveRoce(d, bthOffset, endOffset, rules);
}

/** First byte of the packet that the engine reads. */
function originOf(d: Dissection): number {
  return d.innerCount > 0 && d.readsInside ? d.ipOffset : 0;
}

/** Determines the class of a RoCEv2 packet as the engine's parser does. */
function resolveRoce(d: Dissection, bthOffset: number, endOffset: number, rules: DissectionRules): void {
  const opcode = d.bytes[bthOffset];
  const classCode = opcode === Bth.OPCODE_CNP ? classOfCnp(d, rules) : classOfOpcode(d, opcode, bthOffset, endOffset);
  if (d.resolved) return;
  if (classCode === 0) {
    d.resolve(CLASS_MALFORMED, WHY_FAST_CNP_OPTION);
    return;
  }
  const destQpn = readU24(d.bytes, bthOffset + BTH_DEST_QPN);
  const objection = strictObjection(d, rules) || objectionTo(d, opcode, destQpn);
  if (objection !== WHY_NONE) {
    d.resolve(CLASS_DISCARD, objection);
    return;
  }
  d.resolve(classCode, WHY_NONE);
  d.bthOffset = bthOffset;
  d.opcode = opcode;
  d.destQpn = destQpn;
  d.endOffset = endOffset;
  noteOptionContents(d, classCode);
  if (d.originalDestinationOffset > 0) d.fromReceiver = isFromReceiver(d) ? 1 : 0;
  if (endOffset <= d.capturedEnd) d.icrc = rules.checksIcrc ? checkDissectedIcrc(d, rules) : ICRC_NOT_CHECKED;
}

/** The class of data, ACK or NAK; an acknowledgement without a complete AETH is final at once. */
function classOfOpcode(d: Dissection, opcode: number, bthOffset: number, endOffset: number): number {
  if (opcode !== OPCODE_RC_ACK && opcode !== OPCODE_RC_ATOMIC_ACK) return CLASS_DATA;
  const aethOffset = bthOffset + Bth.lenBytes;
  const aethEnd = aethOffset + Aeth.lenBytes;
  if (aethEnd + Icrc.lenBytes > endOffset) {
    d.resolve(CLASS_MALFORMED, WHY_AETH_SHORT);
    return CLASS_MALFORMED;
  }
  if (aethEnd > d.capturedEnd) {
    d.resolve(CLASS_CUT, WHY_AETH_SHORT);
    return CLASS_CUT;
  }
  const kind = Aeth.kind(d.bytes[aethOffset]);
  return kind === 'rnr-nak' || kind === 'nak' ? CLASS_NAK : CLASS_ACK;
}

function strictObjection(d: Dissection, rules: DissectionRules): number {
  return rules.mode === PARSE_STRICT_A17 ? d.strictObjection : WHY_NONE;
}

function objectionTo(d: Dissection, opcode: number, destQpn: number): number {
  if (d.hasOptionToDiscard) return WHY_UNKNOWN_OPTION;
  if (destQpn === 0) return WHY_QP_ZERO;
  const transport = opcode >> TRANSPORT_SHIFT;
  const isKnown = opcode === Bth.OPCODE_CNP || transport <= LAST_PLAIN_TRANSPORT || transport === TRANSPORT_XRC;
  return isKnown ? WHY_NONE : WHY_OPCODE;
}

function isFromReceiver(d: Dissection): boolean {
  const source = d.ipOffset + IPV6_SOURCE;
  for (let i = 0; i < IP_ADDRESS_BYTES; i++) {
    if (d.bytes[source + i] !== d.bytes[d.originalDestinationOffset + i]) return false;
  }
  return true;
}

/** Walks BTH, extended headers, payload, padding and ICRC; the BTH is complete. */
export function walkTransport(d: Dissection, bthOffset: number, endOffset: number): void {
  const opcode = d.bytes[bthOffset];
  const bodyEnd = endOffset - Icrc.lenBytes;
  d.add(LAYER_BTH, bthOffset, Bth.lenBytes);
  let at = bthOffset + Bth.lenBytes;
  // The bits of the set and the numbers of the kinds are both in wire order.
  let extended = Opcode.extendedHeaderSet(opcode);
  for (let kind = LAYER_RDETH; extended !== 0; kind++, extended >>= 1) {
    if ((extended & 1) === 0) continue;
    const length = EXTENDED_HEADER_BYTES[kind - LAYER_RDETH];
    if (d.lacks(kind, at, at + length, bodyEnd, kind === LAYER_AETH ? WHY_AETH_SHORT : WHY_NONE)) return;
    d.add(kind, at, length);
    at += length;
  }
  if (opcode === Bth.OPCODE_CNP) {
    // Receivers accept a CNP of any length: missing reserved bytes are not an error, extra bytes are payload.
    const reservedEnd = Math.min(at + Cnp.RESERVED_BYTES, bodyEnd);
    d.addRest(LAYER_CNP_RESERVED, at, reservedEnd);
    at = reservedEnd;
  }
  const padOffset = Math.max(at, bodyEnd - ((d.bytes[bthOffset + BTH_PAD_COUNT] >> 4) & 3));
  d.addRest(LAYER_PAYLOAD, at, padOffset);
  d.addRest(LAYER_PAD, padOffset, bodyEnd);
  if (!d.lacks(LAYER_ICRC, bodyEnd, endOffset, endOffset, WHY_NONE)) d.add(LAYER_ICRC, bodyEnd, Icrc.lenBytes);
}

/** Compares the ICRC with the computed one. @returns ICRC_RIGHT or ICRC_WRONG, for a RoCEv2 packet that was captured completely. */
function checkDissectedIcrc(d: Dissection, rules: DissectionRules): number {
  const icrcOffset = d.endOffset - Icrc.lenBytes;
  const policy = rules.icrcPolicy === ICRC_OMIT ?
    'omit' :
    rules.icrcPolicy === ICRC_NORMALISE ?
    'normalise' :
    'literal';
  const computed = Icrc.computeAt(d.bytes, d.ipOffset, d.bthOffset - Udp.lenBytes, icrcOffset, policy);
  return computed === Icrc.read(d.bytes, icrcOffset) ? ICRC_RIGHT : ICRC_WRONG;
}

/**
 * Walks an ARN message (draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1), in the format of `arnFormatDefaults`, after the
 * UDP header and up to `endOffset`. The message has an end marker; bytes after it are a trailer.
 */
function walkArn(d: Dissection, at: number, endOffset: number): void {
  const flowOffset = at + Arn.lenBytes;
  if (d.lacks(LAYER_ARN, at, flowOffset, endOffset, WHY_NONE)) return;
  const paraType = d.bytes[at + ARN_PARA_TYPE];
  const hasFlow = (paraType & paraMask(ParaType.FLOW, arnFormatDefaults.bitOrder)) !== 0;
  if (hasFlow && d.lacks(LAYER_ARN, at, flowOffset + 1, endOffset, WHY_NONE)) return;
  const flowBytes = hasFlow ? flowBytesOf(d.bytes[flowOffset]) : 0;
  const isUnknown = (paraType & unknownParaMask(arnFormatDefaults.bitOrder)) !== 0 || (hasFlow && flowBytes === 0);
  // If the length of its parameters is unknown, take all bytes of the message; its codec reports the error.
  if (isUnknown) {
    d.addRest(LAYER_ARN, at, endOffset);
    return;
  }
  const messageEnd = flowOffset + flowBytes + numberBytesOf(paraType);
  if (d.lacks(LAYER_ARN, at, messageEnd, endOffset, WHY_NONE)) return;
  d.add(LAYER_ARN, at, messageEnd - at);
  d.addRest(LAYER_TRAILER, messageEnd, endOffset);
}

/** Bytes of a five-tuple by IP version; 0 for any other number. */
function flowBytesOf(version: number): number {
  if (version === 4) return IPV4_FLOW_BYTES;
  return version === 6 ? IPV6_FLOW_BYTES : 0;
}

function numberBytesOf(paraType: number): number {
  return numberBytesIf(paraType, ParaType.PATH) + numberBytesIf(paraType, ParaType.PRIORITY) +
    numberBytesIf(paraType, ParaType.COMPRESSION_TIME);
}

function numberBytesIf(paraType: number, bit: number): number {
  return (paraType & paraMask(bit, arnFormatDefaults.bitOrder)) === 0 ? 0 : Arn.NUMBER_BYTES;
}

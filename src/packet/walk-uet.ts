/**
 * Ultra Ethernet packets in a dissection: from the UDP or entropy header to the payload (UE 1.0.1, sections 3.4 and 3.5;
 * docs/specs/uet-formats.md).
 *
 *   packet delivery  by type: request, ACK, NACK, control packet, … and what it carries of congestion control
 *   semantics        by the next header: request with its extension, response
 *   payload          as long as the semantic header says; bytes after it, such as a CRC, are a trailer
 *
 * A packet is trimmed if the DSCP of the outermost IP-in-IP header says so: then it may end anywhere, and its lengths may
 * be the original ones. The class of the frame is that of the engine, which only knows RoCEv2.
 */
import { WHY_NONE } from '../abi/codes.js';
import { readU16, readU32 } from '../wire/bytes.js';
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { Udp } from '../wire/ip/udp.js';
import { UetNextHeader, UetOperation, UetType, isUetCompareSwap } from '../wire/uet/codes.js';
import { UetAck, UetControl, UetEntropy, UetNack, UetNsccState, UetRequest, UetRequestCc, UetRudi, UetSack, UetSecurity,
  UetSecuritySource, UetUud } from '../wire/uet/pds.js';
import { UetAtomic, UetCompareSwap, UetRendezvous, UetSesContinued, UetSesMedium, UetSesResponse, UetSesResponseData,
  UetSesResponseDataSmall, UetSesSmall, UetSesStandard } from '../wire/uet/ses.js';
import type { Dissection } from './dissection.js';
import { LAYER_PAYLOAD, LAYER_TRAILER, LAYER_UET_ACK, LAYER_UET_ATOMIC, LAYER_UET_CC_UNKNOWN, LAYER_UET_COMPARE_SWAP,
  LAYER_UET_CONTROL, LAYER_UET_CREDIT_STATE, LAYER_UET_ENTROPY, LAYER_UET_NACK, LAYER_UET_NSCC_STATE,
  LAYER_UET_RENDEZVOUS, LAYER_UET_REQUEST, LAYER_UET_REQUEST_CC, LAYER_UET_RUDI, LAYER_UET_SACK, LAYER_UET_SECURITY,
  LAYER_UET_SECURITY_SOURCE, LAYER_UET_SES_CONTINUED, LAYER_UET_SES_MEDIUM, LAYER_UET_SES_RESPONSE,
  LAYER_UET_SES_RESPONSE_DATA, LAYER_UET_SES_RESPONSE_DATA_SMALL, LAYER_UET_SES_SMALL, LAYER_UET_SES_STANDARD,
  LAYER_UET_UUD, LAYER_UNDECODED } from './layer-kinds.js';
import { endOfDatagram, endOfTrimmed, isTrimmedClass, offsetBehindIp } from './trimmed-packet.js';
import { type UetOptions, type UetSettings, uetSettings } from './multipath-settings.js';

/** The part of a walk that reads Ultra Ethernet packets. The rules hold it. */
export interface UetReader {
  /** Settings for reading Ultra Ethernet packets. */
  readonly settings: UetSettings;
  /** Whether a UDP destination port is Ultra Ethernet's. */
  readonly takesPort: (port: number) => boolean;
  /** Walks the packet after a UDP header; it ends at `endOffset` according to the headers around it. */
  readonly walkUdp: (d: Dissection, udpOffset: number, endOffset: number) => void;
  /** Walks the packet that begins with an entropy header. */
  readonly walkNative: (d: Dissection, at: number, endOffset: number) => void;
  /** Whether an IP packet that is shorter than its length field is a trimmed Ultra Ethernet packet. */
  readonly takesTrimmed: (d: Dissection, ipOffset: number, version: number) => boolean;
}

const UDP_DESTINATION_PORT = Udp.offsetOf('destinationPort');
const PROLOGUE_BYTES = 2;
const FLAG_SOURCE = 4;
const EXTENDED_STATE_BYTES = 16;
const CC_NSCC = 0;
const CC_CREDIT = 1;
const OPERATION_MASK = 0x3f;
const FLAG_START = 1;
const FLAG_END = 2;
const LENGTH_MASK = 0x3fff;
const CONTINUED_LENGTH = UetSesContinued.offsetOf('payloadLength');
const STANDARD_LENGTH = UetSesStandard.offsetOf('requestLength');
const SHORT_LENGTH = UetSesSmall.offsetOf('requestLength');
const RESPONSE_LENGTH = UetSesResponseData.offsetOf('payloadLength');
const SMALL_RESPONSE_LENGTH = UetSesResponseDataSmall.offsetOf('payloadLength');
/** A header whose payload has no stated length. */
const REST = -1;

/** @returns the reader of Ultra Ethernet packets. @throws RoceError `invalid-argument` naming an option. */
export function uetReader(options?: UetOptions): UetReader {
  if (options === undefined) return (defaultReader ??= readerOf({}));
  return readerOf(options);
}

/** Created once, since `dissect` checks its options for each frame. */
let defaultReader: UetReader | undefined;

function readerOf(options: UetOptions): UetReader {
  const settings = uetSettings(options);
  return {
    settings,
    takesPort: (port) => settings.ports.includes(port),
    walkUdp: (d, udpOffset, endOffset) => {
      begin(d, settings);
      const packetEnd = endOfDatagram(d, udpOffset, endOffset, d.uetIsTrimmed);
      walkPacket(d, udpOffset + Udp.lenBytes, packetEnd);
      if (!d.hasTrouble) d.addRest(LAYER_TRAILER, packetEnd, endOffset);
    },
    walkNative: (d, at, endOffset) => {
      begin(d, settings);
      const packetAt = addHeader(d, LAYER_UET_ENTROPY, at, UetEntropy.lenBytes, endOffset);
      if (packetAt !== 0) walkPacket(d, packetAt, d.uetIsTrimmed ? endOfTrimmed(d, endOffset) : endOffset);
    },
    takesTrimmed: (d, ipOffset, version) =>
      isTrimmedClass(d, settings.dscps) && leadsToUet(d, ipOffset, version, settings),
  };
}

function begin(d: Dissection, { dscps }: UetSettings): void {
  d.uetDscps = dscps;
  d.uetIsTrimmed = isTrimmedClass(d, dscps);
}

function leadsToUet(d: Dissection, ipOffset: number, version: number, { ports, ipProtocol }: UetSettings): boolean {
  if (ipProtocol > 0 && offsetBehindIp(d, ipOffset, version, ipProtocol) !== 0) return true;
  const udpOffset = offsetBehindIp(d, ipOffset, version, IpProtocol.UDP);
  if (udpOffset === 0 || udpOffset + Udp.lenBytes > d.capturedEnd) return false;
  return ports.includes(readU16(d.bytes, udpOffset + UDP_DESTINATION_PORT));
}

function walkPacket(d: Dissection, pdsOffset: number, end: number): void {
  if (!isThere(d, LAYER_UET_REQUEST, pdsOffset, PROLOGUE_BYTES, end)) return;
  d.uetOffset = pdsOffset;
  const type = d.bytes[pdsOffset] >> 3;
  const sesAt = walkDelivery(d, type, pdsOffset, end);
  if (sesAt === 0) return;
  if (type === UetType.TSS || type === UetType.CONTROL) endPacket(d, sesAt, REST, end);
  else walkSemantics(d, (readU16(d.bytes, pdsOffset) >> 7) & 0xf, sesAt, end);
}

/** Adds the headers of packet delivery. @returns the offset after them; 0 if one of them is incomplete. */
function walkDelivery(d: Dissection, type: number, at: number, end: number): number {
  switch (type) {
    case UetType.TSS:
      return (d.bytes[at] & FLAG_SOURCE) === 0 ?
        addHeader(d, LAYER_UET_SECURITY, at, UetSecurity.lenBytes, end) :
        addHeader(d, LAYER_UET_SECURITY_SOURCE, at, UetSecuritySource.lenBytes, end);
    case UetType.RUD_REQUEST:
    case UetType.ROD_REQUEST:
      return addHeader(d, LAYER_UET_REQUEST, at, UetRequest.lenBytes, end);
    case UetType.RUD_CC_REQUEST:
    case UetType.ROD_CC_REQUEST:
      return addHeader(d, LAYER_UET_REQUEST_CC, addHeader(d, LAYER_UET_REQUEST, at, UetRequest.lenBytes, end),
        UetRequestCc.lenBytes, end);
    case UetType.RUDI_REQUEST:
    case UetType.RUDI_RESPONSE:
      return addHeader(d, LAYER_UET_RUDI, at, UetRudi.lenBytes, end);
    case UetType.UUD_REQUEST:
      return addHeader(d, LAYER_UET_UUD, at, UetUud.lenBytes, end);
    case UetType.ACK:
    case UetType.ACK_CC:
    case UetType.ACK_CCX:
      return walkAck(d, type, at, end);
    case UetType.NACK:
      return addHeader(d, LAYER_UET_NACK, at, UetNack.lenBytes, end);
    case UetType.NACK_CCX:
      return addHeader(d, LAYER_UET_CC_UNKNOWN, addHeader(d, LAYER_UET_NACK, at, UetNack.lenBytes, end),
        EXTENDED_STATE_BYTES, end);
    case UetType.CONTROL:
      return addHeader(d, LAYER_UET_CONTROL, at, UetControl.lenBytes, end);
  }
  d.addRest(LAYER_UNDECODED, at, end);
  return 0;
}

function walkAck(d: Dissection, type: number, ackAt: number, end: number): number {
  const sackAt = addHeader(d, LAYER_UET_ACK, ackAt, UetAck.lenBytes, end);
  if (type === UetType.ACK) return sackAt;
  const stateAt = addHeader(d, LAYER_UET_SACK, sackAt, UetSack.lenBytes, end);
  if (stateAt === 0) return 0;
  if (type === UetType.ACK_CCX) return addHeader(d, LAYER_UET_CC_UNKNOWN, stateAt, EXTENDED_STATE_BYTES, end);
  const form = d.bytes[sackAt] >> 4;
  const kind = form === CC_NSCC ?
    LAYER_UET_NSCC_STATE :
    form === CC_CREDIT ?
    LAYER_UET_CREDIT_STATE :
    LAYER_UET_CC_UNKNOWN;
  return addHeader(d, kind, stateAt, UetNsccState.lenBytes, end);
}

/** Adds the headers of semantics, and the payload. */
function walkSemantics(d: Dissection, next: number, at: number, end: number): void {
  switch (next) {
    case UetNextHeader.REQUEST_SMALL:
      walkRequest(d, LAYER_UET_SES_SMALL, at, UetSesSmall.lenBytes, end);
      return;
    case UetNextHeader.REQUEST_MEDIUM:
      walkRequest(d, LAYER_UET_SES_MEDIUM, at, UetSesMedium.lenBytes, end);
      return;
    case UetNextHeader.REQUEST_STANDARD: {
      const isFirst = at + 1 < d.capturedEnd && (d.bytes[at + 1] & FLAG_START) !== 0;
      walkRequest(d, isFirst ? LAYER_UET_SES_STANDARD : LAYER_UET_SES_CONTINUED, at, UetSesStandard.lenBytes, end);
      return;
    }
    case UetNextHeader.RESPONSE:
      endPacket(d, addHeader(d, LAYER_UET_SES_RESPONSE, at, UetSesResponse.lenBytes, end), 0, end);
      return;
    case UetNextHeader.RESPONSE_DATA: {
      const behind = addHeader(d, LAYER_UET_SES_RESPONSE_DATA, at, UetSesResponseData.lenBytes, end);
      endPacket(d, behind, behind === 0 ? 0 : lengthAt(d, at + RESPONSE_LENGTH), end);
      return;
    }
    case UetNextHeader.RESPONSE_DATA_SMALL: {
      const behind = addHeader(d, LAYER_UET_SES_RESPONSE_DATA_SMALL, at, UetSesResponseDataSmall.lenBytes, end);
      endPacket(d, behind, behind === 0 ? 0 : lengthAt(d, at + SMALL_RESPONSE_LENGTH), end);
      return;
    }
  }
  endPacket(d, at, REST, end);
}

function walkRequest(d: Dissection, kind: number, at: number, length: number, end: number): void {
  const extensionAt = addHeader(d, kind, at, length, end);
  if (extensionAt === 0) return;
  const payloadAt = addExtension(d, d.bytes[at] & OPERATION_MASK, extensionAt, end);
  if (payloadAt !== 0) endPacket(d, payloadAt, payloadOf(d, kind, at, extensionAt), end);
}

/** Adds the extension that the operation requires. @returns the offset after it; 0 if it is incomplete. */
function addExtension(d: Dissection, operation: number, at: number, end: number): number {
  switch (operation) {
    case UetOperation.RENDEZVOUS_SEND:
    case UetOperation.RENDEZVOUS_TSEND:
      return addHeader(d, LAYER_UET_RENDEZVOUS, at, UetRendezvous.lenBytes, end);
    case UetOperation.ATOMIC:
    case UetOperation.FETCHING_ATOMIC:
    case UetOperation.TSEND_ATOMIC:
    case UetOperation.TSEND_FETCH_ATOMIC: {
      const operandsAt = addHeader(d, LAYER_UET_ATOMIC, at, UetAtomic.lenBytes, end);
      if (operandsAt === 0 || !isUetCompareSwap(d.bytes[at])) return operandsAt;
      return addHeader(d, LAYER_UET_COMPARE_SWAP, operandsAt, UetCompareSwap.lenBytes, end);
    }
  }
  return at;
}

/** Payload bytes that a request states; REST if it states none. */
function payloadOf(d: Dissection, kind: number, at: number, extensionAt: number): number {
  switch (d.bytes[at] & OPERATION_MASK) {
    case UetOperation.NO_OP:
    case UetOperation.READ:
    case UetOperation.DEFERRABLE_RTR:
    case UetOperation.MSG_ERROR:
      return 0;
    case UetOperation.RENDEZVOUS_SEND:
    case UetOperation.RENDEZVOUS_TSEND:
      return kind === LAYER_UET_SES_CONTINUED ? lengthAt(d, at + CONTINUED_LENGTH) : eagerPayload(d, at, extensionAt);
  }
  if (kind === LAYER_UET_SES_CONTINUED) return lengthAt(d, at + CONTINUED_LENGTH);
  if (kind !== LAYER_UET_SES_STANDARD) return lengthAt(d, at + SHORT_LENGTH);
  return isWholeMessage(d, at) ? readU32(d.bytes, at + STANDARD_LENGTH) : REST;
}

/** The eager part of a rendezvous, if one packet holds all of it. */
function eagerPayload(d: Dissection, at: number, extensionAt: number): number {
  return isWholeMessage(d, at) ? readU32(d.bytes, extensionAt) : REST;
}

function isWholeMessage({ bytes }: Dissection, at: number): boolean {
  return (bytes[at + 1] & FLAG_END) !== 0;
}

/** The length in the lower 14 bits of a word. */
function lengthAt({ bytes }: Dissection, at: number): number {
  return readU16(bytes, at) & LENGTH_MASK;
}

/** @param at 0 after an incomplete header. @returns the offset after the header, or 0. */
function addHeader(d: Dissection, kind: number, at: number, length: number, end: number): number {
  if (at === 0 || !isThere(d, kind, at, length, end)) return 0;
  d.add(kind, at, length);
  return at + length;
}

/** Whether the packet has the whole header; the beginning of one that a switch trimmed is no error. */
function isThere(d: Dissection, kind: number, at: number, length: number, end: number): boolean {
  if (d.uetIsTrimmed && at + length > end) {
    d.addRest(LAYER_UNDECODED, at, end);
    return false;
  }
  return !d.lacks(kind, at, at + length, end, WHY_NONE);
}

/** Adds the payload, of which a trimmed packet may lack the end. @param at 0 after an incomplete header. */
function endPacket(d: Dissection, at: number, statedBytes: number, end: number): void {
  if (at === 0) return;
  const payloadEnd = statedBytes === REST ? end : Math.min(end, at + statedBytes);
  d.uetPayloadBytes = payloadEnd - at;
  d.addRest(LAYER_PAYLOAD, at, payloadEnd);
  d.addRest(LAYER_TRAILER, payloadEnd, end);
}

/**
 * MRC packets in a dissection: from the UDP header to the ICRC (OCP MRC 1.0; docs/specs/mrc-formats.md).
 *
 * A datagram is MRC if its destination port matches and its opcode is 0xc0..0xdf; the class of the frame is that of the
 * engine, which only knows RoCEv2. A packet is trimmed if the DSCP of the outermost IP-in-IP header says so: then it
 * may end anywhere, its lengths may be the original ones, and its last bytes are not an ICRC.
 */
import { ICRC_RIGHT, ICRC_WRONG, WHY_NONE } from '../abi/codes.js';
import { readU16, readU24 } from '../wire/bytes.js';
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { Udp } from '../wire/ip/udp.js';
import { MrcBth, MrcOpcode } from '../wire/mrc/bth.js';
import { MrcCcState, Seth, Eeth, Neth } from '../wire/mrc/response-headers.js';
import { Erth, Meth, Peth, Tseth } from '../wire/mrc/request-headers.js';
import { Aeth, ImmediateData, Reth } from '../wire/roce/extended-headers.js';
import { Icrc } from '../wire/roce/icrc.js';
import type { Dissection } from './dissection.js';
import { LAYER_AETH, LAYER_EETH, LAYER_ERTH, LAYER_ICRC, LAYER_IMMDT, LAYER_METH, LAYER_MRC_BTH, LAYER_MRC_CC_STATE,
  LAYER_MRC_CC_UNKNOWN, LAYER_NETH, LAYER_PAD, LAYER_PAYLOAD, LAYER_PETH, LAYER_RETH, LAYER_SETH, LAYER_TRAILER,
  LAYER_TSETH, LAYER_UNDECODED } from './layer-kinds.js';
import { MRC_NOTE_ENDPOINT_QP, MRC_NOTE_EXTRA, MRC_NOTE_HEADER_SHORT, MRC_NOTE_OPCODE, MRC_NOTE_PAD,
  MRC_NOTE_UDP_LENGTH, MRC_NOTE_VERSION } from './multipath-readings.js';
import { type MrcOptions, type MrcSettings, mrcSettings } from './multipath-settings.js';
import { endOfDatagram, isInside, isTrimmedClass, offsetBehindIp } from './trimmed-packet.js';

/** The part of a walk that reads MRC packets. The rules hold it, and rules without it read RoCEv2 only. */
export interface MrcReader {
  /** Settings for reading MRC packets. */
  readonly settings: MrcSettings;
  /** Whether a UDP datagram is an MRC packet: it has an MRC port and an opcode of MRC's class. */
  readonly takes: (d: Dissection, port: number, bthOffset: number, endOffset: number) => boolean;
  /**
   * Walks the datagram, which ends at `endOffset` according to the headers around it. @param checksIcrc whether to
   * check the ICRC.
   */
  readonly walk: (d: Dissection, udpOffset: number, endOffset: number, checksIcrc: boolean) => void;
  /** Whether an IP packet that is shorter than its length field is a trimmed MRC packet. */
  readonly takesTrimmed: (d: Dissection, ipOffset: number, version: number) => boolean;
}

const UDP_DESTINATION_PORT = Udp.offsetOf('destinationPort');
const BYTE1 = MrcBth.offsetOf('padCount');
const DEST_QPN = MrcBth.offsetOf('destQpn');
const FLAGS = MrcBth.offsetOf('hasTimestamp');
const FLAG_TIMESTAMP = 0x10;
const SETH_CC_TYPE = Seth.offsetOf('ccType');

/** @returns the reader of MRC packets. @throws RoceError `invalid-argument` naming an option. */
export function mrcReader(options?: MrcOptions): MrcReader {
  if (options === undefined) return (defaultReader ??= readerOf({}));
  return readerOf(options);
}

/** Created once, since `dissect` checks its options for each frame. */
let defaultReader: MrcReader | undefined;

function readerOf(options: MrcOptions): MrcReader {
  const settings = mrcSettings(options);
  return {
    settings,
    takes: (d, port, bthOffset, endOffset) =>
      settings.ports.includes(port) && bthOffset < endOffset && bthOffset < d.capturedEnd &&
      MrcOpcode.isMrc(d.bytes[bthOffset]),
    walk: (d, udpOffset, endOffset, checksIcrc) => {
      walkDatagram(d, udpOffset, endOffset, checksIcrc, settings);
    },
    takesTrimmed: (d, ipOffset, version) =>
      isTrimmedClass(d, settings.dscps) && leadsToMrc(d, ipOffset, version, settings),
  };
}

/** Whether the IP headers from here on lead to an MRC packet. Changes nothing, and ignores inconsistent lengths. */
function leadsToMrc(d: Dissection, ipOffset: number, version: number, { ports }: MrcSettings): boolean {
  const udpOffset = offsetBehindIp(d, ipOffset, version, IpProtocol.UDP);
  const bthOffset = udpOffset + Udp.lenBytes;
  if (udpOffset === 0 || bthOffset >= d.capturedEnd) return false;
  return ports.includes(readU16(d.bytes, udpOffset + UDP_DESTINATION_PORT)) && MrcOpcode.isMrc(d.bytes[bthOffset]);
}

function walkDatagram(d: Dissection, udpOffset: number, datagramEnd: number, checksIcrc: boolean,
  settings: MrcSettings): void {
  const bthOffset = udpOffset + Udp.lenBytes;
  d.mrcSettings = settings;
  d.mrcOffset = bthOffset;
  d.mrcIsTrimmed = isTrimmedClass(d, settings.dscps);
  if (!d.mrcIsTrimmed && !isInside(d, udpOffset, datagramEnd)) d.mrcNotes |= MRC_NOTE_UDP_LENGTH;
  const endOffset = endOfDatagram(d, udpOffset, datagramEnd, d.mrcIsTrimmed);
  if (d.lacks(LAYER_MRC_BTH, bthOffset, bthOffset + MrcBth.lenBytes, endOffset, WHY_NONE)) {
    d.mrcNotes |= d.troubleIsCut ? 0 : MRC_NOTE_HEADER_SHORT;
    return;
  }
  d.add(LAYER_MRC_BTH, bthOffset, MrcBth.lenBytes);
  if ((d.bytes[bthOffset + BYTE1] & 15) !== 0) d.mrcNotes |= MRC_NOTE_VERSION;
  const bodyEnd = d.mrcIsTrimmed ? endOffset : endOffset - Icrc.lenBytes;
  const at = walkHeaders(d, bthOffset, bodyEnd);
  if (at === 0) {
    // The ICRC also covers headers that could not be read.
    if (endOffset <= d.capturedEnd) endUnread(d, bodyEnd, endOffset, checksIcrc);
    return;
  }
  if (d.mrcIsTrimmed) d.addRest(LAYER_PAYLOAD, at, endOffset);
  else endPacket(d, at, bodyEnd, endOffset, checksIcrc);
  if (!d.hasTrouble) d.addRest(LAYER_TRAILER, endOffset, datagramEnd);
}

/** Adds the headers after the BTH. @returns the offset after them; 0 if one of them is incomplete. */
function walkHeaders(d: Dissection, bthOffset: number, bodyEnd: number): number {
  const opcode = d.bytes[bthOffset];
  const at = bthOffset + MrcBth.lenBytes;
  switch (opcode) {
    case MrcOpcode.ACKNOWLEDGE:
      return addHeader(d, LAYER_AETH, at, Aeth.lenBytes, bodyEnd);
    case MrcOpcode.SACK:
      return addSack(d, at, bodyEnd);
    case MrcOpcode.NACK:
      return addHeader(d, LAYER_NETH, at, Neth.lenBytes, bodyEnd);
    case MrcOpcode.PROBE:
      return addHeader(d, LAYER_PETH, at, Peth.lenBytes, bodyEnd);
    case MrcOpcode.ENDPOINT_REQUEST:
    case MrcOpcode.ENDPOINT_RESPONSE:
      return addEndpoint(d, opcode, bthOffset, bodyEnd);
  }
  if (isWrite(opcode)) return addRequest(d, opcode, bthOffset, bodyEnd);
  d.mrcNotes |= MRC_NOTE_OPCODE;
  return at;
}

function isWrite(opcode: number): boolean {
  return opcode >= MrcOpcode.WRITE_FIRST && opcode <= MrcOpcode.WRITE_ONLY_IMMEDIATE;
}

function addRequest(d: Dissection, opcode: number, bthOffset: number, bodyEnd: number): number {
  const hasTimestamp = (d.bytes[bthOffset + FLAGS] & FLAG_TIMESTAMP) !== 0;
  const hasImmediate = opcode === MrcOpcode.WRITE_LAST_IMMEDIATE || opcode === MrcOpcode.WRITE_ONLY_IMMEDIATE;
  let at = addHeader(d, LAYER_METH, bthOffset + MrcBth.lenBytes, Meth.lenBytes, bodyEnd);
  if (hasTimestamp) at = addHeader(d, LAYER_TSETH, at, Tseth.lenBytes, bodyEnd);
  at = addHeader(d, LAYER_RETH, at, Reth.lenBytes, bodyEnd);
  return hasImmediate ? addHeader(d, LAYER_IMMDT, at, ImmediateData.lenBytes, bodyEnd) : at;
}

function addSack(d: Dissection, sethOffset: number, bodyEnd: number): number {
  const at = addHeader(d, LAYER_SETH, sethOffset, Seth.lenBytes, bodyEnd);
  if (at === 0) return 0;
  const isKnown = d.bytes[sethOffset + SETH_CC_TYPE] >> 4 === 0;
  return addHeader(d, isKnown ? LAYER_MRC_CC_STATE : LAYER_MRC_CC_UNKNOWN, at, MrcCcState.lenBytes, bodyEnd);
}

function addEndpoint(d: Dissection, opcode: number, bthOffset: number, bodyEnd: number): number {
  if (readU24(d.bytes, bthOffset + DEST_QPN) !== MrcOpcode.ENDPOINT_QPN) d.mrcNotes |= MRC_NOTE_ENDPOINT_QP;
  const at = bthOffset + MrcBth.lenBytes;
  return opcode === MrcOpcode.ENDPOINT_REQUEST ?
    addHeader(d, LAYER_ERTH, at, Erth.lenBytes, bodyEnd) :
    addHeader(d, LAYER_EETH, at, Eeth.lenBytes, bodyEnd);
}

/** @param at 0 after an incomplete header. @returns the offset after the header, or 0. */
function addHeader(d: Dissection, kind: number, at: number, length: number, bodyEnd: number): number {
  if (at === 0) return 0;
  const end = at + length;
  if (d.mrcIsTrimmed && end > bodyEnd) {
    d.addRest(LAYER_UNDECODED, at, bodyEnd);
    return 0;
  }
  if (end > bodyEnd) d.mrcNotes |= MRC_NOTE_HEADER_SHORT;
  if (d.lacks(kind, at, end, bodyEnd, WHY_NONE)) return 0;
  d.add(kind, at, length);
  return end;
}

/** Adds the bytes of an incomplete header, and the ICRC after them; a trimmed packet has no ICRC. */
function endUnread(d: Dissection, bodyEnd: number, endOffset: number, checksIcrc: boolean): void {
  if (d.mrcIsTrimmed) return;
  const at = d.coveredTo;
  if (bodyEnd < at) return;
  d.add(LAYER_UNDECODED, at, bodyEnd - at);
  addIcrc(d, bodyEnd, endOffset, checksIcrc);
}

function endPacket(d: Dissection, at: number, bodyEnd: number, endOffset: number, checksIcrc: boolean): void {
  if (bodyEnd < at) {
    d.mrcNotes |= MRC_NOTE_HEADER_SHORT;
    d.fail(LAYER_ICRC, at, Icrc.lenBytes, endOffset - at, WHY_NONE);
    return;
  }
  const opcode = d.bytes[d.mrcOffset];
  const padCount = (d.bytes[d.mrcOffset + BYTE1] >> 4) & 3;
  if (padCount > bodyEnd - at) d.mrcNotes |= MRC_NOTE_PAD;
  const padOffset = Math.max(at, bodyEnd - padCount);
  if (isWrite(opcode)) d.mrcPayloadBytes = padOffset - at;
  else if (bodyEnd > at && (d.mrcNotes & MRC_NOTE_OPCODE) === 0) d.mrcNotes |= MRC_NOTE_EXTRA;
  d.addRest(LAYER_PAYLOAD, at, padOffset);
  d.addRest(LAYER_PAD, padOffset, bodyEnd);
  if (!d.lacks(LAYER_ICRC, bodyEnd, endOffset, endOffset, WHY_NONE)) addIcrc(d, bodyEnd, endOffset, checksIcrc);
}

function addIcrc(d: Dissection, bodyEnd: number, endOffset: number, checksIcrc: boolean): void {
  d.add(LAYER_ICRC, bodyEnd, endOffset - bodyEnd);
  if (!checksIcrc) return;
  const computed = Icrc.computeAt(d.bytes, d.innerIpOffset, d.mrcOffset - Udp.lenBytes, bodyEnd);
  d.mrcIcrc = computed === Icrc.read(d.bytes, bodyEnd) ? ICRC_RIGHT : ICRC_WRONG;
}

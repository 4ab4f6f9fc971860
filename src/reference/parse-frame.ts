/**
 * Reference parser: one frame to one packet record, layer by layer.
 *
 * Role: the oracle for the wasm parser and the parser of the 'js' backend.
 * Inputs: the captured octets, the original length, the link type, the rules.
 * State: none.
 * Layers: link → IP header → UDP header behind the extension headers → BTH → ICRC. Each layer hands the next a small
 * object, or ends the parse with a verdict. What a verdict leaves out is 0 in the record (ICRC: absent).
 * A frame that the capture cut has its class once BTH and, for acknowledgements, AETH are there; one that is shorter
 * than its own length fields is malformed.
 * Sources: IBTA Annex A17 (RoCEv2), RFC 8200 (IPv6), RFC 9197 and 9486 (IOAM), IEEE 802.1Qbb (PFC),
 * draft-xiao-rtgwg-rocev2-fast-cnp, section 4.
 * Deviations: RD and XRC acknowledgements count as data; a Routing header makes a packet "other".
 */
import { ICRC_ABSENT, ICRC_NOT_CHECKED, ICRC_RIGHT, ICRC_WRONG, WHY_NONE } from '../abi/codes.js';
import { computeReferenceIcrc, readIcrc } from './parse-icrc.js';
import { findUdp, type IpHeader, readIpHeader, type UdpDatagram } from './parse-ip.js';
import { findNetworkLayer } from './parse-link.js';
import { findTrace } from './parse-options.js';
import { readRoce, type RocePacket, type RoceRules } from './parse-roce.js';
import { FrameOctets, isVerdict, type Verdict } from './parse-verdict.js';

/** How to parse: the same choices as the engine's. */
export interface ParseRules extends RoceRules {
  /** PARSE_STRICT_A17 or PARSE_FAST_CNP_DOMAIN. */
  readonly mode: number;
  /** IPv6 option type of Fast CNP option 1, 2..255 (0 and 1 are padding). */
  readonly optionType1: number;
  /** IPv6 option type of option 2, 2..255; when equal to the first, the length tells them apart. */
  readonly optionType2: number;
  readonly checksIcrc: boolean;
  /** ICRC_LITERAL, ICRC_OMIT or ICRC_NORMALISE. */
  readonly icrcPolicy: number;
}

/** The packet record of layout.ts as an object; offsets in octets from the start of the frame. */
export interface ParsedFrame {
  /** CLASS_*. */
  readonly classCode: number;
  /** WHY_*. */
  readonly why: number;
  /** 4, 6, or 0 when there is no whole IP header. */
  readonly ipVersion: number;
  /** DSCP in the high six bits, ECN in the low two. */
  readonly trafficClass: number;
  readonly opcode: number;
  /** ICRC_*. */
  readonly icrc: number;
  readonly ipOffset: number;
  /** 0 when there is no BTH. */
  readonly bthOffset: number;
  /** Where a Fast CNP's option holds the original destination address, or 0. */
  readonly originalDestinationOffset: number;
  /** Where the IOAM trace starts (its Namespace-ID), or 0. */
  readonly ioamOffset: number;
  readonly ioamBytes: number;
  readonly destQpn: number;
  /** 1 when a Fast CNP's source address is the original destination, else 0. */
  readonly fromReceiver: number;
  /** Just behind the ICRC, or 0. */
  readonly endOffset: number;
}

const BLANK: ParsedFrame = {
  classCode: 0, why: WHY_NONE, ipVersion: 0, trafficClass: 0, opcode: 0, icrc: ICRC_ABSENT, ipOffset: 0, bthOffset: 0,
  originalDestinationOffset: 0, ioamOffset: 0, ioamBytes: 0, destQpn: 0, fromReceiver: 0, endOffset: 0,
};
const IPV6_SOURCE_OFFSET = 8;
const ADDRESS_BYTES = 16;

/**
 * Parses one frame. Never throws: every sequence of octets has a class.
 *
 * @param octets - the captured octets
 * @param originalBytes - octets on the wire; fewer than captured counts as equal
 * @param link - LINK_ETHERNET or LINK_RAW_IP
 */
export function parseFrame(octets: Uint8Array, originalBytes: number, link: number, rules: ParseRules): ParsedFrame {
  const frame = new FrameOctets(octets, originalBytes);
  const layer = findNetworkLayer(frame, link);
  if (isVerdict(layer)) return { ...BLANK, ...layer };
  const ip = readIpHeader(frame, layer);
  if (isVerdict(ip)) return { ...BLANK, ...ip };
  const datagram = findUdp(frame, ip);
  if (isVerdict(datagram)) return withIpHeader(ip, datagram);
  const packet = readRoce(frame, datagram, rules);
  if (isVerdict(packet)) return withIpHeader(ip, packet);
  return describe(frame, datagram, packet, rules);
}

function withIpHeader(ip: IpHeader, verdict: Verdict): ParsedFrame {
  return { ...BLANK, ...verdict, ipVersion: ip.version, trafficClass: ip.trafficClass, ipOffset: ip.offset };
}

function describe(frame: FrameOctets, datagram: UdpDatagram, packet: RocePacket, rules: ParseRules): ParsedFrame {
  const { ip } = datagram;
  const trace = findTrace(frame, datagram.options, packet.classCode, rules);
  return {
    classCode: packet.classCode,
    why: WHY_NONE,
    ipVersion: ip.version,
    trafficClass: ip.trafficClass,
    opcode: packet.opcode,
    icrc: checkIcrc(frame, datagram, packet.endOffset, rules),
    ipOffset: ip.offset,
    bthOffset: packet.bthOffset,
    originalDestinationOffset: packet.originalDestinationOffset,
    ioamOffset: trace?.offset ?? 0,
    ioamBytes: trace?.bytes ?? 0,
    destQpn: packet.destQpn,
    fromReceiver: isFromReceiver(frame, ip, packet.originalDestinationOffset) ? 1 : 0,
    endOffset: packet.endOffset,
  };
}

function checkIcrc(frame: FrameOctets, datagram: UdpDatagram, endOffset: number, rules: ParseRules): number {
  if (endOffset > frame.captured) return ICRC_ABSENT;
  if (!rules.checksIcrc) return ICRC_NOT_CHECKED;
  const computed = computeReferenceIcrc(frame, datagram, endOffset, rules.icrcPolicy);
  return computed === readIcrc(frame, endOffset) ? ICRC_RIGHT : ICRC_WRONG;
}

function isFromReceiver(frame: FrameOctets, ip: IpHeader, addressOffset: number): boolean {
  if (addressOffset === 0) return false;
  const source = ip.offset + IPV6_SOURCE_OFFSET;
  for (let i = 0; i < ADDRESS_BYTES; i++) {
    if (frame.u8(source + i) !== frame.u8(addressOffset + i)) return false;
  }
  return true;
}

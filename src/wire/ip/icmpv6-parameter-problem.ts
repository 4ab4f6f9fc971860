/**
 * ICMPv6 Parameter Problem (RFC 4443, sections 2.1, 2.3, 2.4 and 3.4).
 *
 *   0 type 4 | 1 code | 2 checksum (2) | 4 pointer (4) | 8 as much of the invoking packet as fits
 *
 * Code 2 reports an option that a node does not know and whose type has action bits 10 or 11 (RFC 8200, section 4.2): a
 * host without Fast CNP support sends it to the switch, which can learn from it. The pointer is an offset in the
 * invoking packet, possibly beyond the quoted part. The whole packet, including the IPv6 header, has at most 1280
 * bytes. The checksum includes a pseudo-header of addresses, length and next header 58.
 */
import { RoceError } from '../../errors.js';
import { invalidPacket, lengthOf, requireField, requireLength, writeU16, requireRecord } from '../bytes.js';
import { type ValueOf, type ViewOf, defineHeader, extendHeader } from '../header/define-header.js';
import { type ExtensionChain, walkExtensionHeaders, Ipv6 } from './ipv6.js';
import { computeIcmpChecksum } from '../internet-checksum.js';
import { IP_ADDRESS_BYTES } from './ip-address.js';
import { Ipv6Option } from './ipv6-options.js';
import { IpProtocol } from './ip-protocol.js';

const ICMPV6_PARAMETER_PROBLEM = 4;
/** Types below are errors (RFC 4443, section 2.1). */
const ICMPV6_FIRST_INFORMATIONAL = 128;
const ICMPV6_REDIRECT = 137;

const PROBLEM = /* @__PURE__ */ defineHeader({
  title: 'ICMPv6 Parameter Problem',
  source: 'RFC 4443, section 3.4',
  layer: 'icmpv6 parameter problem',
  where: 'parameterProblem',
  followedBy: 'the invoking packet from its IPv6 header on, as much as fits into 1280 bytes',
  fields: (field) => ({
    /** 0 erroneous field, 1 unrecognized next header, 2 unrecognized option. */
    code: field.constant('type', 8, ICMPV6_PARAMETER_PROBLEM).bits(8),
    /** As on the wire; see `ParameterProblem.computeChecksum`. */
    checksum: field.bits(16),
    /** 32 bits: offset of the problem in the invoking packet. */
    pointer: field.bits(32),
    /** The packet from its IPv6 header on, possibly truncated. */
    invokingPacket: field.rest(),
  }),
});

/** An ICMPv6 Parameter Problem message, as a value. */
export interface ParameterProblem extends ValueOf<typeof PROBLEM> {}

/** An ICMPv6 Parameter Problem message. */
export const ParameterProblem = /* @__PURE__ */ extendHeader(PROBLEM, {
  /** ICMPv6 type of a Parameter Problem (RFC 4443, section 3.4). */
  ICMPV6_TYPE: ICMPV6_PARAMETER_PROBLEM,
  /** Code: a header field has an invalid value. */
  CODE_ERRONEOUS_HEADER_FIELD: 0,
  /** Code: a next header value is unknown. */
  CODE_UNRECOGNIZED_NEXT_HEADER: 1,
  /** Code: an IPv6 option is unknown, and its type requests a report (RFC 8200, section 4.2). */
  CODE_UNRECOGNIZED_OPTION: 2,
  /** Maximum length of a packet with an ICMPv6 error: the minimum IPv6 MTU (RFC 4443, section 2.4, c). */
  ERROR_MAX_BYTES: 1280,
  /**
   * Builds the IPv6 packet that reports a problem in `packet`: IPv6 header, Parameter Problem with its checksum, and as
   * much of `packet` as fits into 1280 bytes.
   *
   * @param packet the invoking IPv6 packet, from its IPv6 header on; bytes beyond its payload length are not quoted.
   * @param pointerOffset of the problem in `packet`; for code 2, of the option's type byte.
   * @param source 16 bytes: the address of the responding node.
   * @throws RoceError `invalid-packet` if `packet` is not an IPv6 packet, or must not be responded to: its source is
   * not a unicast address, its destination is multicast (except for an option with action bits 10), it is itself an
   * ICMPv6 error or redirect (RFC 4443, section 2.4, e), or code 2 points at an option whose type does not request a
   * report; `invalid-argument` naming a parameter out of range.
   */
  packetFor(packet: Uint8Array, pointerOffset: number, source: Uint8Array,
    options: ParameterProblemOptions = {}): Uint8Array {
    requireRecord('options', options);
    const { code = ParameterProblem.CODE_UNRECOGNIZED_OPTION, hopLimit = 64, dscp = 0, flowLabel = 0 } = options;
    const view = new Ipv6.View(packet);
    const endOffset = Math.min(packet.length, view.payloadOffset + view.payloadLength);
    requireField('pointerOffset', pointerOffset, endOffset - 1);
    requireLength('source', source, IP_ADDRESS_BYTES);
    requireOneSender(view.source);
    requireInReceivedPacket(packet, view, pointerOffset, code);
    requireNoError(packet, view, endOffset);
    const quotedBytes = Math.min(endOffset, ParameterProblem.ERROR_MAX_BYTES - Ipv6.lenBytes - PROBLEM.lenBytes);
    const payloadLength = PROBLEM.lenBytes + quotedBytes;
    const answer = new Uint8Array(Ipv6.lenBytes + payloadLength);
    const addresses = { source, destination: view.source };
    const travel = { dscp, ecn: 0, flowLabel, hopLimit };
    Ipv6.writeInto(answer, 0, { ...travel, ...addresses, payloadLength, nextHeader: IpProtocol.ICMPV6 });
    const invokingPacket = packet.subarray(0, quotedBytes);
    PROBLEM.writeInto(answer, Ipv6.lenBytes, { code, checksum: 0, pointer: pointerOffset, invokingPacket });
    const checksum = computeIcmpChecksum(answer, Ipv6.lenBytes, answer.length, addresses);
    writeU16(answer, Ipv6.lenBytes + PROBLEM.offsetOf('checksum'), checksum);
    return answer;
  },
  /**
   * Computes the checksum of an ICMPv6 message (RFC 4443, section 2.3; RFC 8200, section 8.1). Its checksum field
   * counts as 0.
   *
   * @param source 16 bytes.
   * @param destination 16 bytes.
   * @param message from the ICMPv6 type to the last byte.
   * @throws RoceError `invalid-packet` if the message is too short for a checksum, `invalid-argument` for an address of
   * another length.
   */
  computeChecksum(source: Uint8Array, destination: Uint8Array, message: Uint8Array): number {
    return computeIcmpChecksum(message, 0, lengthOf('message', message), { source, destination });
  },
  /**
   * Type of the option that the sender of a code 2 message did not know; undefined for other codes, or if the pointer
   * is beyond the quoted part.
   */
  unrecognizedOptionType(problem: ParameterProblem): number | undefined {
    requireRecord('problem', problem);
    const { code, pointer, invokingPacket } = problem;
    return code === ParameterProblem.CODE_UNRECOGNIZED_OPTION ? invokingPacket.at(pointer) : undefined;
  },
});

/** Code and IPv6 fields of a Parameter Problem, which RFC 4443 leaves open. */
export interface ParameterProblemOptions {
  /** Default 2, unrecognized option. */
  readonly code?: number;
  /** Default 64, recommended for hosts (IANA, "IP TTL parameters"). */
  readonly hopLimit?: number;
  /** DSCP. Default 0. */
  readonly dscp?: number;
  /** Flow label. Default 0. */
  readonly flowLabel?: number;
}

function requireOneSender(source: Uint8Array): void {
  if (!isMulticast(source) && source.some((byte) => byte !== 0)) return;
  throw invalidPacket('invoking packet', 0, 'has no unicast source', source[0], 'one from a unicast address');
}

function requireInReceivedPacket(packet: Uint8Array, { destination }: ViewOf<typeof Ipv6>, pointer: number,
  code: number): void {
  const isOption = code === ParameterProblem.CODE_UNRECOGNIZED_OPTION;
  const action = packet[pointer] & Ipv6Option.ACTION_MASK;
  if (isOption && action < Ipv6Option.ACTION_DISCARD_AND_TELL) {
    throw invalidPacket('ipv6 option', pointer, 'does not request a report', packet[pointer],
      'a type with action bits 10 or 11');
  }
  if (!isMulticast(destination) || (isOption && action === Ipv6Option.ACTION_DISCARD_AND_TELL)) return;
  throw invalidPacket('invoking packet', 0, 'has a multicast destination', destination[0], 'one to a unicast address');
}

function requireNoError(packet: Uint8Array, view: ViewOf<typeof Ipv6>, endOffset: number): void {
  const chain = findUpperLayer(packet, view, endOffset);
  if (chain?.upperProtocol !== IpProtocol.ICMPV6 || chain.upperOffset >= endOffset) return;
  const type = packet[chain.upperOffset];
  if (type >= ICMPV6_FIRST_INFORMATIONAL && type !== ICMPV6_REDIRECT) return;
  const what = 'is an ICMPv6 error or redirect itself';
  throw invalidPacket('invoking packet', chain.upperOffset, what, type, 'another type');
}

/** Ignores malformed extension headers: they may be the problem to be reported, and are not followed by ICMPv6. */
function findUpperLayer(packet: Uint8Array, view: ViewOf<typeof Ipv6>, endOffset: number): ExtensionChain | undefined {
  try {
    return walkExtensionHeaders(packet, view.nextHeader, view.payloadOffset, endOffset);
  } catch (error) {
    if (error instanceof RoceError) return undefined;
    throw error;
  }
}

function isMulticast(address: Uint8Array): boolean {
  return address[0] === 0xff;
}

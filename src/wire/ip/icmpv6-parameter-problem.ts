/**
 * ICMPv6 Parameter Problem (RFC 4443, sections 2.1, 2.3, 2.4 and 3.4).
 *
 *   0 type 4 | 1 code | 2 checksum (2) | 4 pointer (4) | 8 as much of the invoking packet as fits
 *
 * Code 2 answers an option that a node does not know and whose type has action bits 10 or 11 (RFC 8200, section 4.2):
 * a sender without Fast CNP support sends it to a switch, so a switch may learn from it. The pointer is an offset in
 * the invoking packet, and may lie beyond what is quoted. The whole packet, IPv6 header included, has at most 1280
 * bytes. The checksum is over a pseudo header of addresses, length and next header 58 too.
 */
import { RoceError } from '../../errors.js';
import { invalidPacket, lengthOf, requireField, requireLength, writeU16, requireRecord } from '../bytes.js';
import { type BuildHeader, type BuildHeaderInto, type HeaderValue, defineHeader } from '../header/define-header.js';
import { type ExtensionChain, walkExtensionHeaders } from './extension-header.js';
import { PROTOCOL_ICMPV6, computeIcmpChecksum } from './icmp-checksum.js';
import { IP_ADDRESS_BYTES } from './ip-address.js';
import { OPTION_ACTION_DISCARD_AND_TELL, OPTION_ACTION_MASK } from './ipv6-options.js';
import { IPV6_BYTES, Ipv6View, buildIpv6Into } from './ipv6.js';

/** ICMPv6 type of a Parameter Problem (RFC 4443, section 3.4). */
export const ICMPV6_PARAMETER_PROBLEM = 4;
/** Code: a header field has a wrong value. */
export const CODE_ERRONEOUS_HEADER_FIELD = 0;
/** Code: a next header value is not known. */
export const CODE_UNRECOGNIZED_NEXT_HEADER = 1;
/** Code: an IPv6 option is not known, and its type requests a report (RFC 8200, section 4.2). */
export const CODE_UNRECOGNIZED_OPTION = 2;
/** Longest packet with an ICMPv6 error: the least MTU of IPv6 (RFC 4443, section 2.4, c). */
export const ICMPV6_ERROR_MAX_BYTES = 1280;

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
    /** As on the wire; see `computeIcmpv6Checksum`. */
    checksum: field.bits(16),
    /** 32 bits: offset of the trouble in the invoking packet. */
    pointer: field.bits(32),
    /** From its IPv6 header on, perhaps cut. */
    invokingPacket: field.rest(),
  }),
});

/** The part before the invoking packet. */
export const PARAMETER_PROBLEM_BYTES = PROBLEM.bytes;
/** The drawing of docs/wire.md. */
export const PARAMETER_PROBLEM_LAYOUT = PROBLEM.layout;

/** An ICMPv6 Parameter Problem message, as a value. */
export interface ParameterProblem extends HeaderValue<typeof PROBLEM> {}

/** Content of a Parameter Problem and its IPv6 fields, which RFC 4443 leaves open. */
export interface ParameterProblemOptions {
  /** Default 2, unrecognized option. */
  readonly code?: number;
  /** Default 64, as hosts have it (IANA, "IP TTL parameters"). */
  readonly hopLimit?: number;
  /** Default 0. */
  readonly dscp?: number;
  /** Default 0. */
  readonly flowLabel?: number;
}

/** Reads a Parameter Problem in place. */
export class ParameterProblemView extends PROBLEM.View {}

/**
 * Reads a Parameter Problem; the inverse of `buildParameterProblem`. The checksum is reported, not judged.
 *
 * @param offset of the ICMPv6 type.
 * @param endOffset where the message ends, since a frame may have padding behind it.
 * @throws RoceError `invalid-packet` when the bytes end inside its first eight, or for another type.
 */
export const parseParameterProblem: (bytes: Uint8Array, offset?: number, endOffset?: number) => ParameterProblem =
  PROBLEM.parse;
/**
 * Writes a Parameter Problem from its ICMPv6 type on, with the checksum as given.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export const buildParameterProblem: BuildHeader<ParameterProblem> = PROBLEM.build;
/** As `buildParameterProblem`, into `target`. @returns the offset behind the message. */
export const buildParameterProblemInto: BuildHeaderInto<ParameterProblem> = PROBLEM.buildInto;

/**
 * The IPv6 packet in response to `packet`: IPv6 header, Parameter Problem with its checksum, and as much of `packet` as
 * 1280 bytes have room for.
 *
 * @param packet the invoking IPv6 packet, from its IPv6 header on; bytes behind its payload length are not quoted.
 * @param pointerOffset of the trouble in `packet`: of the option's type byte for code 2.
 * @param source 16 bytes: the address of the node that responds.
 * @throws RoceError `invalid-packet` when `packet` is not an IPv6 packet, or one that must get no response: its source is
 * no single node, its destination is multicast (but for an option with action bits 10), it is an ICMPv6 error or
 * redirect itself (RFC 4443, section 2.4, e), or code 2 points at an option whose type does not request a report;
 * `invalid-argument` naming a parameter out of range.
 */
export function buildParameterProblemFor(packet: Uint8Array, pointerOffset: number, source: Uint8Array,
  options: ParameterProblemOptions = {}): Uint8Array {
  requireRecord('options', options);
  const { code = CODE_UNRECOGNIZED_OPTION, hopLimit = 64, dscp = 0, flowLabel = 0 } = options;
  const view = new Ipv6View(packet);
  const endOffset = Math.min(packet.length, view.payloadOffset + view.payloadLength);
  requireField('pointerOffset', pointerOffset, endOffset - 1);
  requireLength('source', source, IP_ADDRESS_BYTES);
  requireOneSender(view.source);
  requireToldAbout(packet, view, pointerOffset, code);
  requireNoError(packet, view, endOffset);
  const quotedBytes = Math.min(endOffset, ICMPV6_ERROR_MAX_BYTES - IPV6_BYTES - PARAMETER_PROBLEM_BYTES);
  const payloadLength = PARAMETER_PROBLEM_BYTES + quotedBytes;
  const answer = new Uint8Array(IPV6_BYTES + payloadLength);
  const addresses = { source, destination: view.source };
  const travel = { dscp, ecn: 0, flowLabel, hopLimit };
  buildIpv6Into(answer, 0, { ...travel, ...addresses, payloadLength, nextHeader: PROTOCOL_ICMPV6 });
  const invokingPacket = packet.subarray(0, quotedBytes);
  buildParameterProblemInto(answer, IPV6_BYTES, { code, checksum: 0, pointer: pointerOffset, invokingPacket });
  const checksum = computeIcmpChecksum(answer, IPV6_BYTES, answer.length, addresses);
  writeU16(answer, IPV6_BYTES + PROBLEM.offsetOf('checksum'), checksum);
  return answer;
}

/**
 * The checksum that an ICMPv6 message should have (RFC 4443, section 2.3; RFC 8200, section 8.1). The checksum field
 * itself counts as 0.
 *
 * @param source 16 bytes.
 * @param destination as `source`.
 * @param message from the ICMPv6 type to the last byte.
 * @throws RoceError `invalid-packet` when the message is too short for a checksum, `invalid-argument` for an address of
 * another length.
 */
export function computeIcmpv6Checksum(source: Uint8Array, destination: Uint8Array, message: Uint8Array): number {
  return computeIcmpChecksum(message, 0, lengthOf('message', message), { source, destination });
}

/**
 * Type of the option that the sender of a code 2 message did not know; nothing for another code, or when the pointer
 * lies beyond what was quoted.
 */
export function unrecognizedOptionType(problem: ParameterProblem): number | undefined {
  requireRecord('problem', problem);
  const { code, pointer, invokingPacket } = problem;
  return code === CODE_UNRECOGNIZED_OPTION ? invokingPacket.at(pointer) : undefined;
}

function requireOneSender(source: Uint8Array): void {
  if (!isMulticast(source) && source.some((byte) => byte !== 0)) return;
  throw invalidPacket('invoking packet', 0, 'has no single sender', source[0], 'one from a unicast address');
}

function requireToldAbout(packet: Uint8Array, { destination }: Ipv6View, pointer: number, code: number): void {
  const isOption = code === CODE_UNRECOGNIZED_OPTION;
  const action = packet[pointer] & OPTION_ACTION_MASK;
  if (isOption && action < OPTION_ACTION_DISCARD_AND_TELL) {
    throw invalidPacket('ipv6 option', pointer, 'does not request a report', packet[pointer],
      'a type with action bits 10 or 11');
  }
  if (!isMulticast(destination) || (isOption && action === OPTION_ACTION_DISCARD_AND_TELL)) return;
  throw invalidPacket('invoking packet', 0, 'went to a multicast address', destination[0], 'one to a unicast address');
}

function requireNoError(packet: Uint8Array, view: Ipv6View, endOffset: number): void {
  const chain = findUpperLayer(packet, view, endOffset);
  if (chain?.upperProtocol !== PROTOCOL_ICMPV6 || chain.upperOffset >= endOffset) return;
  const type = packet[chain.upperOffset];
  if (type >= ICMPV6_FIRST_INFORMATIONAL && type !== ICMPV6_REDIRECT) return;
  const what = 'is an ICMPv6 error or redirect itself';
  throw invalidPacket('invoking packet', chain.upperOffset, what, type, 'another type');
}

/** Ignores broken extension headers: they may be what is to be reported, and hide no visible ICMPv6. */
function findUpperLayer(packet: Uint8Array, view: Ipv6View, endOffset: number): ExtensionChain | undefined {
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

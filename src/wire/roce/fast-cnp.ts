/**
 * Fast CNP: a congestion notification packet from the switch straight to the sender
 * (draft-xiao-rtgwg-rocev2-fast-cnp-01, sections 3 and 4). IPv6 only.
 *
 *   link | IPv6, next header 60 | Destination Options, one Fast CNP option, next header 17 | UDP, port 4791
 *        | BTH, opcode 0x81 | 16 reserved bytes, zero | ICRC
 *
 * Its destination QP is the receiver's, as in the packet that met congestion. The sender finds its own QP by
 * (original destination, destination QP).
 *
 * `fastCnpFor` builds it from the data packet:
 *
 *   copied    destination <- source of the packet; destination QP; original destination <- destination of the packet;
 *             the first IOAM trace of its Hop-by-Hop header, if there is one (then option 2, else option 1)
 *   set       source <- the switch's loopback address
 *   options   P_Key, flow label, UDP source port (copied from the packet by default), DSCP, ECN, hop limit, BECN (as in
 *             a CNP), which the draft leaves open, and how to handle a trace of more than 236 bytes, which fits a
 *             Hop-by-Hop option but not option 2
 *   rejected  IPv4; packets that are CNPs or acknowledgements; a routing header with segments left, since the IP
 *             destination is then not the receiver; a source that cannot be notified (multicast, unspecified)
 *
 * Only the free space of a pre-allocated trace may be trimmed (RFC 9197, section 4.4.1); RemainingLen then becomes 0.
 */
import { RoceError } from '../../errors.js';
import { invalidArgument, invalidPacket, sameBytes, requireRecord, requireChoice } from '../bytes.js';
import { ROUTING_SEGMENTS_LEFT, type LocatedExtensionHeader } from '../ip/ipv6.js';
import { formatIpAddress, isIpv4Mapped } from '../ip/ip-address.js';
import { IpProtocol } from '../ip/ip-protocol.js';
import { readOptions } from '../ip/ipv6-options.js';
import { IoamTraceHeader } from '../telemetry/ioam-trace.js';
import { IoamOption } from '../telemetry/ioam-option.js';
import { Bth, Opcode } from './bth.js';
import { Cnp, type CnpFields, type ReadOptions, cnpDefaults, requireCnp } from './cnp.js';
import { type FastCnpEncoding, type FastCnpOption, type FastCnpOptionTypes, type ReceivedFastCnpOption,
  buildFastCnpOptions, parseFastCnpOptions, FAST_CNP_2_IOAM_TYPE, FAST_CNP_2_TRACE, FastCnpOption2,
  type IoamTrace } from './fast-cnp-option.js';
import type { IcrcPolicy } from './icrc.js';
import { type LocatedRoce, type RoceFrame, buildRoceFrame, buildRoceFrameInto, locateRoce, type LinkKind,
  type LinkLayer } from './roce-frame.js';

const DEFAULTS = { ...cnpDefaults, encoding: '8n+6', icrcPolicy: 'literal' } as const;

/** Format options of a Fast CNP that no document specifies. */
export interface FastCnpForm extends FastCnpOptionTypes {
  /** Alignment of option 1 in its header; default `8n+6`. */
  readonly encoding?: FastCnpEncoding;
  /** Whether the ICRC covers the options header. Default `literal`: it does. */
  readonly icrcPolicy?: IcrcPolicy;
}

/** Input of `FastCnp.write`; the defaults are those of a CNP, `cnpDefaults`. With a trace, option 2 is written. */
export interface FastCnpFields extends Omit<CnpFields, 'ipv4Identification'>, FastCnpOption, FastCnpForm {}

/** A Fast CNP as received. */
export interface FastCnp extends Required<Omit<CnpFields, 'ipv4Identification'>>, ReceivedFastCnpOption {
  /** `receiver` if the source is the original destination, else a network element sent it (draft, section 4). */
  readonly origin: 'receiver' | 'network';
  /** Whether the ICRC matches the packet, under the policy of the reader. */
  readonly icrc: Cnp['icrc'];
}

/** A Fast CNP as received. */
export const FastCnp = {
  /**
   * Reads a Fast CNP; the inverse of `FastCnp.write`, except for padding that other implementations arrange
   * differently.
   * @throws RoceError `invalid-packet` if it is not a Fast CNP, is truncated, or has a malformed option.
   */
  read(bytes: Uint8Array, options: FastCnpReadOptions = {}): FastCnp {
    requireRecord('options', options);
    const located = locateRoce(bytes, options.offset ?? 0, options.link ?? 'none');
    const option = parseFastCnpOptions(bytes, onlyDestinationOptions(located), options);
    requireCnp('fast cnp', bytes, located);
    const fields = Cnp.readFields(located);
    const origin = sameBytes(fields.source, option.originalDestination) ? 'receiver' : 'network';
    const icrc = Cnp.judgeIcrc(bytes, located, options.icrcPolicy ?? 'literal');
    return { ...fields, ...option, origin, icrc };
  },
  /**
   * Builds a complete Fast CNP from its fields. To build one from the packet that met congestion, use `fastCnpFor`.
   * @throws RoceError `invalid-argument` naming a field out of range.
   */
  write(fields: FastCnpFields): Uint8Array {
    return buildRoceFrame(frameOf(fields));
  },
  /** Like `FastCnp.write`, into `target`. @returns the offset after the packet. */
  writeInto(target: Uint8Array, offset: number, fields: FastCnpFields): number {
    return buildRoceFrameInto(target, offset, frameOf(fields));
  },
} as const;

/** Options for reading a Fast CNP. */
export interface FastCnpReadOptions extends ReadOptions, FastCnpOptionTypes {
  /** Whether the ICRC covers the options header. Default `literal`: it does. */
  readonly icrcPolicy?: IcrcPolicy;
}

function onlyDestinationOptions({ extensions, ipOffset }: LocatedRoce): LocatedExtensionHeader {
  const types = extensions.map(({ type }) => type);
  if (extensions.length === 1 && types[0] === IpProtocol.DESTINATION_OPTIONS) return extensions[0];
  throw invalidPacket('fast cnp', ipOffset, 'has other extension headers', types, 'one of type 60');
}

function frameOf(fields: FastCnpFields): RoceFrame {
  const { destQpn, pKey, becn, fecn, encoding, icrcPolicy, ...rest } = { ...DEFAULTS, ...fields };
  requireIpv6('source', rest.source);
  requireIpv6('destination', rest.destination);
  const bth = { opcode: Bth.OPCODE_CNP, destQpn, pKey, becn, fecn };
  const destinationOptions = buildFastCnpOptions(rest, rest, encoding);
  return { ...rest, bth, payload: new Uint8Array(Cnp.RESERVED_BYTES), destinationOptions, icrcPolicy };
}

function requireIpv6(where: string, address: Uint8Array): void {
  if (isIpv4Mapped(address)) {
    throw invalidArgument(where, formatIpAddress(address), 'an IPv6 address: Fast CNP exists for IPv6 only');
  }
}

const REMAINING_LEN = IoamTraceHeader.offsetOf('remainingLenWords');

/** How to treat a trace that does not fit option 2. */
export type OversizeTracePolicy = (typeof OVERSIZE_POLICIES)[number];

const OVERSIZE_POLICIES = ['fall-back-to-option-1', 'trim-free-space', 'reject'] as const;

/**
 * The Fast CNP fields that a switch sets; P_Key, flow label and UDP source port default to those of the data packet.
 */
export interface FastCnpAnswer
  extends FastCnpForm, Partial<Omit<CnpFields, 'source' | 'destination' | 'destQpn' | 'ipv4Identification'>> {
  /** 16 bytes: the switch's loopback address. */
  readonly switchAddress: Uint8Array;
  /** Link header of the data packet; default `ethernet`. */
  readonly dataLink?: LinkKind;
  /** Link header of the Fast CNP; default `none`. */
  readonly link?: LinkLayer;
  /**
   * Default `fall-back-to-option-1`. `trim-free-space` also falls back if the trace is still too long without its free
   * space, or is not pre-allocated.
   */
  readonly oversizeTrace?: OversizeTracePolicy;
}

/**
 * Builds the Fast CNP that a switch sends for a data packet. The packet may be truncated anywhere after its BTH.
 *
 * @param dataPacket its bytes from the link header on (see `dataLink`).
 * @throws RoceError `invalid-packet` if it is not a RoCEv2 data packet over IPv6, or its headers are malformed;
 * `unsupported` for a trace that is too long, under `reject`; `invalid-argument` for an invalid option.
 */
export function fastCnpFor(dataPacket: Uint8Array, answer: FastCnpAnswer): Uint8Array {
  return FastCnp.write(fastCnpFieldsFor(dataPacket, answer));
}

/** Like `fastCnpFor`, but returns the fields of the Fast CNP. */
export function fastCnpFieldsFor(dataPacket: Uint8Array, answer: FastCnpAnswer): FastCnpFields {
  requireRecord('answer', answer);
  const { switchAddress, dataLink = 'ethernet', oversizeTrace = 'fall-back-to-option-1', ...form } = answer;
  requireChoice('oversizeTrace', oversizeTrace, OVERSIZE_POLICIES);
  const data = locateRoce(dataPacket, 0, dataLink);
  requireAnswerable(dataPacket, data);
  const trace = carriedTrace(findIoamTrace(dataPacket, data), oversizeTrace);
  return {
    ...cnpDefaults,
    pKey: data.bth.pKey,
    flowLabel: data.flowLabel,
    udpSourcePort: data.udp.sourcePort,
    ...form,
    source: switchAddress,
    destination: data.source,
    originalDestination: data.destination,
    destQpn: data.bth.destQpn,
    ...(trace && { trace }),
  };
}

/** @throws RoceError `invalid-packet` for packets that must not trigger a Fast CNP; listed at the top of this file. */
function requireAnswerable(bytes: Uint8Array, { ipVersion, ipOffset, source, bth, ...place }: LocatedRoce): void {
  if (ipVersion !== 6) throw invalidPacket('data packet', ipOffset, 'is not IPv6', ipVersion, 6);
  if (bth.opcode === Bth.OPCODE_CNP || isAcknowledgement(bth.opcode)) {
    throw invalidPacket('data packet', place.udp.payloadOffset, 'carries no data', bth.opcode, 'a data opcode');
  }
  if (source[0] === 0xff || source.every((byte) => byte === 0)) {
    throw invalidPacket('data packet', ipOffset, 'has no unicast source', source[0], 'one from a unicast address');
  }
  for (const { type, offset } of place.extensions) {
    const segmentsLeft = bytes[offset + ROUTING_SEGMENTS_LEFT];
    if (type === IpProtocol.ROUTING && segmentsLeft !== 0) {
      throw invalidPacket('routing header', offset, 'has segments left', segmentsLeft, 0);
    }
  }
}

/** ACKNOWLEDGE and ATOMIC ACKNOWLEDGE of RC, RD and XRC: low five bits 10001 and 10010. */
function isAcknowledgement(opcode: number): boolean {
  const operation = opcode & Opcode.OPERATION_MASK;
  return operation === Opcode.ACKNOWLEDGE || operation === Opcode.ATOMIC_ACKNOWLEDGE;
}

/** The first IOAM trace of the Hop-by-Hop header. A trace too short for a trace header is ignored. */
function findIoamTrace(bytes: Uint8Array, { extensions }: LocatedRoce): IoamTrace | undefined {
  const hopByHop = extensions.find(({ type }) => type === IpProtocol.HOP_BY_HOP);
  if (!hopByHop) return undefined;
  for (const { type, dataOffset, dataBytes } of readOptions(bytes, hopByHop)) {
    if (type !== IoamOption.MAY_CHANGE || dataBytes < FAST_CNP_2_TRACE + IoamTraceHeader.lenBytes) continue;
    const ioamType = bytes[dataOffset + FAST_CNP_2_IOAM_TYPE];
    if (ioamType !== IoamOption.TYPE_PREALLOCATED_TRACE && ioamType !== IoamOption.TYPE_INCREMENTAL_TRACE) continue;
    return { ioamType, data: bytes.slice(dataOffset + FAST_CNP_2_TRACE, dataOffset + dataBytes) };
  }
  return undefined;
}

/** The trace to be carried in option 2, or undefined to use option 1. */
function carriedTrace(trace: IoamTrace | undefined, policy: OversizeTracePolicy): IoamTrace | undefined {
  if (!trace || trace.data.length <= FastCnpOption2.TRACE_MAX_BYTES) return trace;
  if (policy === 'reject') {
    throw new RoceError('unsupported', {
      what: 'length of the IOAM trace in a Fast CNP',
      got: trace.data.length,
      allowed: { max: FastCnpOption2.TRACE_MAX_BYTES, unit: 'bytes' },
      where: 'oversizeTrace',
    });
  }
  const trimmed = policy === 'trim-free-space' ? withoutFreeSpace(trace) : trace;
  return trimmed.data.length <= FastCnpOption2.TRACE_MAX_BYTES ? trimmed : undefined;
}

/** The trace with RemainingLen 0, if it is pre-allocated and its RemainingLen is plausible. */
function withoutFreeSpace(trace: IoamTrace): IoamTrace {
  const freeBytes = (trace.data[REMAINING_LEN] & IoamTraceHeader.REMAINING_LEN_MAX_WORDS) * 4;
  const nodeBytes = trace.data.length - IoamTraceHeader.lenBytes - freeBytes;
  if (trace.ioamType !== IoamOption.TYPE_PREALLOCATED_TRACE || nodeBytes < 0) return trace;
  const data = new Uint8Array(IoamTraceHeader.lenBytes + nodeBytes);
  data.set(trace.data.subarray(0, IoamTraceHeader.lenBytes));
  data[REMAINING_LEN] &= ~IoamTraceHeader.REMAINING_LEN_MAX_WORDS;
  data.set(trace.data.subarray(trace.data.length - nodeBytes), IoamTraceHeader.lenBytes);
  return { ioamType: trace.ioamType, data };
}

/**
 * Precise flow control, congested node: the message that it sends to the node upstream, and the keys by which it
 * identifies packets (draft-hu-rtgwg-rocev2-fcn-00, section 4.1.2).
 *
 *   service    five-tuple of the outer IP header | compression time; an IPv6 tunnel has protocol 41 or 4 and no ports
 *   flow       five-tuple of the inner IP header | compression time
 *   priority   priority id, which the node knows from its queues (DSCP or PCP) | compression time
 *
 * A packet outside a tunnel has one IP header, which serves as both: a gateway between WAN and data centre can
 * therefore pause flows that have left their tunnel or have not entered it yet. In SRv6 the outer destination is the
 * next segment, so it differs from link to link: `as-is` matches only on the link where congestion was detected,
 * `last-segment` is the same on the whole path.
 *
 * The node decides when to send it, from queue thresholds as for PFC. The draft does not say how to end a pause early:
 * by default type 2, congestion eliminated; or type 1 with time 0, as in a PFC frame.
 */
import { RoceError } from '../errors.js';
import { NEXT_HEADER_IPV4, NEXT_HEADER_IPV6 } from '../tunnel/encapsulation.js';
import { type CompressionTimeFormat, compressionTimeOf } from '../wire/arn/arn-format.js';
import { Arn, type ArnFields, requireFiveTuple, type FiveTuple } from '../wire/arn/arn.js';
import { requireChoice, requireField, requireRecord, invalidPacket, readU16, requireBytes } from '../wire/bytes.js';
import type { ViewOf } from '../wire/header/define-header.js';
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { Ipv4 } from '../wire/ip/ipv4.js';
import { type LocatedExtensionHeader, walkExtensionHeaders, RoutingHeader, Ipv6 } from '../wire/ip/ipv6.js';
import { SegmentRouting } from '../wire/ip/segment-routing.js';
import type { FlowControlMode } from './pause-table.js';

/** Keys of a packet that a node knows. A packet without the key of a level cannot be paused at that level. */
export interface PacketKeys {
  /** Five-tuple of the outer IP header. */
  readonly outer?: FiveTuple;
  /** Five-tuple of the innermost IP header of a tunnel. */
  readonly inner?: FiveTuple;
  /** Priority id, 32 bits. */
  readonly priorityId?: number;
}

/** Options for reading a packet's keys. */
export interface PacketKeysOptions {
  /** Priority of the packet, 0 to 7. */
  readonly priorityId?: number;
  /** Outer destination: `as-is` (default) from the IPv6 header; `last-segment` from the segment list. */
  readonly outerDestination?: 'as-is' | 'last-segment';
}

/** Keys read from a packet. */
export interface ReadPacketKeys extends PacketKeys {
  /** Five-tuple of the outer IP header. */
  readonly outer: FiveTuple;
  /** Five-tuple of the innermost IP header of a tunnel. */
  readonly inner: FiveTuple;
}

/** The request to the upstream node. */
export type FlowControlRequest = {
  /** The flow pauses for a while. */
  readonly kind: 'pause';
  /** Pause time: whole picoseconds above 0, rounded up to the unit. */
  readonly timePs: number;
} | {
  /** The flow resumes at once. */
  readonly kind: 'resume';
};

/** The message's other fields. */
export interface ArnForOptions extends CompressionTimeFormat, Pick<ArnFields, 'version' | 'metric' | 'pathId'> {
  /** Default `eliminated`: type 2 without a time; `zero-time`: type 1 with time 0. */
  readonly resumeBy?: 'eliminated' | 'zero-time';
}

/** An IP header that was read. */
interface IpLayer {
  readonly tuple: FiveTuple;
  readonly payloadOffset: number;
  readonly endOffset: number;
  readonly lastSegment?: Uint8Array;
}

const ROUTING_TYPE = RoutingHeader.offsetOf('routingType');

const PROTOCOL_TCP = 6;
const PROTOCOL_SCTP = 132;
/** Source and destination port of TCP, UDP and SCTP: the first four bytes. */
const PORTS_BYTES = 4;
const NO_PORTS = { sourcePort: 0, destinationPort: 0 };

/**
 * Reads both five-tuples of a packet. Fragments without a transport header have ports 0.
 *
 * @param bytes from the outer IP header on; may be truncated after the ports.
 * @throws RoceError `invalid-packet` for truncated or malformed headers.
 */
export function packetKeysOf(bytes: Uint8Array, options: PacketKeysOptions = {}): ReadPacketKeys {
  requireRecord('options', options);
  const { priorityId, outerDestination = 'as-is' } = options;
  requireChoice('outerDestination', outerDestination, ['as-is', 'last-segment']);
  const layer = readIpLayer(bytes, 0);
  const { protocol } = layer.tuple;
  const isTunnel = protocol === NEXT_HEADER_IPV4 || protocol === NEXT_HEADER_IPV6;
  const inner = isTunnel ? readIpLayer(bytes.subarray(0, layer.endOffset), layer.payloadOffset).tuple : layer.tuple;
  const lastSegment = outerDestination === 'last-segment' ? layer.lastSegment : undefined;
  const outer = lastSegment ? { ...layer.tuple, destination: lastSegment } : layer.tuple;
  return { outer, inner, ...(priorityId !== undefined && { priorityId }) };
}

/**
 * Builds the message about a packet that met congestion, or whose congestion has ended.
 *
 * @param mode what to pause: must match the receiver's configuration, since a message does not distinguish service and
 * flow.
 * @param keys of the packet; the key that the mode needs must be present.
 * @throws RoceError `invalid-argument` for an unknown mode, a missing key or an invalid time.
 */
export function arnFor(mode: FlowControlMode, keys: PacketKeys, request: FlowControlRequest,
  options: ArnForOptions = {}): Arn {
  requireRecord('keys', keys);
  requireRecord('request', request);
  requireRecord('options', options);
  const { version = Arn.defaults.version, metric = Arn.defaults.metric, pathId } = options;
  const head = { version, reserved4: Arn.defaults.reserved4, metric, ...(pathId !== undefined && { pathId }) };
  return { ...head, ...subjectFields(mode, keys), ...requestFields(request, options) };
}

function subjectFields(mode: FlowControlMode, keys: PacketKeys): Pick<Arn, 'flow' | 'priorityId'> {
  requireChoice('mode', mode, ['service', 'flow', 'priority']);
  if (mode === 'priority') {
    const priorityId = keys.priorityId ?? missing('priorityId');
    requireField('keys.priorityId', priorityId, 0xffffffff);
    return { priorityId };
  }
  const name = mode === 'service' ? 'outer' : 'inner';
  const flow = keys[name] ?? missing(name);
  requireFiveTuple(flow, `keys.${name}`);
  return { flow };
}

function requestFields(request: FlowControlRequest, options: ArnForOptions): Pick<Arn, 'type' | 'compressionTime'> {
  requireChoice('request.kind', request.kind, ['pause', 'resume']);
  const { resumeBy = 'eliminated' } = options;
  requireChoice('resumeBy', resumeBy, ['eliminated', 'zero-time']);
  if (request.kind === 'pause') {
    const compressionTime = compressionTimeOf(request.timePs, options);
    if (compressionTime > 0) return { type: Arn.CONGESTION_DETECTED, compressionTime };
    throw new RoceError('invalid-argument', {
      where: 'request.timePs',
      got: request.timePs,
      allowed: { above: 0, unit: 'ps', multipleOf: 1 },
      hint: 'A pause with time 0 would resume',
    });
  }
  if (resumeBy === 'eliminated') return { type: Arn.CONGESTION_ELIMINATED };
  return { type: Arn.CONGESTION_DETECTED, compressionTime: 0 };
}

function missing(key: keyof PacketKeys): never {
  throw new RoceError('invalid-argument', {
    what: 'packet',
    problem: 'lacks the key that the mode needs',
    where: `keys.${key}`,
  });
}

function readIpLayer(bytes: Uint8Array, offset: number): IpLayer {
  requireBytes('ip header', bytes, offset, 1);
  const version = bytes[offset] >> 4;
  if (version === 4) return readIpv4Layer(new Ipv4.View(bytes, offset));
  if (version === 6) return readIpv6Layer(new Ipv6.View(bytes, offset));
  throw invalidPacket('ip header', offset, 'has another version', version, '4 or 6');
}

function readIpv4Layer(view: ViewOf<typeof Ipv4>): IpLayer {
  const { bytes, source, destination, protocol, payloadOffset } = view;
  const endOffset = view.offset + view.totalLength;
  const ports = view.fragmentOffset === 0 ? readPorts(bytes, protocol, payloadOffset, endOffset) : NO_PORTS;
  return { tuple: { source, destination, protocol, ...ports }, payloadOffset, endOffset };
}

function readIpv6Layer(view: ViewOf<typeof Ipv6>): IpLayer {
  const { bytes } = view;
  const endOffset = view.payloadOffset + view.payloadLength;
  const chain = walkExtensionHeaders(bytes, view.nextHeader, view.payloadOffset, endOffset);
  const { upperProtocol: protocol, upperOffset: payloadOffset } = chain;
  const ports = readPorts(bytes, protocol, payloadOffset, endOffset);
  const tuple = { source: view.source.slice(), destination: view.destination.slice(), protocol, ...ports };
  const lastSegment = lastSegmentOf(bytes, chain.headers);
  return { tuple, payloadOffset, endOffset, ...(lastSegment && { lastSegment }) };
}

function readPorts(bytes: Uint8Array, protocol: number, offset: number, endOffset: number): typeof NO_PORTS {
  if (protocol !== PROTOCOL_TCP && protocol !== IpProtocol.UDP && protocol !== PROTOCOL_SCTP) return NO_PORTS;
  requireBytes('transport header', bytes, offset, PORTS_BYTES, endOffset);
  return { sourcePort: readU16(bytes, offset), destinationPort: readU16(bytes, offset + 2) };
}

function lastSegmentOf(bytes: Uint8Array, headers: readonly LocatedExtensionHeader[]): Uint8Array | undefined {
  const routing = headers.find(({ type, offset }) =>
    type === IpProtocol.ROUTING && bytes[offset + ROUTING_TYPE] === SegmentRouting.ROUTING_TYPE
  );
  return routing && new SegmentRouting.View(bytes, routing.offset).segment(0).slice();
}

/** Dissects a packet into the stack of its layers as values, its class, and the first error with its position. */
import { invalidArgument, lengthOf, readU16, requireRecord } from '../wire/bytes.js';
import { CLASS_NAMES, WHY_NAMES, namesByCode, type ClassName, type WhyName } from '../abi/names.js';
import { ICRC_RIGHT, ICRC_WRONG } from '../abi/codes.js';
import { RoceError } from '../errors.js';
import { IP_ADDRESS_BYTES, mapIpv4 } from '../wire/ip/ip-address.js';
import { Ipv4 } from '../wire/ip/ipv4.js';
import { Ipv6 } from '../wire/ip/ipv6.js';
import { Dissection } from './dissection.js';
import { dissectInto } from './dissect-into.js';
import { LAYER_NONE, layerName, type LayerKind } from './layer-kinds.js';
import { UNREAD_NAMES, UNREAD_NOTHING, type UnreadField } from './walk-codes.js';
import { LAYERS, type Layer, type LayerOf } from './layers.js';
import { readMrc, type MrcReading, readUet, type UetReading } from './multipath-readings.js';
import { dissectionRules, type DissectOptions, type DissectionRules } from './rules.js';

const IPV4_TRAFFIC_CLASS = Ipv4.offsetOf('dscp');
const IPV4_SOURCE = Ipv4.offsetOf('source');
const IPV4_DESTINATION = Ipv4.offsetOf('destination');
const IPV6_SOURCE = Ipv6.offsetOf('source');
const IPV6_DESTINATION = Ipv6.offsetOf('destination');

/** Why a frame could not be read to its end. */
export interface PacketTrouble {
  /** The layer that could not be read. */
  readonly layer: LayerKind;
  /** Its offset, bytes from the start of the frame. */
  readonly offset: number;
  /** What the layer needs there: bytes, or for `ip-version` the version. */
  readonly required: number;
  /** What was found there. */
  readonly actual: number;
  /** The rejection that the engine counts; `none` for layers that do not affect the class. */
  readonly reason: WhyName;
  /** Whether the layer is incomplete because the capture was truncated, not because the packet is too short. */
  readonly isCut: boolean;
  /** The problem as text. */
  readonly message: string;
}

/** Summary of an IP header. */
export interface PacketAddresses {
  /** IP version. */
  readonly version: 4 | 6;
  /** 16 bytes, IPv4-mapped for IPv4. */
  readonly source: Uint8Array;
  /** 16 bytes, IPv4-mapped for IPv4. */
  readonly destination: Uint8Array;
  /** DSCP, 0..63. */
  readonly dscp: number;
  /** 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE. */
  readonly ecn: number;
}

/** The headers around a packet that determines the class. */
export interface PacketTunnel {
  /** The header that carries the packet: an IP header for IP in IP. */
  readonly kind: LayerKind;
  /** Packets around the packet. */
  readonly depth: number;
  /** The outermost IP header; absent without one, as in MPLS. */
  readonly outer?: PacketAddresses;
  /**
   * ECN of the packet after decapsulation, 0..3 (RFC 6040, section 4.2). The ECN field of a mirroring header applies to
   * the copy, so it is ignored.
   */
  readonly ecn: number;
  /** Whether decapsulation drops the packet: outer CE over inner Not-ECT. */
  readonly isDropped: boolean;
}

/** A part that the dissection did not read. */
export interface UnreadPart {
  /** The field that announces the part. */
  readonly field: UnreadField;
  /** Value of the field: EtherType, protocol, port and so on. */
  readonly number: number;
}

/** A dissected frame: its class and its layers as values. */
export interface Packet {
  /** Class as the engine's parser determines it. */
  readonly class: ClassName;
  /** Why it is malformed, cut or to be discarded; else `none`. */
  readonly why: WhyName;
  /** In frame order; together they cover all captured bytes. */
  readonly layers: readonly Layer[];
  /** IP header of the packet that determines the class; absent if it is incomplete. */
  readonly ip?: PacketAddresses;
  /** The tunnel around the packet that determines the class; absent without one. */
  readonly tunnel?: PacketTunnel;
  /** The part that was not read; absent if everything was. */
  readonly unread?: UnreadPart;
  /**
   * Destination QP, for the RoCEv2 classes: a QP of the node that receives the packet. In a Fast CNP it is the
   * destination QP of the congested data packet, a QP of that packet's receiver.
   */
  readonly destQpn?: number;
  /** For Fast CNPs, the address in the option, 16 bytes: destination of the marked packet. */
  readonly originalDestination?: Uint8Array;
  /**
   * Contents of a Multipath Reliable Connection packet, whose class is that of a reserved RoCEv2 opcode; absent for
   * others.
   */
  readonly mrc?: MrcReading;
  /** Contents of an Ultra Ethernet packet, whose class is `other`; absent for others. */
  readonly uet?: UetReading;
  /** Result of the ICRC check, for the RoCEv2 classes and MRC; absent if the ICRC was not captured or not checked. */
  readonly icrc?: 'right' | 'wrong';
  /** Where reading ended early, and why; absent if every layer was read. */
  readonly trouble?: PacketTrouble;
  /** Captured bytes. */
  readonly capturedBytes: number;
  /** Bytes on the wire. */
  readonly originalBytes: number;
}

/** `DissectOptions`, plus the length of the frame on the wire. */
export interface DissectFrameOptions extends DissectOptions {
  /** Bytes on the wire; default: the number of captured bytes. */
  readonly originalBytes?: number;
}

/** Every code of a dissection has a name. */
const CLASS_WORDS = namesByCode(CLASS_NAMES) as readonly ClassName[];
const WHY_WORDS = namesByCode(WHY_NAMES) as readonly WhyName[];

/**
 * Dissects one frame into values. Never throws because of the bytes: an unreadable part becomes an `undecoded` layer, and
 * `trouble` states why.
 *
 * @param bytes the captured bytes, starting at the link header (Ethernet unless `linkType` is set).
 * @throws RoceError `invalid-argument` for an option out of range.
 *
 * @example
 * const { class: name, layers } = dissect(frame.bytes, { linkType: frame.linkType });
 */
export function dissect(bytes: Uint8Array, options: DissectFrameOptions = {}): Packet {
  requireRecord('options', options);
  const { originalBytes = lengthOf('bytes', bytes) } = options;
  return readPacket(dissectInto(new Dissection(), bytes, originalBytes, dissectionRules(options)));
}

/**
 * Creates a function that dissects many frames under the same options, which are checked once.
 * @throws RoceError `invalid-argument` for an option out of range.
 */
export function createDissector(options: DissectOptions = {}): (bytes: Uint8Array, originalBytes?: number) => Packet {
  const rules: DissectionRules = dissectionRules(options);
  const dissection = new Dissection();
  return (bytes, originalBytes = lengthOf('bytes', bytes)) =>
    readPacket(dissectInto(dissection, bytes, originalBytes, rules));
}

/** Copies the results of a dissection to values, which stay valid when the dissection is reused. */
export function readPacket(d: Dissection): Packet {
  if (!(d instanceof Dissection)) throw invalidArgument('d', d, 'a Dissection');
  const bytes = plainBytes(d.bytes);
  const { layers, trouble } = readLayers(d, bytes);
  const carriedOffset = d.originalDestinationOffset;
  const mrc = readMrc(d, layers);
  const uet = readUet(d);
  const icrc = mrc === undefined ? d.icrc : d.mrcIcrc;
  return {
    class: CLASS_WORDS[d.classCode],
    why: WHY_WORDS[d.why],
    layers,
    ...(d.ipVersion === 0 ? {} : { ip: readAddresses(bytes, d.ipVersion, d.ipOffset) }),
    ...(d.tunnelKind === LAYER_NONE ? {} : { tunnel: readTunnel(d, bytes) }),
    ...(d.unreadKind === UNREAD_NOTHING ?
      {} :
      { unread: { field: UNREAD_NAMES[d.unreadKind] as UnreadField, number: d.unreadNumber } }),
    ...(d.bthOffset === 0 ? {} : { destQpn: d.destQpn }),
    ...(carriedOffset === 0 ?
      {} :
      { originalDestination: bytes.slice(carriedOffset, carriedOffset + IP_ADDRESS_BYTES) }),
    ...(mrc ? { mrc } : {}),
    ...(uet ? { uet } : {}),
    ...(icrc === ICRC_RIGHT ? { icrc: 'right' } : icrc === ICRC_WRONG ? { icrc: 'wrong' } : {}),
    ...(trouble ? { trouble } : {}),
    capturedBytes: bytes.length,
    originalBytes: d.originalBytes,
  };
}

/** `slice` copies the bytes of a Uint8Array, but shares the memory of a Buffer. */
function plainBytes(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

function readLayers(d: Dissection, bytes: Uint8Array): { layers: Layer[]; trouble: PacketTrouble | undefined } {
  const layers: Layer[] = [];
  let trouble = d.troubleKind === LAYER_NONE ? undefined : readTrouble(d);
  for (let i = 0; i < d.count; i++) {
    const kind = layerName(d.kinds[i]);
    const offset = d.offsets[i];
    const layer = readLayer(bytes, kind, offset, d.lengths[i]);
    if (layer instanceof RoceError) {
      if (!trouble || offset < trouble.offset) trouble = troubleOf(kind, offset, layer);
      layers.push(readLayer(bytes, 'undecoded', offset, d.lengths[i]) as Layer);
    } else {
      layers.push(layer);
    }
  }
  return { layers, trouble };
}

/** Some layers were only found by their length, so their contents may be inconsistent. */
function readLayer(bytes: Uint8Array, kind: LayerKind, offset: number, lenBytes: number): Layer | RoceError {
  try {
    const value = LAYERS[kind].codec.read(bytes, offset, offset + lenBytes);
    return { kind, offset, lenBytes, value } as Layer;
  } catch (error) {
    if (error instanceof RoceError) return error;
    throw error;
  }
}

function readTrouble(d: Dissection): PacketTrouble {
  const layer = layerName(d.troubleKind);
  const { troubleOffset: offset, troubleRequired: required, troubleActual: actual, troubleIsCut: isCut } = d;
  const reason = WHY_WORDS[d.troubleWhy];
  const what = isCut ? 'the capture ends inside it' : reason === 'ip-version' ? 'another IP version' : 'too few bytes';
  const message = `${layer} at offset ${offset}: ${what}, required ${required}, actual ${actual}`;
  return { layer, offset, required, actual, reason, isCut, message };
}

function troubleOf(layer: LayerKind, offset: number, error: RoceError): PacketTrouble {
  return { layer, offset, required: 0, actual: 0, reason: 'none', isCut: false, message: error.message };
}

function readTunnel(d: Dissection, bytes: Uint8Array): PacketTunnel {
  return {
    kind: layerName(d.tunnelKind),
    depth: d.innerCount,
    ...(d.outerIpVersion === 0 ? {} : { outer: readAddresses(bytes, d.outerIpVersion, d.outerIpOffset) }),
    ecn: d.effectiveEcn,
    isDropped: d.isEcnDropped,
  };
}

function readAddresses(bytes: Uint8Array, version: number, offset: number): PacketAddresses {
  if (version === 4) {
    const source = mapIpv4(bytes, offset + IPV4_SOURCE);
    const destination = mapIpv4(bytes, offset + IPV4_DESTINATION);
    return { version: 4, source, destination, ...trafficClassOf(bytes[offset + IPV4_TRAFFIC_CLASS]) };
  }
  const address = (at: number) => bytes.slice(offset + at, offset + at + IP_ADDRESS_BYTES);
  const trafficClass = (readU16(bytes, offset) >> 4) & 0xff;
  return {
    version: 6,
    source: address(IPV6_SOURCE),
    destination: address(IPV6_DESTINATION),
    ...trafficClassOf(trafficClass),
  };
}

function trafficClassOf(trafficClass: number): Pick<PacketAddresses, 'dscp' | 'ecn'> {
  return { dscp: trafficClass >> 2, ecn: trafficClass & 3 };
}

/** @returns the first layer of a kind. */
export function findLayer<Kind extends LayerKind>({ layers }: Packet, kind: Kind): LayerOf<Kind> | undefined {
  return layers.find((layer) => layer.kind === kind) as LayerOf<Kind> | undefined;
}

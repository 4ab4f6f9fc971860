/**
 * The five-tuple of a flow, as an ARN message tells it (draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1: "based on the
 * five-tuple from packet header"). The draft has no layout; the drawings are those of `ArnFlowFormat`.
 *
 *   versioned  0 IP version (1) | 1 source (4 or 16) | destination (4 or 16) | protocol (1) | ports (2, 2)
 *   ipv4       0 source (4) | 4 destination (4) | 8 protocol (1) | 9 source port (2) | 11 destination port (2)
 *   ipv6       0 source (16) | 16 destination (16) | 32 protocol (1) | 33 source port (2) | 35 destination port (2)
 *
 * Behind it zero bytes up to a multiple of 4, under `flowPadding: 'to-4'`. Other bytes there mean that the message
 * has another format than the one agreed on, and are refused.
 */
import { RoceError } from '../../errors.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped } from '../ip/ip-address.js';
import { invalidPacket, readU16, requireField, requireLength, requireBytes, requireTarget,
  writeU16 } from '../bytes.js';
import type { ArnFlowFormat, ArnFormat } from './arn-format.js';
import { flowFormatOf, flowUnitBytesOf } from './arn-format.js';

/** Offset of the IP version under `versioned`. */
export const FIVE_TUPLE_VERSION = 0;
const VERSION_BYTES = 1;
const IPV4_ADDRESS_BYTES = 4;
/** Of an IPv4 address in its IPv4-mapped form. */
const IPV4_IN_MAPPED = IP_ADDRESS_BYTES - IPV4_ADDRESS_BYTES;
/** Protocol and two ports. */
const PORTS_BYTES = 5;
const LAYER = 'arn five-tuple';

/** Who sends to whom. */
export interface FiveTuple {
  /** 16 bytes; IPv4-mapped for IPv4, then the destination too. */
  readonly source: Uint8Array;
  /** 16 bytes. */
  readonly destination: Uint8Array;
  /** IPv4 protocol, or the IPv6 next header behind the extension headers; 8 bits. */
  readonly protocol: number;
  /** 0 where the protocol has no ports. */
  readonly sourcePort: number;
  /** 0 where the protocol has no ports. */
  readonly destinationPort: number;
}

/**
 * Bytes of a five-tuple in a message, padding included.
 * @throws RoceError `invalid-argument` for a five-tuple that the format can't hold.
 */
export function fiveTupleBytes(flow: FiveTuple, format: ArnFormat = {}): number {
  const flowFormat = flowFormatOf(format);
  return roundUp(usedBytes(flowFormat, addressBytesOf(flow, flowFormat)), flowUnitBytesOf(format));
}

/**
 * Reads a five-tuple; the inverse of `buildFiveTuple`.
 * @throws RoceError `invalid-packet`: too short, another IP version, IPv4-mapped addresses as version 6 (they have a
 * form of their own), or padding that isn't zero.
 */
export function parseFiveTuple(bytes: Uint8Array, offset = 0, format: ArnFormat = {}): FiveTuple {
  const flowFormat = flowFormatOf(format);
  const addressBytes = addressBytesAt(bytes, offset, flowFormat);
  const endOffset = offset + roundUp(usedBytes(flowFormat, addressBytes), flowUnitBytesOf(format));
  requireBytes(LAYER, bytes, offset, endOffset - offset);
  const addresses = offset + versionBytesOf(flowFormat);
  const source = readAddress(bytes, addresses, addressBytes);
  const destination = readAddress(bytes, addresses + addressBytes, addressBytes);
  if (flowFormat === 'versioned') requireOwnForm(offset, addressBytes, source, destination);
  const at = addresses + 2 * addressBytes;
  requireZeros(bytes, at + PORTS_BYTES, endOffset);
  const protocol = bytes[at];
  return { source, destination, protocol, sourcePort: readU16(bytes, at + 1), destinationPort: readU16(bytes, at + 3) };
}

/**
 * Writes a five-tuple.
 * @throws RoceError `invalid-argument` naming a field out of range, or for a five-tuple that the format can't hold.
 */
export function buildFiveTuple(flow: FiveTuple, format: ArnFormat = {}): Uint8Array {
  const bytes = new Uint8Array(fiveTupleBytes(flow, format));
  buildFiveTupleInto(bytes, 0, flow, format);
  return bytes;
}

/** As `buildFiveTuple`, into `target`. @returns the offset behind the padding. */
export function buildFiveTupleInto(target: Uint8Array, offset: number, flow: FiveTuple,
  format: ArnFormat = {}): number {
  requireFiveTuple(flow);
  const flowFormat = flowFormatOf(format);
  const addressBytes = addressBytesOf(flow, flowFormat);
  const bytes = roundUp(usedBytes(flowFormat, addressBytes), flowUnitBytesOf(format));
  requireTarget('arn.flow', target, offset, bytes);
  if (flowFormat === 'versioned') target[offset + FIVE_TUPLE_VERSION] = addressBytes === IPV4_ADDRESS_BYTES ? 4 : 6;
  let at = writeAddress(target, offset + versionBytesOf(flowFormat), flow.source, addressBytes);
  at = writeAddress(target, at, flow.destination, addressBytes);
  target[at] = flow.protocol;
  writeU16(target, at + 1, flow.sourcePort);
  writeU16(target, at + 3, flow.destinationPort);
  target.fill(0, at + PORTS_BYTES, offset + bytes);
  return offset + bytes;
}

/** @throws RoceError `invalid-argument` naming a field out of range. */
export function requireFiveTuple(flow: FiveTuple, where = 'arn.flow'): void {
  requireLength(`${where}.source`, flow.source, IP_ADDRESS_BYTES);
  requireLength(`${where}.destination`, flow.destination, IP_ADDRESS_BYTES);
  requireField(`${where}.protocol`, flow.protocol, 0xff);
  requireField(`${where}.sourcePort`, flow.sourcePort, 0xffff);
  requireField(`${where}.destinationPort`, flow.destinationPort, 0xffff);
}

function versionBytesOf(flowFormat: ArnFlowFormat): number {
  return flowFormat === 'versioned' ? VERSION_BYTES : 0;
}

/** Without the padding. */
function usedBytes(flowFormat: ArnFlowFormat, addressBytes: number): number {
  return versionBytesOf(flowFormat) + 2 * addressBytes + PORTS_BYTES;
}

function roundUp(bytes: number, unitBytes: number): number {
  return Math.ceil(bytes / unitBytes) * unitBytes;
}

/** Bytes of an address as this five-tuple is written. */
function addressBytesOf({ source, destination }: FiveTuple, flowFormat: ArnFlowFormat): number {
  requireLength('arn.flow.source', source, IP_ADDRESS_BYTES);
  requireLength('arn.flow.destination', destination, IP_ADDRESS_BYTES);
  if (flowFormat === 'ipv6') return IP_ADDRESS_BYTES;
  const ipv4 = isIpv4Mapped(source);
  if (ipv4 === isIpv4Mapped(destination) && (ipv4 || flowFormat === 'versioned')) {
    return ipv4 ? IPV4_ADDRESS_BYTES : IP_ADDRESS_BYTES;
  }
  throw new RoceError('invalid-argument', 'addresses that the format of five-tuples can not hold', {
    got: ipv4 ? 'an IPv4 source and an IPv6 destination' : 'an IPv6 source',
    allowed: flowFormat === 'ipv4' ? 'two IPv4 addresses' : 'two addresses of one family',
    where: 'arn.flow',
  });
}

/** Bytes of an address as the five-tuple there is written. */
function addressBytesAt(bytes: Uint8Array, offset: number, flowFormat: ArnFlowFormat): number {
  if (flowFormat !== 'versioned') return flowFormat === 'ipv4' ? IPV4_ADDRESS_BYTES : IP_ADDRESS_BYTES;
  requireBytes(LAYER, bytes, offset, VERSION_BYTES);
  const version = bytes[offset + FIVE_TUPLE_VERSION];
  if (version === 4 || version === 6) return version === 4 ? IPV4_ADDRESS_BYTES : IP_ADDRESS_BYTES;
  throw invalidPacket(LAYER, offset, 'has another IP version', version, '4 or 6');
}

function readAddress(bytes: Uint8Array, offset: number, addressBytes: number): Uint8Array {
  const address = new Uint8Array(IP_ADDRESS_BYTES);
  if (addressBytes === IPV4_ADDRESS_BYTES) address.fill(0xff, IPV4_IN_MAPPED - 2, IPV4_IN_MAPPED);
  address.set(bytes.subarray(offset, offset + addressBytes), IP_ADDRESS_BYTES - addressBytes);
  return address;
}

function writeAddress(target: Uint8Array, offset: number, address: Uint8Array, addressBytes: number): number {
  const from = IP_ADDRESS_BYTES - addressBytes;
  for (let i = 0; i < addressBytes; i++) target[offset + i] = address[from + i];
  return offset + addressBytes;
}

function requireOwnForm(offset: number, addressBytes: number, source: Uint8Array, destination: Uint8Array): void {
  if (addressBytes === IPV4_ADDRESS_BYTES || (!isIpv4Mapped(source) && !isIpv4Mapped(destination))) return;
  throw invalidPacket(LAYER, offset, 'has an IPv4 address as version 6', 6, 'version 4 for IPv4 addresses');
}

function requireZeros(bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    if (bytes[at] !== 0) throw invalidPacket(LAYER, at, 'has padding that is not zero', bytes[at], '0');
  }
}

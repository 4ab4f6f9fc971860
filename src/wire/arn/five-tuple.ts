/**
 * The five-tuple of a flow in an ARN message (draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1: "based on the
 * five-tuple from packet header"). The draft gives no layout; these are the formats of `ArnFlowFormat`:
 *
 *   versioned  0 IP version (1) | 1 source (4 or 16) | destination (4 or 16) | protocol (1) | ports (2, 2)
 *   ipv4       0 source (4) | 4 destination (4) | 8 protocol (1) | 9 source port (2) | 11 destination port (2)
 *   ipv6       0 source (16) | 16 destination (16) | 32 protocol (1) | 33 source port (2) | 35 destination port (2)
 *
 * With `flowPadding: 'to-4'`, zero bytes follow up to a multiple of 4. Other bytes there indicate a message of a
 * different format, and are rejected.
 */
import { invalidPacket, requireBytes, requireField, requireLength, requireRecord } from '../bytes.js';
import type { FieldTable } from '../header/field.js';
import { type ValueOf, defineHeader, defineFormat } from '../header/define-header.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped, sameFamily } from '../ip/ip-address.js';
import { type ArnFormat, flowFormatOf, flowUnitBytesOf } from './arn-format.js';

/** Offset of the IP version under `versioned`. */
export const FIVE_TUPLE_VERSION = 0;
const LAYER = 'arn five-tuple';

/** Defines a five-tuple of one format, without its padding. */
function defineFlow(begin: (field: FieldTable) => FieldTable, address: (field: FieldTable) => Uint8Array) {
  return defineHeader({
    title: 'ARN five-tuple',
    source: 'draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1',
    layer: LAYER,
    where: 'arn.flow',
    fields: (field) => ({
      /** 16 bytes; if IPv4-mapped, the destination must be too. */
      source: address(begin(field)),
      /** Destination address, 16 bytes. */
      destination: address(field),
      /** IPv4 protocol, or the IPv6 next header after the extension headers; 8 bits. */
      protocol: field.bits(8),
      /** 0 if the protocol has no ports. */
      sourcePort: field.bits(16),
      /** 0 if the protocol has no ports. */
      destinationPort: field.bits(16),
    }),
  });
}

const asIs = (field: FieldTable): FieldTable => field;
const version = (value: number) => (field: FieldTable): FieldTable => field.constant('version', 8, value);
const ipv4 = (field: FieldTable): Uint8Array => field.ipv4Address();
const ipv6 = (field: FieldTable): Uint8Array => field.bytesOf(IP_ADDRESS_BYTES);

const IPV4_FLOW = /* @__PURE__ */ defineFlow(asIs, ipv4);
const IPV6_FLOW = /* @__PURE__ */ defineFlow(asIs, ipv6);
const VERSION_4_FLOW = /* @__PURE__ */ defineFlow(version(4), ipv4);
const VERSION_6_FLOW = /* @__PURE__ */ defineFlow(version(6), ipv6);

/** Addresses, protocol and ports of a flow. */
export interface FiveTuple extends ValueOf<typeof IPV6_FLOW> {}

/** Addresses, protocol and ports of a flow. */
export const FiveTuple = /* @__PURE__ */ defineFormat({
  /**
   * Length of a five-tuple in a message, padding included, bytes.
   * @throws RoceError `invalid-argument` for a five-tuple that the format does not support.
   */
  lenBytesOf(flow: FiveTuple, format: ArnFormat = {}): number {
    const form = formOf(flow, format);
    form.require(flow);
    return roundUp(form.lenBytes, flowUnitBytesOf(format));
  },
  /**
   * Reads a five-tuple; the inverse of `FiveTuple.write`.
   * @throws RoceError `invalid-packet`: too short, an unknown IP version, IPv4-mapped addresses marked as version 6, or
   * nonzero padding.
   */
  read(bytes: Uint8Array, offset = 0, format: ArnFormat = {}): FiveTuple {
    const form = formAt(bytes, offset, format);
    const endOffset = offset + roundUp(form.lenBytes, flowUnitBytesOf(format));
    requireBytes(LAYER, bytes, offset, endOffset - offset);
    const flow = form.read(bytes, offset);
    if (form === VERSION_6_FLOW && (isIpv4Mapped(flow.source) || isIpv4Mapped(flow.destination))) {
      throw invalidPacket(LAYER, offset, 'has an IPv4 address marked as version 6', 6, 'version 4 for IPv4 addresses');
    }
    for (let at = offset + form.lenBytes; at < endOffset; at++) {
      if (bytes[at] !== 0) throw invalidPacket(LAYER, at, 'has padding that is not zero', bytes[at], 0);
    }
    return flow;
  },
  /**
   * Writes a five-tuple.
   * @returns the offset after the padding.
   * @throws RoceError `invalid-argument` naming a field out of range, or for a five-tuple that the format does not
   * support.
   */
  writeInto(target: Uint8Array, offset: number, flow: FiveTuple, format: ArnFormat = {}): number {
    const form = formOf(flow, format);
    const lenBytes = roundUp(form.lenBytes, flowUnitBytesOf(format));
    const at = form.writePartInto(target, offset, flow, lenBytes);
    target.fill(0, at, offset + lenBytes);
    return offset + lenBytes;
  },
});

/** @throws RoceError `invalid-argument` naming a field out of range. */
export function requireFiveTuple(flow: FiveTuple, where = 'arn.flow'): void {
  requireRecord(where, flow);
  requireLength(`${where}.source`, flow.source, IP_ADDRESS_BYTES);
  requireLength(`${where}.destination`, flow.destination, IP_ADDRESS_BYTES);
  requireField(`${where}.protocol`, flow.protocol, 0xff);
  requireField(`${where}.sourcePort`, flow.sourcePort, 0xffff);
  requireField(`${where}.destinationPort`, flow.destinationPort, 0xffff);
}

function roundUp(bytes: number, unitBytes: number): number {
  return Math.ceil(bytes / unitBytes) * unitBytes;
}

type FlowForm = typeof IPV6_FLOW;

/** Layout of this five-tuple. */
function formOf(flow: FiveTuple, format: ArnFormat): FlowForm {
  requireFiveTuple(flow);
  const flowFormat = flowFormatOf(format);
  if (flowFormat !== 'versioned') return flowFormat === 'ipv4' ? IPV4_FLOW : IPV6_FLOW;
  return sameFamily('arn.flow', flow.source, flow.destination) ? VERSION_4_FLOW : VERSION_6_FLOW;
}

/** Layout of the received five-tuple. */
function formAt(bytes: Uint8Array, offset: number, format: ArnFormat): FlowForm {
  const flowFormat = flowFormatOf(format);
  if (flowFormat !== 'versioned') return flowFormat === 'ipv4' ? IPV4_FLOW : IPV6_FLOW;
  requireBytes(LAYER, bytes, offset, 1);
  const version = bytes[offset + FIVE_TUPLE_VERSION];
  if (version === 4 || version === 6) return version === 4 ? VERSION_4_FLOW : VERSION_6_FLOW;
  throw invalidPacket(LAYER, offset, 'has another IP version', version, [4, 6]);
}

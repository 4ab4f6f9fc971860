/**
 * Adaptive routing notification, ARN (draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1, figures 2 to 4), and the five-tuple
 * in it.
 *
 *   0 type | 1 version 4, reserved 4 | 2 metric | 3 Para-Type
 *   4 parameters whose Para-Type bit is set, by ascending bit: 0 flow (five-tuple) | 1 path id (4)
 *     | 2 priority id (4) | 3 compression time (4)
 *
 * The documents name no protocol number, EtherType or port for the carrier, so these functions handle the message only.
 * Bits 4..7 of Para-Type indicate parameters of unknown size; a message with one of them is rejected, since it cannot
 * be read. `ArnFormat` has the options that the documents leave open.
 *
 * The draft gives no layout for the flow, "based on the five-tuple from packet header"; these are the formats of
 * `ArnFlowFormat`:
 *
 *   versioned  0 IP version (1) | 1 source (4 or 16) | destination (4 or 16) | protocol (1) | ports (2, 2)
 *   ipv4       0 source (4) | 4 destination (4) | 8 protocol (1) | 9 source port (2) | 11 destination port (2)
 *   ipv6       0 source (16) | 16 destination (16) | 32 protocol (1) | 33 source port (2) | 35 destination port (2)
 *
 * With `flowPadding: 'to-4'`, zero bytes follow up to a multiple of 4. Other bytes there indicate a message of a
 * different format, and are rejected. The message does not state whether the five-tuple is from the outer or the inner
 * IP header; the receiver is configured for one.
 */
import { invalidPacket, requireBytes, requireField, requireTarget, requireRecord, U32_MAX, readU32, writeU32,
  requireLength } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader, defineFormat } from '../header/define-header.js';
import type { FieldTable } from '../header/field.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped, sameFamily } from '../ip/ip-address.js';
import { type ArnBitOrder, type ArnFormat, ParaType, bitOrderOf, paraMask, unknownParaMask, flowFormatOf,
  flowUnitBytesOf } from './arn-format.js';

const arnDefaults = Object.freeze({
  /** No document gives a value; 0. */
  version: 0,
  /** Reserved bits are 0 on sending. */
  reserved4: 0,
  /** Severity; no document gives a scale; 0. */
  metric: 0,
} as const);

const HEAD = /* @__PURE__ */ defineHeader({
  title: 'ARN',
  source: 'draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1, figure 2',
  layer: 'arn',
  followedBy: 'parameters by ascending Para-Type bit: five-tuple, path id (4), priority id (4), compression time (4)',
  fields: (field) => ({
    /** 1 congestion detected, 2 congestion eliminated, 3 failure detected, 4 failure eliminated; 8 bits. */
    type: field.bits(8),
    /** Version of the message, 4 bits; no document gives a value. */
    version: field.bits(4, arnDefaults.version),
    /** The four bits after the version. */
    reserved4: field.bits(4, arnDefaults.reserved4),
    /** Severity; 8 bits; no document gives a scale. */
    metric: field.bits(8, arnDefaults.metric),
    /** All eight bits, as received. */
    paraType: field.bits(8),
  }),
});

/** Offset of Para-Type from the message's first byte: 3. */
export const ARN_PARA_TYPE = HEAD.offsetOf('paraType');

const LAYER = 'arn';
/** The numeric parameters, in wire order. */
const NUMBERS = [
  ['pathId', ParaType.PATH],
  ['priorityId', ParaType.PRIORITY],
  ['compressionTime', ParaType.COMPRESSION_TIME],
] as const;
type ArnNumber = (typeof NUMBERS)[number][0];
const TYPE_NAMES = [
  'unknown',
  'congestion-detected',
  'congestion-eliminated',
  'failure-detected',
  'failure-eliminated',
] as const;

/** Meaning of `type`. */
export type ArnTypeName = (typeof TYPE_NAMES)[number];

/** An ARN message, as a value. */
export interface Arn extends Omit<ValueOf<typeof HEAD>, 'paraType'> {
  /** Para-Type bit 0: the affected flow. */
  readonly flow?: FiveTuple;
  /** Para-Type bit 1: the affected path; 32 bits. */
  readonly pathId?: number;
  /** Para-Type bit 2: priority of the affected flows; 32 bits. */
  readonly priorityId?: number;
  /** Para-Type bit 3: how long to hold the affected flows; 32 bits, no unit given (`compressionTimePs`). */
  readonly compressionTime?: number;
}

/** Input of `Arn.write`; `Arn.defaults` has the defaults. */
export type ArnFields = Pick<Arn, 'type'> & Partial<Arn>;

/** Reads the fixed part of a message in place. Its parameters depend on the `ArnFormat`: see `Arn.read`. */
export class ArnView extends HEAD.View {
  /** Whether the parameter of this Para-Type bit (0..7) is present. */
  has(bit: number, bitOrder: ArnBitOrder): boolean {
    return (this.paraType & paraMask(bit, bitOrder)) !== 0;
  }
}

/** An ARN message. */
export const Arn = /* @__PURE__ */ extendHeader(HEAD, {
  /** Reads the fixed part of a message in place. Its parameters depend on the `ArnFormat`: see `Arn.read`. */
  View: ArnView,
  /** Size of path id, priority id and compression time. */
  NUMBER_BYTES: 4,
  /** Type: congestion begins (all four types: summary of draft-wh-rtgwg-adaptive-routing-arn). */
  CONGESTION_DETECTED: 1,
  /** Type: the congestion reported earlier has ended. */
  CONGESTION_ELIMINATED: 2,
  /** Type: a link or node has failed. */
  FAILURE_DETECTED: 3,
  /** Type: the failure reported earlier has been repaired. */
  FAILURE_ELIMINATED: 4,
  /** Defaults of the fields for which no document gives a value. */
  defaults: arnDefaults,
  /**
   * Length of a message with these parameters, bytes.
   * @throws RoceError `invalid-argument` for a five-tuple that the format does not support.
   */
  lenBytesOf(message: ArnFields, format: ArnFormat = {}): number {
    requireRecord('message', message);
    const { flow } = message;
    const numberCount = NUMBERS.filter(([name]) => message[name] !== undefined).length;
    return HEAD.lenBytes + (flow ? FiveTuple.lenBytesOf(flow, format) : 0) + numberCount * Arn.NUMBER_BYTES;
  },
  /**
   * Reads a message; the inverse of `Arn.write`. Bytes after it are ignored.
   * @throws RoceError `invalid-packet`: truncated, a Para-Type bit 4..7, or a five-tuple of another format.
   */
  read(bytes: Uint8Array, offset = 0, format: ArnFormat = {}): Arn {
    const bitOrder = bitOrderOf(format);
    const view = new ArnView(bytes, offset);
    requireKnownParameters(view, bitOrder);
    const { type, version, reserved4, metric } = view;
    const flow = view.has(ParaType.FLOW, bitOrder) ? FiveTuple.read(bytes, view.payloadOffset, format) : undefined;
    let at = view.payloadOffset + (flow ? FiveTuple.lenBytesOf(flow, format) : 0);
    const numbers: Partial<Record<ArnNumber, number>> = {};
    for (const [name, bit] of NUMBERS) {
      if (!view.has(bit, bitOrder)) continue;
      requireBytes(LAYER, bytes, at, Arn.NUMBER_BYTES);
      numbers[name] = readU32(bytes, at);
      at += Arn.NUMBER_BYTES;
    }
    return { type, version, reserved4, metric, ...(flow && { flow }), ...numbers };
  },
  /**
   * Writes a message; each given parameter sets its Para-Type bit.
   * @returns the offset after the message.
   * @throws RoceError `invalid-argument` naming a field out of range.
   */
  writeInto(target: Uint8Array, offset: number, message: ArnFields, format: ArnFormat = {}): number {
    requireRecord('message', message);
    const { flow } = message;
    const head = { ...message, paraType: paraTypeOf(message, bitOrderOf(format)) };
    HEAD.require(head);
    for (const [name] of NUMBERS) requireField(`arn.${name}`, message[name] ?? 0, U32_MAX);
    requireTarget(LAYER, target, offset, Arn.lenBytesOf(message, format));
    const parameters = offset + HEAD.lenBytes;
    // Write the five-tuple first: if it is rejected, nothing else has been written.
    let at = flow ? FiveTuple.writeInto(target, parameters, flow, format) : parameters;
    HEAD.writeInto(target, offset, head);
    for (const [name] of NUMBERS) {
      const value = message[name];
      if (value === undefined) continue;
      writeU32(target, at, value);
      at += Arn.NUMBER_BYTES;
    }
    return at;
  },
  /** @returns the meaning of a `type`; `unknown` for types that no document defines. */
  typeName(type: number): ArnTypeName {
    requireField('type', type, 0xff);
    return TYPE_NAMES[type] ?? 'unknown';
  },
});

function requireKnownParameters({ paraType, offset }: ArnView, bitOrder: ArnBitOrder): void {
  if ((paraType & unknownParaMask(bitOrder)) === 0) return;
  throw invalidPacket(LAYER, offset, 'has parameters of unknown size', paraType, 'Para-Type bits 0..3');
}

function paraTypeOf(message: ArnFields, bitOrder: ArnBitOrder): number {
  const flowBit = message.flow === undefined ? 0 : paraMask(ParaType.FLOW, bitOrder);
  return NUMBERS.reduce((bits, [name, bit]) => bits | (message[name] === undefined ? 0 : paraMask(bit, bitOrder)),
    flowBit);
}

/** Offset of the IP version under `versioned`. */
export const FIVE_TUPLE_VERSION = 0;
const FLOW_LAYER = 'arn five-tuple';

/** Defines a five-tuple of one format, without its padding. */
function defineFlow(begin: (field: FieldTable) => FieldTable, address: (field: FieldTable) => Uint8Array) {
  return defineHeader({
    title: 'ARN five-tuple',
    source: 'draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1',
    layer: FLOW_LAYER,
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
    requireBytes(FLOW_LAYER, bytes, offset, endOffset - offset);
    const flow = form.read(bytes, offset);
    if (form === VERSION_6_FLOW && (isIpv4Mapped(flow.source) || isIpv4Mapped(flow.destination))) {
      throw invalidPacket(FLOW_LAYER, offset, 'has an IPv4 address marked as version 6', 6,
        'version 4 for IPv4 addresses');
    }
    for (let at = offset + form.lenBytes; at < endOffset; at++) {
      if (bytes[at] !== 0) throw invalidPacket(FLOW_LAYER, at, 'has padding that is not zero', bytes[at], 0);
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
  requireBytes(FLOW_LAYER, bytes, offset, 1);
  const version = bytes[offset + FIVE_TUPLE_VERSION];
  if (version === 4 || version === 6) return version === 4 ? VERSION_4_FLOW : VERSION_6_FLOW;
  throw invalidPacket(FLOW_LAYER, offset, 'has another IP version', version, [4, 6]);
}

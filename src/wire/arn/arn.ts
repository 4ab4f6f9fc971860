/**
 * Adaptive routing notification, ARN (draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1, figures 2 to 4).
 *
 *   0 type | 1 version 4, reserved 4 | 2 metric | 3 Para-Type
 *   4 parameters, those whose Para-Type bit is set, by ascending bit: 0 flow (five-tuple) | 1 path id (4)
 *     | 2 priority id (4) | 3 compression time (4)
 *
 * Carrier: the documents name no protocol number, EtherType or port, so these functions take and give the message
 * alone. Whether a five-tuple is that of the outer or of the inner IP header is not in the message: the receiver knows
 * by configuration. `ArnFormat` has the other open choices.
 * Bits 4..7 of Para-Type name parameters of unknown size; a message with one of them can't be read and is rejected.
 */
import { invalidPacket, requireBytes, requireField, requireTarget, requireRecord } from '../bytes.js';
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { U32_MAX, readU32, writeU32 } from '../wide-bytes.js';
import { type ArnBitOrder, type ArnFormat, bitOrderOf, paraMask, unknownParaMask, ParaType } from './arn-format.js';
import { FiveTuple } from './five-tuple.js';
import { extendHeader } from '../header/extend-header.js';

const arnDefaults = Object.freeze({
  /** No document states the version; 0. */
  version: 0,
  /** Reserved bits are 0 on sending. */
  reserved4: 0,
  /** Severity: the scale is unstated; 0. */
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
    /** Version of the message, 4 bits; no document states a value. */
    version: field.bits(4, arnDefaults.version),
    /** The four bits behind the version. */
    reserved4: field.bits(4, arnDefaults.reserved4),
    /** Severity; 8 bits, scale unstated. */
    metric: field.bits(8, arnDefaults.metric),
    /** All eight bits as received. */
    paraType: field.bits(8),
  }),
});

/** Offset of Para-Type from the message's first byte: 3. */
export const ARN_PARA_TYPE = HEAD.offsetOf('paraType');

const LAYER = 'arn';
/** The parameters that are numbers, in wire order. */
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

/** A message. */
export interface Arn extends Omit<ValueOf<typeof HEAD>, 'paraType'> {
  /** Para-Type bit 0: the affected flow. */
  readonly flow?: FiveTuple;
  /** Para-Type bit 1: the affected path; 32 bits. */
  readonly pathId?: number;
  /** Para-Type bit 2: priority of the affected flows; 32 bits. */
  readonly priorityId?: number;
  /** Para-Type bit 3: how long the affected flows shall be held; 32 bits, unit unstated (`compression-time.ts`). */
  readonly compressionTime?: number;
}

/** Input of `Arn.write`: `Arn.defaults` for the rest. */
export type ArnFields = Pick<Arn, 'type'> & Partial<Arn>;

/** Reads the head of a message in place. Its parameters depend on the `ArnFormat`: see `Arn.read`. */
export class ArnView extends HEAD.View {
  /** Whether the parameter of this Para-Type bit (0..7) is present. */
  has(bit: number, bitOrder: ArnBitOrder): boolean {
    return (this.paraType & paraMask(bit, bitOrder)) !== 0;
  }
}

/** A message. */
export const Arn = /* @__PURE__ */ extendHeader(HEAD, {
  /** Reads the head of a message in place. Its parameters depend on the `ArnFormat`: see `Arn.read`. */
  View: ArnView,
  /** Path id, priority id and compression time. */
  NUMBER_BYTES: 4,
  /** Type: congestion begins (summary of draft-wh-rtgwg-adaptive-routing-arn, as all four). */
  CONGESTION_DETECTED: 1,
  /** Type: the congestion reported before is over. */
  CONGESTION_ELIMINATED: 2,
  /** Type: a link or node has failed. */
  FAILURE_DETECTED: 3,
  /** Type: the failure reported before is mended. */
  FAILURE_ELIMINATED: 4,
  /** Defaults of the fields whose values no document states. */
  defaults: arnDefaults,
  /**
   * Bytes of a message with these parameters.
   * @throws RoceError `invalid-argument` for a five-tuple that the format can't hold.
   */
  lenBytesOf(message: ArnFields, format: ArnFormat = {}): number {
    requireRecord('message', message);
    const { flow } = message;
    const numberCount = NUMBERS.filter(([name]) => message[name] !== undefined).length;
    return HEAD.lenBytes + (flow ? FiveTuple.lenBytesOf(flow, format) : 0) + numberCount * Arn.NUMBER_BYTES;
  },
  /**
   * Reads a message; the inverse of `Arn.write`. Bytes behind it are not looked at.
   * @throws RoceError `invalid-packet`: cut short, a Para-Type bit 4..7, or a five-tuple of another format.
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
   * Writes a message; a parameter that is there sets its Para-Type bit.
   * @returns the offset behind the message.
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
    // First the five-tuple: it may still be rejected, and then nothing else shall have been written.
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
  /** @returns the meaning of a `type`; `unknown` for those that no document names. */
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

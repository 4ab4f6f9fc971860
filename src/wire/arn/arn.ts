/**
 * Adaptive routing notification, ARN (draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1, figures 2 to 4).
 *
 *   0 type | 1 version 4, reserved 4 | 2 metric | 3 Para-Type
 *   4 parameters, those whose Para-Type bit is set, by ascending bit: 0 flow (five-tuple) | 1 path id (4)
 *     | 2 priority id (4) | 3 compression time (4)
 *
 * Carrier: the documents name no protocol number, EtherType or port, so these functions take and give the message
 * alone. Whether a five-tuple is that of the outer or of the inner IP header is not in the message: the receiver knows
 * by configuration. What else is open is in `ArnFormat`.
 * Bits 4..7 of Para-Type name parameters of unknown size; a message with one of them can't be read and is refused.
 */
import { HeaderView } from '../header/header-view.js';
import type { HeaderLayout } from '../header/layout.js';
import { invalidPacket, requireField, requireBytes, requireTarget } from '../bytes.js';
import { readU32, writeU32 } from '../wide-bytes.js';
import type { ArnBitOrder, ArnFormat } from './arn-format.js';
import { PARA_COMPRESSION_TIME, PARA_FLOW, PARA_PATH, PARA_PRIORITY, bitOrderOf, paraMask,
  unknownParaMask } from './arn-format.js';
import type { FiveTuple } from './five-tuple.js';
import { buildFiveTupleInto, fiveTupleBytes, parseFiveTuple } from './five-tuple.js';

/** Offsets from the first byte of the message. */
export const ARN_TYPE = 0;
export const ARN_VERSION_RESERVED = 1;
export const ARN_METRIC = 2;
export const ARN_PARA_TYPE = 3;
/** Head; parameters begin here. */
export const ARN_HEAD_BYTES = 4;
/** Path id, priority id and compression time. */
export const ARN_NUMBER_BYTES = 4;

/** Values of `type`, from a summary of the base draft, draft-wh-rtgwg-adaptive-routing-arn. */
export const ARN_CONGESTION_DETECTED = 1;
export const ARN_CONGESTION_ELIMINATED = 2;
export const ARN_FAILURE_DETECTED = 3;
export const ARN_FAILURE_ELIMINATED = 4;

/** Defaults of the fields whose values no document tells. */
export const arnDefaults = Object.freeze({ version: 0, reserved4: 0, metric: 0 } as const);

/** The drawing of docs/wire.md. */
export const ARN_LAYOUT: HeaderLayout = {
  title: 'ARN',
  source: 'draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1, figure 2',
  bytes: ARN_HEAD_BYTES,
  fields: [
    { name: 'type', offset: ARN_TYPE, bits: 8 },
    { name: 'version', offset: ARN_VERSION_RESERVED, bits: 4 },
    { name: 'reserved4', offset: ARN_VERSION_RESERVED, bit: 4, bits: 4 },
    { name: 'metric', offset: ARN_METRIC, bits: 8 },
    { name: 'paraType', offset: ARN_PARA_TYPE, bits: 8 },
  ],
  followedBy: 'parameters by ascending Para-Type bit: five-tuple, path id (4), priority id (4), compression time (4)',
};

const LAYER = 'arn';
const MAX_U32 = 0xffffffff;
const TYPE_NAMES = [
  'unknown',
  'congestion-detected',
  'congestion-eliminated',
  'failure-detected',
  'failure-eliminated',
] as const;

/** What `type` says, in words. */
export type ArnTypeName = (typeof TYPE_NAMES)[number];

/** A message. */
export interface Arn {
  /** 1 congestion detected, 2 congestion eliminated, 3 failure detected, 4 failure eliminated; 8 bits. */
  readonly type: number;
  /** 4 bits. */
  readonly version: number;
  /** The four bits behind the version. */
  readonly reserved4: number;
  /** How severe it is; 8 bits, scale unstated. */
  readonly metric: number;
  /** Para-Type bit 0: the affected flow. */
  readonly flow?: FiveTuple;
  /** Para-Type bit 1: the affected path; 32 bits. */
  readonly pathId?: number;
  /** Para-Type bit 2: priority of the affected flows; 32 bits. */
  readonly priorityId?: number;
  /** Para-Type bit 3: how long the affected flows shall be held; 32 bits, unit unstated (`compression-time.ts`). */
  readonly compressionTime?: number;
}

/** What `buildArn` needs: `arnDefaults` for the rest. */
export type ArnFields = Pick<Arn, 'type'> & Partial<Arn>;

/** Reads the head of a message in place. What its parameters are depends on the `ArnFormat`: see `parseArn`. */
export class ArnView extends HeaderView {
  get type(): number {
    return this.bytes[this.offset + ARN_TYPE];
  }
  get version(): number {
    return this.bytes[this.offset + ARN_VERSION_RESERVED] >> 4;
  }
  get reserved4(): number {
    return this.bytes[this.offset + ARN_VERSION_RESERVED] & 15;
  }
  get metric(): number {
    return this.bytes[this.offset + ARN_METRIC];
  }
  /** All eight bits as they stand. */
  get paraType(): number {
    return this.bytes[this.offset + ARN_PARA_TYPE];
  }
  /** Where the parameters begin. */
  override get payloadOffset(): number {
    return this.offset + ARN_HEAD_BYTES;
  }

  /** Is the parameter of this Para-Type bit (0..7) there? */
  has(bit: number, bitOrder: ArnBitOrder): boolean {
    return (this.paraType & paraMask(bit, bitOrder)) !== 0;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, ARN_HEAD_BYTES);
  }
}

/** @returns what a value of `type` means; `unknown` for those that no document names. */
export function arnTypeName(type: number): ArnTypeName {
  return TYPE_NAMES[type] ?? 'unknown';
}

/**
 * Bytes of a message with these parameters.
 * @throws RoceError `invalid-argument` for a five-tuple that the format can't hold.
 */
export function arnBytes(message: ArnFields, format: ArnFormat = {}): number {
  const { flow, pathId, priorityId, compressionTime } = message;
  const numbers = numberBytes(pathId) + numberBytes(priorityId) + numberBytes(compressionTime);
  return ARN_HEAD_BYTES + (flow ? fiveTupleBytes(flow, format) : 0) + numbers;
}

/**
 * Reads a message; the inverse of `buildArn`. Bytes behind it are not looked at.
 * @throws RoceError `invalid-packet`: cut short, a Para-Type bit 4..7, or a five-tuple of another format.
 */
export function parseArn(bytes: Uint8Array, offset = 0, format: ArnFormat = {}): Arn {
  const bitOrder = bitOrderOf(format);
  const view = new ArnView(bytes, offset);
  requireKnownParameters(view, bitOrder);
  const { type, version, reserved4, metric } = view;
  const flow = view.has(PARA_FLOW, bitOrder) ? parseFiveTuple(bytes, view.payloadOffset, format) : undefined;
  let at = view.payloadOffset + (flow ? fiveTupleBytes(flow, format) : 0);
  const readNumber = (bit: number): number | undefined => {
    if (!view.has(bit, bitOrder)) return undefined;
    requireBytes(LAYER, bytes, at, ARN_NUMBER_BYTES);
    at += ARN_NUMBER_BYTES;
    return readU32(bytes, at - ARN_NUMBER_BYTES);
  };
  const pathId = readNumber(PARA_PATH);
  const priorityId = readNumber(PARA_PRIORITY);
  const compressionTime = readNumber(PARA_COMPRESSION_TIME);
  return {
    type,
    version,
    reserved4,
    metric,
    ...(flow && { flow }),
    ...(pathId !== undefined && { pathId }),
    ...(priorityId !== undefined && { priorityId }),
    ...(compressionTime !== undefined && { compressionTime }),
  };
}

/**
 * Writes a message; a parameter that is there sets its Para-Type bit.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildArn(message: ArnFields, format: ArnFormat = {}): Uint8Array {
  const bytes = new Uint8Array(arnBytes(message, format));
  buildArnInto(bytes, 0, message, format);
  return bytes;
}

/** As `buildArn`, into `target`. @returns the offset behind the message. */
export function buildArnInto(target: Uint8Array, offset: number, message: ArnFields, format: ArnFormat = {}): number {
  const { version = arnDefaults.version, reserved4 = arnDefaults.reserved4, metric = arnDefaults.metric } = message;
  const { type, flow, pathId, priorityId, compressionTime } = message;
  requireField('arn.type', type, 0xff);
  requireField('arn.version', version, 15);
  requireField('arn.reserved4', reserved4, 15);
  requireField('arn.metric', metric, 0xff);
  requireNumber('arn.pathId', pathId);
  requireNumber('arn.priorityId', priorityId);
  requireNumber('arn.compressionTime', compressionTime);
  requireTarget('arn', target, offset, arnBytes(message, format));
  const parameters = offset + ARN_HEAD_BYTES;
  // First the five-tuple: it may still be refused, and then nothing else shall have been written.
  let at = flow ? buildFiveTupleInto(target, parameters, flow, format) : parameters;
  target[offset + ARN_TYPE] = type;
  target[offset + ARN_VERSION_RESERVED] = (version << 4) | reserved4;
  target[offset + ARN_METRIC] = metric;
  target[offset + ARN_PARA_TYPE] = paraTypeOf(message, bitOrderOf(format));
  at = writeNumber(target, at, pathId);
  at = writeNumber(target, at, priorityId);
  return writeNumber(target, at, compressionTime);
}

function requireKnownParameters(view: ArnView, bitOrder: ArnBitOrder): void {
  const unknown = view.paraType & unknownParaMask(bitOrder);
  if (unknown === 0) return;
  const got = `0x${view.paraType.toString(16).padStart(2, '0')}`;
  throw invalidPacket(LAYER, view.offset, 'has parameters of unknown size', got, 'Para-Type bits 0..3');
}

function paraTypeOf({ flow, pathId, priorityId, compressionTime }: ArnFields, bitOrder: ArnBitOrder): number {
  return (maskIf(flow, PARA_FLOW, bitOrder) |
    maskIf(pathId, PARA_PATH, bitOrder) |
    maskIf(priorityId, PARA_PRIORITY, bitOrder) |
    maskIf(compressionTime, PARA_COMPRESSION_TIME, bitOrder));
}

function maskIf(parameter: FiveTuple | number | undefined, bit: number, bitOrder: ArnBitOrder): number {
  return parameter === undefined ? 0 : paraMask(bit, bitOrder);
}

function requireNumber(where: string, value: number | undefined): void {
  if (value !== undefined) requireField(where, value, MAX_U32);
}

function numberBytes(value: number | undefined): number {
  return value === undefined ? 0 : ARN_NUMBER_BYTES;
}

function writeNumber(target: Uint8Array, offset: number, value: number | undefined): number {
  if (value === undefined) return offset;
  writeU32(target, offset, value);
  return offset + ARN_NUMBER_BYTES;
}

/**
 * What one node records in an IOAM trace (RFC 9197, section 4.4.2), by trace type:
 *
 *   bit 0 hop limit 8, node 24 | 1 ingress 16, egress 16 | 2 seconds | 3 fraction | 4 transit delay | 5 namespace data
 *   6 queue depth | 7 checksum complement | 8 hop limit 8, node 56 | 9 ingress 32, egress 32 | 10 namespace data 64
 *   11 buffer occupancy | 12..21 a word of all ones each | 22 length 8 in words, schema 24, data
 *
 * Values are raw: no unit is applied, and all ones ("not available") is not translated; `isUnavailable` tells. Traps: a
 * timestamp's fraction is nanoseconds, 2^-32 s or microseconds by the timestamp format of the domain; queue depth is
 * in buffers by the text and in bytes in Linux; the top bit of the transit delay says that it did not fit.
 */
import { RoceError } from '../../errors.js';
import { readU24, requireField, requireBytes, requireTarget, writeU24 } from '../bytes.js';
import type { BitmapFormat } from './bitmap-fields.js';
import { allOnes, readFields, requireFields, unannounced, writeFields } from './bitmap-fields.js';
import { readFillerWords, requireFillerWords, writeFillerWords } from './filler-words.js';
import { IOAM_BIT_BUFFER_OCCUPANCY, IOAM_BIT_CHECKSUM_COMPLEMENT, IOAM_BIT_INTERFACES, IOAM_BIT_INTERFACES_WIDE,
  IOAM_BIT_NAMESPACE_DATA, IOAM_BIT_NAMESPACE_DATA_WIDE, IOAM_BIT_NODE, IOAM_BIT_NODE_WIDE, IOAM_BIT_OPAQUE,
  IOAM_BIT_QUEUE_DEPTH, IOAM_BIT_TIMESTAMP_FRACTION, IOAM_BIT_TIMESTAMP_SECONDS, IOAM_BIT_TRANSIT_DELAY,
  IOAM_BIT_UNDEFINED_FIRST, hasIoamField, ioamFieldOffset, ioamNodeLenWords,
  ioamUndefinedWords } from './ioam-trace-type.js';

/** Offsets from the first byte of an opaque state snapshot. */
export const IOAM_OPAQUE_LENGTH = 0;
export const IOAM_OPAQUE_SCHEMA_ID = 1;
export const IOAM_OPAQUE_DATA = 4;
/** Most data of a snapshot: 255 words. */
export const IOAM_OPAQUE_DATA_MAX_BYTES = 255 * 4;
/** Schema of a node that has no snapshot to give. */
export const IOAM_NO_SCHEMA = 0xffffff;

const LAYER = 'ioam node';
const WORD_BYTES = 4;
const TRACE_TYPE_MAX = 0xffffff;
const NO_DATA = new Uint8Array(0);

/** An opaque state snapshot (RFC 9197, section 4.4.2.13). */
export interface IoamOpaqueSnapshot {
  /** 24 bits; `IOAM_NO_SCHEMA` if there is none. */
  readonly schemaId: number;
  /** 0..1020 bytes, a multiple of 4. */
  readonly data: Uint8Array;
}

/** What one node recorded: the fields of the trace type's bits, raw. */
export interface IoamNode {
  /** 8 bits. */
  readonly hopLimit?: number;
  /** 24 bits. */
  readonly nodeId?: number;
  /** 16 bits. */
  readonly ingressInterface?: number;
  /** 16 bits. */
  readonly egressInterface?: number;
  /** 32 bits, s. */
  readonly timestampSeconds?: number;
  /** 32 bits, in the unit of the domain's timestamp format. */
  readonly timestampFraction?: number;
  /** 32 bits, ns; the top bit: more than that. */
  readonly transitDelay?: number;
  /** 32 bits. */
  readonly namespaceData?: number;
  /** 32 bits: length of the egress queue, in buffers, or bytes. */
  readonly queueDepth?: number;
  /** 32 bits. */
  readonly checksumComplement?: number;
  /** 8 bits, of bit 8. */
  readonly hopLimitWide?: number;
  /** 56 bits. */
  readonly nodeIdWide?: bigint;
  /** 32 bits. */
  readonly ingressInterfaceWide?: number;
  /** 32 bits. */
  readonly egressInterfaceWide?: number;
  /** 64 bits. */
  readonly namespaceDataWide?: bigint;
  /** 32 bits. */
  readonly bufferOccupancy?: number;
  /** 32 bits for each set bit of 12..21. Absent if each is all ones, as it has to be; so it is written when absent. */
  readonly undefinedFields?: readonly number[];
  readonly opaque?: IoamOpaqueSnapshot;
}

/** A field of fixed width. */
export type IoamFieldName = Exclude<keyof IoamNode, 'undefinedFields' | 'opaque'>;

const NODE: BitmapFormat<IoamFieldName> = {
  layer: LAYER,
  offsetOf: ioamFieldOffset,
  fields: [
    { name: 'hopLimit', bit: IOAM_BIT_NODE, at: 0, lenBytes: 1 },
    { name: 'nodeId', bit: IOAM_BIT_NODE, at: 1, lenBytes: 3 },
    { name: 'ingressInterface', bit: IOAM_BIT_INTERFACES, at: 0, lenBytes: 2 },
    { name: 'egressInterface', bit: IOAM_BIT_INTERFACES, at: 2, lenBytes: 2 },
    { name: 'timestampSeconds', bit: IOAM_BIT_TIMESTAMP_SECONDS, at: 0, lenBytes: 4 },
    { name: 'timestampFraction', bit: IOAM_BIT_TIMESTAMP_FRACTION, at: 0, lenBytes: 4 },
    { name: 'transitDelay', bit: IOAM_BIT_TRANSIT_DELAY, at: 0, lenBytes: 4 },
    { name: 'namespaceData', bit: IOAM_BIT_NAMESPACE_DATA, at: 0, lenBytes: 4 },
    { name: 'queueDepth', bit: IOAM_BIT_QUEUE_DEPTH, at: 0, lenBytes: 4 },
    { name: 'checksumComplement', bit: IOAM_BIT_CHECKSUM_COMPLEMENT, at: 0, lenBytes: 4 },
    { name: 'hopLimitWide', bit: IOAM_BIT_NODE_WIDE, at: 0, lenBytes: 1 },
    { name: 'nodeIdWide', bit: IOAM_BIT_NODE_WIDE, at: 1, lenBytes: 7 },
    { name: 'ingressInterfaceWide', bit: IOAM_BIT_INTERFACES_WIDE, at: 0, lenBytes: 4 },
    { name: 'egressInterfaceWide', bit: IOAM_BIT_INTERFACES_WIDE, at: 4, lenBytes: 4 },
    { name: 'namespaceDataWide', bit: IOAM_BIT_NAMESPACE_DATA_WIDE, at: 0, lenBytes: 8 },
    { name: 'bufferOccupancy', bit: IOAM_BIT_BUFFER_OCCUPANCY, at: 0, lenBytes: 4 },
  ],
};

/** @returns is this the field's "not available", all ones of its width (RFC 9197, section 4.4.2)? */
export function isUnavailable(field: IoamFieldName, value: number | bigint): boolean {
  const place = NODE.fields.find(({ name }) => name === field);
  return place !== undefined && value === allOnes(place.lenBytes);
}

/**
 * Length of a node in place, opaque snapshot included; allocates nothing.
 *
 * @param endOffset where the trace ends.
 * @throws RoceError `invalid-packet` when the node reaches beyond it.
 */
export function ioamNodeBytesAt(bytes: Uint8Array, offset: number, traceType: number,
  endOffset = bytes.length): number {
  const fixed = ioamNodeLenWords(traceType) * WORD_BYTES;
  if (!hasIoamField(traceType, IOAM_BIT_OPAQUE)) {
    requireBytes(LAYER, bytes, offset, fixed, endOffset);
    return fixed;
  }
  requireBytes(LAYER, bytes, offset, fixed + IOAM_OPAQUE_DATA, endOffset);
  const lenBytes = fixed + IOAM_OPAQUE_DATA + bytes[offset + fixed + IOAM_OPAQUE_LENGTH] * WORD_BYTES;
  requireBytes(LAYER, bytes, offset, lenBytes, endOffset);
  return lenBytes;
}

/**
 * Reads what one node recorded; the inverse of `buildIoamNode`. Opaque data are copied.
 *
 * @param endOffset where the trace ends.
 * @throws RoceError `invalid-packet` when the node reaches beyond it; `invalid-argument` for a trace type beyond 24
 * bits.
 */
export function parseIoamNode(bytes: Uint8Array, offset: number, traceType: number,
  endOffset = bytes.length): IoamNode {
  requireField(`${LAYER}.traceType`, traceType, TRACE_TYPE_MAX);
  const lenBytes = ioamNodeBytesAt(bytes, offset, traceType, endOffset);
  const fields = readFields(NODE, bytes, offset, traceType) as IoamNode;
  const count = ioamUndefinedWords(traceType);
  const undefinedFields = readFillerWords(bytes, offset + undefinedOffset(traceType), count);
  const opaque = readOpaque(bytes, offset, traceType, offset + lenBytes);
  return { ...fields, ...(undefinedFields && { undefinedFields }), ...(opaque && { opaque }) };
}

/**
 * Length that a node will have, after a check of its values.
 * @throws RoceError `invalid-argument` naming a field out of range, or one whose bit the trace type doesn't have.
 */
export function ioamNodeBytes(traceType: number, node: IoamNode): number {
  requireField(`${LAYER}.traceType`, traceType, TRACE_TYPE_MAX);
  requireFields(NODE, traceType, node);
  requireFillerWords(`${LAYER}.undefinedFields`, node.undefinedFields, ioamUndefinedWords(traceType));
  const fixed = ioamNodeLenWords(traceType) * WORD_BYTES;
  if (hasIoamField(traceType, IOAM_BIT_OPAQUE)) return fixed + IOAM_OPAQUE_DATA + opaqueDataBytes(node.opaque);
  if (node.opaque !== undefined) throw unannounced(`${LAYER}.opaque`, IOAM_BIT_OPAQUE);
  return fixed;
}

/**
 * Writes what one node records. A field that the trace type asks for and the value lacks is written as all ones, "not
 * available"; a lacking snapshot as one without schema and data.
 * @throws RoceError `invalid-argument` as `ioamNodeBytes`.
 */
export function buildIoamNode(traceType: number, node: IoamNode): Uint8Array {
  const bytes = new Uint8Array(ioamNodeBytes(traceType, node));
  buildIoamNodeInto(bytes, 0, traceType, node);
  return bytes;
}

/** As `buildIoamNode`, into `target`. @returns the offset behind the node. */
export function buildIoamNodeInto(target: Uint8Array, offset: number, traceType: number, node: IoamNode): number {
  const lenBytes = ioamNodeBytes(traceType, node);
  requireTarget(LAYER, target, offset, lenBytes);
  writeFields(NODE, target, offset, traceType, node);
  const filler = offset + undefinedOffset(traceType);
  writeFillerWords(target, filler, ioamUndefinedWords(traceType), node.undefinedFields);
  const opaque = ioamFieldOffset(traceType, IOAM_BIT_OPAQUE);
  if (opaque >= 0) writeOpaque(target, offset + opaque, node.opaque);
  return offset + lenBytes;
}

/** Bytes from the node's start to its words without a meaning. */
function undefinedOffset(traceType: number): number {
  const definedBits = 0xffffff << (24 - IOAM_BIT_UNDEFINED_FIRST);
  return ioamNodeLenWords(traceType & definedBits) * WORD_BYTES;
}

function readOpaque(bytes: Uint8Array, offset: number, traceType: number, endOffset: number): IoamOpaqueSnapshot
  | undefined {
  const start = ioamFieldOffset(traceType, IOAM_BIT_OPAQUE);
  if (start < 0) return undefined;
  const schemaId = readU24(bytes, offset + start + IOAM_OPAQUE_SCHEMA_ID);
  return { schemaId, data: bytes.slice(offset + start + IOAM_OPAQUE_DATA, endOffset) };
}

function opaqueDataBytes(opaque: IoamOpaqueSnapshot | undefined): number {
  if (opaque === undefined) return 0;
  const { schemaId, data } = opaque;
  requireField(`${LAYER}.opaque.schemaId`, schemaId, IOAM_NO_SCHEMA);
  if (data.length % WORD_BYTES === 0 && data.length <= IOAM_OPAQUE_DATA_MAX_BYTES) return data.length;
  throw new RoceError('invalid-argument', 'opaque data of a wrong length', {
    got: `${data.length} bytes`,
    allowed: `a multiple of 4 bytes, 0..${IOAM_OPAQUE_DATA_MAX_BYTES}`,
    where: `${LAYER}.opaque.data`,
  });
}

function writeOpaque(target: Uint8Array, offset: number, opaque: IoamOpaqueSnapshot | undefined): void {
  const data = opaque === undefined ? NO_DATA : opaque.data;
  target[offset + IOAM_OPAQUE_LENGTH] = data.length / WORD_BYTES;
  writeU24(target, offset + IOAM_OPAQUE_SCHEMA_ID, opaque === undefined ? IOAM_NO_SCHEMA : opaque.schemaId);
  target.set(data, offset + IOAM_OPAQUE_DATA);
}

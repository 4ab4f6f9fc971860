/**
 * Node data of an IOAM trace (RFC 9197, section 4.4.2), by trace type:
 *
 *   bit 0 hop limit 8, node 24 | 1 ingress 16, egress 16 | 2 seconds | 3 fraction | 4 transit delay | 5 namespace data
 *   6 queue depth | 7 checksum complement | 8 hop limit 8, node 56 | 9 ingress 32, egress 32 | 10 namespace data 64
 *   11 buffer occupancy | 12..21 a word of all ones each | 22 length 8 in words, schema 24, data
 *
 * Values are raw: no unit is applied, and all ones ("not available") is not translated; use `IoamNode.isUnavailable`.
 * Note that a timestamp's fraction is in nanoseconds, 2^-32 s or microseconds, depending on the domain's timestamp
 * format; that queue depth is in buffers by the RFC, but in bytes in Linux; and that the top bit of the transit delay
 * marks an overflow.
 */
import { readU24, requireBytes, requireField, requireRecord, requireTarget, writeU24, invalidArgument,
  lengthOf } from '../bytes.js';
import { defineFormat } from '../header/define-header.js';
import { BitmapRecord, type BitmapValues, allOnes, narrow, requireWholeWords, wide } from './bitmap-record.js';
import { IOAM_WORDS, IoamTraceType } from './ioam-trace.js';

/** Data of one node: the fields of the trace type's bits, raw. */
export const IoamNode = /* @__PURE__ */ defineFormat({
  /** Offset of the length, in 4-byte words, from the first byte of an opaque state snapshot. */
  OPAQUE_LENGTH: 0,
  /** Offset of the schema id, 24 bits, from the first byte of an opaque state snapshot. */
  OPAQUE_SCHEMA_ID: 1,
  /** Offset of the data from the first byte of an opaque state snapshot. */
  OPAQUE_DATA: 4,
  /** Maximum data length of a snapshot: 255 words. */
  OPAQUE_DATA_MAX_BYTES: 255 * 4,
  /** Schema of a node without a snapshot. */
  NO_SCHEMA: 0xffffff,
  /**
   * Length of a received node, including its opaque snapshot, bytes; allocates nothing.
   *
   * @param wantedEnd end of the trace; default: the end of `bytes`.
   * @throws RoceError `invalid-packet` if the node extends beyond it.
   */
  lenBytesAt(bytes: Uint8Array, offset: number, traceType: number, wantedEnd?: number): number {
    const endOffset = wantedEnd ?? lengthOf('bytes', bytes);
    const fixed = IoamTraceType.nodeLenWords(traceType) * WORD_BYTES;
    if (!IoamTraceType.has(traceType, IoamTraceType.BIT_OPAQUE)) {
      requireBytes(LAYER, bytes, offset, fixed, endOffset);
      return fixed;
    }
    requireBytes(LAYER, bytes, offset, fixed + IoamNode.OPAQUE_DATA, endOffset);
    const lenBytes = fixed + IoamNode.OPAQUE_DATA + bytes[offset + fixed + IoamNode.OPAQUE_LENGTH] * WORD_BYTES;
    requireBytes(LAYER, bytes, offset, lenBytes, endOffset);
    return lenBytes;
  },
  /**
   * Checks a node to be written, and returns its length in bytes.
   * @throws RoceError `invalid-argument` naming a field out of range, or one whose bit is not in the trace type.
   */
  lenBytesOf(traceType: number, node: IoamNode): number {
    requireField(`${LAYER}.traceType`, traceType, 0xffffff);
    requireRecord('node', node);
    NODE.require(traceType, node, node.undefinedFields);
    NODE.requireBit(`${LAYER}.opaque`, traceType, IoamTraceType.BIT_OPAQUE, node.opaque);
    const fixed = IoamTraceType.nodeLenWords(traceType) * WORD_BYTES;
    if (!IoamTraceType.has(traceType, IoamTraceType.BIT_OPAQUE)) return fixed;
    return fixed + IoamNode.OPAQUE_DATA + opaqueDataBytes(node.opaque ?? NO_SNAPSHOT);
  },
  /**
   * Reads the data of one node; the inverse of `IoamNode.write`. Opaque data is copied.
   *
   * @param wantedEnd end of the trace; default: the end of `bytes`.
   * @throws RoceError `invalid-packet` if the node extends beyond it; `invalid-argument` for a trace type beyond 24
   * bits.
   */
  read(bytes: Uint8Array, offset: number, traceType: number, wantedEnd?: number): IoamNode {
    const endOffset = wantedEnd ?? lengthOf('bytes', bytes);
    NODE.requireBitmap(traceType);
    const endOfNode = offset + IoamNode.lenBytesAt(bytes, offset, traceType, endOffset);
    const fields = NODE.read(bytes, offset, traceType);
    const undefinedFields = NODE.readFillers(bytes, offset, traceType);
    const opaque = readOpaque(bytes, offset, traceType, endOfNode);
    return { ...fields, ...(undefinedFields && { undefinedFields }), ...(opaque && { opaque }) };
  },
  /**
   * Writes the data of one node. A field of the trace type that is missing in the value is written as all ones, "not
   * available"; a missing snapshot as one without schema and data.
   * @returns the offset after the node.
   * @throws RoceError `invalid-argument` like `IoamNode.lenBytesOf`.
   */
  writeInto(target: Uint8Array, offset: number, traceType: number, node: IoamNode): number {
    const lenBytes = IoamNode.lenBytesOf(traceType, node);
    requireTarget(LAYER, target, offset, lenBytes);
    NODE.write(target, offset, traceType, node, node.undefinedFields);
    const opaque = IoamTraceType.fieldOffset(traceType, IoamTraceType.BIT_OPAQUE);
    if (opaque >= 0) writeOpaque(target, offset + opaque, node.opaque ?? NO_SNAPSHOT);
    return offset + lenBytes;
  },
  /** @returns whether a value is the field's "not available", all ones of its width (RFC 9197, section 4.4.2). */
  isUnavailable(field: IoamFieldName, value: number | bigint): boolean {
    if (typeof field !== 'string') throw invalidArgument('field', field, Object.keys(FIELDS));
    return Object.hasOwn(FIELDS, field) && value === allOnes(FIELDS[field].lenBytes);
  },
});

const LAYER = 'ioam node';
const WORD_BYTES = 4;
const NO_SNAPSHOT: IoamOpaqueSnapshot = { schemaId: IoamNode.NO_SCHEMA, data: new Uint8Array(0) };

/** An opaque state snapshot (RFC 9197, section 4.4.2.13). */
export interface IoamOpaqueSnapshot {
  /** 24 bits; `IoamNode.NO_SCHEMA` if there is none. */
  readonly schemaId: number;
  /** 0..1020 bytes, a multiple of 4. */
  readonly data: Uint8Array;
}

const FIELDS = {
  /** Hop limit, 8 bits. */
  hopLimit: narrow(IoamTraceType.BIT_NODE, 0, 1),
  /** Node id, 24 bits. */
  nodeId: narrow(IoamTraceType.BIT_NODE, 1, 3),
  /** Ingress interface, 16 bits. */
  ingressInterface: narrow(IoamTraceType.BIT_INTERFACES, 0, 2),
  /** Egress interface, 16 bits. */
  egressInterface: narrow(IoamTraceType.BIT_INTERFACES, 2, 2),
  /** Timestamp, whole seconds, 32 bits. */
  timestampSeconds: narrow(IoamTraceType.BIT_TIMESTAMP_SECONDS, 0, 4),
  /** 32 bits, in the unit of the domain's timestamp format. */
  timestampFraction: narrow(IoamTraceType.BIT_TIMESTAMP_FRACTION, 0, 4),
  /** 32 bits, ns; the top bit means overflow. */
  transitDelay: narrow(IoamTraceType.BIT_TRANSIT_DELAY, 0, 4),
  /** Data defined by the namespace, 32 bits. */
  namespaceData: narrow(IoamTraceType.BIT_NAMESPACE_DATA, 0, 4),
  /** 32 bits: length of the egress queue, in buffers or bytes. */
  queueDepth: narrow(IoamTraceType.BIT_QUEUE_DEPTH, 0, 4),
  /** Checksum complement, 32 bits. */
  checksumComplement: narrow(IoamTraceType.BIT_CHECKSUM_COMPLEMENT, 0, 4),
  /** 8 bits, from bit 8. */
  hopLimitWide: narrow(IoamTraceType.BIT_NODE_WIDE, 0, 1),
  /** Node id of bit 8, 56 bits. */
  nodeIdWide: wide(IoamTraceType.BIT_NODE_WIDE, 1, 7),
  /** Ingress interface of bit 9, 32 bits. */
  ingressInterfaceWide: narrow(IoamTraceType.BIT_INTERFACES_WIDE, 0, 4),
  /** Egress interface of bit 9, 32 bits. */
  egressInterfaceWide: narrow(IoamTraceType.BIT_INTERFACES_WIDE, 4, 4),
  /** Data defined by the namespace, from bit 10, 64 bits. */
  namespaceDataWide: wide(IoamTraceType.BIT_NAMESPACE_DATA_WIDE, 0, 8),
  /** Buffer occupancy, 32 bits. */
  bufferOccupancy: narrow(IoamTraceType.BIT_BUFFER_OCCUPANCY, 0, 4),
};

const NODE = /* @__PURE__ */ new BitmapRecord({
  layer: LAYER,
  words: IOAM_WORDS,
  names: { bitmap: 'traceType', fillers: 'undefinedFields' },
  fields: FIELDS,
});

/** A field of fixed width. */
export type IoamFieldName = keyof typeof FIELDS;

/** Data of one node: the fields of the trace type's bits, raw. */
export interface IoamNode extends BitmapValues<typeof FIELDS> {
  /**
   * 32 bits for each set bit of 12..21. Absent if all are all ones, as the RFC requires; this is also the default when
   * written.
   */
  readonly undefinedFields?: readonly number[];
  /** Opaque state snapshot, bit 22; present if the trace type has that bit. */
  readonly opaque?: IoamOpaqueSnapshot;
}

function readOpaque(bytes: Uint8Array, offset: number, traceType: number, endOffset: number): IoamOpaqueSnapshot
  | undefined {
  const start = IoamTraceType.fieldOffset(traceType, IoamTraceType.BIT_OPAQUE);
  if (start < 0) return undefined;
  const schemaId = readU24(bytes, offset + start + IoamNode.OPAQUE_SCHEMA_ID);
  return { schemaId, data: bytes.slice(offset + start + IoamNode.OPAQUE_DATA, endOffset) };
}

function opaqueDataBytes({ schemaId, data }: IoamOpaqueSnapshot): number {
  requireField(`${LAYER}.opaque.schemaId`, schemaId, IoamNode.NO_SCHEMA);
  requireWholeWords(`${LAYER}.opaque.data`, data.length, IoamNode.OPAQUE_DATA_MAX_BYTES);
  return data.length;
}

function writeOpaque(target: Uint8Array, offset: number, { schemaId, data }: IoamOpaqueSnapshot): void {
  target[offset + IoamNode.OPAQUE_LENGTH] = data.length / WORD_BYTES;
  writeU24(target, offset + IoamNode.OPAQUE_SCHEMA_ID, schemaId);
  target.set(data, offset + IoamNode.OPAQUE_DATA);
}

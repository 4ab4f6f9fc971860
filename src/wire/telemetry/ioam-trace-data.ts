/**
 * A complete IOAM trace: header and node data (RFC 9197, section 4.4).
 *
 *   pre-allocated  header (8) | free space, 4 x RemainingLen | newest node ... first node
 *   incremental    header (8) | newest node ... first node
 *
 * Values list the nodes in path order, the first hop first; the wire order is the reverse. All nodes have the same
 * length, unless the trace type has bit 22: then it depends on each node's snapshot.
 */
import type { RoceError } from '../../errors.js';
import { invalidArgument, invalidPacket, readU24, requireBytes, requireChoice, requireLength, requireList,
  requireRecord, requireTarget, requirePlace } from '../bytes.js';
import { IoamNode } from './ioam-node.js';
import { IoamOption } from './ioam-option.js';
import { IoamTraceType } from './ioam-trace-type.js';
import { IoamTraceHeader } from './ioam-trace.js';
import type { FieldsOf } from '../header/define-header.js';
import { defineFormat } from '../header/extend-header.js';

/** Whether the sender reserves the space for all nodes, or each node adds its own. */
export type IoamTraceKind = (typeof IOAM_TRACE_KINDS)[number];

const IOAM_TRACE_KINDS = ['pre-allocated', 'incremental'] as const;

const LAYER = 'ioam trace';
const NODE_LEN = IoamTraceHeader.offsetOf('nodeLenWords');
const REMAINING_LEN = IoamTraceHeader.offsetOf('remainingLenWords');
const TRACE_TYPE = IoamTraceHeader.offsetOf('traceType');
const WORD_BYTES = 4;

/** An IOAM trace. */
export interface IoamTraceData {
  /** The kind of trace, from the IOAM option-type: the trace header does not contain it. */
  readonly kind: IoamTraceKind;
  /** Trace header, as received. */
  readonly header: IoamTraceHeader;
  /** In path order, the first hop first. */
  readonly nodes: readonly IoamNode[];
  /** Pre-allocated only: the content of the free space, 4 x RemainingLen bytes. Absent if that is all zeros. */
  readonly freeSpace?: Uint8Array;
}

/** An IOAM trace. */
export const IoamTraceData = /* @__PURE__ */ defineFormat({
  /** The two kinds of traces, in the order of their IOAM option-types 0 and 1. */
  KINDS: IOAM_TRACE_KINDS,
  /**
   * Checks a trace to be written, and returns its length in bytes.
   * @throws RoceError `invalid-argument` naming a field that is out of range or contradicts another.
   */
  lenBytesOf(trace: IoamTraceDataFields): number {
    requireRecord('trace', trace);
    const { kind, header, nodes, freeSpace } = trace;
    requireList('trace.nodes', nodes);
    requireChoice(`${LAYER}.kind`, kind, IOAM_TRACE_KINDS);
    IoamTraceHeader.require(header);
    requireNodeLen(header);
    const freeBytes = kind === 'pre-allocated' ? (header.remainingLenWords ?? 0) * WORD_BYTES : 0;
    if (freeSpace !== undefined) requireLength(`${LAYER}.freeSpace`, freeSpace, freeBytes);
    requireCountableNodes(header.traceType, nodes);
    let bytes = IoamTraceHeader.lenBytes + freeBytes;
    for (const node of nodes) bytes += IoamNode.lenBytesOf(header.traceType, node);
    return bytes;
  },
  /**
   * Reads a trace; the inverse of `IoamTraceData.write`.
   *
   * @param offset of the Namespace-ID.
   * @param lenBytes from there to the end of the node data, in an option or in a Fast CNP.
   * @throws RoceError `invalid-packet` like `requireIoamTrace`.
   */
  read(bytes: Uint8Array, offset: number, lenBytes: number, kind: IoamTraceKind): IoamTraceData {
    const newest = requireIoamTrace(bytes, offset, lenBytes, kind);
    const header = IoamTraceHeader.read(bytes, offset);
    const endOffset = offset + lenBytes;
    const nodes: IoamNode[] = [];
    for (let at = newest; at < endOffset; at += IoamNode.lenBytesAt(bytes, at, header.traceType, endOffset)) {
      nodes.push(IoamNode.read(bytes, at, header.traceType, endOffset));
    }
    nodes.reverse();
    const freeSpace = bytes.slice(offset + IoamTraceHeader.lenBytes, newest);
    return { kind, header, nodes, ...(freeSpace.some((byte) => byte !== 0) && { freeSpace }) };
  },
  /**
   * Writes a trace.
   * @returns the offset after the trace.
   * @throws RoceError `invalid-argument` like `IoamTraceData.lenBytesOf`.
   */
  writeInto(target: Uint8Array, offset: number, trace: IoamTraceDataFields): number {
    requireRecord('trace', trace);
    const { kind, header, nodes, freeSpace } = trace;
    requireTarget(LAYER, target, offset, IoamTraceData.lenBytesOf(trace));
    let at = IoamTraceHeader.writeInto(target, offset, header);
    const newest = at + (kind === 'pre-allocated' ? freeBytesAt(target, offset) : 0);
    target.fill(0, at, newest);
    if (freeSpace !== undefined) target.set(freeSpace, at);
    at = newest;
    for (let hop = nodes.length - 1; hop >= 0; hop--) at = IoamNode.writeInto(target, at, header.traceType, nodes[hop]);
    return at;
  },
  /**
   * Returns the end of a trace, after those checks of `requireIoamTrace` that a transit node needs.
   *
   * @throws RoceError `invalid-packet`: too short, or NodeLen does not match the trace type.
   */
  endOf(bytes: Uint8Array, offset: number, lenBytes: number): number {
    requirePlace(bytes, offset);
    if (typeof lenBytes !== 'number') throw invalidArgument('lenBytes', lenBytes, { min: 0, multipleOf: 1 });
    requireBytes(LAYER, bytes, offset, IoamTraceHeader.lenBytes, offset + lenBytes);
    requireBytes(LAYER, bytes, offset, lenBytes);
    const nodeLen = bytes[offset + NODE_LEN] >> 3;
    const expected = IoamTraceType.nodeLenWords(traceTypeAt(bytes, offset));
    if (nodeLen === expected) return offset + lenBytes;
    throw invalidPacket(LAYER, offset, 'has a NodeLen that does not match its trace type', nodeLen, expected);
  },
  /** The kind of trace that an IOAM option-type announces; undefined for other option-types. */
  kindOf(ioamOptionType: number): IoamTraceKind | undefined {
    if (ioamOptionType === IoamOption.TYPE_PREALLOCATED_TRACE) return 'pre-allocated';
    return ioamOptionType === IoamOption.TYPE_INCREMENTAL_TRACE ? 'incremental' : undefined;
  },
});

/** Input of `IoamTraceData.write`: the header's defaults are those of `IoamTraceHeader.write`. */
export interface IoamTraceDataFields extends Omit<IoamTraceData, 'header'> {
  /** Requires at least the trace type. */
  readonly header: FieldsOf<typeof IoamTraceHeader>;
}

/**
 * Checks a trace completely; allocates nothing.
 *
 * @param offset of the Namespace-ID.
 * @param lenBytes from there to the end of the node data.
 * @returns the offset of the newest node, or where it would be: after the free space.
 * @throws RoceError `invalid-packet`: too short; NodeLen does not match the trace type; RemainingLen exceeds the data;
 * the data is not a whole number of nodes.
 */
export function requireIoamTrace(bytes: Uint8Array, offset: number, lenBytes: number, kind: IoamTraceKind): number {
  requireChoice(`${LAYER}.kind`, kind, IOAM_TRACE_KINDS);
  const endOffset = IoamTraceData.endOf(bytes, offset, lenBytes);
  const traceType = traceTypeAt(bytes, offset);
  const newest = offset + IoamTraceHeader.lenBytes + (kind === 'pre-allocated' ? freeBytesAt(bytes, offset) : 0);
  if (newest > endOffset) throw remainingBeyondData(bytes, offset, lenBytes);
  if (newest < endOffset && !hasFields(traceType)) {
    const got = endOffset - newest;
    throw invalidPacket(LAYER, newest, 'has node data although its trace type has no fields', got, 0);
  }
  let at = newest;
  while (at < endOffset) at += IoamNode.lenBytesAt(bytes, at, traceType, endOffset);
  return newest;
}

/** Length of the free space according to the header, bytes. */
export function freeBytesAt(bytes: Uint8Array, offset: number): number {
  return (bytes[offset + REMAINING_LEN] & IoamTraceHeader.REMAINING_LEN_MAX_WORDS) * WORD_BYTES;
}

/** The trace type of the header at `offset`. */
export function traceTypeAt(bytes: Uint8Array, offset: number): number {
  return readU24(bytes, offset + TRACE_TYPE);
}

/** The error about free space that exceeds the data. */
export function remainingBeyondData(bytes: Uint8Array, offset: number, lenBytes: number): RoceError {
  const allowed = { max: lenBytes - IoamTraceHeader.lenBytes, unit: 'bytes' };
  return invalidPacket(LAYER, offset, 'has a RemainingLen beyond its data', freeBytesAt(bytes, offset), allowed);
}

function hasFields(traceType: number): boolean {
  return IoamTraceType.nodeLenWords(traceType) > 0 || IoamTraceType.has(traceType, IoamTraceType.BIT_OPAQUE);
}

/** Nodes of length 0 cannot be counted. */
function requireCountableNodes(traceType: number, { length }: readonly IoamNode[]): void {
  if (length === 0 || hasFields(traceType)) return;
  throw invalidArgument(`${LAYER}.nodes`, length, '0 while the trace type has no fields', 'number of nodes');
}

function requireNodeLen({ traceType, nodeLenWords: got }: FieldsOf<typeof IoamTraceHeader>): void {
  const expected = IoamTraceType.nodeLenWords(traceType);
  if (got !== undefined && got !== expected) throw invalidArgument(`${LAYER}.nodeLenWords`, got, expected);
}

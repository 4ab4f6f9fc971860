/**
 * A complete IOAM trace: header and node data (RFC 9197, section 4.4), and its processing at a transit node.
 *
 *   pre-allocated  header (8) | free space, 4 x RemainingLen | newest node ... first node
 *   incremental    header (8) | newest node ... first node
 *
 * Values list the nodes in path order, the first hop first; the wire order is the reverse. All nodes have the same
 * length, unless the trace type has bit 22: then it depends on each node's snapshot.
 *
 * A transit node needs NodeLen words, plus those of its opaque snapshot. If they are at most RemainingLen, it writes at
 * data + 4 x (RemainingLen - need) of a pre-allocated trace, so later nodes are nearer to the front, or inserts its data
 * directly after the header of an incremental one, and decrements RemainingLen. Otherwise it sets the overflow flag and
 * writes nothing else. The caller checks whether the node belongs to the trace's namespace, and updates checksums of
 * the packet.
 */
import type { RoceError } from '../../errors.js';
import { invalidArgument, invalidPacket, readU24, requireBytes, requireChoice, requireLength, requireList,
  requireRecord, requireTarget, requirePlace, NO_BYTES, readU32, requireField, lengthOf } from '../bytes.js';
import { type FieldsOf, defineFormat } from '../header/define-header.js';
import { IoamNode } from './ioam-node.js';
import { IoamTraceHeader, IoamTraceType } from './ioam-trace.js';
import { IoamOption } from './ioam-option.js';

/** Whether the sender reserves the space for all nodes, or each node adds its own. */
export type IoamTraceKind = (typeof IOAM_TRACE_KINDS)[number];

const IOAM_TRACE_KINDS = ['pre-allocated', 'incremental'] as const;

const LAYER = 'ioam trace';
const NODE_LEN = IoamTraceHeader.offsetOf('nodeLenWords');
const REMAINING_LEN = IoamTraceHeader.offsetOf('remainingLenWords');
const TRACE_TYPE = IoamTraceHeader.offsetOf('traceType');
const WORD_BYTES = 4;

const FLAGS = IoamTraceHeader.offsetOf('flags');
/** The overflow flag, first of the four, in the byte that it shares with NodeLen. */
const OVERFLOW_MASK = IoamTraceHeader.FLAG_OVERFLOW >> 1;

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

/** Maximum length of a trace in an IPv6 option, in whole words. */
export const IOAM_TRACE_IPV6_MAX_BYTES = IoamOption.DATA_MAX_BYTES - (IoamOption.DATA_MAX_BYTES % WORD_BYTES);

/** Outcome at a node: recorded, or omitted with the overflow flag set. */
export type IoamPushOutcome = 'written' | 'overflow';

/** An incremental trace after a node. */
export interface IoamPushed {
  /** `written`, or `overflow` if RemainingLen was too small. */
  readonly outcome: IoamPushOutcome;
  /** New bytes: longer than before if written. */
  readonly trace: Uint8Array;
}

/**
 * Records a node in a pre-allocated trace, in place.
 *
 * @param offset of the Namespace-ID.
 * @param lenBytes from there to the end of the node data.
 * @returns `overflow` if the free space was too small.
 * @throws RoceError `invalid-packet`: too short, NodeLen that does not match the trace type, or RemainingLen beyond the
 * data (then no node may add anything); `invalid-argument` like `IoamNode.write`. The trace is then unchanged.
 */
export function pushIoamNode(bytes: Uint8Array, offset: number, lenBytes: number, node: IoamNode): IoamPushOutcome {
  const endOffset = IoamTraceData.endOf(bytes, offset, lenBytes);
  const data = offset + IoamTraceHeader.lenBytes;
  const freeBytes = freeBytesAt(bytes, offset);
  if (data + freeBytes > endOffset) throw remainingBeyondData(bytes, offset, lenBytes);
  const traceType = traceTypeAt(bytes, offset);
  const need = IoamNode.lenBytesOf(traceType, node);
  if (need > freeBytes) {
    bytes[offset + FLAGS] |= OVERFLOW_MASK;
    return 'overflow';
  }
  IoamNode.writeInto(bytes, data + freeBytes - need, traceType, node);
  bytes[offset + REMAINING_LEN] -= need / WORD_BYTES;
  return 'written';
}

/**
 * Records a node in an incremental trace.
 *
 * @param trace from the Namespace-ID to the end of the node data; it is not modified.
 * @param limitBytes maximum length of the trace. Default: the maximum in an IPv6 option.
 * @throws RoceError `invalid-packet`: too short, or NodeLen that does not match the trace type; `invalid-argument` like
 * `IoamNode.write`, or for a limit that is not an integer.
 */
export function pushIncrementalIoamNode(trace: Uint8Array, node: IoamNode,
  limitBytes = IOAM_TRACE_IPV6_MAX_BYTES): IoamPushed {
  lengthOf('trace', trace);
  requireField('limitBytes', limitBytes, Number.MAX_SAFE_INTEGER);
  IoamTraceData.endOf(trace, 0, trace.length);
  const traceType = traceTypeAt(trace, 0);
  const need = IoamNode.lenBytesOf(traceType, node);
  if (need > freeBytesAt(trace, 0) || trace.length + need > limitBytes) {
    const same = trace.slice();
    same[FLAGS] |= OVERFLOW_MASK;
    return { outcome: 'overflow', trace: same };
  }
  const longer = new Uint8Array(trace.length + need);
  longer.set(trace.subarray(0, IoamTraceHeader.lenBytes));
  longer[REMAINING_LEN] -= need / WORD_BYTES;
  const behind = IoamNode.writeInto(longer, IoamTraceHeader.lenBytes, traceType, node);
  longer.set(trace.subarray(IoamTraceHeader.lenBytes), behind);
  return { outcome: 'written', trace: longer };
}

/**
 * A position in a trace: before the newest node, at a node, or after the first hop's node. Moves without allocation,
 * newest first as on the wire, for readers that see a trace in every packet; `IoamTraceData.read` returns the same data
 * as values.
 *
 *   const cursor = new IoamNodeCursor();
 *   cursor.moveTo(bytes, offset, lenBytes, 'pre-allocated');
 *   while (cursor.next()) busiest = Math.max(busiest, cursor.word(IoamTraceType.BIT_QUEUE_DEPTH));
 */
export class IoamNodeCursor {
  private bytes: Uint8Array = NO_BYTES;
  private traceType = 0;
  private nodeOffset = 0;
  private nodeBytes = 0;
  private endOffset = 0;

  /**
   * Moves before the newest node of a trace; the arguments are those of `IoamTraceData.read`. This checks the trace:
   * later calls never read outside it, as long as the bytes do not change.
   *
   * @throws RoceError `invalid-packet` like `IoamTraceData.read`; the cursor is then unchanged.
   */
  moveTo(bytes: Uint8Array, offset: number, lenBytes: number, kind: IoamTraceKind): this {
    this.nodeOffset = requireIoamTrace(bytes, offset, lenBytes, kind);
    this.bytes = bytes;
    this.traceType = traceTypeAt(bytes, offset);
    this.endOffset = offset + lenBytes;
    this.nodeBytes = 0;
    return this;
  }

  /** Advances to the next older node. @returns whether there is one. */
  next(): boolean {
    this.nodeOffset += this.nodeBytes;
    const found = this.nodeOffset < this.endOffset;
    this.nodeBytes = found ? IoamNode.lenBytesAt(this.bytes, this.nodeOffset, this.traceType, this.endOffset) : 0;
    return found;
  }

  /** Offset of the node's first byte. */
  get offset(): number {
    return this.nodeOffset;
  }

  /**
   * A 4-byte word of the field of a trace-type bit.
   *
   * @param index 1 for the second word of bits 8, 9 and 10.
   * @returns 0..2^32 - 1, raw; -1 if the node has no such field, or if the cursor is not at a node.
   */
  word(bit: number, index = 0): number {
    const start = IoamTraceType.fieldOffset(this.traceType, bit);
    if (start < 0 || this.nodeBytes === 0 || index < 0 || index >= IoamTraceType.fieldWords(bit)) return -1;
    return readU32(this.bytes, this.nodeOffset + start + WORD_BYTES * index);
  }

  /** Hop limit of bit 0; -1 if the node has none. */
  get hopLimit(): number {
    const word = this.word(IoamTraceType.BIT_NODE);
    return word < 0 ? -1 : word >>> 24;
  }
  /** Node id of bit 0, 24 bits; -1 if the node has none. */
  get nodeId(): number {
    const word = this.word(IoamTraceType.BIT_NODE);
    return word < 0 ? -1 : word & 0xffffff;
  }
  /** Ingress interface of bit 1, 16 bits; -1 if the node has none. */
  get ingressInterface(): number {
    const word = this.word(IoamTraceType.BIT_INTERFACES);
    return word < 0 ? -1 : word >>> 16;
  }
  /** Egress interface of bit 1, 16 bits; -1 if the node has none. */
  get egressInterface(): number {
    const word = this.word(IoamTraceType.BIT_INTERFACES);
    return word < 0 ? -1 : word & 0xffff;
  }
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
function remainingBeyondData(bytes: Uint8Array, offset: number, lenBytes: number): RoceError {
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

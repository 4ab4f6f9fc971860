/**
 * Iterates over the nodes of an IOAM trace in place, newest first as on the wire, without allocation: for readers that
 * see a trace in every packet. `IoamTraceData.read` returns the same data as values.
 *
 *   const cursor = new IoamNodeCursor();
 *   cursor.moveTo(bytes, offset, lenBytes, 'pre-allocated');
 *   while (cursor.next()) busiest = Math.max(busiest, cursor.word(IoamTraceType.BIT_QUEUE_DEPTH));
 */
import { IoamNode } from './ioam-node.js';
import { type IoamTraceKind, requireIoamTrace, traceTypeAt } from './ioam-trace-data.js';
import { IoamTraceType } from './ioam-trace-type.js';
import { NO_BYTES } from '../bytes.js';
import { readU32 } from '../wide-bytes.js';

/** A position in a trace: before the newest node, at a node, or after the first hop's node. */
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
    return readU32(this.bytes, this.nodeOffset + start + 4 * index);
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

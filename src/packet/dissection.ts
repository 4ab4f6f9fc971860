/**
 * The result of dissecting one frame, as numbers: reused from frame to frame, without allocation.
 *
 * Layers are in the order of the frame and cover every captured byte once. A layer that can't be read is `trouble`; its bytes
 * form one undecoded layer. The outermost packet determines the class, as in the engine's parser; layers continue after it,
 * into tunnels too.
 */
import { requireField, requirePlace } from '../wire/bytes.js';
import { CLASS_CUT, CLASS_MALFORMED, CLASS_OTHER, ICRC_ABSENT, WHY_NONE } from '../abi/codes.js';
import { LAYER_NONE, LAYER_UNDECODED } from './layer-kinds.js';

const FIRST_CAPACITY = 32;

/** A frame dissected into numbers. `dissectInto` refills it for each frame, so one serves a whole capture. */
export class Dissection {
  /** The captured bytes. */
  bytes: Uint8Array = new Uint8Array(0);
  /** Bytes on the wire, at least as many as captured. */
  originalBytes = 0;

  /** Layers found. */
  count = 0;
  /** LAYER_*, `count` of them. */
  kinds: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** First byte of each layer. */
  offsets: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  /** Bytes of each layer, without its payload. */
  lengths: Uint32Array = new Uint32Array(FIRST_CAPACITY);

  /** Class of the frame: CLASS_*, a code of `ClassName`. */
  classCode = CLASS_OTHER;
  /** Why it is malformed, cut or to be discarded: WHY_*, a code of `WhyName`; otherwise WHY_NONE. */
  why = WHY_NONE;
  /** 4, 6, or 0 without a complete IP header. */
  ipVersion = 0;
  /** First byte of the outermost IP header; 0 without one. */
  ipOffset = 0;
  /** DSCP in the high six bits, ECN in the low two; of the outermost IP header. */
  trafficClass = 0;
  /** 0 unless the class is a RoCEv2 one; the same holds for all following fields. */
  bthOffset = 0;
  /** Opcode of the BTH, 0x00..0xff (IBTA volume 1, section 9.2). */
  opcode = 0;
  /** Destination QP of the BTH, 24 bits. */
  destQpn = 0;
  /** Of the address in a Fast CNP option, or 0. */
  originalDestinationOffset = 0;
  /** Of the Namespace-ID of an IOAM trace, or 0. */
  ioamOffset = 0;
  /** Bytes of that trace, from its Namespace-ID to the last byte of node data. */
  ioamBytes = 0;
  /** First byte after the ICRC. */
  endOffset = 0;
  /** ICRC_* */
  icrc = ICRC_ABSENT;
  /** 1 when a Fast CNP's source is the address in its option. */
  fromReceiver = 0;

  /** LAYER_* of the layer that can't be read, or LAYER_NONE. */
  troubleKind = LAYER_NONE;
  /** First byte of that layer. */
  troubleOffset = 0;
  /** Bytes, or the value, required there. */
  troubleRequired = 0;
  /** Bytes, or the value, found there. */
  troubleActual = 0;
  /** WHY_* of the trouble; WHY_NONE for layers that do not affect the class. */
  troubleWhy = WHY_NONE;
  /** The capture ended; the frame on the wire may have been complete. */
  troubleIsCut = false;

  /** @internal Whether the class is known. */
  resolved = false;
  /** @internal A WHY_* of strict Annex A17 mode, or WHY_NONE. */
  strictObjection = WHY_NONE;
  /** @internal Whether this is the first fragment of a datagram that continues in others. */
  isFirstFragment = false;
  /** @internal Number of Fast CNP options. */
  fastCnpCount = 0;
  /** @internal First byte of the first Fast CNP option, or 0. */
  fastCnpOptionOffset = 0;
  /** @internal First option that is an IOAM trace, Destination Options before a Hop-by-Hop header, or 0. */
  carriedTraceOffset = 0;
  /** @internal LAYER_* of the header that contains it, or LAYER_NONE. */
  carriedTraceKind = LAYER_NONE;
  /** @internal An unknown option requires a discard. */
  hasOptionToDiscard = false;
  /** @internal IP headers inside the outermost one. */
  innerHeaderCount = 0;

  /** @internal Starts a new frame. */
  begin(bytes: Uint8Array, originalBytes: number): void {
    requirePlace(bytes, 0);
    requireField('originalBytes', originalBytes, Number.MAX_SAFE_INTEGER);
    this.bytes = bytes;
    this.originalBytes = originalBytes > bytes.length ? originalBytes : bytes.length;
    this.count = 0;
    this.classCode = CLASS_OTHER;
    this.why = WHY_NONE;
    this.ipVersion = 0;
    this.ipOffset = 0;
    this.trafficClass = 0;
    this.bthOffset = 0;
    this.opcode = 0;
    this.destQpn = 0;
    this.originalDestinationOffset = 0;
    this.ioamOffset = 0;
    this.ioamBytes = 0;
    this.endOffset = 0;
    this.icrc = ICRC_ABSENT;
    this.fromReceiver = 0;
    this.troubleKind = LAYER_NONE;
    this.troubleOffset = 0;
    this.troubleRequired = 0;
    this.troubleActual = 0;
    this.troubleWhy = WHY_NONE;
    this.troubleIsCut = false;
    this.resolved = false;
    this.strictObjection = WHY_NONE;
    this.isFirstFragment = false;
    this.fastCnpCount = 0;
    this.fastCnpOptionOffset = 0;
    this.carriedTraceOffset = 0;
    this.carriedTraceKind = LAYER_NONE;
    this.hasOptionToDiscard = false;
    this.innerHeaderCount = 0;
  }

  /** @internal Adds a layer, unless it has no bytes. */
  add(kind: number, offset: number, length: number): void {
    if (length <= 0) return;
    if (this.count === this.kinds.length) this.grow();
    const index = this.count++;
    this.kinds[index] = kind;
    this.offsets[index] = offset;
    this.lengths[index] = length;
  }

  /** @internal Sets the class, unless it is already known. */
  resolve(classCode: number, why: number): void {
    if (this.resolved) return;
    this.resolved = true;
    this.classCode = classCode;
    this.why = why;
  }

  /**
   * @internal Whether a layer is out of reach; if so, it is trouble, and determines the class.
   * @param endOffset first byte after what the layer needs.
   * @param limitOffset end of the enclosing layer; the capture may have been cut before it.
   */
  lacks(kind: number, offset: number, endOffset: number, limitOffset: number, why: number): boolean {
    if (endOffset <= this.bytes.length && endOffset <= limitOffset) return false;
    const isCut = endOffset <= limitOffset;
    this.fail(kind, offset, endOffset - offset, (isCut ? this.bytes.length : limitOffset) - offset, why, isCut);
    return true;
  }

  /** @internal Records trouble: only the first counts. */
  fail(kind: number, offset: number, required: number, actual: number, why: number, isCut = false): void {
    if (why !== WHY_NONE) this.resolve(isCut ? CLASS_CUT : CLASS_MALFORMED, why);
    if (this.troubleKind !== LAYER_NONE) return;
    this.troubleKind = kind;
    this.troubleOffset = offset;
    this.troubleRequired = required;
    this.troubleActual = actual > 0 ? actual : 0;
    this.troubleWhy = why;
    this.troubleIsCut = isCut;
  }

  /** @internal Adds the payload of a header up to `endOffset`, as far as captured; a cut is trouble. */
  addRest(kind: number, offset: number, endOffset: number): void {
    const captured = this.bytes.length;
    if (endOffset <= captured) {
      this.add(kind, offset, endOffset - offset);
      return;
    }
    this.add(kind, offset, captured - offset);
    this.fail(kind, offset, endOffset - offset, captured - offset, WHY_NONE, true);
  }

  /** @internal Adds all bytes after the last layer as one more layer. */
  finish(restKind: number): void {
    const coveredTo = this.count === 0 ? 0 : this.offsets[this.count - 1] + this.lengths[this.count - 1];
    const kind = this.troubleKind === LAYER_NONE ? restKind : LAYER_UNDECODED;
    this.add(kind, coveredTo, this.bytes.length - coveredTo);
    this.resolve(CLASS_OTHER, WHY_NONE);
  }

  private grow(): void {
    const { kinds, offsets, lengths } = this;
    this.kinds = new Uint8Array(kinds.length * 2);
    this.offsets = new Uint32Array(kinds.length * 2);
    this.lengths = new Uint32Array(kinds.length * 2);
    this.kinds.set(kinds);
    this.offsets.set(offsets);
    this.lengths.set(lengths);
  }
}

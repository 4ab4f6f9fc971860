/**
 * What the writers of all formats share: the items to write (frames as the reader returns them, and, for pcapng, blocks
 * of any other kind) and their checks, the encoders' interface, and the sink that encoders write to.
 */
import { RoceError, type Allowed, type RoceErrorFields } from '../errors.js';
import { MAX_CAPTURED_BYTES } from './frame.js';

/**
 * A frame to write; each `CaptureFrame` of the reader is one. Its bytes are copied before the next frame is requested, so
 * views of a batch are safe.
 */
export interface FrameToWrite {
  /** The captured bytes, starting at the link header; at most 16 MiB. */
  readonly bytes: Uint8Array;
  /** If given, must equal the length of `bytes`. */
  readonly capturedBytes?: number;
  /** Length of the frame on the wire, bytes, at least the captured length. Default: the length of `bytes`. */
  readonly originalBytes?: number;
  /** Whether the frame has a time. Default: whether `epochSeconds` is given. */
  readonly hasTime?: boolean;
  /** Seconds since 1970-01-01 00:00 UTC, an integer. Needed when the frame has a time, ignored when it has none. */
  readonly epochSeconds?: number;
  /** Picoseconds within the second, an integer, 0 to 10^12 - 1. Default: 0. */
  readonly picoseconds?: number;
  /** If given, must equal the link type of the file or of the frame's interface. */
  readonly linkType?: number;
  /** Interface within the section. Default: 0. pcap does not store it. */
  readonly interfaceId?: number;
  /** Section; must not decrease from frame to frame. Default: 0. pcap does not store it. */
  readonly section?: number;
  /** Comments on the frame, for pcapng only. Default: none. */
  readonly comments?: readonly string[];
}

/** A pcapng block to be written unchanged, padded to a multiple of 4 bytes. */
export interface PcapngBlock {
  /** Any type except those of frames: section header, interface description, and the three kinds of packet blocks. */
  readonly type: number;
  /** The bytes between the two length fields; numbers must be in the section's byte order. */
  readonly body: Uint8Array;
  /** Section; must not decrease from item to item. Default: the section being written. */
  readonly section?: number;
}

/** A pcapng block to write unchanged, instead of a frame. */
export interface BlockToWrite {
  /** A pcapng block, written unchanged. */
  readonly block: PcapngBlock;
}

/** An item for the writers. */
export type CaptureItem = FrameToWrite | BlockToWrite;

/** A validated frame, with defaults filled in. */
export interface CheckedFrame {
  /** Index among the items, from 0, for errors. */
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly originalBytes: number;
  readonly hasTime: boolean;
  readonly epochSeconds: number;
  readonly picoseconds: number;
  readonly linkType: number | undefined;
  readonly interfaceId: number;
  readonly section: number;
  readonly comments: readonly string[];
}

const PICOSECONDS_PER_SECOND = 1e12;
const MAX_U32 = 0xffffffff;
const U32 = { min: 0, max: MAX_U32, multipleOf: 1 };
const SAFE_INTEGER = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, multipleOf: 1 };
const NO_COMMENTS: readonly string[] = [];

export function isBlock(item: CaptureItem): item is BlockToWrite {
  return 'block' in item;
}

/**
 * Checks the rules common to all formats.
 *
 * @throws RoceError `invalid-argument` naming the frame and the field
 */
export function checkFrame(frame: FrameToWrite, index: number): CheckedFrame {
  const {
    bytes,
    originalBytes = bytes instanceof Uint8Array ? bytes.length : 0,
    interfaceId = 0,
    section = 0,
    comments = NO_COMMENTS,
  } = frame;
  checkLengths(frame, originalBytes, index);
  const { epochSeconds = NaN, picoseconds = 0, hasTime = frame.epochSeconds !== undefined } = frame;
  if (hasTime) checkTime(epochSeconds, picoseconds, index);
  if (!Array.isArray(comments)) throw frameRejected(index, 'comments', comments, 'a list');
  if (!isU32(interfaceId)) throw frameRejected(index, 'interfaceId', interfaceId, U32);
  if (!isU32(section)) throw frameRejected(index, 'section', section, U32);
  return {
    index,
    bytes,
    originalBytes,
    hasTime,
    epochSeconds,
    picoseconds,
    linkType: frame.linkType,
    interfaceId,
    section,
    comments,
  };
}

/**
 * Checks the fields of a block.
 *
 * @throws RoceError `invalid-argument` naming the block and the field
 */
export function checkBlock(block: PcapngBlock, index: number): PcapngBlock {
  if (typeof block !== 'object' || block === null) throw frameRejected(index, 'block', block, 'an object');
  if (!isU32(block.type)) throw frameRejected(index, 'block.type', block.type, U32);
  if (block.body instanceof Uint8Array) return block;
  throw frameRejected(index, 'block.body', block.body, 'a Uint8Array');
}

function checkLengths({ bytes, capturedBytes }: FrameToWrite, originalBytes: number, index: number): void {
  if (!(bytes instanceof Uint8Array)) throw frameRejected(index, 'bytes', bytes, 'a Uint8Array');
  const { length } = bytes;
  if (length > MAX_CAPTURED_BYTES) throw lengthRejected(index, length, MAX_CAPTURED_BYTES);
  if (capturedBytes !== undefined && capturedBytes !== length) {
    throw frameRejected(index, 'capturedBytes', capturedBytes, length, { hint: 'It is the length of the bytes' });
  }
  if (isU32(originalBytes) && originalBytes >= length) return;
  throw frameRejected(index, 'originalBytes', originalBytes, { ...U32, min: length });
}

function checkTime(epochSeconds: number, picoseconds: number, index: number): void {
  if (!Number.isSafeInteger(epochSeconds)) throw frameRejected(index, 'epochSeconds', epochSeconds, SAFE_INTEGER);
  if (Number.isInteger(picoseconds) && picoseconds >= 0 && picoseconds < PICOSECONDS_PER_SECOND) return;
  throw frameRejected(index, 'picoseconds', picoseconds, { min: 0, max: PICOSECONDS_PER_SECOND - 1, multipleOf: 1 });
}

/** @throws RoceError `invalid-argument` if the frame is longer than the snap length; 0 means no limit */
export function checkSnapLength({ bytes, index }: CheckedFrame, snapLengthBytes: number): void {
  if (snapLengthBytes === 0 || bytes.length <= snapLengthBytes) return;
  throw lengthRejected(index, bytes.length, snapLengthBytes);
}

/** @throws RoceError `invalid-argument` if the frame's link type differs from that of the file or interface */
export function checkLinkType(frame: CheckedFrame, linkType: number): void {
  if (frame.linkType === undefined || frame.linkType === linkType) return;
  throw frameRejected(frame.index, 'linkType', frame.linkType, linkType, { hint: 'The options state it' });
}

function lengthRejected(index: number, got: number, max: number): RoceError {
  return frameRejected(index, 'bytes', got, { max, unit: 'bytes' }, { what: 'the length of the frame' });
}

/** Name of a frame's field in errors. */
export function frameField(index: number, field: string): string {
  return `frames[${index}].${field}`;
}

/** The error for a field of a frame that cannot be written. */
export function frameRejected(index: number, field: string, got: unknown, allowed?: Allowed,
  more: RoceErrorFields = {}): RoceError {
  return writeRejected(frameField(index, field), got, allowed, more);
}

/** The error for an item that can't be written. */
export function writeRejected(where: string, got: unknown, allowed?: Allowed, more: RoceErrorFields = {}): RoceError {
  return new RoceError('invalid-argument', { where, got, allowed, ...more });
}

function isU32(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX_U32;
}

/** A file format: writes records to a sink. A rejected record writes nothing. */
export interface RecordEncoder {
  /** Writes the bytes before the first record. */
  begin(): void;

  /** @throws RoceError `invalid-argument` if the format cannot represent the frame */
  addFrame(frame: CheckedFrame): void;

  /**
   * @param index index among the items, for errors
   * @throws RoceError `invalid-argument` if the format cannot represent the block
   */
  addBlock(block: PcapngBlock, index: number): void;

  /** Writes the bytes after the last record. */
  end(): void;
}

/** Bytes in an `ArrayBuffer`. TypeScript before 5.7 has no type parameter on `Uint8Array` to say so. */
export type OwnBytes = ReturnType<typeof Uint8Array.of>;

/**
 * Assembles records into chunks: a full buffer is passed on when the next record does not fit. The sink never writes to
 * a chunk that was passed on, so a consumer may keep it.
 */
export class ChunkSink {
  /** The buffer being filled, and a view of it; both change with `reserve`. */
  bytes: OwnBytes;
  view: DataView;

  readonly #chunkBytes: number;
  #used = 0;
  #full: OwnBytes[] = [];

  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes;
    this.bytes = new Uint8Array(0);
    this.view = new DataView(this.bytes.buffer);
  }

  /**
   * Reserves space for a record of this size, filled with zeros.
   *
   * @returns its position in `bytes`
   */
  reserve(lengthBytes: number): number {
    if (this.bytes.length - this.#used < lengthBytes) {
      this.#close();
      this.bytes = new Uint8Array(Math.max(this.#chunkBytes, lengthBytes));
      this.view = new DataView(this.bytes.buffer);
    }
    const start = this.#used;
    this.#used += lengthBytes;
    return start;
  }

  /** Whether a full chunk is available. */
  hasFull(): boolean {
    return this.#full.length > 0;
  }

  /** Removes and returns the full chunks. */
  removeFull(): readonly OwnBytes[] {
    const chunks = this.#full;
    if (chunks.length > 0) this.#full = [];
    return chunks;
  }

  /** Removes and returns all remaining bytes. */
  removeAll(): readonly OwnBytes[] {
    this.#close();
    return this.removeFull();
  }

  #close(): void {
    if (this.#used > 0) this.#full.push(this.bytes.subarray(0, this.#used));
    this.bytes = new Uint8Array(0);
    this.#used = 0;
  }
}

/**
 * The pcapng format: a sequence of blocks, each type u32 | total length u32 | body, padded to 4 | total length again.
 *
 * These blocks are read: section header (sets the byte order, resets the interfaces), interface description, and packet
 * blocks: enhanced, simple and obsolete (type 2: a 16-bit interface, then a 16-bit drop count that is not reported).
 * Other blocks are skipped without being held in memory. Each section has its own byte order, given by the magic at
 * offset 8 of its header, whose type is the same in both orders. The section length is ignored: it may be unspecified,
 * and blocks are walked anyway.
 *
 * The body of an interface description is link type u16 | reserved u16 | snap length u32 | options, of which only
 * if_tsresol and if_tsoffset are read.
 *
 * A simple packet block belongs to interface 0, has no time, and its bytes are the smaller of its original length and
 * the interface's snap length.
 *
 * Source: draft-ietf-opsawg-pcapng, sections 3.1 (block), 3.5 (options), 4.1 to 4.4, and its appendix on the packet
 * block.
 */
import { type CaptureBatch, capturedBytesLimit, invalidCapture, MAX_BLOCK_BYTES, MAX_INTERFACES,
  SAFE_SECONDS } from './frame.js';
import type { ByteWindow, RecordParser } from './record-parser.js';
import { DEFAULT_RESOLUTION, TickClock } from './ticks.js';

export const PCAPNG_SECTION_HEADER = 0x0a0d0d0a;

const BLOCK_INTERFACE = 1;
const BLOCK_OBSOLETE_PACKET = 2;
const BLOCK_SIMPLE_PACKET = 3;
const BLOCK_ENHANCED_PACKET = 6;

const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
const MAJOR_VERSION = 1;

const TOTAL_LENGTH = 4;
const BODY = 8;
const TRAILER_BYTES = 4;
/** Size of the shortest block: type and both lengths. */
const MIN_BLOCK_BYTES = 12;
/** The blocks that are read, with their minimum size. */
const MIN_KNOWN_BYTES: ReadonlyMap<number, number> = new Map([
  [PCAPNG_SECTION_HEADER, 28],
  [BLOCK_INTERFACE, 20],
  [BLOCK_OBSOLETE_PACKET, 32],
  [BLOCK_SIMPLE_PACKET, 16],
  [BLOCK_ENHANCED_PACKET, 32],
]);

const SECTION_MAJOR = 12;

/** Enhanced and obsolete packet blocks differ only in the interface field at the start of the body. */
const PACKET_TIME_HIGH = 12;
const PACKET_TIME_LOW = 16;
const PACKET_CAPTURED = 20;
const PACKET_ORIGINAL = 24;
const PACKET_DATA = 28;

const SIMPLE_ORIGINAL = 8;
const SIMPLE_DATA = 12;

/** Offsets in the body of an interface description. */
const INTERFACE_SNAP_LENGTH = 4;
const INTERFACE_OPTIONS = 8;

const OPTION_HEADER_BYTES = 4;
const OPTION_END = 0;
const OPTION_RESOLUTION = 9;
const OPTION_RESOLUTION_BYTES = 1;
const OPTION_OFFSET = 14;
const OPTION_OFFSET_BYTES = 8;

/** An interface of the current section. */
interface CaptureInterface {
  readonly linkType: number;
  /** Snap length from the file; 0 = no limit. */
  readonly snapLengthBytes: number;
  /** Maximum accepted frame size. */
  readonly maxCapturedBytes: number;
  readonly clock: TickClock;
}

/** The position of a block's body: fields in `view`, and its offset for errors. */
interface BlockBody {
  readonly view: DataView;
  readonly littleEndian: boolean;
  /** First byte of the body in `view`; `end` is the byte after the last. */
  readonly start: number;
  readonly end: number;
  /** Stream offset of position 0 of `view`. */
  readonly origin: number;
}

export class PcapngParser implements RecordParser {
  #littleEndian = true;
  #section = -1;
  #interfaces: CaptureInterface[] = [];
  /** Total length of the block being skipped; 0 if none is. */
  #skippedBlockBytes = 0;
  /** Remaining bytes of the skipped block before its closing length. */
  #bytesToSkip = 0;

  isAtBorder(): boolean {
    return this.#section >= 0 && this.#skippedBlockBytes === 0;
  }

  parse(window: ByteWindow, batch: CaptureBatch): number {
    while (batch.count < batch.capacity) {
      const neededBytes = this.#skippedBlockBytes > 0 ? this.#skip(window) : this.#readBlock(window, batch);
      if (neededBytes > 0) return neededBytes;
    }
    return 0;
  }

  /** Consumes one block, or starts skipping it; returns 0, or the number of bytes it needs. */
  #readBlock(window: ByteWindow, batch: CaptureBatch): number {
    if (window.length < MIN_BLOCK_BYTES) return MIN_BLOCK_BYTES;
    const { view, start } = window;
    const type = view.getUint32(start, this.#littleEndian);
    if (type === PCAPNG_SECTION_HEADER) this.#littleEndian = readByteOrder(window);
    const totalBytes = view.getUint32(start + TOTAL_LENGTH, this.#littleEndian);
    const knownBytes = MIN_KNOWN_BYTES.get(type);
    const minBytes = knownBytes ?? MIN_BLOCK_BYTES;
    if (totalBytes < minBytes || totalBytes % 4 !== 0) {
      const allowed = { min: minBytes, multipleOf: 4, unit: 'bytes' };
      throw invalidCapture('the length of the block', totalBytes, allowed, window.streamOffset(start));
    }
    if (knownBytes === undefined) {
      this.#skippedBlockBytes = totalBytes;
      this.#bytesToSkip = totalBytes - TRAILER_BYTES;
      return 0;
    }
    if (totalBytes > MAX_BLOCK_BYTES) {
      const allowed = { max: MAX_BLOCK_BYTES, unit: 'bytes' };
      throw invalidCapture('the length of the block', totalBytes, allowed, window.streamOffset(start));
    }
    if (window.length < totalBytes) return totalBytes;
    this.#checkTrailer(window, start + totalBytes - TRAILER_BYTES, totalBytes);
    this.#readKnownBlock(type, window, totalBytes, batch);
    window.start += totalBytes;
    return 0;
  }

  #readKnownBlock(type: number, window: ByteWindow, totalBytes: number, batch: CaptureBatch): void {
    const { view, start } = window;
    if (type === BLOCK_ENHANCED_PACKET) {
      this.#readPacket(view.getUint32(start + BODY, this.#littleEndian), window, totalBytes, batch);
    } else if (type === BLOCK_OBSOLETE_PACKET) {
      this.#readPacket(view.getUint16(start + BODY, this.#littleEndian), window, totalBytes, batch);
    } else if (type === BLOCK_SIMPLE_PACKET) this.#readSimplePacket(window, totalBytes, batch);
    else if (type === BLOCK_INTERFACE) this.#readInterface(window, totalBytes);
    else this.#openSection(window);
  }

  #openSection(window: ByteWindow): void {
    const major = window.view.getUint16(window.start + SECTION_MAJOR, this.#littleEndian);
    if (major !== MAJOR_VERSION) {
      const offset = window.streamOffset(window.start + SECTION_MAJOR);
      throw invalidCapture('the major version of pcapng', major, MAJOR_VERSION, offset);
    }
    this.#section += 1;
    this.#interfaces = [];
  }

  #readInterface(window: ByteWindow, totalBytes: number): void {
    const { view, start } = window;
    if (this.#interfaces.length === MAX_INTERFACES) {
      const [what, got] = ['the number of interfaces in a section', MAX_INTERFACES + 1];
      throw invalidCapture(what, got, { max: MAX_INTERFACES }, window.streamOffset(start));
    }
    const end = start + totalBytes - TRAILER_BYTES;
    const body = { view, littleEndian: this.#littleEndian, start: start + BODY, end, origin: window.streamOffset(0) };
    this.#interfaces.push(readInterface(body));
  }

  #readPacket(interfaceId: number, window: ByteWindow, totalBytes: number, batch: CaptureBatch): void {
    const { view, start } = window;
    const littleEndian = this.#littleEndian;
    const source = this.#interfaceOf(interfaceId, window);
    const capturedBytes = view.getUint32(start + PACKET_CAPTURED, littleEndian);
    checkCaptured(window, capturedBytes, totalBytes - PACKET_DATA - TRAILER_BYTES, source);
    source.clock.convert(view.getUint32(start + PACKET_TIME_HIGH, littleEndian),
      view.getUint32(start + PACKET_TIME_LOW, littleEndian));
    if (!Number.isSafeInteger(source.clock.epochSeconds)) {
      const offset = window.streamOffset(start + PACKET_TIME_HIGH);
      throw invalidCapture('the time of the packet', source.clock.epochSeconds, SAFE_SECONDS, offset);
    }
    const i = this.#addFrame(batch, source, interfaceId);
    batch.offsets[i] = start + PACKET_DATA;
    batch.capturedBytes[i] = capturedBytes;
    batch.originalBytes[i] = view.getUint32(start + PACKET_ORIGINAL, littleEndian);
    batch.timed[i] = 1;
    batch.epochSeconds[i] = source.clock.epochSeconds;
    batch.picoseconds[i] = source.clock.picoseconds;
  }

  #readSimplePacket(window: ByteWindow, totalBytes: number, batch: CaptureBatch): void {
    const { view, start } = window;
    const source = this.#interfaceOf(0, window);
    const originalBytes = view.getUint32(start + SIMPLE_ORIGINAL, this.#littleEndian);
    const snapLengthBytes = source.snapLengthBytes === 0 ? originalBytes : source.snapLengthBytes;
    const capturedBytes = Math.min(originalBytes, snapLengthBytes);
    checkCaptured(window, capturedBytes, totalBytes - SIMPLE_DATA - TRAILER_BYTES, source);
    const i = this.#addFrame(batch, source, 0);
    batch.offsets[i] = start + SIMPLE_DATA;
    batch.capturedBytes[i] = capturedBytes;
    batch.originalBytes[i] = originalBytes;
    batch.timed[i] = 0;
    batch.epochSeconds[i] = 0;
    batch.picoseconds[i] = 0;
  }

  /** Adds an entry to the batch, with the link type and interface filled in. */
  #addFrame(batch: CaptureBatch, source: CaptureInterface, interfaceId: number): number {
    const i = batch.count++;
    batch.linkTypes[i] = source.linkType;
    batch.interfaceIds[i] = interfaceId;
    batch.sections[i] = this.#section;
    return i;
  }

  #interfaceOf(interfaceId: number, window: ByteWindow): CaptureInterface {
    const source = this.#interfaces[interfaceId];
    if (source !== undefined) return source;
    const allowed = `one of the section's ${this.#interfaces.length} interfaces`;
    throw invalidCapture('the interface of the packet', interfaceId, allowed, window.streamOffset(window.start));
  }

  #skip(window: ByteWindow): number {
    const bytes = Math.min(this.#bytesToSkip, window.length);
    window.start += bytes;
    this.#bytesToSkip -= bytes;
    if (this.#bytesToSkip > 0) return 1;
    if (window.length < TRAILER_BYTES) return TRAILER_BYTES;
    this.#checkTrailer(window, window.start, this.#skippedBlockBytes);
    window.start += TRAILER_BYTES;
    this.#skippedBlockBytes = 0;
    return 0;
  }

  #checkTrailer(window: ByteWindow, at: number, totalBytes: number): void {
    const closingBytes = window.view.getUint32(at, this.#littleEndian);
    if (closingBytes === totalBytes) return;
    throw invalidCapture('the length at the end of the block', closingBytes, totalBytes, window.streamOffset(at));
  }
}

/** Whether the section header at the window's start is little-endian. */
function readByteOrder(window: ByteWindow): boolean {
  const magic = window.view.getUint32(window.start + BODY, true);
  if (magic === BYTE_ORDER_MAGIC) return true;
  if (window.view.getUint32(window.start + BODY, false) === BYTE_ORDER_MAGIC) return false;
  const allowed = '0x1a2b3c4d in either order';
  throw invalidCapture('the byte-order magic', magic, allowed, window.streamOffset(window.start + BODY));
}

function checkCaptured(window: ByteWindow, capturedBytes: number, roomBytes: number, source: CaptureInterface): void {
  const limitBytes = Math.min(roomBytes, source.maxCapturedBytes);
  if (capturedBytes <= limitBytes) return;
  const allowed = { max: limitBytes, unit: 'bytes' };
  throw invalidCapture('the captured length', capturedBytes, allowed, window.streamOffset(window.start));
}

/** @throws RoceError `invalid-capture` for an option that extends beyond the block or has the wrong length */
function readInterface(body: BlockBody): CaptureInterface {
  const { view, littleEndian, start } = body;
  const snapLengthBytes = view.getUint32(start + INTERFACE_SNAP_LENGTH, littleEndian);
  let resolution = DEFAULT_RESOLUTION;
  let offsetSeconds = 0;
  for (let at = start + INTERFACE_OPTIONS; at < body.end;) {
    const code = view.getUint16(at, littleEndian);
    if (code === OPTION_END) break;
    const value = at + OPTION_HEADER_BYTES;
    const lengthBytes = optionLength(body, at);
    if (code === OPTION_RESOLUTION) {
      checkLength(body, at, lengthBytes, OPTION_RESOLUTION_BYTES);
      resolution = view.getUint8(value);
    } else if (code === OPTION_OFFSET) {
      checkLength(body, at, lengthBytes, OPTION_OFFSET_BYTES);
      offsetSeconds = readOffsetSeconds(body, value);
    }
    at = value + Math.ceil(lengthBytes / 4) * 4;
  }
  return {
    linkType: view.getUint16(start, littleEndian),
    snapLengthBytes,
    maxCapturedBytes: capturedBytesLimit(snapLengthBytes),
    clock: new TickClock(resolution, offsetSeconds),
  };
}

/** Length of the option at `at`. The body length is a multiple of 4, so the option's header is inside the body. */
function optionLength(body: BlockBody, at: number): number {
  const lengthBytes = body.view.getUint16(at + 2, body.littleEndian);
  const room = body.end - at - OPTION_HEADER_BYTES;
  if (lengthBytes <= room) return lengthBytes;
  throw invalidCapture('the length of the option', lengthBytes, { max: room, unit: 'bytes' }, body.origin + at);
}

function checkLength(body: BlockBody, at: number, got: number, wanted: number): void {
  if (got === wanted) return;
  throw invalidCapture('the length of the option', got, { min: wanted, max: wanted, unit: 'bytes' }, body.origin + at);
}

function readOffsetSeconds(body: BlockBody, at: number): number {
  const { view, littleEndian } = body;
  const high = view.getInt32(littleEndian ? at + 4 : at, littleEndian);
  const low = view.getUint32(littleEndian ? at : at + 4, littleEndian);
  const seconds = high * 2 ** 32 + low;
  if (Number.isSafeInteger(seconds)) return seconds;
  throw invalidCapture('the time offset', seconds, SAFE_SECONDS, body.origin + at);
}

/**
 * Writes the pcapng format; pcapng.ts describes its layout.
 *
 * Sections are written in order, each starting with its header and interface descriptions. A section starts when a
 * frame of it or of a later section arrives, or at the end. Section headers leave the length unspecified (-1), so the
 * file can be streamed. The options at the end of a block are code u16 | length u16 | value, padded to 4; the list ends
 * with code 0. Options equal to the format's defaults (microseconds, offset 0) are omitted.
 *
 * A frame with a time becomes an enhanced packet block. One without becomes a simple packet block, which has no
 * interface, no options and no captured length: so the frame must belong to interface 0, have no comments, and, if
 * truncated, be as long as that interface's snap length.
 *
 * Source: draft-ietf-opsawg-pcapng, sections 3.1 (block), 3.5 (options), 4.1 to 4.4.
 */
import type { Allowed, RoceError } from '../errors.js';
import { checkLinkType, checkSnapLength, frameField, frameRejected, writeRejected, type CheckedFrame, type PcapngBlock,
  type ChunkSink, type RecordEncoder } from './record-encoder.js';
import { MAX_BLOCK_BYTES } from './frame.js';
import { PCAPNG_SECTION_HEADER } from './pcapng.js';
import { DEFAULT_RESOLUTION, TickEncoder } from './ticks.js';
import type { ResolvedCommon, ResolvedInterface, ResolvedSection } from './write-options.js';

const BLOCK_INTERFACE = 1;
const BLOCK_OBSOLETE_PACKET = 2;
const BLOCK_SIMPLE_PACKET = 3;
const BLOCK_ENHANCED_PACKET = 6;
/** Blocks of sections, interfaces and packets, including the obsolete packet block, which is never written. */
const FRAME_BLOCKS: readonly number[] = [
  PCAPNG_SECTION_HEADER,
  BLOCK_INTERFACE,
  BLOCK_OBSOLETE_PACKET,
  BLOCK_SIMPLE_PACKET,
  BLOCK_ENHANCED_PACKET,
];

const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
const MAJOR_VERSION = 1;
const UNKNOWN_LENGTH = 0xffffffff;

/** Offsets in a block: type, length, body, length. */
const TOTAL_LENGTH = 4;
const BODY = 8;
const TRAILER_BYTES = 4;
const FRAME_BYTES = BODY + TRAILER_BYTES;

/** Offsets in block bodies. */
const SECTION_MAJOR = 4;
const SECTION_LENGTH = 8;
const SECTION_OPTIONS = 16;
const INTERFACE_SNAP_LENGTH = 4;
const INTERFACE_OPTIONS = 8;
const ENHANCED_TIME_HIGH = 4;
const ENHANCED_TIME_LOW = 8;
const ENHANCED_CAPTURED = 12;
const ENHANCED_ORIGINAL = 16;
const ENHANCED_DATA = 20;
const SIMPLE_DATA = 4;

/** Codes of options, and offsets in them. */
const OPTION_COMMENT = 1;
const OPTION_IF_NAME = 2;
const OPTION_SHB_USERAPPL = 4;
const OPTION_IF_TSRESOL = 9;
const OPTION_IF_TSOFFSET = 14;

const OPTION_LENGTH = 2;
const OPTION_HEADER_BYTES = 4;
const OPTION_END_BYTES = 4;
const MAX_OPTION_BYTES = 0xffff;

interface PcapngOption {
  readonly code: number;
  readonly value: Uint8Array;
}

const NO_OPTIONS = new Uint8Array(0);

interface OpenInterface {
  readonly resolved: ResolvedInterface;
  readonly clock: TickEncoder;
}

export class PcapngEncoder implements RecordEncoder {
  readonly #sink: ChunkSink;
  readonly #common: ResolvedCommon;
  /** The sections' own blocks, built in advance so that an invalid text is found before the first byte is written. */
  readonly #heads: readonly (readonly HeadBlock[])[];
  readonly #sections: readonly ResolvedSection[];
  #section = -1;
  #littleEndian = true;
  #interfaces: readonly OpenInterface[] = [];

  constructor(sink: ChunkSink, common: ResolvedCommon, sections: readonly ResolvedSection[]) {
    this.#sink = sink;
    this.#common = common;
    this.#sections = sections;
    this.#heads = sections.map((section, index) => headBlocks(section, `sections[${index}]`));
  }

  begin(): void {
    this.#openSection(0);
  }

  end(): void {
    while (this.#section < this.#sections.length - 1) this.#openSection(this.#section + 1);
  }

  addFrame(frame: CheckedFrame): void {
    this.#checkSection(frame.section, frameField(frame.index, 'section'));
    while (this.#section < frame.section) this.#openSection(this.#section + 1);
    const source = this.#interfaces[frame.interfaceId];
    if (source === undefined) {
      const allowed = { min: 0, max: this.#interfaces.length - 1, multipleOf: 1 };
      throw frameRejected(frame.index, 'interfaceId', frame.interfaceId, allowed);
    }
    checkLinkType(frame, source.resolved.linkType);
    checkSnapLength(frame, source.resolved.snapLengthBytes);
    if (frame.hasTime) this.#addEnhancedPacket(frame, source.clock);
    else this.#addSimplePacket(frame, source.resolved.snapLengthBytes);
  }

  addBlock(block: PcapngBlock, index: number): void {
    const { type, body, section = this.#section } = block;
    if (FRAME_BLOCKS.includes(type)) {
      const allowed = `none of ${FRAME_BLOCKS.join(', ')}, the blocks of frames`;
      throw frameRejected(index, 'block.type', type, allowed);
    }
    checkBlockLength(paddedLength(body.length), frameField(index, 'block.body'));
    this.#checkSection(section, frameField(index, 'block.section'));
    while (this.#section < section) this.#openSection(this.#section + 1);
    const at = this.#addHead(type, paddedLength(body.length));
    this.#sink.bytes.set(body, at);
  }

  #checkSection(section: number, where: string): void {
    if (Number.isInteger(section) && section >= this.#section && section < this.#sections.length) return;
    throw writeRejected(where, section, { min: this.#section, max: this.#sections.length - 1, multipleOf: 1 });
  }

  #openSection(index: number): void {
    const { littleEndian, interfaces } = this.#sections[index];
    this.#section = index;
    this.#littleEndian = littleEndian;
    this.#interfaces = interfaces.map((resolved) => ({
      resolved,
      clock: new TickEncoder(resolved.tsresol, resolved.tsoffsetSeconds),
    }));
    for (const { type, body } of this.#heads[index]) {
      const at = this.#addHead(type, body.length);
      this.#sink.bytes.set(body, at);
    }
  }

  #addEnhancedPacket(frame: CheckedFrame, clock: TickEncoder): void {
    this.#encodeTime(frame, clock);
    const options = this.#frameOptions(frame);
    const dataBytes = paddedLength(frame.bytes.length);
    const bodyBytes = ENHANCED_DATA + dataBytes + options.length;
    checkBlockLength(bodyBytes, frameField(frame.index, 'comments'));
    const at = this.#addHead(BLOCK_ENHANCED_PACKET, bodyBytes);
    const { view, bytes } = this.#sink;
    view.setUint32(at, frame.interfaceId, this.#littleEndian);
    view.setUint32(at + ENHANCED_TIME_HIGH, clock.high, this.#littleEndian);
    view.setUint32(at + ENHANCED_TIME_LOW, clock.low, this.#littleEndian);
    view.setUint32(at + ENHANCED_CAPTURED, frame.bytes.length, this.#littleEndian);
    view.setUint32(at + ENHANCED_ORIGINAL, frame.originalBytes, this.#littleEndian);
    bytes.set(frame.bytes, at + ENHANCED_DATA);
    bytes.set(options, at + ENHANCED_DATA + dataBytes);
  }

  #addSimplePacket(frame: CheckedFrame, snapLengthBytes: number): void {
    checkSimplePacket(frame, snapLengthBytes);
    const at = this.#addHead(BLOCK_SIMPLE_PACKET, SIMPLE_DATA + paddedLength(frame.bytes.length));
    this.#sink.view.setUint32(at, frame.originalBytes, this.#littleEndian);
    this.#sink.bytes.set(frame.bytes, at + SIMPLE_DATA);
  }

  #encodeTime(frame: CheckedFrame, clock: TickEncoder): void {
    if (!clock.encode(frame.epochSeconds, frame.picoseconds)) {
      const allowed = "from the interface's tsoffsetSeconds on, less than 2^64 ticks of its tsresol later";
      throw frameRejected(frame.index, 'epochSeconds', frame.epochSeconds, allowed);
    }
    if (this.#common.timeRounding === 'exact' && !clock.exact) {
      const allowed = "a tick of the interface's tsresol, or timeRounding truncate";
      throw frameRejected(frame.index, 'picoseconds', frame.picoseconds, allowed);
    }
  }

  #frameOptions(frame: CheckedFrame): Uint8Array {
    if (frame.comments.length === 0) return NO_OPTIONS;
    return encodeOptions(commentOptions(frame.comments, frameField(frame.index, 'comments')), this.#littleEndian);
  }

  /** Reserves space for a block, and writes its type and lengths; returns the offset of its body. */
  #addHead(type: number, bodyBytes: number): number {
    const totalBytes = FRAME_BYTES + bodyBytes;
    const start = this.#sink.reserve(totalBytes);
    const { view } = this.#sink;
    view.setUint32(start, type, this.#littleEndian);
    view.setUint32(start + TOTAL_LENGTH, totalBytes, this.#littleEndian);
    view.setUint32(start + totalBytes - TRAILER_BYTES, totalBytes, this.#littleEndian);
    return start + BODY;
  }
}

interface HeadBlock {
  readonly type: number;
  readonly body: Uint8Array;
}

function headBlocks(section: ResolvedSection, where: string): HeadBlock[] {
  const { littleEndian, interfaces } = section;
  const descriptions = interfaces.map((port, index) => ({
    type: BLOCK_INTERFACE,
    body: interfaceBody(port, littleEndian, `${where}.interfaces[${index}]`),
  }));
  return [{ type: PCAPNG_SECTION_HEADER, body: sectionBody(section, where) }, ...descriptions];
}

function sectionBody(section: ResolvedSection, where: string): Uint8Array {
  const { littleEndian, application, comments } = section;
  const options = commentOptions(comments, `${where}.comments`);
  if (application !== undefined) options.push(textOption(OPTION_SHB_USERAPPL, application, `${where}.application`));
  const { body, view } = bodyWith(SECTION_OPTIONS, options, littleEndian, where);
  view.setUint32(0, BYTE_ORDER_MAGIC, littleEndian);
  view.setUint16(SECTION_MAJOR, MAJOR_VERSION, littleEndian);
  view.setUint32(SECTION_LENGTH, UNKNOWN_LENGTH);
  view.setUint32(SECTION_LENGTH + 4, UNKNOWN_LENGTH);
  return body;
}

function interfaceBody(port: ResolvedInterface, littleEndian: boolean, where: string): Uint8Array {
  const options = commentOptions(port.comments, `${where}.comments`);
  if (port.name !== undefined) options.push(textOption(OPTION_IF_NAME, port.name, `${where}.name`));
  if (port.tsresol !== DEFAULT_RESOLUTION) {
    options.push({ code: OPTION_IF_TSRESOL, value: Uint8Array.of(port.tsresol) });
  }
  if (port.tsoffsetSeconds !== 0) options.push(offsetOption(port.tsoffsetSeconds, littleEndian));
  const { body, view } = bodyWith(INTERFACE_OPTIONS, options, littleEndian, where);
  view.setUint16(0, port.linkType, littleEndian);
  view.setUint32(INTERFACE_SNAP_LENGTH, port.snapLengthBytes, littleEndian);
  return body;
}

/** A body of fixed fields, all 0, followed by options. */
function bodyWith(fixedBytes: number, options: readonly PcapngOption[], littleEndian: boolean,
  where: string): { body: Uint8Array; view: DataView } {
  const list = encodeOptions(options, littleEndian);
  checkBlockLength(fixedBytes + list.length, where);
  const body = new Uint8Array(fixedBytes + list.length);
  body.set(list, fixedBytes);
  return { body, view: new DataView(body.buffer) };
}

/** The reader does not accept longer blocks. */
function checkBlockLength(bodyBytes: number, where: string): void {
  const allowedBytes = MAX_BLOCK_BYTES - FRAME_BYTES;
  if (bodyBytes <= allowedBytes) return;
  throw writeRejected(where, bodyBytes, { max: allowedBytes, unit: 'bytes' }, { what: 'the length of the block' });
}

function checkSimplePacket({ interfaceId, comments, originalBytes, bytes, index }: CheckedFrame,
  snapLengthBytes: number): void {
  if (interfaceId !== 0) throw simpleRejected(index, 'interfaceId', interfaceId, 0);
  if (comments.length > 0) throw simpleRejected(index, 'comments', comments, 'absent');
  const readBytes = snapLengthBytes === 0 ? originalBytes : Math.min(originalBytes, snapLengthBytes);
  if (bytes.length !== readBytes)
    throw simpleRejected(index, 'bytes', bytes.length, { min: readBytes, max: readBytes, unit: 'bytes' });
}

function simpleRejected(index: number, field: string, got: unknown, allowed: Allowed): RoceError {
  return frameRejected(index, field, got, allowed, { hint: 'A frame without time is a simple packet block' });
}

/** An encoded option list with its end marker; empty for an empty list. */
function encodeOptions(options: readonly PcapngOption[], littleEndian: boolean): Uint8Array {
  if (options.length === 0) return NO_OPTIONS;
  const lengthBytes = options.reduce((sum, { value }) => sum + OPTION_HEADER_BYTES + paddedLength(value.length),
    OPTION_END_BYTES);
  const bytes = new Uint8Array(lengthBytes);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { code, value } of options) {
    view.setUint16(at, code, littleEndian);
    view.setUint16(at + OPTION_LENGTH, value.length, littleEndian);
    bytes.set(value, at + OPTION_HEADER_BYTES);
    at += OPTION_HEADER_BYTES + paddedLength(value.length);
  }
  return bytes;
}

/**
 * A text option, in UTF-8.
 *
 * @throws RoceError `invalid-argument` if it is not a string, or is longer than 65535 bytes
 */
function textOption(code: number, text: string, where: string): PcapngOption {
  if (typeof text !== 'string') throw writeRejected(where, text, 'a string');
  const value = new TextEncoder().encode(text);
  if (value.length <= MAX_OPTION_BYTES) return { code, value };
  const allowed = { max: MAX_OPTION_BYTES, unit: 'bytes of UTF-8' };
  throw writeRejected(where, value.length, allowed, { what: 'the length of the text' });
}

/** @throws RoceError `invalid-argument` like `textOption` */
function commentOptions(comments: readonly string[], where: string): PcapngOption[] {
  return comments.map((text, index) => textOption(OPTION_COMMENT, text, `${where}[${index}]`));
}

/** Option if_tsoffset, a signed 64-bit number. */
function offsetOption(seconds: number, littleEndian: boolean): PcapngOption {
  const value = new Uint8Array(8);
  new DataView(value.buffer).setBigInt64(0, BigInt(seconds), littleEndian);
  return { code: OPTION_IF_TSOFFSET, value };
}

/** Pads a length to a multiple of 4 bytes, where everything in a block begins. */
function paddedLength(lengthBytes: number): number {
  return Math.ceil(lengthBytes / 4) * 4;
}

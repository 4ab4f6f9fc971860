/**
 * Reads pcap, pcapng and snoop, plain or compressed, from a stream, in constant memory: a window of twice `batchBytes`,
 * which grows only for longer records (up to twice MAX_BLOCK_BYTES), plus the columns of one batch.
 *
 *   source -> chunks -> decompression, if needed -> window -> parser of the format -> batch
 *
 * Frames before a damaged part are always delivered before the error, except in damaged compressed data (see
 * transform-chunks.ts). A format that is not read is named in the error.
 *
 * Sources of these names: lz4_Frame_format.md (frame and legacy magic); `bzip2.c`; The .xz File Format, section 2.1.1.1;
 * PKWARE APPNOTE, section 4.3.7; 7zFormat.txt; Wireshark, `wiretap/netmon.c` and `wiretap/ngsniffer.c`. gzip and zstd
 * appear there to detect files that are compressed twice.
 */
import { RoceError, lengthError } from '../errors.js';
import { CaptureBatch, type CaptureFrame, copyFrame, MAX_CAPTURED_BYTES } from './frame.js';
import { PcapParser, pcapVariant } from './pcap.js';
import { PCAPNG_SECTION_HEADER, PcapngParser } from './pcapng.js';
import { ByteWindow, type RecordParser } from './record-parser.js';
import { SNOOP_MAGIC, SnoopParser } from './snoop.js';
import { DecompressedChunks, sourceChunks, type CaptureSource, type ProgressListener,
  compressionOf } from './source.js';

/** Maximum of `maxFrames`. */
export const MAX_BATCH_FRAMES = 1 << 20;
/** Default of `maxFrames`. */
export const DEFAULT_BATCH_FRAMES = 4096;
/** Default of `batchBytes`. */
export const DEFAULT_BATCH_BYTES = 256 * 1024;

/** Options of all readers of captures. */
export interface ReadCaptureOptions {
  /** Called after each chunk of the source with the bytes read so far, before decompression. */
  readonly onProgress?: ProgressListener | undefined;
  /**
   * Bytes to gather before frames are returned, 1 to MAX_CAPTURED_BYTES; default DEFAULT_BATCH_BYTES. 1 returns frames as
   * soon as a chunk completes them, for live sources.
   */
  readonly batchBytes?: number | undefined;
}

/** Options of the readers that return batches. */
export interface ReadBatchesOptions extends ReadCaptureOptions {
  /** Maximum frames per batch, 1 to MAX_BATCH_FRAMES; default DEFAULT_BATCH_FRAMES. */
  readonly maxFrames?: number | undefined;
}

/** Bytes to read before the format is determined, if the file is long enough. */
const PEEK_BYTES = 16;
/** Hint in errors for a file that ends within a header or record. */
const CUT = 'The file was cut';
const READ_FORMATS = 'pcap, pcapng or snoop, plain or in gzip or zstd';
const WHERE = 'byte offset 0 of the capture';
const MAGIC_BYTES = 4;
/** Maximum length of a text quoted in a message. */
const SHOWN_CHARACTERS = 40;

/**
 * Reads the frames of a capture, in file order, each with a copy of its bytes. This is convenient but slow, with one
 * promise per frame: `readCaptureBatches` is faster.
 *
 * @throws RoceError `invalid-capture` for a damaged, empty or unknown file, with the byte offset in `where`, after the
 * frames before it; `invalid-argument` for an invalid option or source. Errors of the source pass through.
 *
 * @example
 * for await (const frame of readCapture(file.stream())) {
 *   if (frame.linkType === LINK_TYPE_ETHERNET) count(frame.bytes);
 * }
 */
export function readCapture(source: CaptureSource,
  options: ReadCaptureOptions = {}): AsyncGenerator<CaptureFrame, undefined> {
  return framesOf(readCaptureBatches(source, options));
}

/**
 * Reads the frames of a capture, in file order, in batches. One batch object is reused: it is valid until the next one is
 * requested. A batch is never empty.
 *
 * @throws RoceError like `readCapture`
 *
 * @example
 * for await (const batch of readCaptureBatches(source, { maxFrames: 1024 })) {
 *   for (let i = 0; i < batch.count; i++) total += batch.originalBytes[i];
 * }
 */
export function readCaptureBatches(source: CaptureSource,
  options: ReadBatchesOptions = {}): AsyncGenerator<CaptureBatch, undefined> {
  if (typeof options !== 'object' || (options as unknown) === null) {
    throw new RoceError('invalid-argument', { where: 'options', got: options, allowed: 'a record of options' });
  }
  const maxFrames = checkedOption('maxFrames', options.maxFrames ?? DEFAULT_BATCH_FRAMES, MAX_BATCH_FRAMES);
  const batchBytes = checkedOption('batchBytes', options.batchBytes ?? DEFAULT_BATCH_BYTES, MAX_CAPTURED_BYTES);
  const decompressed = new DecompressedChunks(sourceChunks(source, options.onProgress));
  return batchesOf(decompressed, new Inlet(decompressed.chunks, batchBytes), maxFrames);
}

async function* framesOf(batches: AsyncGenerator<CaptureBatch, undefined>): AsyncGenerator<CaptureFrame, undefined> {
  for await (const batch of batches) {
    for (let i = 0; i < batch.count; i++) yield copyFrame(batch, i);
  }
}

async function* batchesOf(decompressed: DecompressedChunks, inlet: Inlet,
  maxFrames: number): AsyncGenerator<CaptureBatch, undefined> {
  const { window } = inlet;
  const batch = new CaptureBatch(maxFrames);
  try {
    const parser = await openParser(inlet, decompressed);
    for (;;) {
      const step = parseStep(parser, window, batch);
      if (batch.count > 0) {
        batch.bytes = window.bytes;
        yield batch;
        batch.count = 0;
      }
      if ('error' in step) throw step.error;
      if (step.neededBytes === 0) continue;
      if (inlet.ended) {
        checkEnd(inlet, parser, step.neededBytes);
        return;
      }
      await inlet.fill(step.neededBytes);
    }
  } finally {
    await inlet.close();
  }
}

/** Holds back an error until the frames before it are delivered. */
function parseStep(parser: RecordParser, window: ByteWindow, batch: CaptureBatch): { neededBytes: number } | {
  error: unknown;
} {
  try {
    return { neededBytes: parser.parse(window, batch) };
  } catch (error) {
    return { error };
  }
}

function checkEnd(inlet: Inlet, parser: RecordParser, neededBytes: number): void {
  const { window } = inlet;
  if (inlet.failure !== undefined) throw inlet.failure.error;
  if (window.length === 0 && parser.isAtBorder()) return;
  const offset = window.streamOffset(window.start);
  const layer = offset === 0 ? 'file header' : 'record';
  const fields = { layer, offset, required: neededBytes, available: window.length, hint: CUT };
  throw lengthError({ code: 'invalid-capture', ...fields, where: `byte offset ${offset} of the capture` });
}

async function openParser(inlet: Inlet, decompressed: DecompressedChunks): Promise<RecordParser> {
  const { window } = inlet;
  await inlet.fill(PEEK_BYTES);
  if (inlet.failure !== undefined && window.length < PEEK_BYTES) throw inlet.failure.error;
  return parserOf(window, decompressed.compression);
}

function checkedOption(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new RoceError('invalid-argument', { where: name, got: value, allowed: { min: 1, max, multipleOf: 1 } });
}

/**
 * Fills a window from a sequence of chunks. If the source fails, the error is kept until all received bytes are read,
 * so no frame before it is lost.
 */
class Inlet {
  readonly window: ByteWindow;
  /** Whether the window has received its last bytes. */
  ended = false;
  /** The source's error, if it failed. */
  failure: { readonly error: unknown } | undefined;

  readonly #chunks: AsyncGenerator<Uint8Array, undefined>;
  readonly #fillBytes: number;
  #chunk: Uint8Array = new Uint8Array(0);
  #chunkOffset = 0;

  /** @param fillBytes number of bytes to gather before returning, as far as available */
  constructor(chunks: AsyncGenerator<Uint8Array, undefined>, fillBytes: number) {
    this.#chunks = chunks;
    this.#fillBytes = fillBytes;
    this.window = new ByteWindow(Math.max(2 * fillBytes, 4096));
  }

  /** Reads until the window holds at least `neededBytes` and `fillBytes`, or the source ends. */
  async fill(neededBytes: number): Promise<void> {
    const targetBytes = Math.max(neededBytes, this.#fillBytes);
    while (this.window.length < targetBytes) {
      if (this.#chunkOffset === this.#chunk.length && !(await this.#nextChunk())) return;
      this.#chunkOffset += this.window.append(this.#chunk, this.#chunkOffset);
    }
  }

  /** Closes the source. */
  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  async #nextChunk(): Promise<boolean> {
    try {
      do {
        const next = await this.#chunks.next();
        if (next.done === true) {
          this.ended = true;
          return false;
        }
        this.#chunk = next.value;
      } while (this.#chunk.length === 0);
      this.#chunkOffset = 0;
      return true;
    } catch (error) {
      this.ended = true;
      this.failure = { error };
      return false;
    }
  }
}

interface ForeignFormat {
  readonly name: string;
  /** The first bytes, or a string of the same character codes. */
  readonly magic: readonly number[] | string;
  readonly remedy: string;
}

const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  { name: 'lz4', magic: [0x04, 0x22, 0x4d, 0x18], remedy: 'Decompress it with lz4 -d' },
  { name: 'lz4 (legacy)', magic: [0x02, 0x21, 0x4c, 0x18], remedy: 'Decompress it with lz4 -d' },
  { name: 'bzip2', magic: 'BZh', remedy: 'Decompress it with bzip2 -d' },
  { name: 'xz', magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], remedy: 'Decompress it with xz -d' },
  { name: 'zip', magic: 'PK\u0003\u0004', remedy: 'Extract it with unzip' },
  { name: '7z', magic: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], remedy: 'Extract it with 7z x' },
  { name: 'Network Monitor 1', magic: 'RTSS', remedy: 'Convert it with editcap -F pcapng' },
  { name: 'Network Monitor 2', magic: 'GMBU', remedy: 'Convert it with editcap -F pcapng' },
  { name: 'Sniffer', magic: 'TRSNIFF data', remedy: 'Convert it with editcap -F pcapng' },
];

/** Recognises a file's format by its first bytes. @throws RoceError that names a format that is not read. */
function parserOf(window: ByteWindow, compression: string | undefined): RecordParser {
  const { view, length } = window;
  if (length === 0) throw empty(compression);
  if (length < MAGIC_BYTES) {
    const fields = { layer: 'file header', offset: 0, required: MAGIC_BYTES, available: length, hint: CUT };
    throw lengthError({ code: 'invalid-capture', ...fields, where: WHERE });
  }
  const head = window.bytes.subarray(window.start, window.end);
  return pcapParser(view, true) ?? pcapParser(view, false) ?? otherParser(view, head) ?? rejectFormat(head);
}

function pcapParser(view: DataView, littleEndian: boolean): RecordParser | undefined {
  const variant = pcapVariant(view.getUint32(0, littleEndian));
  return variant === undefined ? undefined : new PcapParser(variant, littleEndian);
}

function otherParser(view: DataView, head: Uint8Array): RecordParser | undefined {
  if (view.getUint32(0) === PCAPNG_SECTION_HEADER) return new PcapngParser();
  return beginsWith(head, SNOOP_MAGIC) ? new SnoopParser() : undefined;
}

function empty(compression: string | undefined): RoceError {
  const what = compression === undefined ? 'the file' : `the content of the ${compression} stream`;
  return new RoceError('invalid-capture', {
    what,
    problem: 'is empty (0 bytes)',
    allowed: READ_FORMATS,
    where: WHERE,
  });
}

function rejectFormat(head: Uint8Array): never {
  const { name, remedy } = foreignFormat(head) ?? textFormat(head) ?? { name: hexOf(head), remedy: undefined };
  const hint = remedy === undefined ? {} : { hint: remedy };
  const fields = { what: 'the format', got: name, allowed: READ_FORMATS, where: WHERE };
  throw new RoceError('invalid-capture', { ...fields, ...hint });
}

function foreignFormat(head: Uint8Array): { readonly name: string; readonly remedy: string } | undefined {
  const twice = compressionOf(head);
  if (twice !== undefined) return { name: `${twice} in a compressed file`, remedy: 'Decompress it once first' };
  return FOREIGN_FORMATS.find(({ magic }) => beginsWith(head, typeof magic === 'string' ? codesOf(magic) : magic));
}

/** A log, JSON or a hex dump passed as a capture is a common mistake. */
function textFormat(head: Uint8Array): { readonly name: string; readonly remedy: string } | undefined {
  const text = asText(head.subarray(0, SHOWN_CHARACTERS));
  if (text === undefined) return undefined;
  return { name: 'text', remedy: `It begins with ${JSON.stringify(text.trimStart().split('\n', 1)[0])}` };
}

function asText(bytes: Uint8Array): string | undefined {
  try {
    // In stream mode, an incomplete last character is not an error.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function hexOf(head: Uint8Array): string {
  const bytes = [...head.subarray(0, MAGIC_BYTES)].map((byte) => byte.toString(16).padStart(2, '0'));
  return `magic number 0x${bytes.join('')}`;
}

function codesOf(text: string): readonly number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function beginsWith(head: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => head[index] === byte);
}

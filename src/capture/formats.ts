/**
 * Recognises a file's format by its first bytes: returns a parser, or an error that names the format.
 *
 * Sources of the names that are only recognised: lz4_Frame_format.md (frame and legacy magic); `bzip2.c`; The .xz File
 * Format, section 2.1.1.1; PKWARE APPNOTE, section 4.3.7; 7zFormat.txt; Wireshark, `wiretap/netmon.c` and
 * `wiretap/ngsniffer.c`. gzip and zstd appear here to detect files that are compressed twice.
 */
import { RoceError, lengthError } from '../errors.js';
import type { ByteWindow, RecordParser } from './record-parser.js';
import { compressionOf } from './source.js';
import { PcapParser, pcapVariant } from './pcap.js';
import { PCAPNG_SECTION_HEADER, PcapngParser } from './pcapng.js';
import { SNOOP_MAGIC, SnoopParser } from './snoop.js';

/** Bytes to read before the format is determined, if the file is long enough. */
export const PEEK_BYTES = 16;

/** Hint in errors for a file that ends within a header or record. */
export const CUT = 'The file was cut';

const READ_FORMATS = 'pcap, pcapng or snoop, plain or in gzip or zstd';
const WHERE = 'byte offset 0 of the capture';
const MAGIC_BYTES = 4;
/** Maximum length of a text quoted in a message. */
const SHOWN_CHARACTERS = 40;

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

/**
 * Chooses the parser for the file in the window.
 *
 * @param compression the compression of the bytes, for the error about an empty file
 * @throws RoceError `invalid-capture` for any other file, naming its format if known
 */
export function parserOf(window: ByteWindow, compression: string | undefined): RecordParser {
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

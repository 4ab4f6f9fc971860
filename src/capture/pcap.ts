/**
 * The classic pcap format, and its variants.
 *
 * File header, 24 bytes: magic u32 | major u16 | minor u16 | 8 reserved | snap length u32 | link type (low 16 bits) and
 * FCS hint (high 16 bits, not reported). Record header, 16 bytes: seconds u32 | fraction u32 | captured u32 | original
 * u32, then the frame, not padded. The magic determines the byte order and the variant: the unit of the fraction, and
 * extra header fields, which are skipped.
 *
 * A fraction of a second or more is carried into the seconds. A captured length above the original one is reported
 * unchanged.
 *
 * Known deviation: libpcap ss990915 wrote the magic of the modified variant with record headers of 28 bytes, which can
 * only be recognised by guessing; reading such a file fails with an error.
 *
 * Sources: draft-ietf-opsawg-pcap, sections 4 and 5; libpcap, `sf-pcap.c` (the modified format of A. Kuznetzov: each
 * record header ends with interface index u32 | protocol u16 | packet type u8 | padding u8); Wireshark,
 * `wiretap/libpcap.c` and its issue 14073 (lcap of IXIA: the file header ends with the length of all records, u32).
 */
import { type CaptureBatch, capturedBytesLimit, invalidCapture } from './frame.js';
import type { ByteWindow, RecordParser } from './record-parser.js';

/** Offsets in the file header and in a record header. */
const HEADER_MAJOR = 4;
const HEADER_SNAP_LENGTH = 16;
const HEADER_LINK_TYPE = 20;
const MAJOR_VERSION = 2;

const RECORD_FRACTION = 4;
const RECORD_CAPTURED = 8;
const RECORD_ORIGINAL = 12;

const PICOSECONDS_PER_SECOND = 1e12;

/** Properties of a variant. */
interface PcapVariant {
  /** Read in the file's byte order. */
  readonly magic: number;
  /** Unit of the fraction of a second. */
  readonly picosecondsPerUnit: number;
  readonly fileHeaderBytes: number;
  readonly recordHeaderBytes: number;
}

const MICROSECOND_PS = 1e6;
const NANOSECOND_PS = 1e3;

const STANDARD = {
  magic: 0xa1b2c3d4,
  picosecondsPerUnit: MICROSECOND_PS,
  fileHeaderBytes: 24,
  recordHeaderBytes: 16,
} as const;

/** The magic numbers that writers use. */
export const PCAP_MAGIC_MICROSECONDS = STANDARD.magic;
export const PCAP_MAGIC_NANOSECONDS = 0xa1b23c4d;

const VARIANTS: readonly PcapVariant[] = [
  STANDARD,
  { ...STANDARD, magic: PCAP_MAGIC_NANOSECONDS, picosecondsPerUnit: NANOSECOND_PS },
  // The modified format.
  { ...STANDARD, magic: 0xa1b2cd34, recordHeaderBytes: 24 },
  // IXIA's lcap: first its hardware captures, then its software captures.
  { ...STANDARD, magic: 0x1c0001ac, picosecondsPerUnit: NANOSECOND_PS, fileHeaderBytes: 28 },
  { ...STANDARD, magic: 0x1c0001ab, fileHeaderBytes: 28 },
];

/** The variant with this magic number; undefined if unknown. */
export function pcapVariant(magic: number): PcapVariant | undefined {
  return VARIANTS.find((variant) => variant.magic === magic);
}

/** Reads a file of one variant and byte order. */
export class PcapParser implements RecordParser {
  readonly #littleEndian: boolean;
  readonly #variant: PcapVariant;
  #headerRead = false;
  #linkType = 0;
  #maxCapturedBytes = 0;

  constructor(variant: PcapVariant, littleEndian: boolean) {
    this.#variant = variant;
    this.#littleEndian = littleEndian;
  }

  isAtBorder(): boolean {
    return this.#headerRead;
  }

  parse(window: ByteWindow, batch: CaptureBatch): number {
    const { fileHeaderBytes, recordHeaderBytes } = this.#variant;
    if (!this.#headerRead) {
      if (window.length < fileHeaderBytes) return fileHeaderBytes;
      this.#readHeader(window);
    }
    while (batch.count < batch.capacity) {
      if (window.length < recordHeaderBytes) return recordHeaderBytes;
      const recordBytes = recordHeaderBytes + this.#capturedBytesAt(window);
      if (window.length < recordBytes) return recordBytes;
      this.#readRecord(window, batch);
      window.start += recordBytes;
    }
    return 0;
  }

  #readHeader(window: ByteWindow): void {
    const { view, start } = window;
    const major = view.getUint16(start + HEADER_MAJOR, this.#littleEndian);
    if (major !== MAJOR_VERSION) {
      throw invalidCapture('the major version of pcap', major, MAJOR_VERSION,
        window.streamOffset(start + HEADER_MAJOR));
    }
    this.#maxCapturedBytes = capturedBytesLimit(view.getUint32(start + HEADER_SNAP_LENGTH, this.#littleEndian));
    this.#linkType = view.getUint32(start + HEADER_LINK_TYPE, this.#littleEndian) & 0xffff;
    this.#headerRead = true;
    window.start += this.#variant.fileHeaderBytes;
  }

  #capturedBytesAt(window: ByteWindow): number {
    const capturedBytes = window.view.getUint32(window.start + RECORD_CAPTURED, this.#littleEndian);
    if (capturedBytes <= this.#maxCapturedBytes) return capturedBytes;
    const allowed = { max: this.#maxCapturedBytes, unit: 'bytes' };
    throw invalidCapture('the captured length', capturedBytes, allowed, window.streamOffset(window.start));
  }

  #readRecord(window: ByteWindow, batch: CaptureBatch): void {
    const { view, start } = window;
    const { picosecondsPerUnit, recordHeaderBytes } = this.#variant;
    const fractionPs = view.getUint32(start + RECORD_FRACTION, this.#littleEndian) * picosecondsPerUnit;
    const carrySeconds = Math.floor(fractionPs / PICOSECONDS_PER_SECOND);
    const i = batch.count++;
    batch.offsets[i] = start + recordHeaderBytes;
    batch.capturedBytes[i] = view.getUint32(start + RECORD_CAPTURED, this.#littleEndian);
    batch.originalBytes[i] = view.getUint32(start + RECORD_ORIGINAL, this.#littleEndian);
    batch.timed[i] = 1;
    batch.epochSeconds[i] = view.getUint32(start, this.#littleEndian) + carrySeconds;
    batch.picoseconds[i] = fractionPs - carrySeconds * PICOSECONDS_PER_SECOND;
    batch.linkTypes[i] = this.#linkType;
    batch.interfaceIds[i] = 0;
    batch.sections[i] = 0;
  }
}

/**
 * Writes the classic pcap format; pcap.ts describes its layout.
 *
 * The high half of the link type field states the frame check sequence: bits 28 to 31 its length in 16-bit words, valid
 * when bit 26 is set. (Texts that place the flag at bit 28 contradict libpcap, whose reader decides.)
 *
 * Source: draft-ietf-opsawg-pcap, sections 4 and 5; libpcap, pcap/pcap.h (LT_FCS_LENGTH, LT_FCS_LENGTH_PRESENT).
 */
import { type ChunkSink, type RecordEncoder, checkLinkType, checkSnapLength, frameRejected, type CheckedFrame,
  type PcapngBlock } from './record-encoder.js';
import { PCAP_MAGIC_MICROSECONDS, PCAP_MAGIC_NANOSECONDS } from './pcap.js';
import type { ResolvedCommon, ResolvedPcap } from './write-options.js';

const HEADER_BYTES = 24;
const HEADER_MAJOR = 4;
const HEADER_MINOR = 6;
const HEADER_SNAP_LENGTH = 16;
const HEADER_LINK_TYPE = 20;
const MAJOR_VERSION = 2;
const MINOR_VERSION = 4;

const FCS_LENGTH_PRESENT = 0x04000000;
const FCS_LENGTH_UNIT = 2 ** 28;
const FCS_WORD_BYTES = 2;

const RECORD_BYTES = 16;
const RECORD_FRACTION = 4;
const RECORD_CAPTURED = 8;
const RECORD_ORIGINAL = 12;

const MAX_EPOCH_SECONDS = 0xffffffff;
const PICOSECONDS_PER_MICROSECOND = 1e6;
const PICOSECONDS_PER_NANOSECOND = 1e3;

export class PcapEncoder implements RecordEncoder {
  readonly #sink: ChunkSink;
  readonly #common: ResolvedCommon;
  readonly #options: ResolvedPcap;
  readonly #picosecondsPerUnit: number;

  constructor(sink: ChunkSink, common: ResolvedCommon, options: ResolvedPcap) {
    this.#sink = sink;
    this.#common = common;
    this.#options = options;
    this.#picosecondsPerUnit = options.resolution === 'us' ? PICOSECONDS_PER_MICROSECOND : PICOSECONDS_PER_NANOSECOND;
  }

  begin(): void {
    const { littleEndian } = this.#common;
    const { resolution, linkType, snapLengthBytes, fcsLengthBytes } = this.#options;
    const start = this.#sink.reserve(HEADER_BYTES);
    const { view } = this.#sink;
    view.setUint32(start, resolution === 'us' ? PCAP_MAGIC_MICROSECONDS : PCAP_MAGIC_NANOSECONDS, littleEndian);
    view.setUint16(start + HEADER_MAJOR, MAJOR_VERSION, littleEndian);
    view.setUint16(start + HEADER_MINOR, MINOR_VERSION, littleEndian);
    view.setUint32(start + HEADER_SNAP_LENGTH, snapLengthBytes, littleEndian);
    view.setUint32(start + HEADER_LINK_TYPE, fcsHint(fcsLengthBytes) + linkType, littleEndian);
  }

  addFrame(frame: CheckedFrame): void {
    const { littleEndian } = this.#common;
    this.#check(frame);
    const fraction = Math.floor(frame.picoseconds / this.#picosecondsPerUnit);
    const start = this.#sink.reserve(RECORD_BYTES + frame.bytes.length);
    const { view, bytes } = this.#sink;
    view.setUint32(start, frame.epochSeconds, littleEndian);
    view.setUint32(start + RECORD_FRACTION, fraction, littleEndian);
    view.setUint32(start + RECORD_CAPTURED, frame.bytes.length, littleEndian);
    view.setUint32(start + RECORD_ORIGINAL, frame.originalBytes, littleEndian);
    bytes.set(frame.bytes, start + RECORD_BYTES);
  }

  addBlock(block: PcapngBlock, index: number): void {
    throw frameRejected(index, 'block', block.type, 'absent', { hint: 'Only pcapng has blocks' });
  }

  end(): void {
    // A pcap file has no trailer.
  }

  #check(frame: CheckedFrame): void {
    checkLinkType(frame, this.#options.linkType);
    checkSnapLength(frame, this.#options.snapLengthBytes);
    const { index, comments, hasTime, epochSeconds, picoseconds } = frame;
    if (comments.length > 0) {
      throw frameRejected(index, 'comments', comments, 'absent', { hint: 'Only pcapng has comments' });
    }
    if (!hasTime || epochSeconds < 0 || epochSeconds > MAX_EPOCH_SECONDS) {
      const allowed = { min: 0, max: MAX_EPOCH_SECONDS, unit: 's' };
      throw frameRejected(index, 'epochSeconds', hasTime ? epochSeconds : undefined, allowed);
    }
    if (this.#common.timeRounding === 'exact' && picoseconds % this.#picosecondsPerUnit !== 0) {
      const allowed = { multipleOf: this.#picosecondsPerUnit, unit: 'ps' };
      throw frameRejected(index, 'picoseconds', picoseconds, allowed, { hint: 'timeRounding truncate rounds' });
    }
  }
}

function fcsHint(fcsLengthBytes: number | undefined): number {
  return fcsLengthBytes === undefined ? 0 : (fcsLengthBytes / FCS_WORD_BYTES) * FCS_LENGTH_UNIT + FCS_LENGTH_PRESENT;
}

/** Options of the writers, with defaults. They are validated before the first byte is written. */
import { requireChoice, requireField } from '../wire/bytes.js';
import { writeRejected } from './record-encoder.js';
import { MAX_CAPTURED_BYTES, MAX_INTERFACES } from './frame.js';
import { LINK_TYPE_ETHERNET } from './link-types.js';

/** Byte order of a file's numbers; frames are never changed. */
export type CaptureByteOrder = 'little' | 'big';

/**
 * How to write a time that lies between two ticks: `truncate` uses the tick before it, `exact` rejects the frame. Times
 * are compared in whole picoseconds, as the reader reports them, so a time that was read is always written back
 * unchanged.
 */
export type TimeRounding = 'truncate' | 'exact';

interface CommonWriteOptions {
  /** Whether the file is compressed. Default: false. The same frames and options give the same bytes on the same platform. */
  readonly gzip?: boolean;
  /** Byte order of the file. Default: `little`. */
  readonly byteOrder?: CaptureByteOrder;
  /** How to write times between two ticks. Default: `truncate`. */
  readonly timeRounding?: TimeRounding;
  /** Minimum size of returned chunks, 1 to 16 MiB; a longer record makes a longer chunk. Default: 65536. */
  readonly chunkBytes?: number;
}

/**
 * A classic pcap file: one link type, every frame with a time from 1970 to 2106. It has no sections and interfaces
 * (their numbers in frames are ignored) and no comments (rejected).
 */
export interface PcapWriteOptions extends CommonWriteOptions {
  /** The classic format, with one link type. */
  readonly format: 'pcap';
  /** Time unit: microseconds or nanoseconds, indicated by the magic. Default: `ns`. */
  readonly resolution?: 'us' | 'ns';
  /** 0 to 65535. Default: Ethernet. A frame with another link type is rejected. */
  readonly linkType?: number;
  /** Maximum captured bytes of a frame, 0 = no limit. Default: 262144, as in capture programs. */
  readonly snapLengthBytes?: number;
  /** Length of the frame check sequence at the end of each frame, bytes; even, 0 to 30. Default: not stated. */
  readonly fcsLengthBytes?: number;
}

/** An interface of a pcapng section. */
export interface PcapngInterface {
  /** 0 to 65535. Default: Ethernet. A frame of this interface with another link type is rejected. */
  readonly linkType?: number;
  /** Maximum captured bytes of a frame, 0 = no limit. Default: 0. */
  readonly snapLengthBytes?: number;
  /**
   * Option if_tsresol, a byte: ticks of 10^-n s, or of 2^-n s with 0x80 added. Default: 9, nanoseconds. The count of
   * ticks has 64 bits, so picoseconds (12) reach only 213 days from `tsoffsetSeconds`; some tools misread clocks finer
   * than 10.
   */
  readonly tsresol?: number;
  /** Option if_tsoffset: seconds that a reader adds to each time, an integer, may be negative. Default: 0. */
  readonly tsoffsetSeconds?: number;
  /** Option if_name. Default: none. */
  readonly name?: string;
  /** Options opt_comment. Default: none. */
  readonly comments?: readonly string[];
}

/** A section of a pcapng file. */
export interface PcapngSection {
  /** Byte order of the section. Default: the file's. */
  readonly byteOrder?: CaptureByteOrder;
  /** At most 65536; a frame's `interfaceId` is an index into this list. May be empty if the section has no frames. */
  readonly interfaces: readonly PcapngInterface[];
  /** Option shb_userappl, the program that wrote the file. Default: none. */
  readonly application?: string;
  /** Options opt_comment. Default: none. */
  readonly comments?: readonly string[];
}

/** A pcapng file. A frame without a time becomes a simple packet block, which belongs to interface 0 and has no comments. */
export interface PcapngWriteOptions extends CommonWriteOptions {
  /** The block-based format, with several interfaces. */
  readonly format: 'pcapng';
  /** At least one; all are written, including those without frames. Default: one section with one Ethernet interface. */
  readonly sections?: readonly PcapngSection[];
}

/** Options of the writers, distinguished by `format`. */
export type WriteCaptureOptions = PcapWriteOptions | PcapngWriteOptions;

/** Default of `chunkBytes`. */
export const DEFAULT_CHUNK_BYTES = 65536;
/** Default of `snapLengthBytes` in a pcap file: libpcap's largest (MAXIMUM_SNAPLEN). */
export const DEFAULT_PCAP_SNAP_LENGTH_BYTES = 262144;
/** Default of `tsresol`: nanoseconds. */
export const DEFAULT_WRITE_RESOLUTION = 9;

const MAX_U16 = 0xffff;
const MAX_U32 = 0xffffffff;
/** The length is stored in 16-bit words, in four bits. */
const MAX_FCS_BYTES = 30;

/** The options with defaults filled in. */
export interface ResolvedCommon {
  readonly gzip: boolean;
  readonly littleEndian: boolean;
  readonly timeRounding: TimeRounding;
  readonly chunkBytes: number;
}

export interface ResolvedPcap {
  readonly resolution: 'us' | 'ns';
  readonly linkType: number;
  readonly snapLengthBytes: number;
  readonly fcsLengthBytes: number | undefined;
}

export interface ResolvedInterface {
  readonly linkType: number;
  readonly snapLengthBytes: number;
  readonly tsresol: number;
  readonly tsoffsetSeconds: number;
  readonly name: string | undefined;
  readonly comments: readonly string[];
}

export interface ResolvedSection {
  readonly littleEndian: boolean;
  readonly interfaces: readonly ResolvedInterface[];
  readonly application: string | undefined;
  readonly comments: readonly string[];
}

/** @throws RoceError `invalid-argument` naming the option */
export function resolveCommon(options: WriteCaptureOptions): ResolvedCommon {
  requireObject('options', options);
  const { gzip = false, byteOrder = 'little', timeRounding = 'truncate', chunkBytes = DEFAULT_CHUNK_BYTES } = options;
  requireChoice('format', options.format, ['pcap', 'pcapng']);
  requireChoice('timeRounding', timeRounding, ['truncate', 'exact']);
  requireRange('chunkBytes', chunkBytes, 1, MAX_CAPTURED_BYTES);
  if (typeof gzip !== 'boolean') throw writeRejected('gzip', gzip, [true, false]);
  return { gzip, littleEndian: isLittle('byteOrder', byteOrder), timeRounding, chunkBytes };
}

/** @throws RoceError `invalid-argument` naming the option */
export function resolvePcap(options: PcapWriteOptions): ResolvedPcap {
  const { resolution = 'ns', linkType = LINK_TYPE_ETHERNET, fcsLengthBytes } = options;
  const snapLengthBytes = options.snapLengthBytes ?? DEFAULT_PCAP_SNAP_LENGTH_BYTES;
  requireChoice('resolution', resolution, ['us', 'ns']);
  requireField('linkType', linkType, MAX_U16);
  requireField('snapLengthBytes', snapLengthBytes, MAX_U32);
  if (fcsLengthBytes !== undefined && (fcsLengthBytes % 2 !== 0 || !isWithin(fcsLengthBytes, 0, MAX_FCS_BYTES))) {
    throw writeRejected('fcsLengthBytes', fcsLengthBytes, { min: 0, max: MAX_FCS_BYTES, multipleOf: 2 });
  }
  return { resolution, linkType, snapLengthBytes, fcsLengthBytes };
}

/** @throws RoceError `invalid-argument` naming the option, its section and its interface */
export function resolveSections(options: PcapngWriteOptions): readonly ResolvedSection[] {
  const { sections = [{ interfaces: [{}] }], byteOrder = 'little' } = options;
  requireList('sections', sections);
  if (sections.length === 0) throw writeRejected('sections', sections, 'a list of at least one section');
  return sections.map((section, index) => resolveSection(section, byteOrder, `sections[${index}]`));
}

function resolveSection(section: PcapngSection, fileOrder: CaptureByteOrder, where: string): ResolvedSection {
  requireObject(where, section);
  const { interfaces, byteOrder = fileOrder, application, comments = [] } = section;
  requireList(`${where}.interfaces`, interfaces);
  requireList(`${where}.comments`, comments);
  if (interfaces.length > MAX_INTERFACES) {
    const what = 'the number of interfaces';
    throw writeRejected(`${where}.interfaces`, interfaces.length, { max: MAX_INTERFACES }, { what });
  }
  return {
    littleEndian: isLittle(`${where}.byteOrder`, byteOrder),
    interfaces: interfaces.map((port, index) => resolveInterface(port, `${where}.interfaces[${index}]`)),
    application,
    comments,
  };
}

function resolveInterface(port: PcapngInterface, where: string): ResolvedInterface {
  requireObject(where, port);
  const {
    linkType = LINK_TYPE_ETHERNET,
    snapLengthBytes = 0,
    tsresol = DEFAULT_WRITE_RESOLUTION,
    tsoffsetSeconds = 0,
    comments = [],
  } = port;
  requireField(`${where}.linkType`, linkType, MAX_U16);
  requireField(`${where}.snapLengthBytes`, snapLengthBytes, MAX_U32);
  requireField(`${where}.tsresol`, tsresol, 0xff);
  requireList(`${where}.comments`, comments);
  requireRange(`${where}.tsoffsetSeconds`, tsoffsetSeconds, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  return { linkType, snapLengthBytes, tsresol, tsoffsetSeconds, name: port.name, comments };
}

function isLittle(where: string, byteOrder: CaptureByteOrder): boolean {
  requireChoice(where, byteOrder, ['little', 'big']);
  return byteOrder === 'little';
}

function requireObject(where: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) throw writeRejected(where, value, 'an object');
}

function requireList(where: string, value: unknown): void {
  if (!Array.isArray(value)) throw writeRejected(where, value, 'a list');
}

function requireRange(where: string, value: number, min: number, max: number): void {
  if (!isWithin(value, min, max)) throw writeRejected(where, value, { min, max, multipleOf: 1 });
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

/** The variants of pcap, snoop, and the formats that are recognised but not read. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { linkTypeName } from '../../src/capture/index.js';
import { localBytes } from './support/corpus.js';
import { joinBytes } from './support/pcapng-build.js';
import { expectInvalidCapture, inChunks, readAll, readGood } from './support/read.js';

const FRAME = Uint8Array.of(2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0xb5, 7);
const SECONDS = 1_700_000_000;

function u32s(littleEndian: boolean, ...values: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, index) => {
    view.setUint32(4 * index, value, littleEndian);
  });
  return new Uint8Array(view.buffer);
}

interface Variant {
  readonly name: string;
  readonly magic: number;
  readonly unitPs: number;
  /** Extra bytes after the file header; `recordExtra`: after each record header. */
  readonly fileExtra?: number;
  readonly recordExtra?: number;
}

const VARIANTS: readonly Variant[] = [
  { name: 'microseconds', magic: 0xa1b2c3d4, unitPs: 1e6 },
  { name: 'nanoseconds', magic: 0xa1b23c4d, unitPs: 1e3 },
  { name: 'modified', magic: 0xa1b2cd34, unitPs: 1e6, recordExtra: 8 },
  { name: 'lcap in hardware', magic: 0x1c0001ac, unitPs: 1e3, fileExtra: 4 },
  { name: 'lcap in software', magic: 0x1c0001ab, unitPs: 1e6, fileExtra: 4 },
];

function pcapFile({ magic, fileExtra = 0, recordExtra = 0 }: Variant, littleEndian: boolean): Uint8Array {
  const version = littleEndian ? 0x0004_0002 : 0x0002_0004;
  const header = [u32s(littleEndian, magic, version, 0, 0, 65_535, 1), new Uint8Array(fileExtra).fill(0xaa)];
  const record = (index: number): Uint8Array[] => [
    u32s(littleEndian, SECONDS, 500 + index, FRAME.length, 60 + index),
    new Uint8Array(recordExtra).fill(0xbb),
    FRAME,
  ];
  return joinBytes([...header, ...record(0), ...record(1)]);
}

describe.each(VARIANTS)('pcap ($name)', (variant) => {
  it.each([true, false])('is read in either byte order, little-endian: %s', async (littleEndian) => {
    const bytes = pcapFile(variant, littleEndian);
    const frames = await readGood(inChunks(bytes, () => 3));
    expect(frames).toMatchObject([0, 1].map((index) => ({
      bytes: FRAME,
      originalBytes: 60 + index,
      epochSeconds: SECONDS,
      picoseconds: (500 + index) * variant.unitPs,
      linkType: 1,
    })));
  });

  it('reports truncation at every length except record boundaries', async () => {
    const bytes = pcapFile(variant, true);
    const { length } = bytes;
    const recordBytes = 16 + (variant.recordExtra ?? 0) + FRAME.length;
    for (let cut = 1; cut < length; cut++) {
      const { error, frames } = await readAll(bytes.subarray(0, cut));
      const atBorder = cut === length - recordBytes || cut === length - 2 * recordBytes;
      if (atBorder) expect(error).toBeUndefined();
      else expectInvalidCapture(error, /needs [\d,]+ bytes, but \d+ (?:is|are) available\. The file was cut\.$/);
      expect(frames).toHaveLength(cut >= length - recordBytes ? 1 : 0);
    }
  });
});

describe('snoop', () => {
  const HEADER = joinBytes([new TextEncoder().encode('snoop\0\0\0'), u32s(false, 2, 4)]);
  const record = (pad: number, lengthBytes = 24 + FRAME.length + pad, microseconds = 7): Uint8Array =>
    joinBytes([u32s(false, 99, FRAME.length, lengthBytes, 0, SECONDS, microseconds), FRAME, new Uint8Array(pad)]);

  it('is read with any padding and in chunks of any size', async () => {
    const bytes = joinBytes([HEADER, record(0), record(1), record(9)]);
    for (const size of [1, 5, 1000]) {
      const frames = await readGood(inChunks(bytes, () => size));
      const frame = { bytes: FRAME, originalBytes: 99, epochSeconds: SECONDS, picoseconds: 7_000_000, linkType: 1 };
      expect(frames).toMatchObject([frame, frame, frame]);
    }
  });

  it('carries microseconds of a second or more into the seconds', async () => {
    const frames = await readGood(joinBytes([HEADER, record(0, undefined, 2_000_003)]));
    expect(frames).toMatchObject([{ epochSeconds: SECONDS + 2, picoseconds: 3_000_000 }]);
  });

  const header = (version: number, datalink: number): Uint8Array =>
    joinBytes([HEADER.subarray(0, 8), u32s(false, version, datalink)]);
  it.each<[string, Uint8Array, RegExp]>([
    ['another version', header(3, 4), /version of snoop must be 2 \(got 3\)/],
    ['another link type', header(2, 8), /datalink type of snoop must be 0 \(IEEE 802\.3\) or 4 \(Ethernet\) \(got 8\)/],
    ['a record shorter than its frame', joinBytes([HEADER, record(0, 30)]), /length of the record must be between 39/],
    [
      'a record of the maximum 32-bit length',
      joinBytes([HEADER, record(0, 0xffff_ffff)]),
      /length of the record must be between/,
    ],
    [
      'a frame of 4 GB',
      joinBytes([HEADER, u32s(false, 1, 0xffff_fff0, 0, 0, 0, 0)]),
      /captured length must be at most/,
    ],
    ['a truncated header', HEADER.subarray(0, 12), /file header at byte 0 needs 16 bytes, but 12 are available/],
  ])('rejects %s', async (_, bytes, message) => {
    expectInvalidCapture((await readAll(bytes)).error, message);
  });
});

describe('a file that is not a capture', () => {
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);
  it.each<[string, Uint8Array, RegExp]>([
    ['lz4', Uint8Array.of(0x04, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7), /got "lz4"\)\. Decompress it with lz4 -d\.$/],
    ['legacy lz4', Uint8Array.of(0x02, 0x21, 0x4c, 0x18, 0, 0, 0), /got "lz4 \(legacy\)"/],
    ['bzip2', text('BZh91AY&SY'), /got "bzip2"\)\. Decompress it with bzip2 -d\.$/],
    ['xz', Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4), /got "xz"\)\. Decompress it with xz -d\.$/],
    ['zip', text('PK\u0003\u0004\u0014\0'), /got "zip"\)\. Extract it with unzip\.$/],
    ['7z', Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4), /got "7z"/],
    ['Network Monitor', text('GMBU\0\u0002\u0001'), /got "Network Monitor 2"\)\. Convert it with editcap/],
    ['JSON', text('{"DEVICE_METADATA": {}}\n'), /got "text"\)\. It begins with "\{\\"DEVICE_METADATA/],
    ['a log', text('12:00:00.1 IP 192.0.2.1 > 192.0.2.2: UDP\n'), /got "text"\)\. It begins with "12:00:00\.1 IP/],
    ['text with umlauts', text('ü'.repeat(50)), /got "text"/],
    ['a text that begins with "snoop"', text('snooping is not snoop'), /got "text"/],
    ['zeros', new Uint8Array(100), /got "magic number 0x00000000"/],
    ['gzip twice', gzipSync(gzipSync(FRAME)), /got "gzip in a compressed file"/],
    ['an empty gzip', gzipSync(''), /content of the gzip stream is empty \(0 bytes\)/],
    ['one byte', Uint8Array.of(0xd4), /file header at byte 0 needs 4 bytes, but 1 is available\. The file was cut\.$/],
  ])('is identified in the error: %s', async (_, bytes, message) => {
    for (const source of [bytes, inChunks(bytes, () => 1)]) {
      expectInvalidCapture((await readAll(source)).error, message);
    }
  });
});

describe('zstd', () => {
  const bytes = localBytes('mixed_50.pcap.zst');
  const isSupported = 'createZstdDecompress' in process.getBuiltinModule('node:zlib');

  it.runIf(!isSupported)('is rejected with advice on how to decompress it where the platform cannot', async () => {
    expectInvalidCapture((await readAll(bytes)).error,
      /in zstd, which .* do not decompress\. Decompress it with zstd -d, or use Node 22\.15/);
  });

  it.runIf(isSupported)('is read between skippable frames, in chunks of any size', async () => {
    const skippable = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9);
    const plain = await readGood(localBytes('mixed_50.pcap'));
    for (const size of [1, 100, 65_536]) {
      expect(await readGood(inChunks(joinBytes([skippable, bytes, skippable]), () => size))).toEqual(plain);
    }
  });

  it.runIf(isSupported)('is reported as damaged when truncated or changed', async () => {
    for (const damagedBytes of [bytes.subarray(0, 3000), bytes.subarray(0, -1), bytes.with(200, 0xff)]) {
      expectInvalidCapture((await readAll(damagedBytes)).error, /the zstd stream is damaged/);
    }
  });
});

describe('names of link types', () => {
  it.each([
    [0, 'BSD loopback (NULL)'],
    [1, 'Ethernet'],
    [12, 'raw IP'],
    [101, 'raw IP'],
    [108, 'OpenBSD loopback (LOOP)'],
    [192, 'PPI'],
    [197, 'ERF'],
    [4711, 'link type 4711'],
  ])('%i is %s', (linkType, name) => {
    expect(linkTypeName(linkType)).toBe(name);
  });
});

import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { type CaptureFrame, viewFrame } from '../../src/capture/frame.js';
import type { FrameToWrite } from '../../src/capture/record-encoder.js';
import { readCaptureFile, writeCaptureFile } from '../../src/capture/node-file.js';
import { readCapture, readCaptureBatches } from '../../src/capture/reader.js';
import type { PcapWriteOptions, WriteCaptureOptions } from '../../src/capture/write-options.js';
import { captureWriteStream, encodeCapture, writeCapture, type CaptureItems } from '../../src/capture/writer.js';
import { CORPUS_FILES, LOCAL_FILES, localBytes } from './support/corpus.js';
import { readAll, readGood } from './support/read.js';

const BYTES = Uint8Array.of(0xa0, 0xa1, 0xa2, 0xa3, 0xa4);
const FRAME: FrameToWrite = {
  bytes: BYTES,
  originalBytes: 9,
  epochSeconds: 1_751_328_000,
  picoseconds: 123_456_789_012,
};

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return new Uint8Array(Buffer.concat(parts));
}

/** Chunks returned before the end, and the error if there was one. */
async function outcome(frames: CaptureItems,
  options: WriteCaptureOptions): Promise<{ bytes: Uint8Array; error: unknown }> {
  const parts: Uint8Array[] = [];
  let error: unknown;
  try {
    for await (const chunk of writeCapture(frames, options)) parts.push(chunk);
  } catch (caught) {
    error = caught;
  }
  return { bytes: new Uint8Array(Buffer.concat(parts)), error };
}

const anyFrame: fc.Arbitrary<CaptureFrame> = fc
  .record({
    bytes: fc.uint8Array({ maxLength: 80 }),
    cutBytes: fc.oneof(fc.constant(0), fc.nat(5000)),
    epochSeconds: fc.integer({ min: 0, max: 0xffffffff }),
    picoseconds: fc.oneof(fc.integer({ min: 0, max: 1e12 - 1 }),
      fc.constantFrom(0, 1, 999, 1000, 999_999, 1_000_000, 1e12 - 1)),
  })
  .map(({ cutBytes, ...frame }) => ({
    ...frame,
    hasTime: true,
    capturedBytes: frame.bytes.length,
    originalBytes: frame.bytes.length + cutBytes,
    linkType: 1,
    interfaceId: 0,
    section: 0,
  }));

describe('frames written as pcap and read back', () => {
  it('are equal, with their times truncated to the resolution of the file', async () => {
    const options = fc.record({
      format: fc.constant('pcap' as const),
      resolution: fc.constantFrom('us' as const, 'ns' as const),
      byteOrder: fc.constantFrom('little' as const, 'big' as const),
      gzip: fc.boolean(),
      snapLengthBytes: fc.constantFrom(0, 80, 262144),
      linkType: fc.constantFrom(0, 1, 101, 276, 65535),
      chunkBytes: fc.integer({ min: 1, max: 400 }),
    });
    await fc.assert(fc.asyncProperty(fc.array(anyFrame, { maxLength: 12 }), options, async (drawn, given) => {
      const frames = drawn.map((frame) => ({ ...frame, linkType: given.linkType }));
      const unitPs = given.resolution === 'us' ? 1_000_000 : 1000;
      const expected = frames.map((frame) => ({
        ...frame,
        picoseconds: frame.picoseconds - (frame.picoseconds % unitPs),
      }));
      expect(await readGood(writeCapture(frames, given))).toEqual(expected);
    }));
  });

  it('are equal through a web stream, and when written one by one', async () => {
    const frames = await readGood(localBytes('mixed_50.pcap'));
    async function* live() {
      for (const frame of frames) {
        await Promise.resolve();
        yield frame;
      }
    }
    expect(await readGood(captureWriteStream(live(), { format: 'pcap', chunkBytes: 1000 }))).toEqual(frames);
    expect(await readGood(captureWriteStream(frames, { format: 'pcap', gzip: true, chunkBytes: 1000 }))).toEqual(
      frames,
    );
  });

  it('are equal when they are views of a reused batch', async () => {
    const bytes = localBytes('mixed_50.pcap');
    async function* views() {
      for await (const batch of readCaptureBatches(bytes, { batchBytes: 100, maxFrames: 2 })) {
        for (let i = 0; i < batch.count; i++) yield viewFrame(batch, i);
      }
    }
    expect(await collect(writeCapture(views(), { format: 'pcap' }))).toEqual(bytes);
  });
});

describe('the bytes of a pcap file', () => {
  it('are little-endian with times in nanoseconds by default', () => {
    expect(Buffer.from(encodeCapture([FRAME], { format: 'pcap' })).toString('hex')).toBe(
      '4d3cb2a1020004000000000000000000' + '0000040001000000' + '00256368' + '15cd5b07' + '05000000' + '09000000' +
        'a0a1a2a3a4',
    );
  });

  it('follow the options: big-endian, microseconds and every header field', () => {
    const options: PcapWriteOptions = {
      format: 'pcap',
      byteOrder: 'big',
      resolution: 'us',
      linkType: 101,
      snapLengthBytes: 5,
    };
    expect(Buffer.from(encodeCapture([FRAME], options)).toString('hex')).toBe(
      'a1b2c3d4000200040000000000000000' + '0000000500000065' + '68632500' + '0001e240' + '00000005' + '00000009' +
        'a0a1a2a3a4',
    );
  });

  it.each([[0, 0x04000001], [2, 0x14000001], [4, 0x24000001], [30, 0xf4000001]])(
    'encode a frame check sequence of %i bytes as libpcap reads it',
    (fcsLengthBytes, field) => {
      const bytes = encodeCapture([], { format: 'pcap', fcsLengthBytes });
      expect(new DataView(bytes.buffer).getUint32(20, true)).toBe(field);
    },
  );

  it('are the same for every chunk size, and only a record longer than the limit makes a longer chunk', async () => {
    const frames = await readGood(localBytes('mixed_50.pcap'));
    const longestRecord = 16 + Math.max(...frames.map((frame) => frame.capturedBytes));
    for (const chunkBytes of [1, 100, 3000, 65536]) {
      const parts: Uint8Array[] = [];
      for await (const chunk of writeCapture(frames, { format: 'pcap', chunkBytes })) parts.push(chunk);
      expect(Buffer.concat(parts).equals(localBytes('mixed_50.pcap'))).toBe(true);
      expect(parts.every((part) => part.length > 0)).toBe(true);
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(Math.max(chunkBytes, longestRecord));
      if (chunkBytes === 1) expect(parts.length).toBe(51);
    }
  });

  it('are a header alone when there are no frames', async () => {
    expect((await collect(writeCapture([], { format: 'pcap' }))).length).toBe(24);
    expect(await readGood(encodeCapture([], { format: 'pcap' }))).toEqual([]);
  });
});

describe('a pcap file is identical after being read and written', () => {
  const big: PcapWriteOptions = { format: 'pcap', byteOrder: 'big', resolution: 'us' };
  const files: [string, PcapWriteOptions][] = [
    ['mixed_50.pcap', { format: 'pcap' }],
    ['malformed_60.pcap', { format: 'pcap' }],
    ['mixed_be_us_50.pcap', big],
    ['corpus mixed.pcap', { format: 'pcap' }],
    ['corpus malformed.pcap', { format: 'pcap' }],
    ['corpus mixed_be_us.pcap', big],
    ['corpus mixed_raw101.pcap', { format: 'pcap', linkType: 101 }],
    ['corpus incast.pcap', { format: 'pcap' }],
  ];

  it.each(files)('%s', async (name, options) => {
    const file = [...LOCAL_FILES, ...CORPUS_FILES].find((each) => each.name === name)!;
    const stored = readFileSync(file.path);
    const plain = name.endsWith('.gz') ? gunzipSync(stored) : stored;
    const written = await collect(writeCapture(readCaptureFile(file.path), { ...options, timeRounding: 'exact' }));
    expect(Buffer.from(written).equals(plain)).toBe(true);
  });
});

describe('gzip output', () => {
  const plain = localBytes('mixed_50.pcap');

  it('is reproducible: its header has no name, time or operating system', async () => {
    const frames = await readGood(plain);
    const first = await collect(writeCapture(frames, { format: 'pcap', gzip: true }));
    expect([...first.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
    expect(new Uint8Array(gunzipSync(first))).toEqual(plain);
    expect(await collect(writeCapture(frames, { format: 'pcap', gzip: true }))).toEqual(first);
    expect(await collect(writeCapture(frames, { format: 'pcap', gzip: true, chunkBytes: 50 }))).toEqual(first);
  });

  it('is a complete gzip file before the error of its source is thrown', async () => {
    const failure = new Error('cable pulled');
    function* failing() {
      yield FRAME;
      throw failure;
    }
    const { bytes, error } = await outcome(failing(), { format: 'pcap', gzip: true });
    expect(error).toBe(failure);
    expect((await readGood(bytes)).length).toBe(1);
  });

  it('closes its source when the consumer stops, and reads ahead only as needed', async () => {
    let taken = 0;
    let closed = false;
    function* endless() {
      try {
        for (;;) {
          taken++;
          yield { ...FRAME, bytes: crypto.getRandomValues(new Uint8Array(1000)), originalBytes: 1000 };
        }
      } finally {
        closed = true;
      }
    }
    const chunks = writeCapture(endless(), { format: 'pcap', gzip: true });
    await chunks.next();
    await chunks.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(taken).toBeLessThan(5000);
    await chunks.return(undefined);
    await expect.poll(() => closed).toBe(true);
  });

  it('is rejected for a file encoded in memory', () => {
    const options = { format: 'pcap', gzip: true } as unknown as { format: 'pcap' };
    expect(() => encodeCapture([], options)).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where: 'gzip' }),
    );
  });
});

describe('a stream of frames', () => {
  it('is read only as far as a chunk needs, and closed when the consumer stops', async () => {
    let taken = 0;
    let closed = false;
    function* endless() {
      try {
        for (;;) {
          taken++;
          yield FRAME;
        }
      } finally {
        closed = true;
      }
    }
    const chunks = writeCapture(endless(), { format: 'pcap', chunkBytes: 24 + 10 * 21 });
    expect((await chunks.next()).value?.length).toBe(24 + 10 * 21);
    expect(taken).toBe(11);
    await chunks.return(undefined);
    expect(closed).toBe(true);
  });

  it('is closed when the web stream is cancelled', async () => {
    let closed = false;
    async function* endless() {
      try {
        for (;;) {
          await Promise.resolve();
          yield FRAME;
        }
      } finally {
        closed = true;
      }
    }
    const reader = captureWriteStream(endless(), { format: 'pcap', chunkBytes: 100 }).getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    expect(closed).toBe(true);
  });

  it.each([false, true])('that fails yields its frames, then its error (async: %s)', async (async) => {
    const failure = new Error('cable pulled');
    function* failing() {
      yield FRAME;
      yield FRAME;
      throw failure;
    }
    async function* failingLater() {
      await Promise.resolve();
      yield* failing();
    }
    const { bytes, error } = await outcome(async ? failingLater() : failing(), { format: 'pcap' });
    expect(error).toBe(failure);
    expect((await readGood(bytes)).length).toBe(2);
  });

  it('with a rejected frame yields the frames before it, then an error with its index', async () => {
    const { bytes, error } = await outcome([FRAME, FRAME, { bytes: BYTES }], { format: 'pcap' });
    expect(error).toMatchObject({ code: 'invalid-argument', where: 'frames[2].epochSeconds' });
    expect((await readGood(bytes)).length).toBe(2);
    const stream = captureWriteStream([{ bytes: BYTES }], { format: 'pcap' });
    expect((await readAll(stream)).error).toMatchObject({ code: 'invalid-argument', where: 'frames[0].epochSeconds' });
  });

  it.each([undefined, null, 7, 'frames', {}])('must not be %j', (frames) => {
    const wrong: unknown = expect.objectContaining({ code: 'invalid-argument', where: 'frames' });
    expect(() => writeCapture(frames as unknown as [], { format: 'pcap' })).toThrow(wrong);
    expect(() => encodeCapture(frames as unknown as [], { format: 'pcap' })).toThrow(wrong);
  });

  it.each([undefined, null, 7])('must not contain %j', (frame) => {
    expect(() => encodeCapture([frame as unknown as FrameToWrite], { format: 'pcap' })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where: 'frames[0]' }),
    );
  });
});

describe('the pcap writer', () => {
  const cases: [string, object, string, Partial<PcapWriteOptions>?][] = [
    ['a time before 1970', { ...FRAME, epochSeconds: -1 }, 'frames[0].epochSeconds'],
    ['a time after 2106', { ...FRAME, epochSeconds: 2 ** 32 }, 'frames[0].epochSeconds'],
    ['a frame without a time', { ...FRAME, hasTime: false }, 'frames[0].epochSeconds'],
    ['a missing time with hasTime set', { bytes: BYTES, hasTime: true }, 'frames[0].epochSeconds'],
    ['a fractional number of seconds', { ...FRAME, epochSeconds: 1.5 }, 'frames[0].epochSeconds'],
    ['a whole second of picoseconds', { ...FRAME, picoseconds: 1e12 }, 'frames[0].picoseconds'],
    ['negative picoseconds', { ...FRAME, picoseconds: -1 }, 'frames[0].picoseconds'],
    ['fractional picoseconds', { ...FRAME, picoseconds: 0.5 }, 'frames[0].picoseconds'],
    [
      'a time between two nanoseconds when times must be exact',
      { ...FRAME, picoseconds: 1001 },
      'frames[0].picoseconds',
      {
        timeRounding: 'exact',
      },
    ],
    [
      'a time between two microseconds when times must be exact',
      { ...FRAME, picoseconds: 1000 },
      'frames[0].picoseconds',
      {
        timeRounding: 'exact',
        resolution: 'us',
      },
    ],
    ['more captured than original bytes', { ...FRAME, originalBytes: 4 }, 'frames[0].originalBytes'],
    ['more original bytes than 32 bits hold', { ...FRAME, originalBytes: 2 ** 32 }, 'frames[0].originalBytes'],
    ['a captured length other than that of the bytes', { ...FRAME, capturedBytes: 4 }, 'frames[0].capturedBytes'],
    ['more bytes than the snap length', FRAME, 'frames[0].bytes', { snapLengthBytes: 4 }],
    [
      'more bytes than the default snap length',
      { ...FRAME, bytes: new Uint8Array(262145), originalBytes: 262145 },
      'frames[0].bytes',
    ],
    [
      'more bytes than the reader accepts',
      { ...FRAME, bytes: new Uint8Array(2 ** 24 + 1), originalBytes: 2 ** 25 },
      'frames[0].bytes',
      { snapLengthBytes: 0 },
    ],
    ['bytes of another type', { ...FRAME, bytes: [1, 2] }, 'frames[0].bytes'],
    ['a frame without bytes', { epochSeconds: 0 }, 'frames[0].bytes'],
    ['another link type', { ...FRAME, linkType: 101 }, 'frames[0].linkType'],
    ['a negative interface number', { ...FRAME, interfaceId: -1 }, 'frames[0].interfaceId'],
    ['a fractional section number', { ...FRAME, section: 0.5 }, 'frames[0].section'],
    ['comments', { ...FRAME, comments: ['lost'] }, 'frames[0].comments'],
    ['comments of another type', { ...FRAME, comments: 'lost' }, 'frames[0].comments'],
    ['a block', { block: { type: 0x0bad, body: BYTES } }, 'frames[0].block'],
  ];

  it.each(cases)('rejects %s', (_, frame, where, options = {}) => {
    const writing = () => encodeCapture([frame as FrameToWrite], { format: 'pcap', ...options });
    expect(writing).toThrow(expect.objectContaining({ name: 'RoceError', code: 'invalid-argument', where }));
  });

  it('accepts the largest allowed times and lengths', async () => {
    const last: FrameToWrite = {
      bytes: BYTES,
      originalBytes: 0xffffffff,
      epochSeconds: 0xffffffff,
      picoseconds: 999_999_999_000,
    };
    const file = encodeCapture([last, { bytes: new Uint8Array(2 ** 24), epochSeconds: 0 }], {
      format: 'pcap',
      snapLengthBytes: 0,
      timeRounding: 'exact',
    });
    expect(await readGood(file, {})).toMatchObject([{ ...last }, {
      capturedBytes: 2 ** 24,
      originalBytes: 2 ** 24,
      picoseconds: 0,
    }]);
  });

  it.each([
    ['options', undefined],
    ['format', { format: 'erf' }],
    ['byteOrder', { format: 'pcap', byteOrder: 'middle' }],
    ['resolution', { format: 'pcap', resolution: 'ps' }],
    ['timeRounding', { format: 'pcap', timeRounding: 'up' }],
    ['gzip', { format: 'pcap', gzip: 'yes' }],
    ['chunkBytes', { format: 'pcap', chunkBytes: 0 }],
    ['chunkBytes', { format: 'pcap', chunkBytes: 2 ** 24 + 1 }],
    ['linkType', { format: 'pcap', linkType: 65536 }],
    ['snapLengthBytes', { format: 'pcap', snapLengthBytes: 2 ** 32 }],
    ['fcsLengthBytes', { format: 'pcap', fcsLengthBytes: 3 }],
    ['fcsLengthBytes', { format: 'pcap', fcsLengthBytes: 32 }],
    ['fcsLengthBytes', { format: 'pcap', fcsLengthBytes: NaN }],
  ])('rejects an invalid option: %s', (where, options) => {
    const wrong: unknown = expect.objectContaining({ name: 'RoceError', code: 'invalid-argument', where });
    expect(() => writeCapture([], options as unknown as WriteCaptureOptions)).toThrow(wrong);
  });
});

describe('a file written by path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roce-write-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const path = (name: string) => join(folder, name);
  const source = () => readCapture(localBytes('mixed_50.pcap'));

  it('is complete, and the call returns its length', async () => {
    expect(await writeCaptureFile(path('plain.pcap'), source(), { format: 'pcap' })).toBe(
      localBytes('mixed_50.pcap').length,
    );
    expect(new Uint8Array(readFileSync(path('plain.pcap')))).toEqual(localBytes('mixed_50.pcap'));
  });

  it('is compressed when its name ends with .gz, unless the gzip option overrides it', async () => {
    const lengthBytes = await writeCaptureFile(path('a.pcap.gz'), source(), { format: 'pcap' });
    expect(readFileSync(path('a.pcap.gz')).length).toBe(lengthBytes);
    expect(new Uint8Array(gunzipSync(readFileSync(path('a.pcap.gz'))))).toEqual(localBytes('mixed_50.pcap'));
    await writeCaptureFile(path('b.pcap.gz'), source(), { format: 'pcap', gzip: false });
    expect(new Uint8Array(readFileSync(path('b.pcap.gz')))).toEqual(localBytes('mixed_50.pcap'));
    await writeCaptureFile(path('c.pcap'), source(), { format: 'pcap', gzip: true });
    expect([...readFileSync(path('c.pcap')).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  });

  it('that cannot be written fails with a RoceError with the system message', async () => {
    const wrong = path('no/such/folder.pcap');
    await expect(writeCaptureFile(wrong, source(), { format: 'pcap' })).rejects.toMatchObject({
      name: 'RoceError',
      code: 'invalid-argument',
      where: wrong,
      message: expect.stringContaining('ENOENT') as unknown,
    });
    await expect(writeCaptureFile(folder, source(), { format: 'pcap' })).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringContaining('EISDIR') as unknown,
    });
  });

  it('is left unchanged when an option is invalid', async () => {
    writeFileSync(path('kept.pcap'), 'as it was');
    await expect(writeCaptureFile(path('kept.pcap'), source(), { format: 'pcap', linkType: -1 })).rejects.toMatchObject(
      { where: 'linkType' },
    );
    expect(readFileSync(path('kept.pcap'), 'utf8')).toBe('as it was');
  });

  it('contains the frames before one that is rejected', async () => {
    const writing = writeCaptureFile(path('part.pcap'), [FRAME, { ...FRAME, linkType: 9 }], { format: 'pcap' });
    await expect(writing).rejects.toMatchObject({ where: 'frames[1].linkType' });
    expect((await readGood(new Uint8Array(readFileSync(path('part.pcap'))))).length).toBe(1);
  });
});

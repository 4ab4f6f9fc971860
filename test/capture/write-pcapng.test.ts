import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CaptureFrame } from '../../src/capture/frame.js';
import type { CaptureItem, FrameToWrite } from '../../src/capture/record-encoder.js';
import { readCaptureFile } from '../../src/capture/node-file.js';
import { TickEncoder } from '../../src/capture/ticks.js';
import type { PcapngInterface, PcapngSection, PcapngWriteOptions } from '../../src/capture/write-options.js';
import { encodeCapture, writeCapture } from '../../src/capture/writer.js';
import { CORPUS_FILES, LOCAL_FILES, localBytes } from './support/corpus.js';
import { PcapngBuilder } from './support/pcapng-build.js';
import { readGood } from './support/read.js';

const BYTES = Uint8Array.of(1, 2, 3, 4, 5);
const FRAME: FrameToWrite = { bytes: BYTES, epochSeconds: 7, picoseconds: 1_000_000 };

function perSecond(resolution: number): bigint {
  return (resolution & 0x80) === 0 ? 10n ** BigInt(resolution) : 2n ** BigInt(resolution & 0x7f);
}

/** The time of a number of ticks by the specification, truncated to the picosecond. */
function shown(ticks: bigint, resolution: number,
  offsetSeconds: number): { epochSeconds: bigint; picoseconds: bigint } {
  const rate = perSecond(resolution);
  return { epochSeconds: ticks / rate + BigInt(offsetSeconds), picoseconds: ((ticks % rate) * 10n ** 12n) / rate };
}

const anyResolution = fc.oneof(fc.integer({ min: 0, max: 255 }),
  fc.constantFrom(0, 3, 6, 9, 12, 13, 0x80, 0x8a, 0x80 + 20, 0x80 + 33, 0x80 + 34, 0x80 + 40));
const anyOffset = fc.oneof(fc.constant(0), fc.integer({ min: -5e9, max: 5e9 }));

describe('a time in ticks', () => {
  it('is the first tick that reads back as that picosecond, otherwise the last one before it', () => {
    const anySeconds = fc.oneof(fc.integer({ min: 0, max: 2 ** 33 }), fc.integer({ min: 0, max: 20 }),
      fc.constantFrom(2 ** 32 - 1, 2 ** 32));
    const anyPicoseconds = fc.oneof(fc.integer({ min: 0, max: 1e12 - 1 }), fc.constantFrom(0, 1, 1e12 - 1));
    fc.assert(
      fc.property(anyResolution, anyOffset, anySeconds, anyPicoseconds,
        (resolution, offset, sinceOffset, picoseconds) => {
          const epochSeconds = sinceOffset + offset;
          const encoder = new TickEncoder(resolution, offset);
          const fits = encoder.encode(epochSeconds, picoseconds);
          const psOf = (ticks: bigint) => {
            const time = shown(ticks, resolution, offset);
            return time.epochSeconds * 10n ** 12n + time.picoseconds;
          };
          const wantedPs = BigInt(epochSeconds) * 10n ** 12n + BigInt(picoseconds);
          if (!fits) {
            expect(psOf(2n ** 64n - 1n)).toBeLessThan(wantedPs);
            return;
          }
          const ticks = (BigInt(encoder.high) << 32n) | BigInt(encoder.low);
          expect(encoder.exact).toBe(psOf(ticks) === wantedPs);
          expect(psOf(ticks)).toBeLessThanOrEqual(wantedPs);
          if (encoder.exact) expect(ticks === 0n || psOf(ticks - 1n) < wantedPs).toBe(true);
          else expect(psOf(ticks + 1n)).toBeGreaterThan(wantedPs);
        }),
      { numRuns: 3000, seed: 1 },
    );
  });

  it('is undefined before the zero or past the end of the clock', () => {
    expect(new TickEncoder(9, 10).encode(9, 999_999_999_999)).toBe(false);
    expect(new TickEncoder(9, -10).encode(-11, 0)).toBe(false);
    expect(new TickEncoder(9, 0).encode(18_446_744_073, 709_551_615_000)).toBe(true);
    expect(new TickEncoder(9, 0).encode(18_446_744_073, 709_551_616_000)).toBe(false);
    expect(new TickEncoder(12, 0).encode(18_446_744, 73_709_551_615)).toBe(true);
    expect(new TickEncoder(12, 0).encode(18_446_744, 73_709_551_616)).toBe(false);
    expect(new TickEncoder(0x80 + 40, 0).encode(2 ** 24 - 1, 0)).toBe(true);
    expect(new TickEncoder(0x80 + 40, 0).encode(2 ** 24, 0)).toBe(false);
    expect(new TickEncoder(0x80 + 40, 5).encode(4, 0)).toBe(false);
  });
});

const anyInterface = fc.record({
  linkType: fc.constantFrom(1, 101, 65535),
  snapLengthBytes: fc.constantFrom(0, 60, 262144),
  tsresol: anyResolution,
  tsoffsetSeconds: anyOffset,
  name: fc.constantFrom('eth0', 'ü', ''),
});
const anySection = fc.record({
  byteOrder: fc.constantFrom('little' as const, 'big' as const),
  interfaces: fc.array(anyInterface, { maxLength: 3 }),
  application: fc.constantFrom('roce', 'a longer name'),
  comments: fc.array(fc.string(), { maxLength: 2 }),
});

/** Frames that files of these sections can hold, as the reader returns them. */
function framesFor(sections: readonly PcapngSection[]): fc.Arbitrary<CaptureFrame[]> {
  const ports = sections.flatMap(({ interfaces }, section) =>
    interfaces.map((port, interfaceId) => ({ port, section, interfaceId }))
  );
  if (ports.length === 0) return fc.constant([]);
  const frame = fc
    .record({
      at: fc.constantFrom(...ports),
      ticks: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      bytes: fc.uint8Array({ maxLength: 60 }),
      cutBytes: fc.nat(9),
      hasTime: fc.boolean(),
    })
    .map(({ at: { port, section, interfaceId }, ticks, bytes, cutBytes, hasTime }): CaptureFrame => {
      const place = { linkType: port.linkType!, interfaceId, section, bytes, capturedBytes: bytes.length };
      if (!hasTime && interfaceId === 0) {
        const cut = port.snapLengthBytes === bytes.length && bytes.length > 0 ? cutBytes : 0;
        return { ...place, hasTime: false, epochSeconds: 0, picoseconds: 0, originalBytes: bytes.length + cut };
      }
      const time = shown(ticks % (perSecond(port.tsresol!) * 2n ** 40n), port.tsresol!, port.tsoffsetSeconds!);
      return {
        ...place,
        hasTime: true,
        epochSeconds: Number(time.epochSeconds),
        picoseconds: Number(time.picoseconds),
        originalBytes: bytes.length + cutBytes,
      };
    });
  return fc.array(frame, { maxLength: 10 }).map((frames) => frames.sort((a, b) => a.section - b.section));
}

const anyFile = fc.array(anySection, { minLength: 1, maxLength: 3 }).chain((sections) =>
  framesFor(sections).map((frames) => ({ sections, frames }))
);

describe('frames written as pcapng and read back', () => {
  it('are equal in several sections and interfaces, at every resolution, with other blocks between them', async () => {
    const options = fc.record({ gzip: fc.boolean(), chunkBytes: fc.integer({ min: 1, max: 500 }) });
    const anyBlock = fc.record({
      type: fc.constantFrom(4, 5, 0x0bad, 0x80000001),
      body: fc.uint8Array({ maxLength: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(anyFile, options, anyBlock, fc.nat(3), async ({ sections, frames }, given, block, every) => {
        const items: CaptureItem[] = frames.flatMap((frame,
          i) => (every > 0 && i % every === 0 ? [{ block }, frame] : [frame])
        );
        const written = writeCapture(items, { format: 'pcapng', timeRounding: 'exact', sections, ...given });
        expect(await readGood(written)).toEqual(frames);
      }),
      { numRuns: 300 },
    );
  });

  it('are unchanged by comments', async () => {
    const commented = [{ ...FRAME, comments: ['one', 'zwei: ü', ''] }, { ...FRAME, comments: [] }];
    const file = encodeCapture(commented, { format: 'pcapng' });
    expect(await readGood(file)).toMatchObject([FRAME, FRAME]);
    expect(Buffer.from(file).includes(Buffer.from('zwei: ü'))).toBe(true);
  });

  it('have times truncated to a tick of their interface', async () => {
    const at = (tsresol: number): PcapngWriteOptions => ({
      format: 'pcapng',
      sections: [{ interfaces: [{ tsresol }] }],
    });
    const frame: FrameToWrite = { bytes: BYTES, epochSeconds: -1 + 2, picoseconds: 999_999_999_999 };
    const read = async (tsresol: number) => (await readGood(encodeCapture([frame], at(tsresol))))[0]!.picoseconds;
    expect([await read(0), await read(6), await read(9), await read(12), await read(0x81)]).toEqual([
      0,
      999_999_000_000,
      999_999_999_000,
      999_999_999_999,
      500_000_000_000,
    ]);
  });

  it('may have times before 1970 where the offset allows', async () => {
    const options: PcapngWriteOptions = { format: 'pcapng', sections: [{ interfaces: [{ tsoffsetSeconds: -100 }] }] };
    expect(await readGood(encodeCapture([{ ...FRAME, epochSeconds: -100 }], options))).toMatchObject([{
      epochSeconds: -100,
      picoseconds: 1_000_000,
    }]);
  });
});

describe('the bytes of a pcapng file', () => {
  it.each(['little' as const, 'big' as const])('equal those of an independent builder (%s-endian)', (byteOrder) => {
    const b = new PcapngBuilder(byteOrder === 'little');
    const text = (string: string) => new TextEncoder().encode(string);
    const end = b.option(0, new Uint8Array(0));
    b.section();
    b.interface(1, 5, b.option(2, text('eth0')), b.resolution(9), b.offsetSeconds(-3n), end);
    b.interface(101, 0);
    b.simple(8, BYTES);
    b.block(0x0bad, Uint8Array.of(9, 9, 9, 0));
    b.enhanced(0, 10_000_001_000n, BYTES);
    b.enhanced(1, 7_000_001n, BYTES, 6, b.option(1, text('why')), end);
    const interfaces: PcapngInterface[] = [{ name: 'eth0', snapLengthBytes: 5, tsoffsetSeconds: -3 }, {
      linkType: 101,
      tsresol: 6,
    }];
    const items: CaptureItem[] = [
      { bytes: BYTES, originalBytes: 8 },
      { block: { type: 0x0bad, body: Uint8Array.of(9, 9, 9) } },
      FRAME,
      { ...FRAME, interfaceId: 1, originalBytes: 6, comments: ['why'] },
    ];
    expect(encodeCapture(items, { format: 'pcapng', byteOrder, sections: [{ interfaces }] })).toEqual(b.bytes());
  });

  it('contain every section of the options, with or without frames', async () => {
    const sections: PcapngSection[] = [
      { interfaces: [{}] },
      { interfaces: [] },
      { byteOrder: 'big', interfaces: [{}] },
      { interfaces: [{}] },
    ];
    const file = encodeCapture([{ ...FRAME, section: 2 }], { format: 'pcapng', sections });
    const little = new PcapngBuilder(true);
    const resolution = (b: PcapngBuilder) => [b.resolution(9), b.option(0, new Uint8Array(0))];
    little.section().interface(1, 0, ...resolution(little)).section();
    const big = new PcapngBuilder(false);
    big.section().interface(1, 0, ...resolution(big)).enhanced(0, 7_000_001_000n, BYTES);
    const last = new PcapngBuilder(true);
    last.section().interface(1, 0, ...resolution(last));
    expect(Buffer.from(file).equals(Buffer.concat([little.bytes(), big.bytes(), last.bytes()]))).toBe(true);
    expect(await readGood(file)).toMatchObject([{ section: 2 }]);
  });
});

/** `toEqual` takes a minute for twenty thousand frames. */
function expectSame(got: readonly CaptureFrame[], expected: readonly CaptureFrame[]): void {
  expect(got.length).toBe(expected.length);
  got.forEach((frame, i) => {
    const { bytes, ...rest } = expected[i]!;
    if (!Buffer.from(frame.bytes).equals(bytes)) expect(frame.bytes).toEqual(bytes);
    expect({ ...frame, bytes: undefined }).toEqual({ ...rest, bytes: undefined });
  });
}

describe('the corpus', () => {
  const files = [...LOCAL_FILES, ...CORPUS_FILES];
  const clocks: PcapngInterface[] = [{ tsresol: 9 }, { tsresol: 9 }];

  it.each(files)('has the same frames after being written as pcapng: $name', async ({ path, linkType }) => {
    const frames: CaptureFrame[] = [];
    for await (const frame of readCaptureFile(path)) frames.push(frame);
    const interfaces = clocks.map((clock) => ({ ...clock, linkType }));
    const options: PcapngWriteOptions = {
      format: 'pcapng',
      timeRounding: 'exact',
      sections: [{ interfaces }, { byteOrder: 'big', interfaces }],
    };
    expectSame(await readGood(writeCapture(frames, options), {}), frames);
  });

  it.each(files.filter(({ name }) => !name.includes('odd')))(
    'has the same frames after being written as pcap, except for sections and interfaces: $name',
    async ({ path, linkType }) => {
      const frames: CaptureFrame[] = [];
      for await (const frame of readCaptureFile(path)) frames.push({ ...frame, section: 3, interfaceId: 4 });
      const expected = frames.map((frame) => ({ ...frame, section: 0, interfaceId: 0 }));
      expectSame(await readGood(writeCapture(frames, { format: 'pcap', linkType, timeRounding: 'exact' }), {}),
        expected);
    },
  );

  it.each(files.filter(({ name }) => name.includes('mixed') && name.endsWith('.pcapng') && !name.includes('odd')))(
    'is identical when written with the options of its blocks: $name',
    async ({ path }) => {
      const stored = readFileSync(path);
      const application = stored.subarray(28, 28 + stored.readUInt16LE(26)).toString();
      const sections: PcapngSection[] = [{ application, interfaces: [{ snapLengthBytes: 262144, tsresol: 9 }] }];
      const frames: CaptureFrame[] = [];
      for await (const frame of readCaptureFile(path)) frames.push(frame);
      expect(Buffer.from(encodeCapture(frames, { format: 'pcapng', sections })).equals(stored)).toBe(true);
    },
  );

  it('is unchanged when written in gzip and read back', async () => {
    const frames = await readGood(localBytes('mixed_50.pcap'));
    const parts: Uint8Array[] = [];
    for await (const chunk of writeCapture(frames, { format: 'pcapng', gzip: true })) parts.push(chunk);
    expect(new Uint8Array(gunzipSync(Buffer.concat(parts)))).toEqual(
      new Uint8Array(encodeCapture(frames, { format: 'pcapng' })),
    );
  });
});

describe('the pcapng writer', () => {
  const two: PcapngSection[] = [{ interfaces: [{ snapLengthBytes: 5 }, { linkType: 101, tsoffsetSeconds: 8 }] }, {
    interfaces: [],
  }];
  const untimed = { bytes: BYTES };
  const cases: [string, unknown[], string, Partial<PcapngWriteOptions>?][] = [
    ['an interface that the section does not have', [{ ...FRAME, interfaceId: 2 }], 'frames[0].interfaceId'],
    ['an interface that only another section has', [{ ...FRAME, section: 1 }], 'frames[0].interfaceId'],
    ['a section that the file does not have', [{ ...FRAME, section: 2 }], 'frames[0].section'],
    ['a section that has ended', [{ block: { type: 5, body: BYTES, section: 1 } }, FRAME], 'frames[1].section'],
    ['a link type other than that of the interface', [{ ...FRAME, linkType: 101 }], 'frames[0].linkType'],
    ['more bytes than the snap length', [{ ...FRAME, bytes: new Uint8Array(6) }], 'frames[0].bytes'],
    ['a time before the offset', [{ ...FRAME, linkType: 101, interfaceId: 1 }], 'frames[0].epochSeconds'],
    ['a time after the last tick', [{ ...FRAME, epochSeconds: 2 ** 35 }], 'frames[0].epochSeconds'],
    ['a time between two ticks when times must be exact', [{ ...FRAME, picoseconds: 1 }], 'frames[0].picoseconds', {
      timeRounding: 'exact',
    }],
    ['a frame without a time on interface 1', [{ ...untimed, interfaceId: 1 }], 'frames[0].interfaceId'],
    ['a frame without a time that has a comment', [{ ...untimed, comments: ['x'] }], 'frames[0].comments'],
    [
      'a frame without a time, truncated below the snap length',
      [{ bytes: BYTES.slice(1), originalBytes: 5 }],
      'frames[0].bytes',
    ],
    ['a frame without a time, truncated without a snap length', [{ ...untimed, originalBytes: 6 }], 'frames[0].bytes', {
      sections: [{ interfaces: [{}] }],
    }],
    ['a comment of 65536 bytes', [{ ...FRAME, comments: ['', 'ü'.repeat(32768)] }], 'frames[0].comments[1]'],
    ['a comment that is not text', [{ ...FRAME, comments: [7] }], 'frames[0].comments[0]'],
    ['comments that the reader would not accept', [{
      ...FRAME,
      comments: Array.from({ length: 280 }, () => 'x'.repeat(65535)),
    }], 'frames[0].comments'],
    ['a block that the writer creates', [{ block: { type: 6, body: BYTES } }], 'frames[0].block.type'],
    ['an obsolete packet block', [{ block: { type: 2, body: BYTES } }], 'frames[0].block.type'],
    ['a section header as a block', [{ block: { type: 0x0a0d0d0a, body: BYTES } }], 'frames[0].block.type'],
    ['a block type of more than 32 bits', [{ block: { type: 2 ** 32, body: BYTES } }], 'frames[0].block.type'],
    ['a block without bytes', [{ block: { type: 5 } }], 'frames[0].block.body'],
    ['a block that is not an object', [{ block: null }], 'frames[0].block'],
    [
      'a block of a section that the file does not have',
      [{ block: { type: 5, body: BYTES, section: 2 } }],
      'frames[0].block.section',
    ],
    [
      'a block longer than 17 MiB',
      [{ block: { type: 5, body: new Uint8Array(17 * 2 ** 20) } }],
      'frames[0].block.body',
    ],
  ];

  it.each(cases)('rejects %s', (_, items, where, options = {}) => {
    const writing = () => encodeCapture(items as CaptureItem[], { format: 'pcapng', sections: two, ...options });
    expect(writing).toThrow(expect.objectContaining({ name: 'RoceError', code: 'invalid-argument', where }));
  });

  it.each([
    ['sections', 'none'],
    ['sections', []],
    ['sections[0]', [null]],
    ['sections[0].interfaces', [{}]],
    ['sections[1].byteOrder', [{ interfaces: [] }, { interfaces: [], byteOrder: 'middle' }]],
    ['sections[0].comments', [{ interfaces: [], comments: 'one' }]],
    ['sections[0].comments[0]', [{ interfaces: [], comments: [1] }]],
    ['sections[0].application', [{ interfaces: [], application: 'x'.repeat(65536) }]],
    ['sections[0].interfaces', [{ interfaces: new Array(65537).fill({}) }]],
    ['sections[0].interfaces[1]', [{ interfaces: [{}, 7] }]],
    ['sections[0].interfaces[0].linkType', [{ interfaces: [{ linkType: 65536 }] }]],
    ['sections[0].interfaces[0].snapLengthBytes', [{ interfaces: [{ snapLengthBytes: -1 }] }]],
    ['sections[0].interfaces[0].tsresol', [{ interfaces: [{ tsresol: 256 }] }]],
    ['sections[0].interfaces[0].tsoffsetSeconds', [{ interfaces: [{ tsoffsetSeconds: 2 ** 53 }] }]],
    ['sections[0].interfaces[0].name', [{ interfaces: [{ name: 'x'.repeat(65536) }] }]],
    ['sections[0].interfaces[0].comments', [{ interfaces: [{ comments: 'one' }] }]],
  ])('rejects an invalid option: %s', (where, sections) => {
    const wrong: unknown = expect.objectContaining({ name: 'RoceError', code: 'invalid-argument', where });
    expect(() => writeCapture([], { format: 'pcapng', sections: sections as PcapngSection[] })).toThrow(wrong);
  });

  it('accepts a comment of 65535 bytes and 65536 interfaces', async () => {
    const interfaces = Array.from({ length: 65536 }, () => ({}));
    const frame = { ...FRAME, interfaceId: 65535, comments: ['x'.repeat(65535)] };
    expect(await readGood(encodeCapture([frame], { format: 'pcapng', sections: [{ interfaces }] }), {})).toMatchObject([
      { interfaceId: 65535 },
    ]);
  });
});

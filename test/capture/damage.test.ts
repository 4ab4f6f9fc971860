import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { localBytes } from './support/corpus.js';
import { PcapngBuilder } from './support/pcapng-build.js';
import { expectInvalidCapture, fingerprint, readAll, readGood, seededIntegers, SMALL } from './support/read.js';

/** Maps each record boundary to the number of frames before it, computed independently of the reader. */
function pcapBorders(bytes: Uint8Array): Map<number, number> {
  const view = new DataView(bytes.buffer);
  const borders = new Map<number, number>();
  for (let at = 24, frames = 0; at <= bytes.length; frames++) {
    borders.set(at, frames);
    at += at + 12 <= bytes.length ? 16 + view.getUint32(at + 8, true) : 16;
  }
  return borders;
}

function pcapngBorders(bytes: Uint8Array): Map<number, number> {
  const view = new DataView(bytes.buffer);
  const borders = new Map<number, number>();
  let frames = 0;
  let littleEndian = true;
  for (let at = 0; at < bytes.length;) {
    const type = view.getUint32(at, littleEndian);
    if (type === 0x0a0d0d0a) littleEndian = view.getUint8(at + 8) === 0x4d;
    if (type === 2 || type === 3 || type === 6) frames += 1;
    at += view.getUint32(at + 4, littleEndian);
    borders.set(at, frames);
  }
  return borders;
}

async function checkEveryTruncation(bytes: Uint8Array, borders: Map<number, number>): Promise<void> {
  const whole = (await readGood(bytes)).map(fingerprint);
  let framesBefore = 0;
  for (let length = 0; length <= bytes.length; length++) {
    const { frames, error } = await readAll(bytes.subarray(0, length));
    framesBefore = borders.get(length) ?? framesBefore;
    expect(frames.map(fingerprint)).toEqual(whole.slice(0, framesBefore));
    if (borders.has(length)) expect(error).toBeUndefined();
    else if (length === 0) expectInvalidCapture(error, /the file is empty \(0 bytes\)/);
    else expectInvalidCapture(error, /(?:file header|record) at byte \d+ needs .* available\. The file was cut\.$/);
  }
}

/** Keeps the first blocks of two sections: the test tries every length of the file, so it must be short. */
function shortOddFile(): Uint8Array {
  const bytes = localBytes('mixed_odd.pcapng');
  const secondSection = Buffer.from(bytes).indexOf(Buffer.from([0x0a, 0x0d, 0x0d, 0x0a]), 4);
  const borders = [...pcapngBorders(bytes).keys()];
  const firstEnd = borders.find((border) => border > 900)!;
  const secondEnd = borders.find((border) => border > secondSection + 900)!;
  return new Uint8Array(Buffer.concat([bytes.subarray(0, firstEnd), bytes.subarray(secondSection, secondEnd)]));
}

describe('a truncated capture yields its complete frames, then an error unless it ends between records', () => {
  it('for every length of a pcap file', async () => {
    const bytes = localBytes('mixed_50.pcap').slice(0, 2000);
    const borders = pcapBorders(bytes);
    const end = [...borders.keys()].at(-1)!;
    await checkEveryTruncation(bytes.slice(0, end), borders);
  });

  it('for every length of a pcapng file of two sections', async () => {
    const bytes = shortOddFile();
    await checkEveryTruncation(bytes, pcapngBorders(bytes));
  });
});

describe('a damaged capture', () => {
  it.each(['mixed_50.pcap', 'mixed_50.pcapng', 'mixed_odd.pcapng', 'mixed_be_us_50.pcap'])(
    'yields only frames and the error invalid-capture: %s',
    async (name) => {
      const original = localBytes(name).slice(0, 6000);
      const next = seededIntegers(20250701);
      for (let round = 0; round < 400; round++) {
        const bytes = original.slice();
        for (let hits = 1 + next(6); hits > 0; hits--) {
          bytes[next(next(2) === 0 ? 200 : bytes.length)] = next(3) === 0 ?
            0xff :
            next(256);
        }
        const { frames, error } = await readAll(bytes);
        for (const frame of frames) expect(frame.bytes.length).toBe(frame.capturedBytes);
        if (error !== undefined) expect(error).toMatchObject({ name: 'RoceError', code: 'invalid-capture' });
      }
    },
  );

  it('in gzip yields only frames and a RoceError', async () => {
    const original = localBytes('mixed_50.pcap.gz');
    const next = seededIntegers(7);
    for (let round = 0; round < 60; round++) {
      const bytes = original.slice();
      bytes[2 + next(bytes.length - 2)]! ^= 1 << next(8);
      const { error } = await readAll(bytes);
      if (error !== undefined) expect(error).toBeInstanceOf(RoceError);
    }
  });
});

describe('the error gives the byte offset', () => {
  const at = (offset: number) => `byte offset ${String(offset)} of the capture`;

  function changed(name: string, offset: number, ...data: number[]): Uint8Array {
    const bytes = localBytes(name);
    bytes.set(data, offset);
    return bytes;
  }

  it('of an empty source', async () => {
    expectInvalidCapture((await readAll(new Uint8Array(0))).error,
      /the file is empty \(0 bytes\); allowed: pcap, pcapng or snoop, plain or in gzip or zstd\.$/, at(0));
  });

  it('of an unknown magic number', async () => {
    expectInvalidCapture((await readAll(changed('mixed_50.pcap', 0, 1, 2, 3, 4))).error,
      /format must be pcap, .* \(got "magic number 0x01020304"\)/, at(0));
  });

  it('of an unknown pcap version', async () => {
    expectInvalidCapture((await readAll(changed('mixed_50.pcap', 4, 9))).error,
      /^byte offset 4 of the capture: the major version of pcap must be 2 \(got 9\)\.$/, at(4));
  });

  it('of a captured length above the limit, after the frames before it', async () => {
    const second = 24 + 16 + 94;
    const { frames, error } = await readAll(changed('mixed_50.pcap', second + 8, 0xff, 0xff, 0xff, 0xff), {
      ...SMALL,
      batchBytes: 10_000,
    });
    expect(frames.length).toBe(1);
    expectInvalidCapture(error, /captured length must be at most 524,288 bytes \(got 4,294,967,295\)/, at(second));
  });

  it('of a captured length within the limit that exceeds the file', async () => {
    const { error } = await readAll(changed('mixed_50.pcap', 24 + 8, 0, 0, 8, 0));
    expectInvalidCapture(error, /record at byte 24 needs 524,304 bytes/, at(24));
  });

  const firstBlock = 0x6c;
  const secondBlock = 0x8c;

  it.each([
    ['not a multiple of 4', [0x22, 0, 0, 0]],
    ['below the minimum', [0x0c, 0, 0, 0]],
  ])('of a pcapng block length %s', async (_, data) => {
    expectInvalidCapture((await readAll(changed('mixed_50.pcapng', firstBlock + 4, ...data))).error,
      /length of the block must be a multiple of 4/, at(firstBlock));
  });

  it('of a pcapng block above the maximum length', async () => {
    const { error } = await readAll(changed('mixed_50.pcapng', firstBlock + 4, 0, 0, 0, 0x7f));
    expectInvalidCapture(error, /length of the block must be at most/, at(firstBlock));
  });

  it('or the number of interfaces when a section has more than 65,536', async () => {
    const build = (count: number): Uint8Array => {
      const builder = new PcapngBuilder(true).section();
      for (let index = 0; index < count; index++) builder.interface(1, 0);
      return builder.enhanced(0, 0n, Uint8Array.of(1, 2, 3)).bytes();
    };
    expect((await readAll(build(65_536))).error).toBeUndefined();
    const { error } = await readAll(build(65_537));
    expect(String(error)).toMatch(/number of interfaces in a section must be at most 65,536 \(got 65,537\)/);
  });

  it('of a pcapng block whose two lengths differ', async () => {
    const { error } = await readAll(changed('mixed_50.pcapng', secondBlock - 4, 0x24));
    expectInvalidCapture(error, /length at the end of the block must be [\d,]+ \(got 36\)/, at(secondBlock - 4));
  });

  it('of a frame longer than its pcapng block', async () => {
    expectInvalidCapture((await readAll(changed('mixed_50.pcapng', secondBlock + 20, 0x61))).error,
      /captured length must be/, at(secondBlock));
  });

  it('of a frame on an interface without a description block', async () => {
    expectInvalidCapture((await readAll(changed('mixed_50.pcapng', secondBlock + 8, 1))).error,
      /interface of the packet must be .* \(got 1\)/, at(secondBlock));
  });

  it('of an invalid byte-order magic', async () => {
    expectInvalidCapture((await readAll(changed('mixed_50.pcapng', 8, 0))).error, /byte-order magic/, at(8));
  });
});

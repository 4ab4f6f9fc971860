import { execFileSync } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ByteWindow } from '../../src/capture/record-parser.js';
import { readCapture, readCaptureBatches, viewFrame, type CaptureSource } from '../../src/capture/index.js';
import { openCaptureFile, readCaptureFile } from '../../src/capture/node-file.js';
import { damaged } from '../../src/capture/transform-chunks.js';
import { localBytes, localPath } from './support/corpus.js';
import { expectInvalidCapture, inChunks, readAll, readGood } from './support/read.js';

const PLAIN = 'mixed_50.pcap';
const GZIP = 'mixed_50.pcap.gz';

describe('a source', () => {
  it.each([PLAIN, GZIP])('may be a web stream: %s', async (name) => {
    const stream = new Blob([new Uint8Array(localBytes(name))]).stream();
    expect((await readGood(stream)).length).toBe(50);
  });

  it.each([PLAIN, GZIP])('is closed when the reader stops early: %s', async (name) => {
    let closed = false;
    const bytes = localBytes(name);
    async function* watched() {
      try {
        for (;;) yield* inChunks(bytes, () => 900);
      } finally {
        closed = true;
      }
    }
    for await (const frame of readCapture(watched(), { batchBytes: 64 })) {
      expect(frame.capturedBytes).toBe(94);
      break;
    }
    await expect.poll(() => closed).toBe(true);
  });

  it('that is a web stream is cancelled when the reader stops early', async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(localBytes(PLAIN));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const frame of readCapture(stream, { batchBytes: 64 })) {
      expect(frame.capturedBytes).toBe(94);
      break;
    }
    expect(cancelled).toBe(true);
    expect(stream.locked).toBe(false);
  });

  it.each([PLAIN, GZIP])('that fails yields the frames received, then its error: %s', async (name) => {
    const failure = new Error('cable pulled');
    const bytes = localBytes(name);
    async function* failing() {
      yield* inChunks(bytes.subarray(0, bytes.length - 9), () => 500);
      throw failure;
    }
    const { frames, error } = await readAll(failing());
    expect(error).toBe(failure);
    if (name === PLAIN) expect(frames.length).toBe(49);
  });

  it('of another type is rejected', async () => {
    const wrongSource = 'a path' as unknown as CaptureSource;
    expect((await readAll(wrongSource)).error).toMatchObject({ code: 'invalid-argument', where: 'source' });
    const wrongChunks = new Blob(['text']).stream().pipeThrough(new TextDecoderStream()) as unknown as CaptureSource;
    expect((await readAll(wrongChunks)).error).toMatchObject({ code: 'invalid-argument', allowed: 'a Uint8Array' });
  });

  it('reports the number of its bytes read', async () => {
    const bytes = localBytes(GZIP);
    const seen: number[] = [];
    await readGood(inChunks(bytes, () => 1000), { onProgress: (sourceBytes) => seen.push(sourceBytes) });
    expect(seen).toEqual([1000, 2000, 3000, bytes.length]);
  });
});

describe('a gzip file', () => {
  it('that is truncated yields every frame that can be decompressed, then invalid-capture', async () => {
    const bytes = localBytes(GZIP);
    for (const length of [bytes.length - 1, bytes.length - 9, 3000, 2000, 400]) {
      const cut = bytes.subarray(0, length);
      const plain = new Uint8Array(gunzipSync(cut, { finishFlush: constants.Z_SYNC_FLUSH }));
      const { frames, error } = await readAll(cut);
      expect(frames).toEqual((await readAll(plain)).frames);
      expectInvalidCapture(error, /gzip stream is damaged/);
    }
  });

  it.each([
    ['', 0],
    [' while the decompression threads are busy', 8],
  ])('that is truncated yields every frame to a slow consumer%s', async (_, jobs) => {
    const header = localBytes(PLAIN).subarray(0, 24);
    const bytes = gzipSync(Buffer.concat([header, new Uint8Array(16 * 40_000)]));
    const counts: number[] = [];
    const reading = async () => {
      for await (const batch of readCaptureBatches(bytes.subarray(0, bytes.length - 1), { batchBytes: 16_384 })) {
        counts.push(batch.count);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    };
    // Two jobs for each of the four default threads outlast the event-loop iterations for which a read waits.
    const busy = Array.from({ length: jobs }, () => promisify(pbkdf2)('password', 'salt', 150_000, 64, 'sha512'));
    await expect(reading()).rejects.toMatchObject({ code: 'invalid-capture' });
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40_000);
    await Promise.all(busy);
  });

  it('that is damaged reports the reason from zlib, which web streams of later Node versions wrap', () => {
    const wrapped = new TypeError('', { cause: new Error('unexpected end of file') });
    expect(damaged('gzip', wrapped, 100).message).toBe(
      'gzip stream, within its first 100 bytes: the gzip stream is damaged: unexpected end of file.',
    );
  });

  it('with a wrong checksum fails with invalid-capture', async () => {
    const bytes = localBytes(GZIP);
    bytes[bytes.length - 8]! ^= 1;
    expectInvalidCapture((await readAll(bytes)).error, /gzip stream is damaged/);
  });

  it('of several members is read completely in Node', async () => {
    const plain = localBytes(PLAIN);
    const members = new Uint8Array(Buffer.concat([gzipSync(plain.subarray(0, 5000)), gzipSync(plain.subarray(5000))]));
    expect(await readGood(members)).toEqual(await readGood(plain));
  });

  it('does not keep the process alive when reading stops early', () => {
    const script = `
      const { readCapture } = await import(${
      JSON.stringify(new URL('../../src/capture/index.ts', import.meta.url).href)
    });
      const { openCaptureFile } = await import(${
      JSON.stringify(new URL('../../src/capture/node-file.ts', import.meta.url).href)
    });
      const { chunks } = await openCaptureFile(${JSON.stringify(localPath(GZIP))});
      const frames = readCapture(chunks);
      await frames.next();
      console.log('first frame read');`;
    const output = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      timeout: 15_000,
      encoding: 'utf8',
    });
    expect(output).toBe('first frame read\n');
  });
});

describe('a file opened by path', () => {
  it('has its stored size, and yields its frames', async () => {
    const file = await openCaptureFile(localPath(GZIP));
    expect(file.sizeBytes).toBe(localBytes(GZIP).length);
    expect((await readGood(file.chunks)).length).toBe(50);
  });

  it('that does not exist fails with the system error', async () => {
    await expect(openCaptureFile(localPath('none.pcap'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(readCaptureFile(localPath('none.pcap')).next()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('options and batches', () => {
  it.each([
    ['maxFrames', 0],
    ['maxFrames', 1.5],
    ['maxFrames', 2 ** 20 + 1],
    ['batchBytes', 0],
    ['batchBytes', NaN],
    ['batchBytes', 2 ** 24 + 1],
  ])('reject %s = %d when the reader is created', (name, value) => {
    expect(() => readCaptureBatches(localBytes(PLAIN), { [name]: value })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where: name }),
    );
  });

  it('limit each batch to maxFrames, without an empty batch', async () => {
    const counts: number[] = [];
    for await (const batch of readCaptureBatches(localBytes(PLAIN), { maxFrames: 20 })) counts.push(batch.count);
    expect(counts).toEqual([20, 20, 10]);
  });

  it('return the frames of a live source as soon as their chunk arrives', async () => {
    const bytes = localBytes(PLAIN);
    let release: () => void = () => undefined;
    async function* live() {
      yield bytes.subarray(0, 24 + 16 + 94 + 5);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    }
    const batches = readCaptureBatches(live(), { batchBytes: 1 });
    expect((await batches.next()).value?.count).toBe(1);
    const rest = batches.next();
    await expect.poll(() => {
      release();
      return rest.then(() => 'ended', () => 'failed');
    }).toBe('failed');
  });

  it('reject a frame index outside the batch', async () => {
    for await (const batch of readCaptureBatches(localBytes(PLAIN))) {
      for (const index of [-1, 50, 0.5]) expect(() => viewFrame(batch, index)).toThrow(/index of the frame must be/);
    }
  });
});

describe('the byte window', () => {
  it('moves its bytes to the start before it grows, and grows only when full', () => {
    const window = new ByteWindow(8);
    const chunk = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    expect(window.append(chunk, 0)).toBe(8);
    window.start = 3;
    expect(window.append(chunk, 8)).toBe(2);
    expect([window.bytes.length, window.length, window.streamOffset(window.start)]).toEqual([8, 7, 3]);
    window.append(chunk, 9);
    expect(window.append(chunk, 9)).toBe(1);
    expect([window.bytes.length, window.length, window.streamOffset(window.start)]).toEqual([16, 9, 3]);
    expect([...window.bytes.subarray(window.start, window.end)]).toEqual([3, 4, 5, 6, 7, 8, 9, 9, 9]);
  });
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { replayCapture } from '../../src/cli/replay/replay.js';
import { capture, flows, options } from './support/incast.js';
import { pcapHeader, pcapRecord } from './support/pcap.js';

const ROUNDS = 1000;
const MEGABYTE = 2 ** 20;
/** What garbage collection leaves behind differs by chance; a leak of 8 bytes per frame is 6.2 MB between the marks. */
const ALLOWED_GROWTH_BYTES = 5 * MEGABYTE;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usedBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The small frames of the incast, as many as make a thousand. */
async function thousandFrames(): Promise<Uint8Array[]> {
  const frames: Uint8Array[] = [];
  for await (const { bytes } of readCapture(capture())) {
    if (bytes.length < 300) frames.push(bytes);
    if (frames.length === 1000) break;
  }
  return frames;
}

/** The same frames over and over, a second apart. */
async function* repeat(frames: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield pcapHeader(1);
  for (let round = 0; round < ROUNDS; round++) {
    yield Buffer.concat(frames.map((bytes, index) => pcapRecord({ bytes, at: [round, index * 1_000_000] })));
    await Promise.resolve();
  }
}

describe('memory of a replay', () => {
  it('does not grow over a million frames', async () => {
    const samples: number[] = [];
    const marks = [200_000, 600_000, 980_000];
    const onProgress = (_bytes: number, frames: number): void => {
      if (frames >= (marks[samples.length] ?? Infinity)) samples.push(usedBytes());
    };
    const result = await replayCapture(repeat(await thousandFrames()), flows, { ...options, onProgress });
    expect(result.capture.frames).toBe(1_000_000);
    expect(samples).toHaveLength(marks.length);
    expect(Math.max(...samples) - samples[0]!).toBeLessThan(ALLOWED_GROWTH_BYTES);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { capture, flows, options, replayCapture } from './support/incast.js';
import { pcapHeader, pcapRecord } from './support/pcap.js';

const ROUNDS = 1000;
/** Rounds between two readings of the memory. */
const READING_EVERY = 200;
/** A leak of 2 bytes per frame is 1.6 MB between the first reading and the last. */
const ALLOWED_GROWTH_BYTES = 2 ** 20;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Waits after garbage collection, since V8 frees buffers on a separate thread. */
async function usedBytes(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collectGarbage();
    await sleep(5);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The small frames of the incast, repeated to a thousand. */
async function thousandFrames(): Promise<Uint8Array[]> {
  const frames: Uint8Array[] = [];
  for await (const { bytes } of readCapture(capture())) {
    if (bytes.length < 300) frames.push(bytes);
    if (frames.length === 1000) break;
  }
  return frames;
}

/** Yields the same frames repeatedly, a second apart, and reads memory while the replay waits for more. */
async function* repeat(frames: readonly Uint8Array[], readings: number[]): AsyncGenerator<Uint8Array> {
  yield pcapHeader(1);
  for (let round = 1; round <= ROUNDS; round++) {
    yield Buffer.concat(frames.map((bytes, index) => pcapRecord({ bytes, at: [round, index * 1_000_000] })));
    if (round % READING_EVERY === 0) readings.push(await usedBytes());
  }
}

describe('memory of a replay', () => {
  it('does not grow over a million frames', async () => {
    const readings: number[] = [];
    const result = await replayCapture(repeat(await thousandFrames(), readings), flows, options);
    expect(result.capture.frames).toBe(1_000_000);
    expect(readings).toHaveLength(ROUNDS / READING_EVERY);
    expect(Math.max(...readings) - readings[0]!).toBeLessThan(ALLOWED_GROWTH_BYTES);
  });
});

import { expect } from 'vitest';
import { RoceError } from '../../../src/errors.js';
import { copyFrame, readCaptureBatches, type CaptureFrame, type CaptureSource } from '../../../src/capture/index.js';

/** Small limits, so that windows move their bytes and batches end often. */
export const SMALL = { batchBytes: 64, maxFrames: 7 };

/** The result of a read: its frames, and how it ended. */
export interface Outcome {
  readonly frames: CaptureFrame[];
  readonly error: unknown;
}

export async function readAll(source: CaptureSource,
  options: Parameters<typeof readCaptureBatches>[1] = SMALL): Promise<Outcome> {
  const frames: CaptureFrame[] = [];
  try {
    for await (const batch of readCaptureBatches(source, options)) {
      for (let i = 0; i < batch.count; i++) frames.push(copyFrame(batch, i));
    }
    return { frames, error: undefined };
  } catch (error) {
    return { frames, error };
  }
}

/** Reads a source that must have no errors. */
export async function readGood(source: CaptureSource,
  options: Parameters<typeof readCaptureBatches>[1] = SMALL): Promise<CaptureFrame[]> {
  const { frames, error } = await readAll(source, options);
  expect(error).toBeUndefined();
  return frames;
}

/** All fields of a frame as text, which compares faster than objects. */
export function fingerprint(frame: CaptureFrame): string {
  return JSON.stringify({ ...frame, bytes: Buffer.from(frame.bytes).toString('hex') });
}

export function expectInvalidCapture(error: unknown, what: RegExp, where?: string): void {
  expect(error).toBeInstanceOf(RoceError);
  expect(error).toMatchObject({ code: 'invalid-capture' });
  expect((error as RoceError).message).toMatch(what);
  if (where !== undefined) expect((error as RoceError).where).toBe(where);
}

/** Splits bytes into chunks of the given sizes; like some sources, it reuses one buffer for all of them. */
// eslint-disable-next-line @typescript-eslint/require-await
export async function* inChunks(bytes: Uint8Array, nextSize: () => number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(65536);
  for (let at = 0; at < bytes.length;) {
    const size = Math.min(nextSize(), bytes.length - at);
    buffer.fill(0xee);
    buffer.set(bytes.subarray(at, at + size));
    yield buffer.subarray(0, size);
    at += size;
  }
}

/** Integers from 0 to `below` - 1; the same sequence for the same seed. */
export function seededIntegers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

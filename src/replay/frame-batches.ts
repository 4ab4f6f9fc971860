/** Wraps single frames in batches of one, so that the replay handles batches only. */
import { CaptureBatch, type CaptureFrame } from '../capture/index.js';

/** Frames to replay: batches of `readCaptureBatches` (fast), or single frames from `readCapture` or your own code. */
export type ReplayFrames = AsyncIterable<CaptureBatch | CaptureFrame> | Iterable<CaptureBatch | CaptureFrame>;

export async function* batchesOf(frames: ReplayFrames): AsyncGenerator<CaptureBatch, undefined> {
  const single = new CaptureBatch(1);
  for await (const item of frames) yield 'offsets' in item ? item : fill(single, item);
}

function fill(batch: CaptureBatch, frame: CaptureFrame): CaptureBatch {
  batch.count = 1;
  batch.bytes = frame.bytes;
  batch.capturedBytes[0] = frame.capturedBytes;
  batch.originalBytes[0] = frame.originalBytes;
  batch.timed[0] = frame.hasTime ? 1 : 0;
  batch.epochSeconds[0] = frame.epochSeconds;
  batch.picoseconds[0] = frame.picoseconds;
  batch.linkTypes[0] = frame.linkType;
  return batch;
}

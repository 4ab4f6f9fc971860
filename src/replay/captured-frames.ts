/**
 * The frames of a capture as a replay takes them: in batches, and with times in the engine's picoseconds, in epochs.
 *
 * Capture times count from 1970 and don't fit into 2^53 ps, so the engine's clock starts LEAD_PS before the first frame
 * that has a time. The lead allows for files whose frames are slightly out of order; only time differences matter.
 * A frame without a time takes that of the previous frame.
 *
 * The clock holds 2.5 h. A frame later than that, or more than the lead earlier than its origin, begins a new epoch
 * whose origin is the frame's time; the caller decides what the engine does then. The number of epochs is limited to
 * `epochsMax`, in case a capture's times keep jumping. A time outside all epochs becomes NaN and is counted; the engine
 * rejects it as a bad time if the frame concerns a QP.
 */
import { CaptureBatch, type CaptureFrame } from '../capture/index.js';
import { PS_PER_SECOND } from '../units.js';
import type { CaptureEpoch } from './report.js';

/** Engine clock at the first frame of an epoch: 1 s. */
export const LEAD_PS = 1e12;
/** Maximum number of epochs in a capture. */
const EPOCHS_MAX = 1000;
/**
 * Maximum number of QP resets. Each epoch resets all QPs at half a microsecond per QP, so this many take some seconds.
 */
const QPS_PUT_BACK_MAX = 2 ** 22;

/** Frames to replay: batches of `readCaptureBatches` (fast), or single frames from `readCapture` or your own code. */
export type ReplayFrames = AsyncIterable<CaptureBatch | CaptureFrame> | Iterable<CaptureBatch | CaptureFrame>;

interface Instant {
  readonly epochSeconds: number;
  readonly picoseconds: number;
}

/** Called before the first frame of each epoch except the first, with the epoch's start on the capture's timeline. */
type EpochListener = (startPs: number) => void;

/** Wraps single frames in batches of one, so that the replay handles batches only. */
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

/** Maximum number of epochs for a replay with this many QPs. */
export function epochsMax(qpCount: number): number {
  return Math.max(1, Math.min(EPOCHS_MAX, Math.floor(QPS_PUT_BACK_MAX / Math.max(1, qpCount))));
}

export class FrameClock {
  untimedFrames = 0;
  offClockFrames = 0;
  /** Time of the latest frame of this epoch, on the engine's clock. */
  latestPs = LEAD_PS;
  readonly #epochs: (CaptureEpoch & { frames: number })[] = [{ startPs: 0, frames: 0 }];
  readonly #onEpoch: EpochListener;
  readonly #epochsMax: number;
  #start: Instant | undefined;
  #origin: Instant | undefined;
  #lastPs = LEAD_PS;
  /** Start of the epoch on the capture's timeline. */
  #firstPs = 0;
  #endPs = 0;

  constructor(onEpoch: EpochListener, most: number) {
    this.#epochsMax = most;
    this.#onEpoch = onEpoch;
  }

  /** Time of the first frame that has one. */
  get start(): Instant | undefined {
    return this.#start;
  }

  get epochs(): readonly CaptureEpoch[] {
    return this.#epochs;
  }

  get durationPs(): number {
    return this.#endPs - this.#firstPs;
  }

  /** The last instant of the timeline, which counts from the first frame. */
  get endPs(): number {
    return this.#endPs;
  }

  /** Time of a frame on the engine's clock, whole picoseconds, or NaN. */
  timePs(batch: CaptureBatch, index: number): number {
    if (batch.timed[index] === 1) this.#lastPs = this.#placed(batch.epochSeconds[index], batch.picoseconds[index]);
    else this.untimedFrames++;
    if (Number.isNaN(this.#lastPs)) this.offClockFrames++;
    else this.#epochs[this.#epochs.length - 1].frames++;
    return this.#lastPs;
  }

  #placed(epochSeconds: number, picoseconds: number): number {
    this.#start ??= { epochSeconds, picoseconds };
    this.#origin ??= this.#start;
    const sincePs = since(this.#start, epochSeconds, picoseconds);
    const timePs = since(this.#origin, epochSeconds, picoseconds) + LEAD_PS;
    if (sincePs < this.#firstPs) this.#firstPs = sincePs;
    if (sincePs > this.#endPs) this.#endPs = sincePs;
    if (timePs >= 0 && Number.isSafeInteger(timePs)) {
      if (timePs > this.latestPs) this.latestPs = timePs;
      return timePs;
    }
    if (this.#epochs.length >= this.#epochsMax) return NaN;
    this.#onEpoch(sincePs);
    this.#origin = { epochSeconds, picoseconds };
    this.#epochs.push({ startPs: sincePs, frames: 0 });
    this.latestPs = LEAD_PS;
    return LEAD_PS;
  }
}

/** Picoseconds since `origin`; exact below 2^53 ps. */
function since(origin: Instant, epochSeconds: number, picoseconds: number): number {
  return (epochSeconds - origin.epochSeconds) * PS_PER_SECOND + (picoseconds - origin.picoseconds);
}

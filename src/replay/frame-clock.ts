/**
 * Capture times to the engine's picoseconds.
 *
 * Capture times count from 1970 and don't fit into 2^53 ps, so the engine's clock starts LEAD_PS before the first frame
 * that has a time. The lead is for files whose frames are not quite in order: behaviour depends on differences only.
 * A frame without a time takes that of the frame before. Times that the clock can't hold (2.5 h) become NaN, which the
 * engine refuses as a bad time if the frame concerns a QP, and counts.
 */
import type { CaptureBatch } from '../capture/index.js';

/** What the engine's clock shows at the first frame: 1 s. */
export const LEAD_PS = 1e12;
const PS_PER_SECOND = 1e12;

export class FrameClock {
  untimedFrames = 0;
  offClockFrames = 0;
  /** Time of the earliest and the latest frame on the engine's clock. */
  earliestPs = LEAD_PS;
  latestPs = LEAD_PS;
  #origin: { readonly epochSeconds: number; readonly picoseconds: number } | undefined;
  #lastPs = LEAD_PS;

  /** The first frame that has a time. */
  get start(): { readonly epochSeconds: number; readonly picoseconds: number } | undefined {
    return this.#origin;
  }

  get durationPs(): number {
    return this.latestPs - this.earliestPs;
  }

  /** Time of a frame on the engine's clock, whole picoseconds, or NaN. */
  timePs(batch: CaptureBatch, index: number): number {
    if (batch.timed[index] !== 1) {
      this.untimedFrames++;
      return this.#lastPs;
    }
    const epochSeconds = batch.epochSeconds[index] ?? 0;
    const picoseconds = batch.picoseconds[index] ?? 0;
    this.#origin ??= { epochSeconds, picoseconds };
    const timePs = (epochSeconds - this.#origin.epochSeconds) * PS_PER_SECOND +
      (picoseconds - this.#origin.picoseconds) + LEAD_PS;
    if (timePs < 0 || !Number.isSafeInteger(timePs)) {
      this.offClockFrames++;
      return NaN;
    }
    if (timePs < this.earliestPs) this.earliestPs = timePs;
    if (timePs > this.latestPs) this.latestPs = timePs;
    this.#lastPs = timePs;
    return timePs;
  }
}

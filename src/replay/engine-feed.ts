/**
 * Feeds captured frames to the engine in runs: many frames are copied into the engine's arena at once, and one call
 * processes them.
 *
 * Rates also change between frames. To keep rate lines correct across long idle times, the engine is advanced at every
 * border between slices of the rate history; the number of borders grows only with the logarithm of the duration. Lazy
 * timers are exact, so this does not change the results of a capture in order. A frame that comes after a border in the
 * file but before it in time is late for QPs with a limiter, and is treated as `lateEvents` specifies.
 */
import type { CaptureBatch } from '../capture/index.js';
import type { Engine } from '../engine/engine.js';
import type { Stats } from '../engine/stats.js';
import { frameLocator } from '../packet/index.js';
import { LEAD_PS } from './captured-frames.js';
import type { QpRates } from './rate-history.js';
import type { FrameTally } from './tally.js';

/** Returns milliseconds from an arbitrary origin. */
export type Stopwatch = () => number;

/** Called after each call of the engine. */
type AfterCall = () => void;

export class EngineFeed {
  /** Time spent in the engine, ms. */
  engineMs = 0;
  readonly #engine: Engine;
  readonly #tally: FrameTally;
  readonly #rates: QpRates;
  readonly #nowMs: Stopwatch;
  readonly #afterCall: AfterCall;
  /** Per frame in the engine's batch: frame number, time on the capture's timeline, link type, bytes on the wire. */
  readonly #numbers: Float64Array;
  readonly #timesPs: Float64Array;
  readonly #linkTypes: Uint32Array;
  readonly #originalBytes: Float64Array;
  /** Per frame in the engine's batch: offset in the capture batch, and captured bytes. */
  readonly #offsets: Float64Array;
  readonly #capturedBytes: Float64Array;
  #batch: CaptureBatch | undefined;
  readonly #hasQps: boolean;
  /** Part of the capture batch's buffer that is currently in the arena. */
  #copiedFrom = 0;
  #copiedTo = 0;
  /** Next slice border, on the capture's timeline. */
  #nextBorderPs = 0;
  /** Offset from the timeline to the engine's clock. */
  #clockPs = LEAD_PS;

  constructor(engine: Engine, tally: FrameTally, rates: QpRates, nowMs: Stopwatch, afterCall: AfterCall) {
    this.#engine = engine;
    this.#tally = tally;
    this.#rates = rates;
    this.#nowMs = nowMs;
    this.#afterCall = afterCall;
    engine.packets.locator = frameLocator();
    this.#numbers = new Float64Array(engine.packets.capacity);
    this.#timesPs = new Float64Array(engine.packets.capacity);
    this.#linkTypes = new Uint32Array(engine.packets.capacity);
    this.#originalBytes = new Float64Array(engine.packets.capacity);
    this.#offsets = new Float64Array(engine.packets.capacity);
    this.#capturedBytes = new Float64Array(engine.packets.capacity);
    this.#hasQps = tally.qps.length > 0;
  }

  /** Must be called before the first `add` of each capture batch. */
  beginBatch(): void {
    this.flush();
    this.#copiedFrom = 0;
    this.#copiedTo = 0;
  }

  /** Starts a new engine state whose clock shows LEAD_PS at `startPs` of the timeline. All earlier frames must be finished. */
  beginEpoch(startPs: number): void {
    this.#clockPs = LEAD_PS - startPs;
    const { history } = this.#rates;
    history.cover(startPs);
    this.#nextBorderPs = Math.max(this.#nextBorderPs, history.borderAfter(startPs));
  }

  /**
   * Adds frame `index` of the capture batch, which is frame number `frame` of the capture; `timePs` is on the engine's
   * clock.
   */
  add(batch: CaptureBatch, index: number, timePs: number, frame: number): void {
    if (this.#hasQps && timePs - this.#clockPs > this.#nextBorderPs) this.#advanceTo(timePs - this.#clockPs);
    const { packets } = this.#engine;
    const offset = batch.offsets[index] ?? 0;
    const capturedBytes = batch.capturedBytes[index] ?? 0;
    // As in dissection, a frame whose original length is below its captured length is treated as complete.
    const originalBytes = Math.max(capturedBytes, batch.originalBytes[index] ?? 0);
    if (offset + capturedBytes > this.#copiedTo) this.#copyFrom(batch, index);
    if (packets.length === packets.capacity) this.flush();
    const linkType = batch.linkTypes[index] ?? 0;
    this.#numbers[packets.length] = frame;
    this.#timesPs[packets.length] = timePs - this.#clockPs;
    this.#linkTypes[packets.length] = linkType;
    this.#originalBytes[packets.length] = originalBytes;
    this.#offsets[packets.length] = offset;
    this.#capturedBytes[packets.length] = capturedBytes;
    this.#batch = batch;
    // A datagram never extends beyond the arena, so bytes cut off here are never read.
    const readable = Math.min(capturedBytes, this.#copiedTo - offset);
    packets.addInPlace(timePs, offset - this.#copiedFrom, readable, originalBytes, linkType);
  }

  /** Processes the added frames, and counts them. */
  flush(): void {
    const { packets } = this.#engine;
    const count = packets.length;
    if (count === 0) return;
    const begin = this.#nowMs();
    this.#engine.applyPackets();
    this.engineMs += this.#nowMs() - begin;
    for (let index = 0; index < count; index++) {
      const isMrc = this.#countMrc(index, packets.classCode(index));
      this.#tally.count(packets, index, this.#originalBytes[index], this.#numbers[index], this.#linkTypes[index],
        isMrc);
    }
    if (packets.hasTunnels) this.#countTunnels(count);
    this.#rates.follow(this.#engine.actions);
    this.#afterCall();
  }

  /** Counts an MRC frame, read from the capture: the engine's copy may begin in the middle of the frame. */
  #countMrc(index: number, classCode: number): boolean {
    const { mrc } = this.#tally;
    if (this.#batch === undefined || !mrc.mayBe(classCode)) return false;
    const from = this.#offsets[index];
    const bytes = this.#batch.bytes.subarray(from, from + this.#capturedBytes[index]);
    return mrc.count(bytes, this.#originalBytes[index], this.#linkTypes[index], this.#numbers[index],
      this.#timesPs[index]);
  }

  #countTunnels(count: number): void {
    const { packets } = this.#engine;
    for (let index = 0; index < count; index++) this.#tally.tunnels.count(packets, index);
  }

  /** Processes everything due up to `timePs` on the engine's clock. */
  finish(timePs: number): void {
    this.flush();
    this.#advance(timePs);
  }

  /** Copies as many frames as fit, starting at frame `index`. */
  #copyFrom(batch: CaptureBatch, index: number): void {
    this.flush();
    const { arena } = this.#engine.packets;
    const from = batch.offsets[index] ?? 0;
    const last = batch.count - 1;
    const end = (batch.offsets[last] ?? 0) + (batch.capturedBytes[last] ?? 0);
    const copied = batch.bytes.subarray(from, Math.min(end, from + arena.length));
    arena.set(copied);
    this.#copiedFrom = from;
    this.#copiedTo = from + copied.length;
  }

  /** Advances the engine, stopping at each slice border up to `sincePs` of the timeline. */
  #advanceTo(sincePs: number): void {
    this.flush();
    const { history } = this.#rates;
    history.cover(sincePs);
    while (this.#nextBorderPs < sincePs) {
      this.#advance(this.#nextBorderPs + this.#clockPs);
      this.#nextBorderPs = history.borderAfter(this.#nextBorderPs);
    }
  }

  #advance(timePs: number): void {
    let next: number | undefined = 0;
    while (next !== undefined) {
      const begin = this.#nowMs();
      next = this.#engine.advance(timePs, next);
      this.engineMs += this.#nowMs() - begin;
      this.#rates.follow(this.#engine.actions);
      this.#afterCall();
    }
  }
}

/** Adds the statistics of two epochs, counter by counter. */
export function addStats(sum: Stats | undefined, more: Stats): Stats {
  return sum === undefined ? more : (added(sum, more) as Stats);
}

function added(sum: unknown, more: unknown): unknown {
  if (typeof sum === 'number' && typeof more === 'number') return sum + more;
  if (typeof sum !== 'object' || sum === null) return more;
  const entries = Object.entries(more as object).map(([name, value]) => [
    name,
    added((sum as Readonly<Record<string, unknown>>)[name], value),
  ]);
  return Object.fromEntries(entries);
}

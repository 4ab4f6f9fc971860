/**
 * The role watch: passes frames of a port or a stream through the engine as they arrive, with the counters of a replay.
 *
 *   port or capture stream ─► (pcapng) ─► replay ─► view, some times a second ─► report
 *
 * The engine's time is that of the frames. CNPs become due for CE-marked data of listed flows, but nothing is sent.
 */
import { viewFrame, CaptureBatch, type CaptureFrame, LINK_TYPE_ETHERNET } from '../capture/index.js';
import type { CaptureItems } from '../capture/writer.js';
import { checkField, checkRecord, orValue, wholeIn } from '../config/field-rules.js';
import { RoceError } from '../errors.js';
import { replay, type ReplayOptions, type ReplayReport } from '../replay/index.js';
import { NS_PER_SECOND, PS_PER_NS } from '../units.js';
import { requireCallback, requireSignal, requireTimeout, requirePort } from './ports/checks.js';
import { makeFrameBatch, type FramePort, type FramePortStats } from './ports/frame-port.js';

/** State of the watch at one instant. */
export interface WatchView {
  /** Report on all frames received so far. */
  readonly report: ReplayReport;
  /** Counters of the port; undefined if the source is a stream. */
  readonly port: FramePortStats | undefined;
  /** Seconds since the watch started, by the host's clock. */
  readonly elapsedSeconds: number;
}

/** Options of a watch. */
export interface WatchOptions extends Omit<ReplayOptions, 'onProgress' | 'nowMs'> {
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined;
  /** Called every `viewMs`, even if no frame arrives at a port. */
  readonly onView?: ((view: WatchView) => void) | undefined;
  /** Time between two views, ms. Default 500. */
  readonly viewMs?: number | undefined;
  /** Receives the frames as they arrive, e.g. `(frames) => writeCaptureFile('watch.pcapng', frames, { format: 'pcapng' })`. */
  readonly writeFrames?: ((frames: CaptureItems) => Promise<unknown>) | undefined;
}

/** The result of a watch. */
export interface WatchResult extends WatchView {
  /** Frames written to the capture of `writeFrames`: the same as in the report. */
  readonly writtenFrames: number;
  /** Frames ignored because they came in the same batch as the last frame of `limitFrames`. */
  readonly framesBeyondLimit: number;
}

type Batches = AsyncIterable<CaptureBatch>;

const DEFAULT_VIEW_MS = 500;
const LIMIT = orValue(Infinity, wholeIn(1, Number.MAX_SAFE_INTEGER));
const MS_PER_SECOND = 1000;
const DEFAULT_IDLE_MS = 250;
const BATCH_FRAMES = 4096;

/**
 * Watches until the signal, the limit, or the end of the stream.
 *
 * @param source a port, which stays open; or batches of a capture stream.
 * @throws RoceError as `replay`, and errors of `writeFrames`.
 * @example
 * const port = await openPacketPort('eth0');
 * const { report } = await watch(port, { parameters: dcqcnSigcomm15({ lineRateBps: gbps(100) }), signal });
 */
export async function watch(source: FramePort | Batches, options: WatchOptions): Promise<WatchResult> {
  const isPort = checkSource(source);
  checkRecord(options, 'options');
  const { signal, onView, viewMs = DEFAULT_VIEW_MS, writeFrames, limitFrames = Infinity, ...rest } = options;
  requireSignal(signal);
  requireCallback(onView, 'options.onView');
  requireCallback(writeFrames, 'options.writeFrames');
  requireTimeout(viewMs, 'options.viewMs');
  checkField(limitFrames, LIMIT, 'options.limitFrames');
  const beganMs = performance.now();
  const port = isPort ? source as FramePort : undefined;
  const limit = new FrameLimit(limitFrames);
  const batches = limit.through(
    port === undefined ? untilAborted(source as Batches, signal) : portBatches(port, { signal }),
  );
  const tap = new FrameTap();
  const writing = writeFrames?.(tap.frameViews());
  // Reported at the end of the watch, not as an unhandled rejection.
  const written = Promise.allSettled([writing]);
  const viewOf = (report: ReplayReport): WatchView => ({
    report,
    port: port?.stats(),
    elapsedSeconds: (performance.now() - beganMs) / MS_PER_SECOND,
  });
  let nextViewMs = beganMs + viewMs;
  const report = await replay(writing === undefined ? batches : tap.through(batches), {
    ...rest,
    onProgress: (_, reportSoFar) => {
      if (onView === undefined || performance.now() < nextViewMs) return;
      nextViewMs = performance.now() + viewMs;
      onView(viewOf(reportSoFar()));
    },
  });
  await batches.return(undefined);
  for (const outcome of await written) if (outcome.status === 'rejected') throw outcome.reason;
  return { ...viewOf(report), writtenFrames: tap.frames, framesBeyondLimit: limit.framesBeyond };
}

function checkSource(got: unknown): boolean {
  const isObject = typeof got === 'object' && got !== null;
  if (isObject && typeof (got as FramePort).receive === 'function') return true;
  if (isObject && Symbol.asyncIterator in got) return false;
  throw new RoceError('invalid-argument', { got, allowed: 'a port, or batches of a capture', where: 'source' });
}

/**
 * Yields batches until the signal. Waiting for a stream cannot be interrupted, so the signal ends it between two
 * batches, or while it is idle.
 */
async function* untilAborted(batches: AsyncIterable<CaptureBatch>,
  signal: AbortSignal | undefined): AsyncGenerator<CaptureBatch, undefined> {
  const iterator = batches[Symbol.asyncIterator]();
  const aborted = new Promise<undefined>((resolve) => {
    signal?.addEventListener('abort', () => {
      resolve(undefined);
    });
  });
  while (signal?.aborted !== true) {
    const next = await Promise.race([iterator.next(), aborted]);
    if (next === undefined || next.done === true) return;
    yield next.value;
  }
}

/** Truncates the batch in which a limit is reached and ends there, so that all further readers see the same frames. */
class FrameLimit {
  framesBeyond = 0;
  #left: number;

  constructor(frames: number) {
    this.#left = frames;
  }

  async *through(batches: AsyncIterable<CaptureBatch>): AsyncGenerator<CaptureBatch, undefined> {
    for await (const batch of batches) {
      this.framesBeyond += Math.max(0, batch.count - this.#left);
      batch.count = Math.min(batch.count, this.#left);
      this.#left -= batch.count;
      yield batch;
      if (this.#left === 0) return;
    }
  }
}

/** Passes batches to a reader while also writing them to a capture: a batch is passed on after all of it is written. */
class FrameTap {
  /** Number of frames passed on. */
  frames = 0;
  #batch: CaptureBatch | undefined;
  #ended = false;
  /** Notifies the writer of a batch, or of the end. */
  #offer: (() => void) | undefined;
  /** Notifies the reader that the batch is written, or that the writer has ended. */
  #release: (() => void) | undefined;

  /** Yields each batch after it was written. */
  async *through(batches: AsyncIterable<CaptureBatch>): AsyncGenerator<CaptureBatch, undefined> {
    try {
      for await (const batch of batches) {
        await this.#write(batch);
        yield batch;
      }
    } finally {
      this.#ended = true;
      this.#offer?.();
    }
  }

  /** Yields the frames of all batches for the writer, each valid until the next one. */
  async *frameViews(): AsyncGenerator<CaptureFrame, undefined> {
    try {
      for (;;) {
        while (this.#batch === undefined && !this.#ended) {
          await new Promise<void>((resolve) => {
            this.#offer = resolve;
          });
        }
        const batch = this.#batch;
        if (batch === undefined) return;
        for (let index = 0; index < batch.count; index++) {
          this.frames++;
          yield viewFrame(batch, index);
        }
        this.#batch = undefined;
        this.#release?.();
      }
    } finally {
      // The writer failed and reports its error; the reader continues.
      this.#ended = true;
      this.#batch = undefined;
      this.#release?.();
    }
  }

  async #write(batch: CaptureBatch): Promise<void> {
    if (this.#ended || batch.count === 0) return;
    await new Promise<void>((resolve) => {
      this.#release = resolve;
      this.#batch = batch;
      this.#offer?.();
    });
  }
}

/** Options for reading a port. */
export interface PortBatchesOptions {
  /** Ends the reading; frames already in the port are read first. */
  readonly signal?: AbortSignal | undefined;
  /**
   * After this long without frames, an empty batch is returned: ms, default 250. Reading ends at most this long after
   * the signal.
   */
  readonly idleMs?: number | undefined;
}

/**
 * Yields a port's frames as capture batches, for `replay` and capture writers. One batch is reused, whose columns are
 * those of the port's batch; it is empty if no frame arrived for `idleMs`.
 *
 * @throws RoceError at the first batch: `invalid-argument` if it is not a port, `invalid-config` for bad options.
 */
export async function* portBatches(port: FramePort,
  options: PortBatchesOptions = {}): AsyncGenerator<CaptureBatch, undefined> {
  requirePort(port);
  checkRecord(options, 'options');
  const { signal, idleMs = DEFAULT_IDLE_MS } = options;
  requireSignal(signal);
  requireTimeout(idleMs, 'options.idleMs');
  const frames = makeFrameBatch({ frames: BATCH_FRAMES });
  const batch = new PortBatch(port.originNs, frames);
  for (;;) {
    // Checked before reading the port, so that frames that arrived before the signal are not lost.
    const isLast = signal?.aborted === true;
    batch.fill(port.receive(frames));
    if (batch.count > 0) {
      yield batch;
      // Lets timers, signals and sockets run, even if frames keep arriving.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    } else if (isLast) return;
    else {
      await port.wait(idleMs);
      yield batch;
    }
  }
}

class PortBatch extends CaptureBatch {
  readonly #timesNs: Float64Array;
  readonly #originSeconds: number;
  readonly #originRestNs: number;

  constructor(originNs: bigint, frames: ReturnType<typeof makeFrameBatch>) {
    super(frames.offsets.length);
    this.bytes = frames.bytes;
    this.#timesNs = frames.timesNs;
    this.#originSeconds = Number(originNs / BigInt(NS_PER_SECOND));
    this.#originRestNs = Number(originNs % BigInt(NS_PER_SECOND));
    Object.assign(this, {
      offsets: frames.offsets,
      capturedBytes: frames.lenBytes,
      originalBytes: frames.originalLenBytes,
    });
    this.linkTypes.fill(LINK_TYPE_ETHERNET);
    this.timed.fill(1);
  }

  fill(count: number): void {
    this.count = count;
    for (let index = 0; index < count; index++) {
      const sinceNs = this.#originRestNs + this.#timesNs[index];
      const seconds = Math.floor(sinceNs / NS_PER_SECOND);
      this.epochSeconds[index] = this.#originSeconds + seconds;
      this.picoseconds[index] = Math.round((sinceNs - seconds * NS_PER_SECOND) * PS_PER_NS);
    }
  }
}

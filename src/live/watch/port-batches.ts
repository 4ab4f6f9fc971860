/**
 * The frames of a port as batches of a capture, so every reader of captures can read ports. Nothing is copied: the columns
 * are those of the port's batch.
 */
import { CaptureBatch, LINK_TYPE_ETHERNET } from '../../capture/index.js';
import { checkRecord } from '../../config/field-rules.js';
import { NS_PER_SECOND, PS_PER_NS } from '../../unit-sizes.js';
import { requirePort, requireSignal, requireTimeout } from '../ports/checks.js';
import { makeFrameBatch, type FramePort } from '../ports/frame-port.js';

/** Options of reading a port. */
export interface PortBatchesOptions {
  /** Ends the reading; frames that the port holds by then are read first. */
  readonly signal?: AbortSignal | undefined;
  /** Without frames for this long, an empty batch is returned: ms, default 250. Reading ends as late after the signal. */
  readonly idleMs?: number | undefined;
}

const DEFAULT_IDLE_MS = 250;
const BATCH_FRAMES = 4096;

/**
 * The frames of a port, for `replay` and writers of captures. One batch is reused; it is empty if no frame arrived for
 * `idleMs`.
 *
 * @throws RoceError `invalid-argument` for anything but a port, `invalid-config` for the options, at the first batch.
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
    // Checked before the port is read: frames that arrived until then are not lost.
    const isLast = signal?.aborted === true;
    batch.fill(port.receive(frames));
    if (batch.count > 0) {
      yield batch;
      // Timers, signals and sockets run, however fast frames arrive.
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

/**
 * Reads a port's frames as capture batches, so that code that reads captures can also read ports. Nothing is copied:
 * the columns are those of the port's batch.
 */
import { CaptureBatch, LINK_TYPE_ETHERNET } from '../../capture/index.js';
import { checkRecord } from '../../config/field-rules.js';
import { NS_PER_SECOND, PS_PER_NS } from '../../unit-sizes.js';
import { requirePort, requireSignal, requireTimeout } from '../ports/checks.js';
import { makeFrameBatch, type FramePort } from '../ports/frame-port.js';

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

const DEFAULT_IDLE_MS = 250;
const BATCH_FRAMES = 4096;

/**
 * Yields a port's frames, for `replay` and capture writers. One batch is reused; it is empty if no frame arrived for
 * `idleMs`.
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

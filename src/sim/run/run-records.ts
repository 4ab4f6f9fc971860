/** What a run records beside its series, where its scenario asks for it: pauses, and lengths of queues. */
import type { CompiledScenario } from '../compile/compile-scenario.js';
import type { SimKernel, SliceEnd } from '../kernel/kernel.js';
import type { SimResult } from '../result.js';
import { PauseRecorder } from '../results/pause-recorder.js';
import { QueueHistogram } from '../results/queue-histogram.js';

export class RunRecords {
  readonly #kernel: SimKernel;
  readonly #pauses: PauseRecorder | undefined;
  readonly #histogram: QueueHistogram | undefined;

  constructor(kernel: SimKernel, compiled: CompiledScenario) {
    this.#kernel = kernel;
    if (compiled.record.pauses) this.#pauses = new PauseRecorder(compiled.portNames);
    if (compiled.record.queueHistogram !== null) this.#histogram = new QueueHistogram(kernel, compiled);
  }

  /** Takes what a slice has left. */
  take(end: SliceEnd): void {
    this.#pauses?.add(this.#kernel.drainPauses());
    if (end === 'sample') this.#histogram?.look();
  }

  /** @param endPs of the last event, up to which the counters of ports count. */
  result(endPs: number): Pick<SimResult, 'pauses' | 'queueHistogram'> {
    return {
      ...(this.#pauses && { pauses: this.#pauses.intervals(endPs) }),
      ...(this.#histogram && { queueHistogram: this.#histogram.result() }),
    };
  }

  notes(): readonly string[] {
    const leftOut = this.#pauses?.leftOut ?? 0;
    return leftOut === 0 ? [] : [`There were ${leftOut} pauses and renewals more than are kept.`];
  }
}

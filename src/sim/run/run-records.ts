/** Optional records of a run in addition to its series: pauses and queue lengths. */
import type { CompiledScenario } from '../compile/compile-scenario.js';
import type { SimKernel, SliceEnd } from '../kernel/kernel.js';
import { note, type Note } from '../notes/note.js';
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

  /** Reads the records of a slice. */
  take(end: SliceEnd): void {
    this.#pauses?.add(this.#kernel.drainPauses());
    if (end === 'sample') this.#histogram?.look();
  }

  /** The recorded members of the result. @param endPs time of the last event, up to which counters of ports are valid. */
  result(endPs: number): Pick<SimResult, 'pauses' | 'queueHistogram'> {
    return {
      ...(this.#pauses && { pauses: this.#pauses.intervals(endPs) }),
      ...(this.#histogram && { queueHistogram: this.#histogram.result() }),
    };
  }

  notes(): readonly Note[] {
    const pauses = this.#pauses?.leftOut ?? 0;
    return pauses === 0 ? [] : [note('pauses-left-out', { pauses })];
  }
}

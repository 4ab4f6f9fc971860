/** Histogram of the lengths of switch queues, in steps of 1,000 bytes, from samples at equal intervals. */
import type { CompiledScenario } from '../compile/compile-scenario.js';
import type { SimKernel } from '../kernel/kernel.js';
import type { QueueHistogramResult } from '../result.js';

const STEP_BYTES = 1000;

export class QueueHistogram {
  readonly #kernel: SimKernel;
  readonly #names: readonly string[];
  readonly #ports: readonly number[];
  /** Counts of each port of `#ports`, by length in kB from 1 on; a list ends at the longest queue so far. */
  readonly #counts: number[][];
  #polls = 0;

  constructor(kernel: SimKernel, { plan, portNames }: CompiledScenario) {
    this.#kernel = kernel;
    this.#names = portNames;
    this.#ports = plan.ports.flatMap(({ node }, port) => (plan.nodes[node].kind === 'switch' ? [port] : []));
    this.#counts = this.#ports.map(() => []);
  }

  look(): void {
    this.#polls += 1;
    this.#ports.forEach((port, place) => {
      const step = Math.floor(this.#kernel.queueBytes(port) / STEP_BYTES);
      if (step === 0) return;
      const counts = this.#counts[place];
      while (counts.length < step) counts.push(0);
      counts[step - 1] += 1;
    });
  }

  result(): QueueHistogramResult {
    const withQueue = this.#ports.map((port, place) => [port, this.#counts[place]] as const)
      .filter(([, counts]) => counts.length > 0);
    return {
      looks: this.#polls,
      ports: Object.fromEntries(withQueue.map(([port, counts]) => [this.#names[port], this.#withEmpty(counts)])),
    };
  }

  #withEmpty(counts: readonly number[]): readonly number[] {
    return [this.#polls - counts.reduce((sum, count) => sum + count, 0), ...counts];
  }
}

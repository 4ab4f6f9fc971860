/** Optional records of a run in addition to its series: pauses and queue lengths. */
import type { CompiledScenario } from '../compile/compile-scenario.js';
import type { SimKernel, SliceEnd } from '../kernel/kernel.js';
import type { PauseChange } from '../kernel/read-trace.js';
import { note, type Note } from '../note.js';
import type { SimResult, PauseInterval, QueueHistogramResult } from '../result.js';

/** Maximum number of intervals and renewals of pauses. */
const KEPT_MAX = 1_000_000;
const CLASSES = 8;
const STEP_BYTES = 1000;

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

type Open = { -readonly [Key in keyof Omit<PauseInterval, 'renewedPs'>]: PauseInterval[Key] } & {
  renewedPs?: number[];
};

/** Combines the kernel's records of pauses into intervals, in bounded memory. */
class PauseRecorder {
  readonly #portNames: readonly string[];
  readonly #intervals: Open[] = [];
  /** Pauses in effect, by port and class. */
  readonly #open = new Map<number, Open>();
  #kept = 0;
  #left = 0;

  constructor(portNames: readonly string[]) {
    this.#portNames = portNames;
  }

  /** Number of pauses and renewals beyond the maximum. */
  get leftOut(): number {
    return this.#left;
  }

  add(changes: readonly PauseChange[]): void {
    for (const change of changes) this.#addOne(change);
  }

  /** The pauses in order of their start. Those still in effect end with the run. */
  intervals(endPs: number): readonly PauseInterval[] {
    for (const open of this.#open.values()) open.toPs = endPs;
    return this.#intervals;
  }

  #addOne({ timePs, port, trafficClass, change }: PauseChange): void {
    const key = port * CLASSES + trafficClass;
    const open = this.#open.get(key);
    if (open !== undefined && change !== 'paused') this.#change(key, open, timePs, change);
    else if (change === 'paused' && this.#hasRoom()) {
      const name = this.#portNames[port];
      const begun: Open = { port: name, trafficClass, fromPs: timePs, toPs: timePs, endedBy: 'run-end' };
      this.#intervals.push(begun);
      this.#open.set(key, begun);
    }
  }

  #change(key: number, open: Open, timePs: number, change: Exclude<PauseChange['change'], 'paused'>): void {
    if (change === 'paused-again') {
      if (this.#hasRoom()) (open.renewedPs ??= []).push(timePs);
      return;
    }
    open.toPs = timePs;
    open.endedBy = change === 'resumed' ? 'resume' : 'lapse';
    this.#open.delete(key);
  }

  #hasRoom(): boolean {
    if (this.#kept === KEPT_MAX) this.#left += 1;
    else this.#kept += 1;
    return this.#left === 0;
  }
}

/** Histogram of the lengths of switch queues, in steps of 1,000 bytes, from samples at equal intervals. */
class QueueHistogram {
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

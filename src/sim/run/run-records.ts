/**
 * What a run records: pauses and queue lengths, if the scenario says so, and series of queues, utilisation and rates.
 */
import type { CompiledScenario } from '../compile/compile-scenario.js';
import type { SimKernel, SliceEnd } from '../kernel/kernel.js';
import type { DrainedPorts } from '../kernel/port-samples.js';
import type { PauseChange } from '../kernel/read-trace.js';
import { note, type Note } from '../note.js';
import type { SimResult, PauseInterval, QueueHistogramResult, PortResult, SeriesResult } from '../result.js';
import { SeriesRecorder, type SampleKind, seriesResult } from '../results/series-recorder.js';
import { longestQueues } from '../results/summary.js';

/** Maximum number of intervals and renewals of pauses. */
const KEPT_MAX = 1_000_000;
const CLASSES = 8;
const STEP_BYTES = 1000;

/** Records in addition to the series: pauses and queue lengths. */
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
    if (end === 'sample') this.#histogram?.poll();
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

  poll(): void {
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
      polls: this.#polls,
      ports: Object.fromEntries(withQueue.map(([port, counts]) => [this.#names[port], this.#withEmpty(counts)])),
    };
  }

  #withEmpty(counts: readonly number[]): readonly number[] {
    return [this.#polls - counts.reduce((sum, count) => sum + count, 0), ...counts];
  }
}

/** Number of ports for `record.ports: 'auto'`. */
const AUTO_PORTS = 8;
/** Groups of columns, each with one column per port: queue, utilisation, maximum queue. */
const KINDS: readonly SampleKind[] = ['at', 'mean', 'most'];
const OF_PORT = KINDS.length;

/** Rates at a sample. */
export interface RateSample {
  /**
   * Rates of the flows that the scenario records, bits per second; 0: the flow is not running. The next sample overwrites them.
   */
  readonly rateBps: Float64Array;
  /** Jain's index of the rates of the running flows, 0 to 1. */
  readonly fairness: number;
}

/** Samples a run at one interval: queues and utilisation of ports, rates of flows and their fairness. */
export class Sampler {
  readonly #kernel: SimKernel;
  readonly #compiled: CompiledScenario;
  readonly #ports: Int32Array;
  readonly #flows: number;
  readonly #recorder: SeriesRecorder;
  readonly #values: Float64Array;
  readonly #drained: DrainedPorts;
  /** A view of the values that are rates of flows. */
  readonly #rateBps: Float64Array;
  /** How long each sampled port had been sending by the previous sample. */
  readonly #busyPs: Float64Array;
  #lastPs: number;

  constructor(kernel: SimKernel, compiled: CompiledScenario) {
    const { plan, record } = compiled;
    this.#kernel = kernel;
    this.#compiled = compiled;
    this.#ports = Int32Array.from(record.ports === 'auto' ? switchPorts(compiled) : record.ports);
    this.#flows = Math.min(record.flows, plan.flows.length);
    const { length } = this.#ports;
    this.#values = new Float64Array(OF_PORT * length + this.#flows + 1);
    this.#drained = {
      queueBytes: this.#values.subarray(0, length),
      busyPs: new Float64Array(length),
      mostQueueBytes: this.#values.subarray(2 * length, OF_PORT * length),
    };
    this.#rateBps = this.#values.subarray(OF_PORT * length, OF_PORT * length + this.#flows);
    this.#busyPs = new Float64Array(length);
    this.#lastPs = record.startPs;
    this.#recorder = new SeriesRecorder({
      intervalPs: record.intervalPs,
      startPs: record.startPs,
      maxSamples: record.maxSamples,
      columns: Array.from(this.#values, (_, column) => KINDS[Math.floor(column / length)] ?? 'at'),
    });
  }

  /** Time of the next sample, picoseconds: take it after all earlier events, before those of the same instant. */
  get nextPs(): number {
    return this.#recorder.nextPs;
  }

  sample(): RateSample {
    const timePs = this.nextPs;
    this.#samplePorts(timePs);
    const fairness = this.#sampleRates(timePs);
    this.#recorder.add(timePs, this.#values);
    this.#lastPs = timePs;
    return { rateBps: this.#rateBps, fairness };
  }

  /**
   * The series of the result. @param ports results of all ports, which tell which have the longest queues. @param flows maximum
   * number of flows whose rates are included; default: all.
   */
  series(ports: readonly PortResult[], flows = Infinity): SeriesResult {
    const { portNames, record } = this.#compiled;
    const kept = record.ports === 'auto' ? this.#longest(ports) : Array.from(this.#ports, (_, place) => place);
    const named = (offset: number): Record<string, number> =>
      Object.fromEntries(kept.map((place) => [portNames[this.#ports[place] ?? 0] ?? '', place + offset]));
    const firstRate = OF_PORT * this.#ports.length;
    const rates = Array.from({ length: Math.min(flows, this.#flows) }, (_, flow) => [flow, firstRate + flow] as const);
    return seriesResult(this.#recorder, {
      queueBytes: named(0),
      utilization: named(this.#ports.length),
      mostQueueBytes: named(2 * this.#ports.length),
      rateBps: Object.fromEntries(rates),
      fairness: this.#values.length - 1,
    });
  }

  #longest(ports: readonly PortResult[]): number[] {
    const names = new Map(Array.from(this.#ports, (port, place) => [this.#compiled.portNames[port], place]));
    const among = ports.filter(({ name }) => names.has(name));
    return longestQueues(among, AUTO_PORTS).flatMap((port) => (port ? [names.get(port.name) ?? 0] : []));
  }

  #samplePorts(timePs: number): void {
    const sincePs = timePs - this.#lastPs;
    const { length } = this.#ports;
    const { busyPs } = this.#drained;
    this.#kernel.drainPorts(this.#ports, timePs, this.#drained);
    for (let place = 0; place < length; place++) {
      this.#values[length + place] = (busyPs[place] - this.#busyPs[place]) / sincePs;
    }
    this.#busyPs.set(busyPs);
  }

  /** Samples the rates one picosecond earlier, as events of the time itself have not been handled. */
  #sampleRates(timePs: number): number {
    for (let flow = 0; flow < this.#flows; flow++) {
      this.#rateBps[flow] = this.#kernel.isRunning(flow) ? this.#kernel.rateBps(flow, timePs - 1) : 0;
    }
    return this.#values[this.#values.length - 1] = this.#kernel.fairness(timePs - 1);
  }
}

function switchPorts({ plan }: CompiledScenario): number[] {
  return plan.ports.flatMap(({ node }, port) => (plan.nodes[node]?.kind === 'switch' ? [port] : []));
}

/** Samples a run at one interval: queues and utilisation of ports, rates of flows and their fairness. */
import type { CompiledScenario } from '../compile/compile-scenario.js';
import type { SimKernel } from '../kernel/kernel.js';
import type { PortLook } from '../kernel/port-samples.js';
import type { PortResult, SeriesResult } from '../result.js';
import { SeriesRecorder, type SampleKind, seriesResult } from '../results/series-recorder.js';
import { longestQueues } from '../results/summary.js';

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

export class Sampler {
  readonly #kernel: SimKernel;
  readonly #compiled: CompiledScenario;
  readonly #ports: Int32Array;
  readonly #flows: number;
  readonly #recorder: SeriesRecorder;
  readonly #values: Float64Array;
  readonly #look: PortLook;
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
    this.#look = {
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
    const { busyPs } = this.#look;
    this.#kernel.drainPorts(this.#ports, timePs, this.#look);
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

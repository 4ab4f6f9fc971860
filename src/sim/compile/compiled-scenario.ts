/**
 * The result of compiling a scenario: the plan that the kernel runs and its optional parts, the paths of flows, and what the run
 * records.
 */
import { PS_PER_US } from '../../units.js';
import type { SampleTimes } from '../kernel/kernel-options.js';
import type { Note } from '../note.js';
import type { NetworkPlan } from '../plan.js';
import type { DiscoveryResult, PacketRecord } from '../result.js';
import { nameFinder, indexByName } from '../scenario/scenario-error.js';
import type { ScenarioSpec, QueueHistogramSpec } from '../scenario/spec.js';
import type { ValidRecord, ValidScenario } from '../scenario/valid-scenario.js';
import type { Path } from './paths.js';

/** Number of ports on most paths. */
const USUAL_LENGTH = 6;
/** Number of samples for which the default interval is meant. */
const SAMPLES = 1000;

/** Everything that a run needs: the network in numbers, and the data that goes with it. */
export interface CompiledScenario {
  /** The scenario as given. */
  readonly spec: ScenarioSpec;
  /** The plan that the kernel runs. */
  readonly plan: NetworkPlan;
  /** Settings without effect here, and other facts that a reader should know. */
  readonly notes: readonly string[];
  /** The notes as data, in the same order. */
  readonly noteRecords: readonly Note[];
  /** What the run records. */
  readonly record: RecordPlan;
  /** Name of each port, `node:peer`. */
  readonly portNames: readonly string[];
  /** Names of the scenario's algorithms. */
  readonly algorithmNames: readonly string[];
  /** Index of each flow's algorithm. */
  readonly flowAlgorithms: Uint32Array;
  /** The egress ports on each flow's path, from the sender's port on, while all links are up. */
  readonly flowPaths: FlowPaths;
  /** What discovery found before the flows start, and its packets. Absent: the scenario has none. */
  readonly discovery?: {
    /** The outcome of discovery, as in the result. */
    readonly result: DiscoveryResult;
    /** Packets of discovery, in order of time. */
    readonly packets: readonly PacketRecord[];
  };
}

/** The paths of all flows, concatenated in one array of ports, in the order in which they were added. */
export class FlowPaths implements Iterable<Path> {
  /** Offset of each path, followed by the end of the last one. */
  readonly #begins: Uint32Array;
  #ports: Uint32Array;
  #length = 0;

  /** Allocates space for paths. @param flows number of flows. */
  constructor(flows: number) {
    this.#begins = new Uint32Array(flows + 1);
    this.#ports = new Uint32Array(flows * USUAL_LENGTH);
  }

  add(path: Path): void {
    const begin = this.#begins[this.#length];
    const end = begin + path.length;
    if (end > this.#ports.length) this.#grow(end);
    this.#ports.set(path, begin);
    this.#begins[++this.#length] = end;
  }

  /** The egress ports on a flow's path, from the sender's port on. @param flow 0 to length - 1. */
  get(flow: number): Path {
    const path: number[] = [];
    for (let at = this.#begins[flow]; at < this.#begins[flow + 1]; at++) path.push(this.#ports[at]);
    return path;
  }

  /** The names of the ports on a flow's path. */
  namesOf(flow: number, portNames: readonly string[]): string[] {
    const names: string[] = [];
    for (let at = this.#begins[flow]; at < this.#begins[flow + 1]; at++) names.push(portNames[this.#ports[at]]);
    return names;
  }

  /** The paths of all flows, in order. */
  *[Symbol.iterator](): Generator<Path> {
    for (let flow = 0; flow < this.#length; flow++) yield this.get(flow);
  }

  #grow(least: number): void {
    const before = this.#ports;
    this.#ports = new Uint32Array(Math.max(least, 2 * before.length));
    this.#ports.set(before);
  }
}

/** What a run records, and how often. */
export interface RecordPlan {
  /** Sampling interval, whole picoseconds, at least 1. */
  readonly intervalPs: number;
  /** Start of the first flow; nothing happens before. Series, means over time and goodput begin here. */
  readonly startPs: number;
  /** Maximum samples of each series. */
  readonly maxSamples: number;
  /** Indices of the sampled ports; `auto`: the 8 with the longest queues. */
  readonly ports: 'auto' | readonly number[];
  /** Number of flows, from the first, whose rate is recorded. */
  readonly flows: number;
  /** Number of operations of each job whose times are recorded. */
  readonly operations: number;
  /** Indices of captured ports. */
  readonly capture: readonly number[];
  /** Whether pauses are recorded. */
  readonly pauses: boolean;
  /** When queue lengths are sampled for the histogram; `null`: never. */
  readonly queueHistogram: SampleTimes | null;
}

/** @throws RoceError `invalid-scenario` for an unknown port. */
export function recordPlan(record: ValidRecord, plan: NetworkPlan, names: readonly string[]): RecordPlan {
  const { intervalUs, maxSamples, flows, operations } = record;
  const portNamed = nameFinder(indexByName(names), 'a port');
  const portsOf = (wanted: readonly string[], where: string): number[] =>
    wanted.map((name, i) => portNamed(name, `${where}[${i}]`));
  const ports = record.ports === 'all' ?
    names.map((_, port) => port) :
    record.ports === 'auto' ?
    'auto' :
    portsOf(record.ports, 'record.ports');
  const intervalPs = intervalUs === null ? defaultIntervalPs(plan) : Math.max(1, Math.round(intervalUs * PS_PER_US));
  return {
    intervalPs,
    startPs: firstStartPs(plan),
    maxSamples,
    operations,
    ports,
    flows,
    capture: portsOf(record.capture, 'record.capture'),
    pauses: record.pauses,
    queueHistogram: record.queueHistogram && sampleTimes(record.queueHistogram),
  };
}

function sampleTimes({ fromUs, toUs, everyUs }: Required<QueueHistogramSpec>): SampleTimes {
  const [firstPs, lastPs] = [Math.round(fromUs * PS_PER_US), Math.round(toUs * PS_PER_US)];
  return { firstPs, everyPs: Math.round(everyUs * PS_PER_US), lastPs };
}

/** Start of the first flow; 0 if no flow starts before the run ends. */
function firstStartPs({ flows, endPs }: NetworkPlan): number {
  let first = Infinity;
  for (let flow = 0; flow < flows.length; flow++) {
    if (flows.after[flow] < 0) first = Math.min(first, flows.startPs[flow]);
  }
  return first < endPs ? first : 0;
}

/** The default interval: 1/1000 of the lower bound on the completion of all flows, whole microseconds, at least 1. */
function defaultIntervalPs(plan: NetworkPlan): number {
  return Math.max(1, Math.ceil((Math.min(plan.endPs, idealEndPs(plan)) - firstStartPs(plan)) / SAMPLES / PS_PER_US)) *
    PS_PER_US;
}

/**
 * Lower bound on the completion of all flows: each flow takes its ideal time after the flows that it waits for, and each port
 * takes the time to send all its bytes.
 */
function idealEndPs({ flows, ports }: NetworkPlan): number {
  const ends = new Float64Array(flows.length);
  const firstStart = new Float64Array(ports.length).fill(Infinity);
  const bits = new Float64Array(ports.length);
  let last = 0;
  for (let flow = 0; flow < flows.length; flow++) {
    const [after, startPs] = [flows.after[flow], flows.startPs[flow]];
    const end = Math.max(startPs, after < 0 ? 0 : ends[after]) + flows.idealPs[flow];
    ends[flow] = end;
    last = Math.max(last, end);
    for (const port of [flows.sourcePort[flow], flows.responsePort[flow]]) {
      firstStart[port] = Math.min(firstStart[port], startPs);
      bits[port] += 8 * flows.sizeBytes[flow];
    }
  }
  ports.forEach(({ rateBps }, port) => {
    if (bits[port] > 0) last = Math.max(last, firstStart[port] + (bits[port] / rateBps) * 1e12);
  });
  return last;
}

/** Whether a flow's timeout is derived from the queues on its path, which is the case if the scenario sets none. */
export function adaptsTimeout({ fidelity, spec, hostOverrides }: ValidScenario, source: number): boolean {
  return fidelity === 'standard' &&
    (hostOverrides[source]?.retransmitTimeoutUs ?? spec.hosts?.timeout ?? spec.hosts?.retransmitTimeoutUs) ===
      undefined;
}

/** The plan's jobs, and which flow of a host starts next; empty if there are no jobs. */
export function jobsOf(
  { jobs, endsWithJobs, hosts }: ValidScenario,
): Pick<NetworkPlan, 'service' | 'jobs' | 'endsWithJobs'> {
  return {
    ...(hosts.service === 'round-robin' ? {} : { service: hosts.service }),
    ...(jobs.length === 0 ? {} : { jobs }),
    ...(endsWithJobs ? { endsWithJobs } : {}),
  };
}

/** The parts of a plan that are present; undefined ones are removed. */
type Present<Parts> = { readonly [Name in keyof Parts]?: Exclude<Parts[Name], undefined> };

export function present<Parts extends object>(parts: Parts): Present<Parts> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Present<Parts>;
}

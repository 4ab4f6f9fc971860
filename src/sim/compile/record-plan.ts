/** The plan of what a run records over time. */
import { PS_PER_US } from '../../unit-sizes.js';
import type { NetworkPlan } from '../plan.js';
import type { SampleTimes } from '../kernel/kernel-options.js';
import type { QueueHistogramSpec } from '../scenario/spec.js';
import { nameFinder, indexByName } from '../scenario/scenario-error.js';
import type { ValidRecord } from '../scenario/valid-scenario.js';

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

const SAMPLES = 1000;

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

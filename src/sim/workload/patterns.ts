/** Incast: several hosts send to one at once. */
import { PS_PER_US } from '../../unit-sizes.js';
import { DEFAULT_STAGGER_US, DEFAULT_START_US } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { IncastSpec, PermutationSpec, AllToAllSpec, RingAllReduceSpec, FlowListSpec,
  FlowSpec } from '../scenario/spec.js';
import { Draws } from './random.js';
import { flowOf, type WorkloadContext, type WorkloadFlow, checkFlowCount } from './workload-flow.js';

export function incast(spec: IncastSpec, context: WorkloadContext): WorkloadFlow[] {
  const { hosts, where } = context;
  const receiver = spec.to === undefined ? hosts[hosts.length - 1] : context.hostNamed(spec.to, `${where}.to`);
  const others = hosts.filter((host) => host !== receiver);
  if (spec.senders > others.length) {
    const hint = `The network has ${hosts.length} hosts, one of which receives`;
    rejectScenario({ got: spec.senders, allowed: { max: others.length }, where: `${where}.senders`, hint });
  }
  const staggerPs = (spec.staggerUs ?? DEFAULT_STAGGER_US) * PS_PER_US;
  return others.slice(0, spec.senders).map((host, i) =>
    flowOf(context, host, receiver, spec.sizeBytes, Math.round(i * staggerPs))
  );
}

/* Permutation: each host sends once and receives once. */

export function permutation(spec: PermutationSpec, context: WorkloadContext): WorkloadFlow[] {
  const { hosts } = context;
  const partners = derangement(hosts.length, new Draws(context.seed));
  return hosts.map((host, i) => flowOf(context, host, hosts[partners[i]], spec.sizeBytes));
}

/**
 * A uniformly distributed permutation without fixed points: a Fisher-Yates shuffle, repeated until there are none, which takes
 * e tries on average.
 *
 * @param count at least 2.
 */
export function derangement(count: number, draws: Draws): number[] {
  for (;;) {
    const order = Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i--) {
      const j = draws.below(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    if (order.every((partner, i) => partner !== i)) return order;
  }
}

/*
 * All-to-all: each host sends to every other host, starting with its neighbour in the list, so that first receivers all differ.
 */

export function* allToAll(spec: AllToAllSpec, context: WorkloadContext): Generator<WorkloadFlow> {
  const hosts = firstHosts(spec.hosts, context);
  const count = hosts.length;
  checkFlowCount(count * (count - 1), `${count} hosts, all to all`, `${context.where}.hosts`);
  for (let i = 0; i < count; i++) {
    for (let step = 1; step < count; step++) yield flowOf(context, hosts[i], hosts[(i + step) % count], spec.sizeBytes);
  }
}

/** The first `got` hosts; by default all. */
export function firstHosts(got: number | undefined, { hosts, where }: WorkloadContext): readonly number[] {
  if (got === undefined || got <= hosts.length) return hosts.slice(0, got);
  return rejectScenario({ what: 'the number of hosts', got, allowed: { max: hosts.length }, where: `${where}.hosts` });
}

/*
 * Ring all-reduce: 2 (n - 1) steps, each host sending one chunk of size / n to the next; a host begins a step when it
 * has received the previous one (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
 * workstations", JPDC 2009).
 *
 * In step s host i sends chunk (i - s) mod n: n - 1 steps of reduce-scatter, n - 1 of all-gather. Each step is a separate
 * flow with separate congestion control, as if it were a new QP.
 */

export function* ringAllReduce(spec: RingAllReduceSpec, context: WorkloadContext): Generator<WorkloadFlow> {
  const { where } = context;
  const hosts = firstHosts(spec.hosts, context);
  const count = hosts.length;
  const steps = 2 * (count - 1);
  checkFlowCount(steps * count, `a ring of ${count} hosts`, `${where}.hosts`);
  if (spec.sizeBytes < count) {
    const hint = 'Each host sends at least one byte in each step';
    rejectScenario({ got: spec.sizeBytes, allowed: { min: count, unit: 'bytes' }, where: `${where}.sizeBytes`, hint });
  }
  for (let step = 0; step < steps; step++) {
    for (let i = 0; i < count; i++) {
      const chunk = (((i - step) % count) + count) % count;
      const flow = flowOf(context, hosts[i], hosts[(i + 1) % count], chunkBytes(spec.sizeBytes, count, chunk));
      yield step === 0 ? flow : { ...flow, after: context.firstFlow + (step - 1) * count + ((i + count - 1) % count) };
    }
  }
}

/** Size of a chunk. Chunks differ by at most one byte and add up to the whole. */
function chunkBytes(sizeBytes: number, count: number, chunk: number): number {
  const base = Math.floor(sizeBytes / count);
  return base + (chunk < sizeBytes - base * count ? 1 : 0);
}

/* A workload that lists its flows. */

export function flowList(spec: FlowListSpec, context: WorkloadContext): WorkloadFlow[] {
  return spec.flows.map((flow, i) => oneFlow(flow, context, `${context.where}.flows[${i}]`));
}

function oneFlow(flow: FlowSpec, context: WorkloadContext, where: string): WorkloadFlow {
  const { common } = context;
  const source = context.hostNamed(flow.from, `${where}.from`);
  const destination = context.hostNamed(flow.to, `${where}.to`);
  if (source === destination) {
    rejectScenario({ what: 'the flow', problem: 'goes from a host to itself', got: flow.to, where: `${where}.to` });
  }
  if (flow.startUs !== undefined && flow.startPs !== undefined) {
    const got = { startUs: flow.startUs, startPs: flow.startPs };
    rejectScenario({ what: 'the flow', problem: 'has two starts', got, where: `${where}.startPs` });
  }
  const { algorithm, trafficClass, sourcePort, destinationPort, transport, qp, operation, receiverReadyUs } = flow;
  return {
    source,
    destination,
    sizeBytes: flow.sizeBytes,
    startPs: common.startPs + (flow.startPs ?? Math.round((flow.startUs ?? DEFAULT_START_US) * PS_PER_US)),
    after: -1,
    algorithm: algorithm === undefined ? common.algorithm : context.algorithmNamed(algorithm, `${where}.algorithm`),
    trafficClass: trafficClass ?? common.trafficClass,
    destinationPort: destinationPort ?? common.destinationPort,
    transport: transport ?? common.transport,
    operation: operation ?? common.operation,
    readyPs: receiverReadyUs === undefined ? common.readyPs : Math.round(receiverReadyUs * PS_PER_US),
    ...(sourcePort === undefined ? {} : { sourcePort }),
    ...(qp === undefined ? {} : { qp }),
  };
}

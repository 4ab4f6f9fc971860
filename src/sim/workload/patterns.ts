/**
 * Traffic patterns: the flows of the workloads `incast`, `permutation`, `all-to-all`, `ring-all-reduce`, `poisson` and `flows`.
 *
 * Source of the ring: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 2009.
 */
import type { Allowed } from '../../errors.js';
import { PS_PER_SECOND, PS_PER_US } from '../../units.js';
import { DEFAULT_STAGGER_US, DEFAULT_START_US } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { IncastSpec, PermutationSpec, AllToAllSpec, RingAllReduceSpec, FlowListSpec, FlowSpec, PoissonSpec,
  SizeCdf, SizeDistribution, SizeFile, WorkloadSpec } from '../scenario/spec.js';
import { Draws } from '../random.js';
import { sizePointsOf, meanBytes, sizeAt } from './size-distributions.js';
import { flowOf, type WorkloadContext, type WorkloadFlow, checkFlowCount } from './workload-flows.js';

/** Several hosts send to one at once. */
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

/** Each host sends once and receives once. */
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

/** Each host sends to every other host, starting with its neighbour in the list, so that first receivers all differ. */
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

/**
 * 2 (n - 1) steps, n - 1 of reduce-scatter and n - 1 of all-gather, in each of which a host sends one chunk of size / n to the
 * next: in step s host i sends chunk (i - s) mod n, once it has received the previous step's. Each step is a separate flow with
 * separate congestion control, as if it were a new QP.
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

/**
 * Poisson arrivals: flows of random size between random pairs of hosts, at a load.
 *
 *   flows per second = load * sum of the hosts' rates / (8 * mean size)
 *
 * The load counts payload, not headers. A flow's source is drawn with a probability in proportion to the host's rate, its
 * destination uniformly from the other hosts.
 */
export function* poisson(spec: PoissonSpec, context: WorkloadContext): Generator<WorkloadFlow> {
  const { hosts, hostRatesBps, where } = context;
  const cdf = pointsOf(spec);
  const sums = sumsOf(hostRatesBps);
  const totalBps = sums[sums.length - 1];
  const gapPs = meanGapPs(spec, cdf, totalBps);
  const endPs = spec.arrivalsForUs === undefined ? Infinity : spec.arrivalsForUs * PS_PER_US;
  const draws = new Draws(context.seed);
  let flows = 0;
  let timePs = draws.exponential(gapPs);
  while (timePs < endPs && flows < (spec.flows ?? Infinity)) {
    const source = sourceAt(sums, draws.uniform() * totalBps);
    const other = draws.below(hosts.length - 1);
    const destination = hosts[other < source ? other : other + 1];
    yield flowOf(context, hosts[source], destination, sizeAt(cdf, draws.uniform()), Math.round(timePs));
    checkFlowCount(++flows, 'these arrivals', `${where}.arrivalsForUs`);
    timePs += draws.exponential(gapPs);
  }
  return flows;
}

/** Expected number of flows of a workload with Poisson arrivals. @param totalBps sum of the hosts' rates. */
export function expectedFlows(spec: PoissonSpec, totalBps: number): number {
  const { flows = Infinity, arrivalsForUs = Infinity } = spec;
  return Math.min(flows, Math.round((arrivalsForUs * PS_PER_US) / meanGapPs(spec, pointsOf(spec), totalBps)));
}

function meanGapPs({ load }: PoissonSpec, cdf: SizeCdf, totalBps: number): number {
  return (8 * meanBytes(cdf) * PS_PER_SECOND) / (load * totalBps);
}

/** The distribution of sizes. A file has already been replaced by its points. */
function pointsOf({ sizes }: PoissonSpec): SizeCdf {
  return sizePointsOf(sizes as Exclude<SizeDistribution, SizeFile>);
}

/** Cumulative sums of the rates. */
function sumsOf(ratesBps: readonly number[]): number[] {
  let sum = 0;
  return ratesBps.map((rate) => (sum += rate));
}

/** The host for a number from 0 to the sum of all rates. */
function sourceAt(sums: readonly number[], at: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle] > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The flows that the workload lists. */
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

/** @throws RoceError `invalid-scenario` */
export function checkWorkload(spec: WorkloadSpec, where: string): void {
  if (spec.kind === 'poisson') checkPoisson(spec, where);
}

function checkPoisson(spec: PoissonSpec, where: string): void {
  const { flows, arrivalsForUs, sizes } = spec;
  if ((flows === undefined) === (arrivalsForUs === undefined)) {
    const problem = 'needs either flows or arrivalsForUs';
    rejectScenario({ what: 'the Poisson workload', problem, got: { flows, arrivalsForUs }, where: `${where}.flows` });
  }
  if (typeof sizes === 'string') return;
  if ('file' in sizes) rejectUnread(sizes.file, `${where}.sizes.file`);
  checkCdf(sizes, `${where}.sizes`);
}

function rejectUnread(got: string, where: string): never {
  const hint = 'Read it with readSizePoints, and give the points as sizes; roce-cc run does so';
  return rejectScenario({ what: 'the file of sizes', problem: 'has not been read', got, where, hint });
}

function checkCdf(cdf: SizeCdf, where: string): void {
  cdf.forEach(({ sizeBytes, share }, i) => {
    const before = cdf[i - 1];
    if (before === undefined) return;
    requirePoint(sizeBytes >= before.sizeBytes, 'the size', sizeBytes, { min: before.sizeBytes },
      `${where}[${i}].sizeBytes`);
    requirePoint(share >= before.share, 'the share', share, { min: before.share }, `${where}[${i}].share`);
  });
  const last = cdf[cdf.length - 1];
  const lastPlace = `${where}[${cdf.length - 1}]`;
  requirePoint(last.share === 1, 'the last share', last.share, 1, `${lastPlace}.share`);
  requirePoint(last.sizeBytes >= 1, 'the last size', last.sizeBytes, { min: 1 }, `${lastPlace}.sizeBytes`);
}

function requirePoint(holds: boolean, what: string, got: number, allowed: Allowed, where: string): void {
  if (!holds) rejectScenario({ what, got, allowed, where, hint: 'Points of a distribution ascend, to a share of 1' });
}

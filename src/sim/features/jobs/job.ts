/**
 * Jobs: graphs of operations on hosts. The flows of a job are its sends between different hosts, in the order of its
 * operations. Hosts are assigned to ranks from a list, or by a policy over the hosts that no earlier job uses.
 */
import { BITS_PER_BYTE, PS_PER_NS, PS_PER_SECOND } from '../../../units.js';
import { forEachOperation } from '../../../workloads/graph/check-graph.js';
import { repeatedLength, repeatGraph } from '../../../workloads/graph/repeat-graph.js';
import { MOST_OPERATIONS, SEND, type WorkloadGraph } from '../../../workloads/graph/workload-graph.js';
import { DEFAULT_ITERATIONS, DEFAULT_MESSAGES, DEFAULT_RANKS_PER_HOST } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { IterationSpec, JobCommon, JobSpec, Placement } from '../../scenario/spec.js';
import { Draws } from '../../random.js';
import { flowOf, type WorkloadContext, type WorkloadFlow } from '../../workload/workload-flows.js';
import type { JobPlan, MessagePlan } from './plan.js';

/** The flows of a job that is read from a file. */
export function* job(spec: JobSpec, context: WorkloadContext): Generator<WorkloadFlow> {
  const graph = context.jobs.graphOf(spec.file, `${context.where}.file`);
  if (graph !== undefined)
    yield* jobFlows(spec, repeated(spec, graph, context.where), context, spec.name ?? bareName(spec.file));
}

/** A graph, repeated as its job requires. */
export function repeated(spec: IterationSpec, graph: WorkloadGraph, where: string): WorkloadGraph {
  const { iterations, barrier } = { ...DEFAULT_ITERATIONS, ...spec };
  if (iterations === 1) return graph;
  const operations = repeatedLength(graph, iterations, barrier);
  if (operations <= MOST_OPERATIONS) return repeatGraph(graph, iterations, barrier);
  const place = `${where}.iterations`;
  return rejectScenario({
    what: 'the number of operations',
    got: operations,
    allowed: { max: MOST_OPERATIONS },
    where: place,
  });
}

/** A file's name without folders and extensions. */
function bareName(file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  return name.replace(/\.gz$/, '').replace(/(?<=.)\.[^.]*$/, '');
}

/** Adds a job to the scenario; returns its flows. */
export function* jobFlows(spec: JobCommon, graph: WorkloadGraph, context: WorkloadContext,
  name: string): Generator<WorkloadFlow> {
  const hosts = hostsOfRanks(spec, graph, context);
  const { where, jobs: { all }, firstFlow, common: { startPs } } = context;
  if (all.some((other) => other.name === name)) {
    const hint = 'Give them different names';
    rejectScenario({ what: 'the name of the job', problem: 'is already in use', got: name, where, hint });
  }
  const { peer, amount } = graph.operations;
  const sizes = new EndlessSizes(context);
  const endless: number[] = [];
  let flows = 0;
  for (const [source, operation] of sends(graph)) {
    const [from, to] = [hosts[source], hosts[peer[operation]]];
    if (from === to) continue;
    const isEndless = amount[operation] === Infinity;
    if (isEndless) endless.push(firstFlow + flows);
    flows++;
    if (isEndless) yield { ...flowOf(context, from, to, sizes.bytes(graph, operation, from)), endless: true };
    else yield flowOf(context, from, to, amount[operation]);
  }
  const after = afterOf(spec, all, where);
  all.push({ name, graph, hosts, firstFlow, flows, endless, startPs, after, ...messagesOf(spec) });
}

function* sends(graph: WorkloadGraph): Generator<readonly [number, number]> {
  const { kind } = graph.operations;
  const found: number[] = [];
  const ranks: number[] = [];
  forEachOperation(graph, (operation, rank) => {
    if (kind[operation] !== SEND) return;
    found.push(operation);
    ranks.push(rank);
  });
  for (let index = 0; index < found.length; index++) yield [ranks[index], found[index]];
}

function afterOf({ after }: JobCommon, all: readonly JobPlan[], where: string): number {
  if (after === undefined) return -1;
  const index = all.findIndex(({ name }) => name === after);
  if (index >= 0) return index;
  const hint = 'Only a job before it in the list can be named';
  const names = all.map(({ name }) => name);
  return rejectScenario({ what: 'the job', got: after, allowed: names, where: `${where}.after`, hint });
}

function messagesOf(spec: JobCommon): MessagePlan {
  const { sendDone, eagerBytes, receiveDone, sendOverheadNs, receiveOverheadNs } = { ...DEFAULT_MESSAGES, ...spec };
  const sendOverheadPs = Math.round(sendOverheadNs * PS_PER_NS);
  const receiveOverheadPs = Math.round(receiveOverheadNs * PS_PER_NS);
  return { sendDone, eagerBytes, receiveDone, sendOverheadPs, receiveOverheadPs };
}

/**
 * Sizes of messages without an end, as connections of htsim can be. They are so large that they can't complete before the run
 * ends, even at the line rate of their host.
 */
class EndlessSizes {
  readonly #context: WorkloadContext;
  readonly #ratesBps = new Map<number, number>();

  constructor(context: WorkloadContext) {
    this.#context = context;
  }

  /**
   * Size of a message that a host sends without an end.
   *
   * @throws RoceError `invalid-scenario` if the scenario does not state when the run ends.
   */
  bytes(graph: WorkloadGraph, operation: number, host: number): number {
    const { durationPs, hosts, hostRatesBps } = this.#context;
    if (durationPs === undefined) return rejectEndless(graph, operation);
    if (this.#ratesBps.size === 0) hosts.forEach((one, index) => this.#ratesBps.set(one, hostRatesBps[index]));
    const rateBps = this.#ratesBps.get(host) ?? 0;
    const bytes = Math.floor((rateBps / BITS_PER_BYTE) * (durationPs / PS_PER_SECOND)) + 1;
    return Math.min(bytes, Number.MAX_SAFE_INTEGER);
  }
}

function rejectEndless(graph: WorkloadGraph, operation: number): never {
  return rejectScenario({
    what: graph.describe(operation),
    problem: 'has no end, and the run has none',
    where: graph.source,
    hint: 'Give durationUs of the scenario, or --until 10ms',
  });
}

/** The host of each rank. Ranks beyond `hostRanks` share the host of rank 0. */
function hostsOfRanks(spec: JobCommon, { ranks, hostRanks }: WorkloadGraph, context: WorkloadContext): Uint32Array {
  const { ranksPerHost = DEFAULT_RANKS_PER_HOST } = spec;
  const own = ownHosts(spec, Math.ceil(hostRanks / ranksPerHost), context);
  const hosts = new Uint32Array(ranks).fill(own[0]);
  for (let rank = 0; rank < hostRanks; rank++) hosts[rank] = own[Math.floor(rank / ranksPerHost)];
  return hosts;
}

function ownHosts({ hosts: names, placement }: JobCommon, count: number, context: WorkloadContext): readonly number[] {
  const { where, hosts } = context;
  if (names !== undefined && placement !== undefined) {
    const problem = 'is given together with hosts';
    rejectScenario({ what: 'placement', problem, got: placement, where: `${where}.placement` });
  }
  if (names !== undefined) return namedHosts(names, count, context);
  if (placement !== undefined) return placed(placement, count, context);
  requireHosts(count, hosts.length, where, 'Each rank has its own host');
  return hosts.slice(0, count);
}

function namedHosts(names: readonly string[], count: number, { where, hostNamed }: WorkloadContext): number[] {
  if (names.length !== count) {
    const place = `${where}.hosts`;
    rejectScenario({
      what: 'the number of hosts',
      got: names.length,
      allowed: [count],
      where: place,
      hint: 'One per rank',
    });
  }
  return names.map((host, rank) => hostNamed(host, `${where}.hosts[${rank}]`));
}

function requireHosts(count: number, max: number, where: string, hint: string): void {
  if (count <= max) return;
  rejectScenario({ what: 'the number of ranks', got: count, allowed: { max }, where, hint });
}

function placed(policy: Placement, count: number, context: WorkloadContext): readonly number[] {
  const { hosts, leafOf, jobs: { all }, where, seed } = context;
  const taken = new Set(all.flatMap((job) => [...job.hosts]));
  const free = hosts.map((_, place) => place).filter((place) => !taken.has(hosts[place]));
  requireHosts(count, free.length, where, 'Each has its own host, which no earlier job has');
  const order = {
    linear: () => free,
    random: () => shuffled(free, new Draws(seed)),
    'by-leaf': () => byLeaf(free, leafOf).sort((a, b) => b.length - a.length).flat(),
    spread: () => inTurns(byLeaf(free, leafOf)),
  }[policy]();
  return order.slice(0, count).map((place) => hosts[place]);
}

/** Fisher-Yates shuffle. */
function shuffled(places: readonly number[], draws: Draws): number[] {
  const order = [...places];
  for (let i = order.length - 1; i > 0; i--) {
    const j = draws.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Groups hosts by leaf, in the order of each leaf's first host. */
function byLeaf(places: readonly number[], leafOf: readonly number[]): number[][] {
  const leaves = new Map<number, number[]>();
  for (const place of places) {
    const known = leaves.get(leafOf[place]);
    if (known === undefined) leaves.set(leafOf[place], [place]);
    else known.push(place);
  }
  return [...leaves.values()];
}

function inTurns(leaves: readonly (readonly number[])[]): number[] {
  const most = leaves.reduce((longest, leaf) => Math.max(longest, leaf.length), 0);
  return Array.from({ length: most }, (_, turn) => leaves.flatMap((leaf) => leaf.slice(turn, turn + 1))).flat();
}

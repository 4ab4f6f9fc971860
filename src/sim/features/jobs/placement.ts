/** Assigns hosts to a job's ranks: from a list, or by a policy over the hosts that no earlier job uses. */
import type { WorkloadGraph } from '../../../workloads/graph/workload-graph.js';
import { DEFAULT_RANKS_PER_HOST } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { JobCommon, Placement } from '../../scenario/spec.js';
import { Draws } from '../../workload/random.js';
import type { WorkloadContext } from '../../workload/workload-flow.js';

/** The host of each rank. Ranks beyond `hostRanks` share the host of rank 0. */
export function hostsOfRanks(spec: JobCommon, { ranks, hostRanks }: WorkloadGraph,
  context: WorkloadContext): Uint32Array {
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

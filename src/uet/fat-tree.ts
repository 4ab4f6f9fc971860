/**
 * The shape of a fat tree, from a topology file or from options.
 *
 *   leaves per pod = pod size / radix down 0          leaf uplinks U = hosts * speed 0 / (speed 1 * oversubscribed 0)
 *   aggregation switches per pod = U / (pods * radix down 1)
 *   cores = U * speed 1 / (speed 2 * oversubscribed 1) / radix down 2
 *   from options: 3 tiers: K^3 / 4 hosts; 2 tiers: K^2 / 2 hosts, K leaves and K / 2 spines; each switch has K / 2 ports down
 *
 * Uplink l of an aggregation switch leads to core: position of the switch in its pod + switches per pod * l.
 */
import { BPS_PER_GBPS, PS_PER_NS } from '../units.js';
import type { TopologyShape, TopologyTier } from '../workloads/htsim/topology-lines.js';
import { rejectUet } from './rejections.js';

/** One tier of switches and the links below it. */
export interface FatTreeTier {
  readonly rateBps: number;
  readonly latencyPs: number;
  readonly switchLatencyPs: number;
  /** Parallel links to each switch or host below. */
  readonly bundle: number;
}

export interface FatTree {
  readonly hosts: number;
  readonly hostsPerLeaf: number;
  readonly hostsPerPod: number;
  readonly leaves: number;
  readonly leavesPerPod: number;
  readonly aggregations: number;
  readonly aggregationsPerPod: number;
  readonly cores: number;
  /** Cores above each aggregation switch. */
  readonly coresPerAggregation: number;
  /** Ratio of downlink to uplink capacity. */
  readonly oversubscription: number;
  readonly tiers: readonly FatTreeTier[];
}

/** Options that define a tree without a file. */
export interface FatTreeOptions {
  readonly tiers: 2 | 3;
  readonly nodes: number;
  readonly linkSpeedBps: number;
  readonly hopLatencyPs: number;
  readonly switchLatencyPs: number;
}

/** @throws RoceError `invalid-scenario` if the numbers are inconsistent. */
export function fatTreeOfFile(shape: TopologyShape, file: string): FatTree {
  const { nodes, tiers } = shape;
  const podsize = tiers.length === 2 ? nodes : shape.podsize;
  const [low, middle, high] = tiers;
  const whole = (what: string, value: number): number => {
    if (Number.isInteger(value) && value > 0) return value;
    return rejectUet({ what, got: value, allowed: 'a whole number of at least 1', where: file });
  };
  tiers.slice(0, -1).forEach((tier, at) => checkOversubscription(tier, at, file));
  const pods = whole('Nodes / Podsize', nodes / podsize);
  const leavesPerPod = whole('Podsize / Radix_Down of Tier 0', podsize / low.radixDown);
  const uplinks = whole('the number of leaf uplinks',
    (nodes * low.speedGbps) / (middle.speedGbps * low.oversubscribed));
  const aggregationsPerPod = whole('leaf uplinks / (pods * Radix_Down of Tier 1)', uplinks / (pods * middle.radixDown));
  checkRadix('Radix_Down of Tier 1', middle.radixDown, leavesPerPod * middle.bundle, file);
  let [cores, coresPerAggregation] = [0, 0];
  if (tiers.length === 3) {
    const coreLinks = (uplinks * middle.speedGbps) / (high.speedGbps * middle.oversubscribed);
    cores = whole('the number of core switches', coreLinks / high.radixDown);
    coresPerAggregation = whole('Radix_Up of Tier 1 / Bundle of Tier 2', middle.radixUp / high.bundle);
    checkRadix('Radix_Down of Tier 2', high.radixDown, pods * high.bundle, file);
    checkRadix('Radix_Up of Tier 1', middle.radixUp, (cores / aggregationsPerPod) * high.bundle, file);
  }
  return {
    hosts: nodes,
    hostsPerLeaf: low.radixDown,
    hostsPerPod: podsize,
    leaves: pods * leavesPerPod,
    leavesPerPod,
    aggregations: pods * aggregationsPerPod,
    aggregationsPerPod,
    cores,
    coresPerAggregation,
    oversubscription: low.oversubscribed * (tiers.length === 3 ? middle.oversubscribed : 1),
    tiers: tiers.map(({ speedGbps, latencyNs, switchLatencyNs, bundle }) => ({
      rateBps: speedGbps * BPS_PER_GBPS,
      latencyPs: latencyNs * PS_PER_NS,
      switchLatencyPs: switchLatencyNs * PS_PER_NS,
      bundle,
    })),
  };
}

function checkOversubscription({ radixDown, radixUp, oversubscribed }: TopologyTier, tier: number, file: string): void {
  if (Math.trunc(radixDown / radixUp) === oversubscribed) return;
  const what = `Radix_Down / Radix_Up of Tier ${tier}`;
  rejectUet({ what, got: radixDown / radixUp, allowed: `its value of Oversubscribed, ${oversubscribed}`, where: file });
}

function checkRadix(what: string, got: number, allowed: number, where: string): void {
  if (got !== allowed) rejectUet({ what, got, allowed: `${allowed}, to match the other numbers`, where });
}

/** @throws RoceError `invalid-scenario` if no tree has this number of hosts. */
export function fatTreeOfOptions(options: FatTreeOptions): FatTree {
  const { tiers, nodes, linkSpeedBps, hopLatencyPs, switchLatencyPs } = options;
  const hostsOf = (k: number): number => (tiers === 3 ? k ** 3 / 4 : k ** 2 / 2);
  let k = 2;
  while (hostsOf(k) < nodes) k += 2;
  if (hostsOf(k) !== nodes) {
    const allowed = tiers === 3 ? 'K^3 / 4 of an even K: 2, 16, 54, 128, …' : 'K^2 / 2 of an even K: 2, 8, 18, 32, …';
    rejectUet({ what: `-nodes of ${tiers} tiers`, got: nodes, allowed });
  }
  const half = k / 2;
  const tier = { rateBps: linkSpeedBps, latencyPs: hopLatencyPs, switchLatencyPs, bundle: 1 };
  return {
    hosts: nodes,
    hostsPerLeaf: half,
    hostsPerPod: tiers === 3 ? half * half : nodes,
    leaves: tiers === 3 ? k * half : k,
    leavesPerPod: tiers === 3 ? half : k,
    aggregations: tiers === 3 ? k * half : half,
    aggregationsPerPod: half,
    cores: tiers === 3 ? half * half : 0,
    coresPerAggregation: tiers === 3 ? half : 0,
    oversubscription: 1,
    tiers: new Array<FatTreeTier>(tiers).fill(tier),
  };
}

/** One-way latency of links and switches between two hosts, picoseconds; of the longest path if no hosts are given. */
export function latencyPs(tree: FatTree, source?: number, destination?: number): number {
  const levels = levelsBetween(tree, source, destination);
  let total = 0;
  for (let level = 0; level < levels; level += 1) {
    const { latencyPs: linkPs, switchLatencyPs } = tree.tiers[level];
    total += 2 * linkPs + (level === levels - 1 ? 1 : 2) * switchLatencyPs;
  }
  return total;
}

/** Number of tiers that a path climbs. */
function levelsBetween(tree: FatTree, source?: number, destination?: number): number {
  if (source === undefined || destination === undefined) return tree.tiers.length;
  const isSame = (size: number): boolean => Math.floor(source / size) === Math.floor(destination / size);
  if (isSame(tree.hostsPerLeaf)) return 1;
  return isSame(tree.hostsPerPod) ? 2 : 3;
}

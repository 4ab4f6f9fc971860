/**
 * The static description of a run's network: switches, queues and links of a fat tree. Leaves, aggregation switches and cores
 * draw their salts in this order; unused spines also draw one.
 *
 * Slow links (`-failed n`) have a quarter of the rate, limit and thresholds. With two tiers these are all links of the
 * first n spines, in both directions; with three tiers, as in the reference, only the direction down from a core.
 */
import type { FatTree } from './fat-tree.js';

export type SwitchTier = 'tor' | 'aggregation' | 'core';

/** Settings that differ between queues. */
export interface QueueSettings {
  readonly rateBps: number;
  /** Limit of the low class; that of the high class is twice as large. */
  readonly limitBytes: number;
  /** Queue length at which marking begins; Infinity if the queue does not mark. */
  readonly markLowBytes: number;
  readonly markHighBytes: number;
}

/** Settings of the queues of all links, independent of their rate. */
export interface NetworkSettings {
  readonly tree: FatTree;
  readonly limitBytes: number;
  readonly markLowBytes: number;
  readonly markHighBytes: number;
  /** Whether queues to hosts mark. */
  readonly isMarkingLastHop: boolean;
  readonly slowLinks: number;
}

/** An output queue of a switch and its link. */
export interface LinkPlan {
  readonly name: string;
  readonly queue: QueueSettings;
  readonly latencyPs: number;
  /** Index of the switch that it leads to; -1 for a host. */
  readonly next: number;
}

export interface SwitchPlan {
  readonly tier: SwitchTier;
  readonly latencyPs: number;
  /** First host below the switch, number of hosts, and how many of them share a list of links. */
  readonly firstHost: number;
  readonly hostsBelow: number;
  readonly hostsPerList: number;
  /** Links towards the hosts below, one list per `hostsPerList` hosts. */
  readonly down: readonly (readonly LinkPlan[])[];
  readonly up: readonly LinkPlan[];
}

export interface NetworkPlan {
  readonly switches: readonly SwitchPlan[];
  /** Index of the leaf switch of each host. */
  readonly leaves: readonly number[];
  /** Rate of the hosts' links. */
  readonly hostRateBps: number;
  readonly hostLatencyPs: number;
}

const SLOW = 0.25;
const TO_HOST = -1;

export function planNetwork(settings: NetworkSettings): NetworkPlan {
  const { tree } = settings;
  const planner = new Planner(settings);
  const [{ rateBps, latencyPs }] = tree.tiers;
  return {
    switches: [
      ...Array.from({ length: tree.leaves }, (_, at) => planner.leaf(at)),
      ...Array.from({ length: tree.aggregations }, (_, at) => planner.aggregation(at)),
      ...Array.from({ length: tree.cores }, (_, at) => planner.core(at)),
    ],
    leaves: Array.from({ length: tree.hosts }, (_, host) => Math.floor(host / tree.hostsPerLeaf)),
    hostRateBps: rateBps,
    hostLatencyPs: latencyPs,
  };
}

/** A bundle of parallel links: its position, and the switch that it leads to. */
interface BundlePlace {
  readonly name: string;
  readonly tier: number;
  readonly next: number;
  readonly isSlow?: boolean;
}

class Planner {
  readonly #settings: NetworkSettings;
  readonly #tree: FatTree;
  readonly #firstCore: number;

  constructor(settings: NetworkSettings) {
    this.#settings = settings;
    this.#tree = settings.tree;
    this.#firstCore = settings.tree.leaves + settings.tree.aggregations;
  }

  leaf(at: number): SwitchPlan {
    const { hostsPerLeaf, leavesPerPod, aggregationsPerPod, leaves } = this.#tree;
    const firstHost = at * hostsPerLeaf;
    const pod = Math.floor(at / leavesPerPod);
    return {
      tier: 'tor',
      latencyPs: this.#tree.tiers[0].switchLatencyPs,
      firstHost,
      hostsBelow: hostsPerLeaf,
      hostsPerList: 1,
      down: Array.from({ length: hostsPerLeaf }, (_, place) => [
        this.#link({ name: `LS${at}->DST${firstHost + place}(0)`, tier: 0, next: TO_HOST }),
      ]),
      up: Array.from({ length: aggregationsPerPod }, (_, position) => {
        const above = pod * aggregationsPerPod + position;
        return this.#bundle({
          name: `LS${at}->US${above}`,
          tier: 1,
          next: leaves + above,
          isSlow: this.#isSlowSpine(above),
        });
      }).flat(),
    };
  }

  aggregation(at: number): SwitchPlan {
    const { hostsPerLeaf, hostsPerPod, leavesPerPod, aggregationsPerPod, coresPerAggregation } = this.#tree;
    const pod = Math.floor(at / aggregationsPerPod);
    const firstLeaf = pod * leavesPerPod;
    return {
      tier: 'aggregation',
      latencyPs: this.#tree.tiers[1].switchLatencyPs,
      firstHost: pod * hostsPerPod,
      hostsBelow: hostsPerPod,
      hostsPerList: hostsPerLeaf,
      down: Array.from({ length: leavesPerPod }, (_, place) =>
        this.#bundle({
          name: `US${at}->LS_${firstLeaf + place}`,
          tier: 1,
          next: firstLeaf + place,
          isSlow: this.#isSlowSpine(at),
        })),
      up: Array.from({ length: coresPerAggregation }, (_, link) => {
        const above = (at % aggregationsPerPod) + aggregationsPerPod * link;
        return this.#bundle({ name: `US${at}->CS${above}`, tier: 2, next: this.#firstCore + above });
      }).flat(),
    };
  }

  core(at: number): SwitchPlan {
    const { hosts, hostsPerPod, leaves, aggregations, aggregationsPerPod } = this.#tree;
    return {
      tier: 'core',
      latencyPs: this.#tree.tiers[2].switchLatencyPs,
      firstHost: 0,
      hostsBelow: hosts,
      hostsPerList: hostsPerPod,
      down: Array.from({ length: aggregations / aggregationsPerPod }, (_, pod) => {
        const below = pod * aggregationsPerPod + (at % aggregationsPerPod);
        const number = Math.floor(at / aggregationsPerPod) + below * aggregationsPerPod;
        return this.#bundle({
          name: `CS${at}->US${below}`,
          tier: 2,
          next: leaves + below,
          isSlow: number < this.#settings.slowLinks,
        });
      }),
      up: [],
    };
  }

  #isSlowSpine(at: number): boolean {
    return this.#tree.tiers.length === 2 && at < this.#settings.slowLinks;
  }

  #bundle(place: BundlePlace): LinkPlan[] {
    return Array.from({ length: this.#tree.tiers[place.tier].bundle },
      (_, member) => this.#link({ ...place, name: `${place.name}(${member})` }));
  }

  #link({ name, tier, next, isSlow = false }: BundlePlace): LinkPlan {
    const { limitBytes, markLowBytes, markHighBytes, isMarkingLastHop } = this.#settings;
    const { rateBps, latencyPs } = this.#tree.tiers[tier];
    const scaled = (value: number): number => (isSlow ? Math.trunc(value * SLOW) : value);
    const isMarking = isMarkingLastHop || next !== TO_HOST;
    const queue = {
      rateBps: scaled(rateBps),
      limitBytes: scaled(limitBytes),
      markLowBytes: isMarking ? scaled(markLowBytes) : Infinity,
      markHighBytes: isMarking ? scaled(markHighBytes) : Infinity,
    };
    return { name, queue, latencyPs, next };
  }
}

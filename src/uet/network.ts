/**
 * The network of a run: switches, queues and links of a fat tree. Salts are drawn in the order leaves, aggregation
 * switches, cores; spines that nothing uses draw theirs too.
 *
 * Slow links (`-failed n`) run at a quarter of rate, limit and thresholds. With two tiers: both directions of all links
 * of the first n spines. Kept of the reference: with three tiers, only the direction down from a core.
 */
import type { FatTree } from './fat-tree.js';
import { HostQueue } from './host-queue.js';
import type { NextHopChoice, SwitchTier } from './next-hop-choice.js';
import type { Packet, PacketSink } from './packet.js';
import { Pipe } from './pipe.js';
import type { RunContext } from './run-context.js';
import { Switch } from './switch.js';
import { SwitchQueue, type QueueSettings, type TrimSettings } from './switch-queue.js';

/** Queues of all links, before their rate. */
export interface NetworkSettings {
  readonly tree: FatTree;
  readonly limitBytes: number;
  readonly markLowBytes: number;
  readonly markHighBytes: number;
  /** Whether queues to hosts mark. */
  readonly isMarkingLastHop: boolean;
  readonly trim: TrimSettings;
  readonly slowLinks: number;
}

const SLOW = 0.25;

/** Delivers what arrives at a host to the sender or receiver that it is for. */
const HOST: PacketSink = { receive: (packet: Packet) => packet.endpoint.receive(packet) };

/** A link down or up: where it is, and where it leads. */
interface LinkPlace {
  readonly name: string;
  readonly tier: number;
  readonly next: PacketSink;
  readonly isSlow?: boolean;
  readonly isLastHop?: boolean;
}

export class Network {
  /** By host. */
  readonly hostQueues: readonly HostQueue[];
  readonly #context: RunContext;
  readonly #settings: NetworkSettings;
  readonly #leaves: readonly Switch[];
  readonly #aggregations: readonly Switch[];
  readonly #cores: readonly Switch[];

  constructor(context: RunContext, settings: NetworkSettings, choice: NextHopChoice) {
    const { tree } = settings;
    this.#context = context;
    this.#settings = settings;
    const switches = (count: number, tier: SwitchTier, level: number): Switch[] =>
      Array.from({ length: count }, () => new Switch(context, tier, tree.tiers[level].switchLatencyPs, choice));
    this.#leaves = switches(tree.leaves, 'tor', 0);
    this.#aggregations = switches(tree.aggregations, 'aggregation', 1);
    this.#cores = switches(tree.cores, 'core', 2);
    this.#leaves.forEach((leaf, at) => this.#connectLeaf(leaf, at));
    this.#aggregations.forEach((aggregation, at) => this.#connectAggregation(aggregation, at));
    this.#cores.forEach((core, at) => this.#connectCore(core, at));
    const [{ rateBps, latencyPs }] = tree.tiers;
    this.hostQueues = Array.from({ length: tree.hosts }, (_, host) => {
      const leaf = this.#leaves[Math.floor(host / tree.hostsPerLeaf)];
      return new HostQueue(context, rateBps, new Pipe(context.events, latencyPs, leaf));
    });
  }

  #connectLeaf(leaf: Switch, at: number): void {
    const { tree, slowLinks } = this.#settings;
    const first = at * tree.hostsPerLeaf;
    const toHosts = Array.from({ length: tree.hostsPerLeaf }, (_, place) => [
      this.#link({ name: `LS${at}->DST${first + place}(0)`, tier: 0, next: HOST, isLastHop: true }),
    ]);
    const pod = Math.floor(at / tree.leavesPerPod);
    const uplinks = Array.from({ length: tree.aggregationsPerPod }, (_, position) => {
      const above = pod * tree.aggregationsPerPod + position;
      const isSlow = tree.tiers.length === 2 && above < slowLinks;
      return this.#bundle({ name: `LS${at}->US${above}`, tier: 1, next: this.#aggregations[above], isSlow });
    }).flat();
    leaf.connect({ down: (host) => toHosts[host - first] ?? [], up: () => [...uplinks] });
  }

  #connectAggregation(aggregation: Switch, at: number): void {
    const { tree, slowLinks } = this.#settings;
    const pod = Math.floor(at / tree.aggregationsPerPod);
    const firstLeaf = pod * tree.leavesPerPod;
    const isSlow = tree.tiers.length === 2 && at < slowLinks;
    const toLeaves = Array.from({ length: tree.leavesPerPod }, (_, place) =>
      this.#bundle({
        name: `US${at}->LS_${firstLeaf + place}`,
        tier: 1,
        next: this.#leaves[firstLeaf + place],
        isSlow,
      }));
    const uplinks = Array.from({ length: tree.coresPerAggregation }, (_, link) => {
      const above = (at % tree.aggregationsPerPod) + tree.aggregationsPerPod * link;
      return this.#bundle({ name: `US${at}->CS${above}`, tier: 2, next: this.#cores[above] });
    }).flat();
    const leafOf = (host: number): number => Math.floor(host / tree.hostsPerLeaf) - firstLeaf;
    aggregation.connect({ down: (host) => toLeaves[leafOf(host)] ?? [], up: () => [...uplinks] });
  }

  #connectCore(core: Switch, at: number): void {
    const { tree, slowLinks } = this.#settings;
    const { aggregationsPerPod } = tree;
    const pods = tree.aggregations / aggregationsPerPod;
    const toPods = Array.from({ length: pods }, (_, pod) => {
      const below = pod * aggregationsPerPod + (at % aggregationsPerPod);
      const isSlow = Math.floor(at / aggregationsPerPod) + below * aggregationsPerPod < slowLinks;
      return this.#bundle({ name: `CS${at}->US${below}`, tier: 2, next: this.#aggregations[below], isSlow });
    });
    core.connect({ down: (host) => toPods[Math.floor(host / tree.hostsPerPod)] ?? [], up: () => [] });
  }

  #bundle(place: LinkPlace): SwitchQueue[] {
    return Array.from({ length: this.#settings.tree.tiers[place.tier].bundle },
      (_, member) => this.#link({ ...place, name: `${place.name}(${member})` }));
  }

  #link({ name, tier, next, isSlow = false, isLastHop = false }: LinkPlace): SwitchQueue {
    const { events } = this.#context;
    const { tree, trim } = this.#settings;
    const pipe = new Pipe(events, tree.tiers[tier].latencyPs, next);
    return new SwitchQueue(this.#context, { name, isLastHop }, this.#queueSettings(tier, isSlow, isLastHop), trim,
      pipe);
  }

  #queueSettings(tier: number, isSlow: boolean, isLastHop: boolean): QueueSettings {
    const { tree, limitBytes, markLowBytes, markHighBytes, isMarkingLastHop } = this.#settings;
    const scaled = (value: number): number => (isSlow ? Math.trunc(value * SLOW) : value);
    const isMarking = isMarkingLastHop || !isLastHop;
    return {
      rateBps: scaled(tree.tiers[tier].rateBps),
      limitBytes: scaled(limitBytes),
      markLowBytes: isMarking ? scaled(markLowBytes) : Infinity,
      markHighBytes: isMarking ? scaled(markHighBytes) : Infinity,
    };
  }
}

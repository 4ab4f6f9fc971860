/**
 * Reads htsim's topology files (`.topo`) into nodes and links (docs/specs/workloads.md, 3.5).
 *
 *   leaf uplinks U = nodes speed0 / (speed1 oversubscribed0)       aggregation switches per pod A = U / (pods Radix_Down1)
 *   core links   V = U speed1 / (speed2 oversubscribed1)           cores = V / Radix_Down2
 *
 * Hosts are h0, …, with Radix_Down0 per leaf. The j-th aggregation switch of a pod is connected to all its leaves; the
 * one at index p of its pod to cores p, p + A, p + 2A, …
 *
 * Deviation: half of a switch's latency is in each of its links, because links here are symmetric; over a path up and
 * down again, the sum is the same.
 */
import { checkField, checkRecord, oneOf, reject, wholeIn } from '../../config/field-rules.js';
import { readLines, type WorkloadSource } from '../read-lines.js';
import { rejectWorkload } from '../workload-error.js';
import type { LinkFailure } from '../graph/workload-graph.js';
import { workloadNote, type WorkloadNote } from '../notes.js';
import { namesOf, requireRoom, type TopologyLink, type WorkloadTopology } from '../edge-topology.js';
import { TopologyLines, type TopologyShape, type TopologyTier } from './topology-lines.js';

const NUMBER_MAX = 2 ** 31;

/** Options for reading an htsim topology file. */
export interface HtsimTopologyOptions {
  /** Name of the file in errors. Default `topology`. */
  readonly name?: string;
  /** Links that are down for the whole run, as in a connection matrix (`graph.failures`). Default none. */
  readonly failures?: readonly LinkFailure[];
}

/**
 * Reads an htsim topology file; gzip is decompressed.
 *
 * @throws RoceError `invalid-workload`, with the fault, the line or key, the value found and the values allowed.
 * @example
 * const graph = await readConnectionMatrix(matrix, { failures: 'in-topology' });
 * const { topology, notes } = await readHtsimTopology(file, { failures: graph.failures });
 */
export async function readHtsimTopology(source: WorkloadSource,
  options: HtsimTopologyOptions = {}): Promise<WorkloadTopology> {
  checkRecord(options, 'options');
  const { name = 'topology', failures = [] } = options;
  if (typeof name !== 'string') reject({ got: name, allowed: 'a string', where: 'options.name' });
  if (!Array.isArray(failures)) reject({ got: failures, allowed: 'a list of failures', where: 'options.failures' });
  (failures as readonly unknown[]).forEach((failure, place) => {
    checkFailure(failure, `options.failures[${place}]`);
  });
  const lines = new TopologyLines(name);
  await readLines(source, name, (line) => {
    lines.read(line);
  });
  return new TopologyMaker(lines.finish(), name).make(failures as readonly LinkFailure[]);
}

function checkFailure(failure: unknown, where: string): void {
  const { switchType, switchId, linkId } = checkRecord(failure, where);
  checkField(switchType, oneOf('TOR', 'AGG', 'CORE'), `${where}.switchType`);
  checkField(switchId, wholeIn(0, NUMBER_MAX), `${where}.switchId`);
  checkField(linkId, wholeIn(0, NUMBER_MAX), `${where}.linkId`);
}

interface Counts {
  readonly pods: number;
  readonly leaves: number;
  /** Number of leaves per pod. */
  readonly leavesPerPod: number;
  readonly perPod: number;
  readonly cores: number;
}

class TopologyMaker {
  readonly #shape: TopologyShape;
  readonly #name: string;
  readonly #counts: Counts;
  readonly #links: TopologyLink[] = [];

  constructor(shape: TopologyShape, name: string) {
    this.#shape = shape;
    this.#name = name;
    this.#counts = this.#counted();
  }

  make(failures: readonly LinkFailure[]): WorkloadTopology {
    const { nodes, tiers } = this.#shape;
    const { pods, leaves, leavesPerPod, perPod, cores } = this.#counts;
    for (let host = 0; host < nodes; host++) this.#link(`h${host}`, `tor${Math.floor(host / tiers[0].radixDown)}`, 0);
    for (let leaf = 0; leaf < leaves; leaf++) {
      const pod = Math.floor(leaf / leavesPerPod);
      for (let place = 0; place < perPod; place++) this.#link(`tor${leaf}`, `agg${pod * perPod + place}`, 1);
    }
    for (let aggregation = 0; cores > 0 && aggregation < pods * perPod; aggregation++) {
      for (let core = aggregation % perPod; core < cores; core += perPod) {
        this.#link(`agg${aggregation}`, `core${core}`, 2);
      }
    }
    const links = this.#without(failures);
    const switches = [...namesOf('tor', leaves), ...namesOf('agg', pods * perPod), ...namesOf('core', cores)];
    return {
      topology: {
        kind: 'edges',
        nodes: [
          ...namesOf('h', nodes).map((name) => ({ name, kind: 'host' as const })),
          ...switches.map((name) => ({ name, kind: 'switch' as const })),
        ],
        links,
      },
      hosts: nodes,
      notes: this.#notes(failures),
    };
  }

  /** Computes the counts; every division must leave no remainder. */
  #counted(): Counts {
    const { nodes, podsize, tiers: [leaf, aggregation, core] } = this.#shape;
    const isTwo = core === undefined;
    if (isTwo && podsize !== nodes) this.#reject('Podsize', podsize, `${nodes}, all nodes, with 2 tiers`);
    const pods = this.#whole(nodes, podsize, 'Nodes / Podsize');
    const leavesPerPod = this.#whole(podsize, leaf.radixDown, 'Podsize / Radix_Down of Tier 0');
    const uplinks = this.#whole(nodes * leaf.speedGbps, aggregation.speedGbps * leaf.oversubscribed,
      'the number of leaf uplinks');
    const perPod = this.#whole(uplinks, pods * aggregation.radixDown, 'the number of aggregation switches of a pod');
    this.#requireRadix(perPod * aggregation.bundle, leaf.radixUp, 'Radix_Up of Tier 0');
    this.#requireRadix(Math.floor(leaf.radixDown / leaf.radixUp), leaf.oversubscribed, 'Oversubscribed of Tier 0');
    const leaves = pods * leavesPerPod;
    const toCores = isTwo ?
      0 :
      this.#whole(uplinks * aggregation.speedGbps, core.speedGbps * aggregation.oversubscribed,
        'the number of core links');
    requireRoom(nodes + leaves + pods * perPod, nodes + uplinks + toCores, this.#name);
    const cores = isTwo ? 0 : this.#cores(toCores, perPod, core, aggregation);
    requireRoom(nodes + leaves + pods * perPod + cores, 0, this.#name);
    return { pods, leaves, leavesPerPod, perPod, cores };
  }

  #cores(links: number, perPod: number, core: TopologyTier, aggregation: TopologyTier): number {
    const cores = this.#whole(links, core.radixDown, 'the number of cores');
    const radix = this.#whole(cores * core.bundle, perPod, 'the number of uplinks of an aggregation switch');
    this.#requireRadix(radix, aggregation.radixUp, 'Radix_Up of Tier 1');
    this.#whole(cores, perPod, 'the number of cores of an aggregation switch');
    return cores;
  }

  #whole(above: number, below: number, what: string): number {
    const quotient = above / below;
    if (Number.isSafeInteger(quotient) && quotient >= 1) return quotient;
    return this.#reject(what, quotient, 'a whole number of at least 1');
  }

  #requireRadix(follows: number, given: number, what: string): void {
    if (follows !== given) this.#reject(what, given, `${follows}, as follows from the other numbers`);
  }

  #reject(what: string, got: unknown, allowed: string): never {
    return rejectWorkload('BAD_RADIX', { what, got, allowed, where: this.#name });
  }

  #link(from: string, to: string, tier: number): void {
    const { tiers } = this.#shape;
    const below = tier === 0 ? 0 : tiers[tier - 1].switchLatencyNs;
    const delayNs = tiers[tier].latencyNs + (below + tiers[tier].switchLatencyNs) / 2;
    const bundle = tier === 0 ? 1 : tiers[tier].bundle;
    for (let count = 0; count < bundle; count++) {
      this.#links.push({ from, to, rateGbps: tiers[tier].speedGbps, delayNs });
    }
  }

  /** Removes failed links; of a bundle, the first ones. */
  #without(failures: readonly LinkFailure[]): TopologyLink[] {
    const failed = new Map<string, LinkFailure[]>();
    for (const failure of failures) {
      const key = this.#endsOf(failure).join(' ');
      failed.set(key, [...(failed.get(key) ?? []).slice(0, 1), failure]);
    }
    const up = this.#links.filter(({ from, to }) => failed.get(`${from} ${to}`)?.shift() === undefined);
    const [unknown] = [...failed.values()].flat();
    if (unknown === undefined) return up;
    const what = `link ${unknown.linkId} of ${unknown.switchType} ${unknown.switchId}, which fails,`;
    const problem = 'is not in the topology, or fails twice';
    return rejectWorkload('RANK_OUT_OF_RANGE', { what, problem, where: this.#name });
  }

  /** Returns the lower and the upper end of a failed link. */
  #endsOf({ switchType, switchId, linkId }: LinkFailure): readonly [string, string] {
    const { leavesPerPod, perPod } = this.#counts;
    const pod = Math.floor(switchId / leavesPerPod);
    if (switchType === 'TOR') return [`tor${switchId}`, linkId < perPod ? `agg${pod * perPod + linkId}` : ''];
    if (switchType === 'AGG') return [`agg${switchId}`, `core${(switchId % perPod) + perPod * linkId}`];
    return [`agg${linkId * perPod + (switchId % perPod)}`, `core${switchId}`];
  }

  #notes(failures: readonly LinkFailure[]): WorkloadNote[] {
    const { tiers, notes } = this.#shape;
    return [
      ...(failures.length === 0 ? [] : [workloadNote('links-down', { links: failures.length })]),
      ...(tiers.some(({ switchLatencyNs }) => switchLatencyNs > 0) ? [workloadNote('switch-latency-halved')] : []),
      ...notes,
    ];
  }
}

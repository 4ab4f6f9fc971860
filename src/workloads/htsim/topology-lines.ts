/**
 * Parses htsim's topology file line by line (docs/specs/workloads.md, 3.5): `key value`, keys in any case, comments
 * from `#` on.
 *
 *   Nodes N, Tiers 2 or 3, Podsize N       hosts per pod; with 2 tiers all of them
 *   Tier k                                 0 = leaf, and for each: Downlink_speed_Gbps, Downlink_Latency_ns, Switch_Latency_ns,
 *                                          Radix_Down, Radix_Up, Queue_Down, Queue_Up, Oversubscribed, Bundle
 */
import { LeftOut, type WorkloadNote } from '../notes.js';
import { wholeOf, wordsOf } from '../read-lines.js';
import { rejectWorkload, type WorkloadFault } from '../workload-error.js';

const HEADER = ['nodes', 'tiers', 'podsize'] as const;
const DEFAULTS = { switch_latency_ns: 0, oversubscribed: 1, bundle: 1, queue_down: 0, queue_up: 0, radix_up: 0 };
const TIER_KEYS = ['downlink_speed_gbps', 'downlink_latency_ns', 'radix_down', ...Object.keys(DEFAULTS)];
/** Keys whose values are not used, only reported in a note. */
const QUEUES = { queue_down: 'Queue_Down', queue_up: 'Queue_Up' } as const;
const LATENCY_MAX_NS = 1e12;
const SPEED_MAX_GBPS = 8000;

/** One layer of switches. */
export interface TopologyTier {
  /** Rate of the links below. */
  readonly speedGbps: number;
  readonly latencyNs: number;
  readonly switchLatencyNs: number;
  readonly radixDown: number;
  readonly radixUp: number;
  readonly oversubscribed: number;
  /** Parallel links per pair of switches below. */
  readonly bundle: number;
}

/** The contents of the file. */
export interface TopologyShape {
  readonly nodes: number;
  readonly podsize: number;
  readonly tiers: readonly TopologyTier[];
  /** Notes on parts of the file that the network does not use. */
  readonly notes: readonly WorkloadNote[];
}

export class TopologyLines {
  readonly #name: string;
  readonly #header = new Map<string, number>();
  readonly #tiers = new Map<number, Map<string, number>>();
  readonly #leftOut = new LeftOut();
  #tier: Map<string, number> | undefined;
  #line = 0;

  constructor(name: string) {
    this.#name = name;
  }

  read(line: string): void {
    this.#line++;
    const words = wordsOf(line, '#');
    if (words.length === 0) return;
    const key = words[0].toLowerCase();
    if (words.length !== 2) this.#reject('TOPO_SYNTAX', 'the line', words.join(' '), 'a key and a number');
    if (key === 'tier') this.#begin(words[1]);
    else this.#set(words[0], key, words[1]);
  }

  /** @throws RoceError `invalid-workload`, `MISSING_KEY` and `BAD_TIER`. */
  finish(): TopologyShape {
    const [nodes, count, podsize] = HEADER.map((key) => this.#needed(this.#header, key, 'the header'));
    const last = Math.max(-1, ...this.#tiers.keys());
    if ((count !== 2 && count !== 3) || last >= count) {
      const got = { tiers: count, last };
      rejectWorkload('BAD_TIER', { what: 'Tiers', got, allowed: '2 or 3, and no Tier beyond', where: this.#name });
    }
    const tiers = Array.from({ length: count }, (_, tier) => this.#tierOf(tier, tier === count - 1));
    return { nodes, podsize, tiers, notes: this.#leftOut.notes() };
  }

  #begin(text: string): void {
    const number = wholeOf(text, 2);
    if (number === undefined) this.#reject('BAD_TIER', 'the tier', text, [0, 1, 2]);
    if (this.#tiers.has(number)) this.#reject('DUPLICATE_KEY', `Tier ${number}`, text, 'only once');
    this.#tier = new Map();
    this.#tiers.set(number, this.#tier);
  }

  #set(word: string, key: string, text: string): void {
    const allowed: readonly string[] = this.#tier === undefined ? HEADER : TIER_KEYS;
    if (!allowed.includes(key)) this.#reject('UNKNOWN_TOKEN', 'the key', word, [...allowed, 'tier']);
    const values = this.#tier ?? this.#header;
    if (values.has(key)) this.#reject('DUPLICATE_KEY', `the key ${word}`, text, 'only once');
    const max = key === 'downlink_speed_gbps' ? SPEED_MAX_GBPS : LATENCY_MAX_NS;
    const value = wholeOf(text, max);
    const isPositive = !key.includes('latency') && !key.startsWith('queue') && key !== 'radix_up';
    if (value === undefined || (isPositive && value === 0)) {
      this.#reject('TOPO_SYNTAX', word, text, `a whole number from ${isPositive ? 1 : 0} to ${max}`);
    }
    values.set(key, value);
    if (key === 'queue_down' || key === 'queue_up')
      this.#leftOut.add('queue-sizes', this.#where(), 1, { key: QUEUES[key] });
  }

  #tierOf(tier: number, isTop: boolean): TopologyTier {
    const values = this.#tiers.get(tier);
    const place = `Tier ${tier}`;
    if (values === undefined) {
      rejectWorkload('MISSING_KEY', { what: place, problem: 'is missing', where: this.#name });
    }
    if (isTop && values.has('radix_up')) {
      rejectWorkload('BAD_TIER', {
        what: `Radix_Up of ${place}`,
        problem: 'is not allowed in the top tier',
        where: this.#name,
      });
    }
    const value = (key: keyof typeof DEFAULTS): number => values.get(key) ?? DEFAULTS[key];
    return {
      speedGbps: this.#needed(values, 'downlink_speed_gbps', place),
      latencyNs: this.#needed(values, 'downlink_latency_ns', place),
      switchLatencyNs: value('switch_latency_ns'),
      radixDown: this.#needed(values, 'radix_down', place),
      radixUp: isTop ? 0 : this.#needed(values, 'radix_up', place),
      oversubscribed: value('oversubscribed'),
      bundle: value('bundle'),
    };
  }

  #needed(values: ReadonlyMap<string, number>, key: string, place: string): number {
    const value = values.get(key);
    if (value !== undefined) return value;
    return rejectWorkload('MISSING_KEY', { what: `${key} of ${place}`, problem: 'is missing', where: this.#name });
  }

  #where(): string {
    return `${this.#name}, line ${this.#line}`;
  }

  #reject(fault: WorkloadFault, what: string, got: unknown, allowed: string | readonly (string | number)[]): never {
    return rejectWorkload(fault, { what, got, allowed, where: this.#where() });
  }
}

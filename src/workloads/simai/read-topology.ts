/**
 * Reads SimAI's topology files into nodes and links (docs/specs/workloads.md, 4.2).
 *
 *   nodes, GPUs per server, NVSwitches, other switches, links, GPU type
 *   ids of the NVSwitches, then those of the other switches
 *   node node rate delay error-rate        one line per link
 *
 * GPU i is h<i>, an NVSwitch nv<id>, another switch s<id>. If several shortest paths join two GPUs, only those through
 * an NVSwitch are kept, by an explicit route: since GPUs do not forward, such a path has two links.
 */
import { checkRecord, reject } from '../../config/field-rules.js';
import { readLines, wholeOf, wordsOf, type WorkloadSource } from '../read-lines.js';
import { rejectWorkload, type WorkloadFault } from '../workload-error.js';
import { workloadNote, type WorkloadNote } from '../notes.js';
import { requireRoom, type TopologyLink, type TopologyNode, type TopologyRoute,
  type WorkloadTopology } from '../edge-topology.js';

/** A topology read from a SimAI file. */
export interface SimaiTopology extends WorkloadTopology {
  /** Names of the NVSwitches, which neither mark nor send PFC. */
  readonly nvSwitches: readonly string[];
  /** Number of switches other than NVSwitches. */
  readonly switches: number;
  /** Number of GPUs per server, as stated. */
  readonly gpusPerServer: number;
  /** GPU type as stated: A100, A800, H100, H800, or another word that counts as none. */
  readonly gpuType: string;
}

/** Options for reading a SimAI topology file. */
export interface SimaiTopologyOptions {
  /** Name of the file in errors. Default `topology`. */
  readonly name?: string;
}

const FIRST_LINE = 'six values: nodes, GPUs per server, NVSwitches, other switches, links, GPU type';
const NS_PER: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };
const GBPS_PER: Readonly<Record<string, number>> = { '': 1e-9, k: 1e-6, K: 1e-6, M: 1e-3, G: 1, T: 1e3 };
/** GPU types with a meaning in SimAI. */
const GPU_TYPES = ['A100', 'A800', 'H20', 'H100', 'H800', 'none'];
/** Maximum number of GPUs, more than any server has, since there may be a route for each pair. */
const GPUS_MAX = 1024;
const RATE_MAX_GBPS = 8000;
const DELAY_MAX_NS = 1e12;

/**
 * Reads a SimAI topology file; gzip is decompressed.
 *
 * @throws RoceError `invalid-workload`, with the fault, the line, the value found and the values allowed.
 */
export async function readSimaiTopology(source: WorkloadSource,
  options: SimaiTopologyOptions = {}): Promise<SimaiTopology> {
  checkRecord(options, 'options');
  const { name = 'topology' } = options;
  if (typeof name !== 'string') reject({ got: name, allowed: 'a string', where: 'options.name' });
  const lines = new SimaiTopologyLines(name);
  await readLines(source, name, (line) => {
    lines.read(line);
  });
  return lines.finish();
}

interface Counts {
  readonly nodes: number;
  readonly perServer: number;
  readonly nvSwitches: number;
  readonly switches: number;
  readonly links: number;
  readonly gpuType: string;
}

class SimaiTopologyLines {
  readonly #name: string;
  #counts: Counts | undefined;
  /** Names of switches by id. */
  readonly #names = new Map<number, string>();
  readonly #links: TopologyLink[] = [];
  #left = 0;
  #line = 0;

  constructor(name: string) {
    this.#name = name;
  }

  read(text: string): void {
    this.#line++;
    const words = wordsOf(text);
    if (words.length === 0) return;
    const counts = this.#counts;
    if (counts === undefined) this.#counts = this.#readCounts(words);
    else if (this.#names.size < counts.nvSwitches + counts.switches) this.#readSwitches(words, counts);
    else if (this.#links.length < counts.links) this.#readLink(words, counts);
    else this.#left++;
  }

  finish(): SimaiTopology {
    const counts = this.#counts;
    if (counts === undefined || this.#links.length < counts.links) {
      const problem = counts === undefined ? 'is empty' : `has ${this.#links.length} of ${counts.links} links`;
      rejectWorkload('TRUNCATED', { what: 'the topology', problem, where: this.#name });
    }
    const { nodes, perServer, nvSwitches, switches, gpuType } = counts;
    const named = Array.from({ length: nodes }, (_, id): TopologyNode => ({
      name: this.#nameOf(id),
      kind: this.#names.has(id) ? 'switch' : 'host',
    }));
    const nvNames = [...this.#names.values()].filter((name) => name.startsWith('nv'));
    if (perServer > GPUS_MAX) {
      const allowed = { max: GPUS_MAX };
      rejectWorkload('TOO_LARGE', {
        what: 'the number of GPUs per server',
        got: perServer,
        allowed,
        where: this.#name,
      });
    }
    const routes = nvRoutes(this.#links, new Set(nvNames), perServer, this.#name);
    return {
      topology: { kind: 'edges', nodes: named, links: this.#links, ...(routes.length > 0 ? { routes } : {}) },
      hosts: nodes - nvSwitches - switches,
      nvSwitches: nvNames,
      switches,
      gpusPerServer: perServer,
      gpuType,
      notes: this.#notes(counts, nodes - nvSwitches - switches),
    };
  }

  #notes({ gpuType, perServer }: Counts, gpus: number): WorkloadNote[] {
    return [
      ...(this.#left === 0 ? [] : [workloadNote('lines-behind-links', { lines: this.#left })]),
      ...(GPU_TYPES.includes(gpuType) ? [] : [workloadNote('unknown-gpu-type', { gpuType, known: GPU_TYPES })]),
      ...(gpus % perServer === 0 ?
        [] :
        [workloadNote('uneven-servers', { gpus, perServer })]),
    ];
  }

  #readCounts(words: readonly string[]): Counts {
    const [nodes, perServer, nvSwitches, switches, links] = words.map((word) => wholeOf(word, 2 ** 31));
    if (
      words.length !== 6 || nodes === undefined || perServer === undefined || nvSwitches === undefined ||
      switches === undefined || links === undefined
    ) {
      const hint = words.length === 3 ? "Three values are those of the HPCC simulator's files" : undefined;
      this.#reject('TOPO_SYNTAX', 'the first line', words.join(' '), FIRST_LINE, hint);
    }
    requireRoom(nodes, links, this.#name);
    if (nvSwitches + switches + 2 > nodes || perServer === 0) {
      this.#reject('BAD_COUNT', 'the first line', words.join(' '), 'at least two nodes that are not switches');
    }
    return { nodes, perServer, nvSwitches, switches, links, gpuType: words[5] };
  }

  #readSwitches(words: readonly string[], { nodes, nvSwitches, switches }: Counts): void {
    for (const word of words) {
      const id = wholeOf(word, nodes - 1);
      if (id === undefined || this.#names.has(id) || this.#names.size === nvSwitches + switches) {
        this.#reject('BAD_ID', 'the id of a switch', word, `${nvSwitches + switches} ids below ${nodes}, each once`);
      }
      this.#names.set(id, `${this.#names.size < nvSwitches ? 'nv' : 's'}${id}`);
    }
  }

  #readLink(words: readonly string[], { nodes }: Counts): void {
    if (words.length !== 5) {
      this.#reject('TOPO_SYNTAX', 'the link', words.join(' '), 'five values: node, node, rate, delay, error rate');
    }
    const [a, b] = words.slice(0, 2).map((word) =>
      wholeOf(word, nodes - 1) ?? this.#reject('RANK_OUT_OF_RANGE', 'the node', word, `a number below ${nodes}`)
    );
    if (a === b) this.#reject('TOPO_SYNTAX', 'the link', words.join(' '), 'one of two nodes');
    const errorRate = /^(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(words[4]) ? Number(words[4]) : NaN;
    if (!(errorRate <= 1)) this.#reject('TOPO_SYNTAX', 'the error rate', words[4], 'a number from 0 to 1');
    this.#links.push({
      from: this.#nameOf(a),
      to: this.#nameOf(b),
      rateGbps: this.#rateOf(words[2]),
      delayNs: this.#delayOf(words[3]),
      ...(errorRate > 0 ? { errorRate } : {}),
    });
  }

  #rateOf(text: string): number {
    const [, digits = '', prefix = ''] = /^(\d{1,15}(?:\.\d{1,15})?)([kKMGT]?)b(?:ps|\/s)$/.exec(text) ?? [];
    // Rounded to whole bits per second, because a product of decimals is not exact.
    const rateBps = Math.round(Number(digits) * (GBPS_PER[prefix] ?? NaN) * 1e9);
    if (rateBps >= 1e6 && rateBps <= RATE_MAX_GBPS * 1e9) return rateBps / 1e9;
    return this.#reject('TOPO_SYNTAX', 'the rate', text, `a rate from 1Mbps to ${RATE_MAX_GBPS}Gbps`);
  }

  #delayOf(text: string): number {
    const [, digits = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,15})?)(ns|us|ms|s)$/.exec(text) ?? [];
    const delayPs = Math.round(Number(digits) * (NS_PER[unit] ?? NaN) * 1000);
    if (delayPs <= DELAY_MAX_NS * 1000) return delayPs / 1000;
    return this.#reject('TOPO_SYNTAX', 'the delay', text, 'a time such as 0.0005ms');
  }

  #nameOf(id: number): string {
    return this.#names.get(id) ?? `h${id}`;
  }

  #reject(fault: WorkloadFault, what: string, got: unknown, allowed: string, hint?: string): never {
    const where = `${this.#name}, line ${this.#line}`;
    return rejectWorkload(fault, { what, got, allowed, where, ...(hint === undefined ? {} : { hint }) });
  }
}

/** Routes for pairs of GPUs that share an NVSwitch and also another switch: through all their NVSwitches. */
function nvRoutes(links: readonly TopologyLink[], nvSwitches: ReadonlySet<string>, perServer: number,
  where: string): TopologyRoute[] {
  const peers = new Map<string, Set<string>>();
  const join = (a: string, b: string): void => {
    const known = peers.get(a);
    if (known === undefined) peers.set(a, new Set([b]));
    else known.add(b);
  };
  for (const { from, to } of links) {
    join(from, to);
    join(to, from);
  }
  for (const nv of nvSwitches) {
    const got = peers.get(nv)?.size ?? 0;
    if (got <= perServer) continue;
    rejectWorkload('BAD_COUNT', { what: `the number of GPUs on ${nv}`, got, allowed: { max: perServer }, where });
  }
  const isGpu = (node: string): boolean => node.startsWith('h');
  return [...peers].filter(([node]) => isGpu(node)).flatMap(([node, near]) => {
    const [within, others] = [[], []] as [string[], string[]];
    for (const peer of near) if (!isGpu(peer)) (nvSwitches.has(peer) ? within : others).push(peer);
    const neighbours = new Set(within.flatMap((nv) => [...peers.get(nv) ?? []].filter(isGpu)));
    return [...neighbours]
      .filter((destination) =>
        destination !== node && others.some((other) => peers.get(other)?.has(destination) === true)
      )
      .map((destination) => ({
        node,
        destination,
        via: within.filter((nv) => peers.get(nv)?.has(destination) === true),
      }));
  });
}

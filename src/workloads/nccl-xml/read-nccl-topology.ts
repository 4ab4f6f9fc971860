/**
 * Reads NCCL's topology XML (`NCCL_TOPO_DUMP_FILE`) into nodes and links (docs/specs/workloads.md, 4.6): one server, or
 * several copies of it whose NICs are connected by one switch.
 *
 * With g GPUs per server, GPU i of server s is host h<s g + i>. Inner nodes are switches: nvs0, cpu0.1,
 * pci0.0000-0a-00.0, nic0.0000-0b-00; the network is net.
 */
import { checkField, checkRecord, reject, wholeIn } from '../../config/field-rules.js';
import { LeftOut, workloadNote, type WorkloadNote } from '../notes.js';
import { readChunks, type WorkloadSource } from '../read-lines.js';
import { rejectWorkload } from '../workload-error.js';
import type { SimaiTopology } from '../simai/read-topology.js';
import { requireRoom, type TopologyLink, type TopologyRoute } from '../edge-topology.js';
import { RATE_MAX_GBPS } from './nccl-rates.js';
import { SystemReader, type NcclSystem, type SystemNode } from './nccl-system.js';
import { ElementValues, readXml, type XmlElement } from './xml-reader.js';

/** Options for reading NCCL's topology XML. */
export interface NcclTopologyOptions {
  /** Name of the file in errors. Default `topology`. */
  readonly name?: string;
  /** Number of servers, 1 to 4,096. Default: as many as `ranks` needs. */
  readonly servers?: number;
  /** Number of ranks that run on it, 1 to 1,048,576. Default: the GPUs of one server. */
  readonly ranks?: number;
}

const SERVERS_MAX = 4096;
const RANKS_MAX = 2 ** 20;
const BYTES_MAX = 2 ** 24;
const VERSION = 1;
/** Delays, which the file does not have: those of SimAI's topologies, and one for PCIe links. */
const NVLINK_DELAY_NS = 25;
const PCIE_DELAY_NS = 100;
const NET_DELAY_NS = 500;
const FABRIC = 'net';

/**
 * Reads NCCL's topology XML; gzip is decompressed. GPUs are hosts. NVSwitches, PCI switches, CPUs and NICs are
 * switches, listed in `nvSwitches`, so that in SimAI's scenarios they neither mark nor pause.
 *
 * @throws RoceError `invalid-workload`, with the fault, the line, the value found and the values allowed.
 */
export async function readNcclTopology(source: WorkloadSource,
  options: NcclTopologyOptions = {}): Promise<SimaiTopology> {
  checkRecord(options, 'options');
  const { name = 'topology', servers, ranks } = options;
  if (typeof name !== 'string') reject({ got: name, allowed: 'a string', where: 'options.name' });
  if (servers !== undefined) checkField(servers, wholeIn(1, SERVERS_MAX), 'options.servers');
  if (ranks !== undefined) checkField(ranks, wholeIn(1, RANKS_MAX), 'options.ranks');
  const left = new LeftOut();
  const system = systemOf(readXml(await textOf(source, name), name), name, left);
  const gpus = gpusOf(system);
  if (gpus.length === 0) {
    rejectWorkload('NO_NODES', { what: 'the topology', problem: 'has no GPUs', where: name });
  }
  const count = servers ?? Math.max(1, Math.ceil((ranks ?? 1) / gpus.length));
  return new Servers(system, gpus, count, name).topology(left);
}

async function textOf(source: WorkloadSource, where: string): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  await readChunks(source, where, (chunk) => {
    bytes += chunk.length;
    if (bytes > BYTES_MAX)
      rejectWorkload('TOO_LARGE', { what: 'the number of bytes', got: bytes, allowed: { max: BYTES_MAX }, where });
    text += decoder.decode(chunk, { stream: true });
  });
  return text + decoder.decode();
}

function systemOf(root: XmlElement, name: string, left: LeftOut): NcclSystem {
  const where = (element: XmlElement): string => `${name}, line ${element.line}`;
  if (root.name !== 'system') {
    const hint = 'A file of NCCL_GRAPH_DUMP_FILE begins with graphs, and has no nodes';
    rejectWorkload('UNKNOWN_TOKEN', {
      what: 'the element',
      got: root.name,
      allowed: 'system',
      where: where(root),
      hint,
    });
  }
  const version = new ElementValues(root, where, left).whole('version');
  if (version !== VERSION) {
    rejectWorkload('UNKNOWN_VERSION', { what: 'the version', got: version, allowed: [VERSION], where: where(root) });
  }
  return new SystemReader(where, left).read(root);
}

/** GPUs in rank order, if all have a rank. */
function gpusOf({ nodes }: NcclSystem): SystemNode[] {
  const gpus = nodes.filter(({ kind }) => kind === 'gpu');
  return gpus.some(({ rank }) => rank === undefined) ? gpus : [...gpus].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}

class Servers {
  readonly #system: NcclSystem;
  readonly #gpus: readonly SystemNode[];
  readonly #inner: readonly SystemNode[];
  readonly #count: number;
  readonly #where: string;

  constructor(system: NcclSystem, gpus: readonly SystemNode[], count: number, where: string) {
    this.#system = system;
    this.#gpus = gpus;
    this.#inner = system.nodes.filter(({ kind }) => kind !== 'gpu');
    this.#count = count;
    this.#where = where;
  }

  topology(left: LeftOut): SimaiTopology {
    const { ports } = this.#system;
    const hosts = this.#gpus.length * this.#count;
    if (hosts < 2)
      rejectWorkload('BAD_COUNT', { what: 'the number of GPUs', got: hosts, allowed: { min: 2 }, where: this.#where });
    if (this.#count > 1 && ports.length === 0) {
      rejectWorkload('NO_NODES', {
        what: 'the topology',
        problem: 'has no NICs, but several servers need them',
        where: this.#where,
      });
    }
    const links = this.#each((server) => this.#linksOf(server));
    const inner = this.#each((server) => this.#inner.map((node) => this.#nameOf(node, server)));
    requireRoom(hosts + inner.length + 1, links.length, this.#where);
    const routes = this.#routes();
    const switches = ports.length === 0 ? inner : [...inner, FABRIC];
    return {
      topology: {
        kind: 'edges',
        nodes: [
          ...Array.from({ length: hosts }, (_, gpu) => ({ name: `h${gpu}`, kind: 'host' as const })),
          ...switches.map((name) => ({ name, kind: 'switch' as const })),
        ],
        links,
        ...(routes.length === 0 ? {} : { routes }),
      },
      hosts,
      nvSwitches: inner,
      switches: switches.length - inner.length,
      gpusPerServer: this.#gpus.length,
      gpuType: gpuTypeOf(this.#gpus),
      notes: [...this.#notes(), ...left.notes()],
    };
  }

  #each<T>(make: (server: number) => readonly T[]): T[] {
    return Array.from({ length: this.#count }, (_, server) => make(server)).flat();
  }

  #linksOf(server: number): TopologyLink[] {
    const { links, ports } = this.#system;
    return [
      ...links.map(({ from, to, rateGbps, medium }) => ({
        from: this.#nameOf(from, server),
        to: this.#nameOf(to, server),
        rateGbps: wholeRate(rateGbps),
        delayNs: medium === 'nvlink' ? NVLINK_DELAY_NS : PCIE_DELAY_NS,
      })),
      ...ports.map(({ nic, rateGbps, delayNs }) => ({
        from: this.#nameOf(nic, server),
        to: FABRIC,
        rateGbps: wholeRate(rateGbps),
        delayNs: delayNs > 0 ? delayNs : NET_DELAY_NS,
      })),
    ];
  }

  #routes(): TopologyRoute[] {
    const routes = serverRoutes(this.#system);
    requireRoom(0, routes.length * this.#count, this.#where);
    return this.#each((server) =>
      routes.map(({ node, destination, via }) => ({
        node: this.#nameOf(node, server),
        destination: this.#nameOf(destination, server),
        via: via.map((next) => this.#nameOf(next, server)),
      }))
    );
  }

  #nameOf(node: SystemNode, server: number): string {
    if (node.kind === 'gpu') return `h${server * this.#gpus.length + this.#gpus.indexOf(node)}`;
    const host = node.host === 0 ? '' : `-${node.host}`;
    return `${node.kind}${server}${host}${node.label === '' ? '' : `.${node.label}`}`;
  }

  #notes(): WorkloadNote[] {
    return [
      workloadNote('servers-as-in-file', {
        servers: this.#count,
        gpus: this.#gpus.length,
        ports: this.#system.ports.length,
      }),
      workloadNote('assumed-delays', { nvlinkNs: NVLINK_DELAY_NS, pcieNs: PCIE_DELAY_NS, networkNs: NET_DELAY_NS }),
    ];
  }
}

/** Rounds to whole bits per second, limited to the simulator's maximum. */
function wholeRate(rateGbps: number): number {
  return Math.round(Math.min(RATE_MAX_GBPS, rateGbps) * 1e9) / 1e9;
}

/** GPU type, as named in SimAI's topologies. */
function gpuTypeOf(gpus: readonly SystemNode[]): string {
  const sm = Math.min(...gpus.map((gpu) => gpu.sm ?? 0));
  return sm >= 90 && sm < 100 ? 'H100' : sm >= 80 && sm < 86 ? 'A100' : 'none';
}

/** Next hops towards a GPU. */
export interface ServerRoute {
  readonly node: SystemNode;
  readonly destination: SystemNode;
  readonly via: readonly SystemNode[];
}

type Neighbours = ReadonlyMap<SystemNode, readonly SystemNode[]>;

/**
 * Routes between GPUs of one server: over NVLink if the two are connected directly or by the NVSwitch, otherwise over
 * PCIe and CPUs with the fewest links. GPUs do not forward, and the network is not used. Explicit routes are needed
 * because a path over the network may have fewer links.
 *
 * Routes for all pairs of GPUs in a file, and for the switches between them.
 */
function serverRoutes({ nodes, links }: NcclSystem): ServerRoute[] {
  const by = (medium: string): Neighbours => {
    const near = new Map<SystemNode, SystemNode[]>(nodes.map((node) => [node, []]));
    for (const link of links) {
      if (link.medium !== medium) continue;
      near.get(link.from)?.push(link.to);
      near.get(link.to)?.push(link.from);
    }
    return near;
  };
  const [nvlink, pcie] = [by('nvlink'), by('pcie')];
  return nodes.filter(({ kind }) => kind === 'gpu').flatMap((destination) => {
    const hops = hopsTo(destination, pcie);
    return nodes.flatMap((node) => {
      const via = node === destination ? [] : nextNodes(node, destination, { nvlink, pcie, hops });
      return via.length === 0 ? [] : [{ node, destination, via }];
    });
  });
}

interface Near {
  readonly nvlink: Neighbours;
  readonly pcie: Neighbours;
  readonly hops: ReadonlyMap<SystemNode, number>;
}

function nextNodes(node: SystemNode, destination: SystemNode, { nvlink, pcie, hops }: Near): readonly SystemNode[] {
  if (node.kind === 'nvs' || node.kind === 'nic') return [];
  const near = node.kind === 'gpu' ? nvlink.get(node) ?? [] : [];
  if (near.includes(destination)) return [destination];
  const shared = near.filter((one) => one.kind === 'nvs' && nvlink.get(one)?.includes(destination) === true);
  if (shared.length > 0) return shared;
  const own = hops.get(node) ?? Infinity;
  return [...new Set((pcie.get(node) ?? []).filter((next) => (hops.get(next) ?? Infinity) === own - 1))];
}

/** Number of PCIe and inter-CPU links from each node to a GPU; nodes that cannot reach it are absent. */
function hopsTo(destination: SystemNode, pcie: Neighbours): Map<SystemNode, number> {
  const hops = new Map([[destination, 0]]);
  const queue = [destination];
  for (const node of queue) {
    if (node.kind === 'gpu' && node !== destination) continue;
    for (const next of pcie.get(node) ?? []) {
      if (next.kind === 'nic' || hops.has(next)) continue;
      hops.set(next, (hops.get(node) ?? 0) + 1);
      queue.push(next);
    }
  }
  return hops;
}

/**
 * What is computed before any flow is compiled: one path of each kind between hosts, and the longest base round trips.
 *
 * The kind of a link is its rate, its delay and whether it is part of a WAN; the kind of a path is the sequence of its
 * links' kinds. A large network has millions of pairs of hosts but only a handful of path kinds, so one path of each
 * kind is kept. Each node has one first path to a given host, so following that path once per node finds all kinds.
 */
import { TunnelPaths, isInWan } from '../features/wan/compile.js';
import type { KernelFidelity } from '../scenario/setting-words.js';
import type { KernelScenario } from '../scenario/valid-scenario.js';
import type { Steps } from '../steps.js';
import { isHost, peerOf, portsOf, type Graph, portsTowards, type Routes } from './routes.js';
import { flowSizes, mrcSizes, usidHeaderBytes, type FlowSizes } from './packet-sizes.js';
import { factsOfScenario } from './parameter-sets.js';
import { longestBase, switchesOnLongest, type BasePath, type Path, type RttRules, firstPath,
  TxTimes } from './paths.js';
import { RULES } from './rules.js';

/** Maximum kinds of hosts whose pairs are examined; further kinds are ignored. */
const HOST_KINDS_MAX = 4096;
/** A step takes some milliseconds, even before the JavaScript engine has optimized the code. */
const SOURCES_PER_STEP = 1024;

const UNSEEN = -1;
const NO_PATH = -2;
/** The path from the destination to itself, without links. */
const EMPTY = 0;

/** The context in which all flows are compiled. */
export interface CompileContext {
  readonly graph: Graph;
  readonly routes: Routes;
  readonly tunnels: TunnelPaths;
  /** One path of each kind between hosts. */
  readonly paths: readonly Path[];
  readonly switches: number;
  readonly times: TxTimes;
  /** Packet sizes, indexed by algorithm. */
  readonly sizes: readonly FlowSizes[];
  /** Longest base path of all pairs of hosts, indexed by algorithm. */
  readonly bases: readonly BasePath[];
}

/** Computes the context in steps, as there may be thousands of kinds of hosts. */
export function* compileContextOf(valid: KernelScenario, graph: Graph, routes: Routes): Steps<CompileContext> {
  const { fidelity, hosts, algorithms } = valid;
  const tunnels = new TunnelPaths(valid, graph, routes);
  const paths = yield* pathsOfAllKinds(graph, routes);
  yield;
  const switches = switchesOnLongest(paths);
  const times = new TxTimes(RULES[fidelity].txTime);
  const sizes = algorithms.map((algorithm) => flowSizes(fidelity, factsOfScenario(algorithm), switches))
    .map((one) => withUsids(valid, one));
  const rules = rttRules(fidelity, tunnels, hosts.mtuBytes);
  const isMrc = hosts.transport === 'mrc';
  const bases = sizes.map((one) => longestBase(graph, paths, rules, isMrc ? mrcSizes(one) : one, times));
  return { graph, routes, tunnels, paths, switches, times, sizes, bases };
}

/** Adds the outer header that carries a source route to the size of data packets. */
function withUsids({ balancing: { usids } }: KernelScenario, sizes: FlowSizes): FlowSizes {
  return { ...sizes, headerBytes: sizes.headerBytes + usidHeaderBytes(usids) };
}

/** The rules by which base round trips are computed for packets with this payload. */
export function rttRules(fidelity: KernelFidelity, tunnels: TunnelPaths, mtuBytes: number): RttRules {
  return { fidelity, mtuBytes, wireOverheadBytes: RULES[fidelity].wireOverheadBytes, ...tunnels.onLinks() };
}

/**
 * Finds one path of each kind between hosts. Two hosts are of one kind if their links are equal and lead to the same switches;
 * one pair of hosts is examined for each pair of host kinds.
 */
export function* pathsOfAllKinds(graph: Graph, routes: Routes): Steps<Path[]> {
  const samples = hostSamples(graph);
  const kinds = new PathKinds(graph, routes);
  const seen = new Set<number>();
  const paths: Path[] = [];
  let inspected = 0;
  for (const [destination] of samples) {
    kinds.turnTo(destination);
    for (const sample of samples) {
      if (++inspected % SOURCES_PER_STEP === 0) yield;
      const source = sample.find((host) => host !== destination);
      const kind = source === undefined ? NO_PATH : kinds.from(source);
      if (source === undefined || kind === NO_PATH || seen.has(kind)) continue;
      seen.add(kind);
      paths.push(firstPath(graph, routes, source, destination) ?? []);
    }
  }
  return paths;
}

/** Two hosts of each kind, or one if there is only one. */
function hostSamples(graph: Graph): readonly number[][] {
  const kinds = new Map<string, number[]>();
  for (const host of graph.network.hosts) {
    const key = portsOf(graph, host).map((port) =>
      `${peerOf(graph, port)} ${graph.rateBps[port]} ${graph.delayPs[port]}`
    ).join();
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, [host]);
    else if (known.length < 2) known.push(host);
  }
  return [...kinds.values()].slice(0, HOST_KINDS_MAX);
}

/** Numbers the kinds of paths towards one host at a time. */
class PathKinds {
  readonly #graph: Graph;
  readonly #routes: Routes;
  /** Kind of each port's link. */
  readonly #linkKinds: Int32Array;
  readonly #linkKindCount: number;
  /** Number of a path kind, by the kind of its first link and the kind of the rest. */
  readonly #known = new Map<number, number>();
  /** Kind of each node's path to the destination. */
  readonly #ofNode: Int32Array;
  #destination = UNSEEN;

  constructor(graph: Graph, routes: Routes) {
    this.#graph = graph;
    this.#routes = routes;
    const numbers = new Map<string, number>();
    this.#linkKinds = Int32Array.from(graph.nodeOf, (_, port) => numberOf(numbers, linkKey(graph, port)));
    this.#linkKindCount = numbers.size;
    this.#ofNode = new Int32Array(graph.network.nodes.length);
  }

  turnTo(destination: number): void {
    this.#destination = destination;
    this.#ofNode.fill(UNSEEN);
    this.#ofNode[destination] = EMPTY;
  }

  /** The kind of a host's path, or NO_PATH. */
  from(source: number): number {
    const [port] = portsTowards(this.#graph, this.#routes, source, this.#destination);
    if (port === undefined) return NO_PATH;
    const rest = this.#fromNode(peerOf(this.#graph, port));
    return rest === NO_PATH ? NO_PATH : this.#behind(port, rest);
  }

  /** Hosts don't forward. */
  #fromNode(first: number): number {
    const links: number[] = [];
    let node = first;
    while (this.#ofNode[node] === UNSEEN) {
      if (isHost(this.#graph, node)) return NO_PATH;
      // A node visited again is in a cycle.
      this.#ofNode[node] = NO_PATH;
      const [port] = portsTowards(this.#graph, this.#routes, node, this.#destination);
      if (port === undefined) return NO_PATH;
      links.push(port);
      node = peerOf(this.#graph, port);
    }
    let kind = this.#ofNode[node];
    for (const port of links.reverse()) {
      if (kind === NO_PATH) break;
      kind = this.#behind(port, kind);
      this.#ofNode[this.#graph.nodeOf[port]] = kind;
    }
    return kind;
  }

  #behind(port: number, rest: number): number {
    return EMPTY + 1 + numberOf(this.#known, rest * this.#linkKindCount + this.#linkKinds[port]);
  }
}

function linkKey(graph: Graph, port: number): string {
  const { network: { wan }, rateBps, delayPs } = graph;
  return `${rateBps[port]} ${delayPs[port]} ${wan !== undefined && isInWan(graph, wan, port)}`;
}

function numberOf<Key>(numbers: Map<Key, number>, key: Key): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size);
  return numbers.size - 1;
}

/**
 * The kinds of paths between hosts, from which the longest base round trip and the largest number of switches follow.
 *
 * A path's kind is the sequence of its links' kinds, a link's kind its rate, its delay and whether it is part of a WAN. Most of
 * the millions of pairs of hosts in a large network have paths of a handful of kinds, and one path of each is kept. Each node has
 * one first path towards a given host, so the kinds of all nodes' paths are found by following each node's path once.
 */
import type { Steps } from '../steps.js';
import { isHost, peerOf, portsOf, type Graph } from './graph.js';
import { firstPath, type Path } from './paths.js';
import { portsTowards, type Routes } from './routes.js';
import { isInWan } from '../features/wan/compile.js';

/** Maximum kinds of hosts whose pairs are examined; of more kinds, only this many are. */
const HOST_KINDS_MAX = 4096;
/** Some milliseconds, even before an engine has compiled the code. */
const SOURCES_PER_STEP = 1024;

const UNSEEN = -1;
const NO_PATH = -2;
/** The path from the destination to itself, without links. */
const EMPTY = 0;

/**
 * A path of each kind between hosts. Two hosts are of one kind if their links are equal and lead to the same switches: one
 * pair of hosts is examined for each pair of such kinds.
 */
export function* pathsOfAllKinds(graph: Graph, routes: Routes): Steps<Path[]> {
  const samples = hostSamples(graph);
  const kinds = new PathKinds(graph, routes);
  const seen = new Set<number>();
  const paths: Path[] = [];
  let looked = 0;
  for (const [destination] of samples) {
    kinds.turnTo(destination);
    for (const sample of samples) {
      if (++looked % SOURCES_PER_STEP === 0) yield;
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
  /** By port. */
  readonly #linkKinds: Int32Array;
  readonly #linkKindCount: number;
  /** By the kind of the rest of a path and that of the link before it. */
  readonly #known = new Map<number, number>();
  /** By node: the kind of its path to the destination. */
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

  /** The kind of a host's path; NO_PATH: there is none. */
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

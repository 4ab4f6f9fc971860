/**
 * Routes: from every node all shortest paths to every host, by breadth-first search from the destination; hosts don't
 * forward.
 *
 * The ports of a group stand in the order in which the hash indexes them: that in which the search comes to the nodes
 * that they lead to. The search looks at neighbours from the highest id down, which is what the reference simulator's
 * order comes to (it walks a map of pointers), so in networks of layers the highest id is first. Of several links to
 * one node the first one is first; the reference simulators use the last one alone, as the map there holds one link per
 * neighbour. In ConWeave's the map comes out the other way round: the lowest id is first (golden/system-lossy, routes.csv).
 *
 * All hosts that hang on one switch by one link share the search from that switch.
 */
import type { Fidelity, RouteSpec } from '../scenario/spec.js';
import { atOnce, type Steps } from '../steps.js';
import type { Network } from '../topology/network.js';
import { isHost, peerOf, portCount, portsOf, type Graph } from './graph.js';

export interface Routes {
  /**
   * Group by node, then by destination; -1: no path. Hosts with one port have an empty row: that port is their path.
   */
  readonly table: readonly number[][];
  readonly groups: readonly (readonly number[])[];
}

const NO_PATH = -1;
const UNSEEN = -1;
/** A millisecond or two of a large network. */
const HOSTS_PER_STEP = 64;

/** Which of several links between two nodes are used, and which neighbours are looked at first. */
export interface RouteRules {
  readonly parallelLinks: 'all' | 'last';
  readonly first: 'highest' | 'lowest';
}

const ROUTE_RULES: Readonly<Record<Fidelity, RouteRules>> = {
  standard: { parallelLinks: 'all', first: 'highest' },
  reference: { parallelLinks: 'last', first: 'highest' },
  'reference-lossy': { parallelLinks: 'last', first: 'lowest' },
};

export function buildRoutes(graph: Graph, fidelity: Fidelity): Routes {
  return atOnce(routeSteps(graph, fidelity));
}

/** The same in steps. */
export function routeSteps(graph: Graph, fidelity: Fidelity): Steps<Routes> {
  return new RouteBuilder(graph, ROUTE_RULES[fidelity]).steps();
}

/** Entries that the table will have, counted before it is made. */
export function routeCount({ nodes, links }: Network): number {
  const degree = new Int32Array(nodes.length);
  for (const { from, to } of links) {
    degree[from]++;
    degree[to]++;
  }
  return nodes.length * nodes.filter(({ kind }, node) => kind === 'switch' || degree[node] > 1).length;
}

/** The ports by which packets leave a node for a host, in the hash's order; none: no path. */
export function portsTowards(graph: Graph, { table, groups }: Routes, node: number,
  destination: number): readonly number[] {
  if (table[node].length === 0) return portCount(graph, node) === 0 ? [] : [graph.firstPort[node]];
  const group = table[node][destination];
  return group === NO_PATH ? [] : groups[group];
}

/** By node. */
interface Searched {
  readonly distance: Int32Array;
  readonly rank: Int32Array;
}

class RouteBuilder {
  readonly #graph: Graph;
  readonly #rules: RouteRules;
  readonly #groups: number[][] = [];
  readonly #groupOfKey = new Map<string, number>();
  readonly #table: number[][];
  /** Nodes that have a row, ascending. */
  readonly #rows: readonly number[];
  readonly #towardsSwitch = new Map<number, Int32Array>();

  /** By node: its ports, those towards the highest node first, or the lowest. */
  readonly #portsInOrder: readonly number[][];

  constructor(graph: Graph, rules: RouteRules) {
    this.#graph = graph;
    this.#rules = rules;
    const { nodes } = graph.network;
    const sign = rules.first === 'highest' ? 1 : -1;
    this.#portsInOrder = nodes.map((_, node) =>
      this.#usedPorts(node).sort((a, b) => sign * (peerOf(graph, b) - peerOf(graph, a)) || a - b)
    );
    this.#table = nodes.map((_, node) => (this.#hasRow(node) ? new Array<number>(nodes.length).fill(NO_PATH) : []));
    this.#rows = this.#table.flatMap((row, node) => (row.length > 0 ? [node] : []));
  }

  *steps(): Steps<Routes> {
    const { hosts, routes } = this.#graph.network;
    for (let i = 0; i < hosts.length; i++) {
      if (i % HOSTS_PER_STEP === 0) yield;
      this.#addDestination(hosts[i]);
    }
    for (const node of this.#tunnelEnds()) this.#addSwitch(node);
    for (const route of routes) this.#addByHand(route);
    return { table: this.#table, groups: this.#groups };
  }

  #hasRow(node: number): boolean {
    return !isHost(this.#graph, node) || portCount(this.#graph, node) > 1;
  }

  #usedPorts(node: number): number[] {
    const ports = portsOf(this.#graph, node);
    if (this.#rules.parallelLinks === 'all') return ports;
    const lastTo = new Map(ports.map((port) => [peerOf(this.#graph, port), port]));
    return ports.filter((port) => lastTo.get(peerOf(this.#graph, port)) === port);
  }

  #addDestination(host: number): void {
    const graph = this.#graph;
    const ports = portsOf(graph, host);
    if (ports.length === 0) return;
    const attached = ports.length === 1 ? peerOf(graph, ports[0]) : host;
    const shared = attached !== host;
    // Through another host no path leads.
    if (!shared || !isHost(graph, attached)) {
      const towards = shared ? this.#searchFromSwitch(attached) : this.#search(host);
      for (const node of this.#rows) { if (node !== host) this.#table[node][host] = towards[node]; }
    }
    if (shared && this.#table[attached].length > 0)
      this.#table[attached][host] = this.#groupOf([graph.peerPort[ports[0]]]);
  }

  /** Outer headers lead to provider edges and routers of the WAN. */
  #tunnelEnds(): readonly number[] {
    const { wan } = this.#graph.network;
    return wan === undefined ? [] : [...wan.edges.flat(), ...wan.routers];
  }

  #addSwitch(destination: number): void {
    const towards = this.#searchFromSwitch(destination);
    for (const node of this.#rows) { if (node !== destination) this.#table[node][destination] = towards[node]; }
  }

  #searchFromSwitch(root: number): Int32Array {
    const known = this.#towardsSwitch.get(root);
    if (known !== undefined) return known;
    const found = this.#search(root);
    this.#towardsSwitch.set(root, found);
    return found;
  }

  /** Group of each node towards `root`. */
  #search(root: number): Int32Array {
    const graph = this.#graph;
    const { distance, rank } = this.#searchedFrom(root);
    const towards = new Int32Array(distance.length).fill(NO_PATH);
    for (const node of this.#rows) {
      const steps = distance[node];
      if (steps <= 0) continue;
      const ports = this.#portsInOrder[node].filter((port) => {
        const peer = peerOf(graph, port);
        return distance[peer] === steps - 1 && (peer === root || !isHost(graph, peer));
      });
      towards[node] = this.#groupOf(ports.sort((a, b) => rank[peerOf(graph, a)] - rank[peerOf(graph, b)] || a - b));
    }
    return towards;
  }

  /** Links to each node, and the how-manieth it is. */
  #searchedFrom(root: number): Searched {
    const graph = this.#graph;
    const distance = new Int32Array(graph.network.nodes.length).fill(UNSEEN);
    const rank = new Int32Array(distance.length);
    const queue = [root];
    distance[root] = 0;
    for (const node of queue) {
      if (node !== root && isHost(graph, node)) continue;
      for (const port of this.#portsInOrder[node]) {
        const peer = peerOf(graph, port);
        if (distance[peer] !== UNSEEN) continue;
        distance[peer] = distance[node] + 1;
        rank[peer] = queue.push(peer);
      }
    }
    return { distance, rank };
  }

  #groupOf(ports: number[]): number {
    const key = ports.join();
    const known = this.#groupOfKey.get(key);
    if (known !== undefined) return known;
    const group = this.#groups.push(ports) - 1;
    this.#groupOfKey.set(key, group);
    return group;
  }

  /** The names were checked with the topology. */
  #addByHand({ node, destination, via }: RouteSpec): void {
    const graph = this.#graph;
    const ids = new Map(graph.network.nodes.map(({ name }, id) => [name, id]));
    const at = ids.get(node) ?? NO_PATH;
    const used = new Set<number>();
    const ports = via.map((name) => {
      const port =
        portsOf(graph, at).find((candidate) => !used.has(candidate) && peerOf(graph, candidate) === ids.get(name)) ??
          NO_PATH;
      used.add(port);
      return port;
    });
    if (this.#table[at].length > 0) this.#table[at][ids.get(destination) ?? NO_PATH] = this.#groupOf(ports);
  }
}

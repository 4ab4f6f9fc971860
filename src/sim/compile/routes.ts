/**
 * A network as numbered ports, and its routes: from every node all shortest paths to every host, by breadth-first search from
 * the destination; hosts don't forward.
 *
 * The hash indexes the ports of a group in the order in which the search reaches the nodes that they lead to. The search visits
 * neighbours from the highest id down, as the reference simulator does (it walks a map of pointers), so in layered networks the
 * highest id is first. Several links to one node keep their order; the reference simulators use only the last one, as their map
 * holds one link per neighbour. ConWeave's map has the opposite order: the lowest id is first (golden/system-lossy,
 * routes.csv).
 *
 * All hosts attached to one switch by one link share the search from that switch, and its column in the table.
 */
import { DIRECT, NO_PATH, RouteTable } from '../route-table.js';
import type { KernelFidelity } from '../scenario/setting-words.js';
import type { RouteSpec } from '../scenario/spec.js';
import { atOnce, type Steps } from '../steps.js';
import type { Network } from '../topology/network.js';

/** A network as numbered ports: those of a node are consecutive, in the order of its links. */
export interface Graph {
  readonly network: Network;
  /** First port of each node, followed by the total number of ports. */
  readonly firstPort: readonly number[];
  /** The node of each port. */
  readonly nodeOf: readonly number[];
  readonly peerPort: readonly number[];
  readonly rateBps: readonly number[];
  readonly delayPs: readonly number[];
  readonly errorRate: readonly number[];
}

export function buildGraph(network: Network): Graph {
  const { nodes, links } = network;
  const degree = nodes.map(() => 0);
  for (const { from, to } of links) {
    degree[from]++;
    degree[to]++;
  }
  const firstPort = [0];
  for (const count of degree) firstPort.push(firstPort[firstPort.length - 1] + count);
  const nextFree = firstPort.slice();
  const ports = 2 * links.length;
  const [nodeOf, peerPort, rateBps, delayPs, errorRate] = Array.from({ length: 5 },
    () => new Array<number>(ports).fill(0));
  for (const link of links) {
    const ends = [nextFree[link.from]++, nextFree[link.to]++];
    ends.forEach((port, end) => {
      nodeOf[port] = end === 0 ? link.from : link.to;
      peerPort[port] = ends[1 - end];
      rateBps[port] = link.rateBps;
      delayPs[port] = link.delayPs;
      errorRate[port] = link.errorRate;
    });
  }
  return { network, firstPort, nodeOf, peerPort, rateBps, delayPs, errorRate };
}

/** The node at the other end of a port's link. */
export function peerOf(graph: Graph, port: number): number {
  return graph.nodeOf[graph.peerPort[port]];
}

/** Whether a port leads to a host or to a host's adapter. */
export function leadsToHost(graph: Graph, port: number): boolean {
  const { nodes, planes } = graph.network;
  const peer = peerOf(graph, port);
  return nodes[peer].kind === 'host' || planes?.isAdapter[peer] === true;
}

export function portCount({ firstPort }: Graph, node: number): number {
  return firstPort[node + 1] - firstPort[node];
}

/** Ports of a node, in order. */
export function portsOf({ firstPort }: Graph, node: number): number[] {
  return Array.from({ length: firstPort[node + 1] - firstPort[node] }, (_, i) => firstPort[node] + i);
}

export function isHost(graph: Graph, node: number): boolean {
  return graph.network.nodes[node].kind === 'host';
}

/** Names of all ports: `node:peer`. If several links connect two nodes, the second is `node:peer#2`, and so on. */
export function portNames(graph: Graph): string[] {
  const seen = new Map<string, number>();
  return graph.nodeOf.map((node, port) => {
    const name = `${graph.network.nodes[node].name}:${graph.network.nodes[peerOf(graph, port)].name}`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name}#${times}`;
  });
}

/** The next hops of all nodes: a table of groups, and the ports of each group. */
export interface Routes {
  /** Switches, and hosts with several links, have a row. A host with one link needs none, as that link is its only path. */
  readonly table: RouteTable;
  readonly groups: readonly (readonly number[])[];
}

const UNSEEN = -1;
const NONE = -1;
/** A step takes a millisecond or two in a large network. */
const HOSTS_PER_STEP = 64;

/** Which of several links between two nodes are used, and which neighbours are visited first. */
export interface RouteRules {
  readonly parallelLinks: 'all' | 'last';
  readonly first: 'highest' | 'lowest';
}

const ROUTE_RULES: Readonly<Record<KernelFidelity, RouteRules>> = {
  standard: { parallelLinks: 'all', first: 'highest' },
  reference: { parallelLinks: 'last', first: 'highest' },
  'reference-lossy': { parallelLinks: 'last', first: 'lowest' },
};

export function buildRoutes(graph: Graph, fidelity: KernelFidelity): Routes {
  return atOnce(routeSteps(graph, fidelity));
}

/** Computes the routes of a graph in steps. */
export function routeSteps(graph: Graph, fidelity: KernelFidelity): Steps<Routes> {
  return new RouteBuilder(graph, ROUTE_RULES[fidelity]).steps();
}

/** A node's egress ports towards a host, in the order of the hash; empty: no path. */
export function portsTowards(graph: Graph, { table, groups }: Routes, node: number,
  destination: number): readonly number[] {
  if (table.parts.rowOf[node] < 0) return portCount(graph, node) === 0 ? [] : [graph.firstPort[node]];
  const group = table.group(node, destination);
  return group === NO_PATH ? [] : groups[group];
}

type Ports = ArrayLike<number> & Iterable<number> & Pick<number[], 'join'>;

/** The links from a node with a row to others with a row. */
interface RowLinks {
  /** Hosts don't forward. */
  readonly forwards: boolean;
  readonly peerRows: Int32Array;
  /** Ports at the far ends. */
  readonly peerPorts: Int32Array;
}

class RouteBuilder {
  readonly #graph: Graph;
  readonly #rules: RouteRules;
  readonly #groups: number[][] = [];
  readonly #groupOfKey = new Map<string, number>();
  /** Nodes that have a row, ascending. */
  readonly #rows: readonly number[];
  readonly #rowOf: Int32Array;
  readonly #columns: Int32Array[] = [];
  readonly #columnOf: Int32Array;
  readonly #directOf: Int32Array;
  /** Columns of the hosts attached to a node. */
  readonly #columnVia = new Map<number, number>();
  /** The group found last, indexed by row. */
  readonly #lastGroup: Int32Array;
  /** The links of each row, sorted by neighbour, highest or lowest first. */
  readonly #links: readonly RowLinks[];
  /** State of the current search, indexed by row: distance to the root in links, and the ports that lead closer to it. */
  readonly #distance: Int32Array;
  readonly #nextHops: readonly Int32Array[];
  readonly #egressCount: Int32Array;

  constructor(graph: Graph, rules: RouteRules) {
    this.#graph = graph;
    this.#rules = rules;
    const { nodes } = graph.network;
    this.#rows = [...nodes.keys()].filter((node) => !isHost(graph, node) || portCount(graph, node) > 1);
    this.#rowOf = new Int32Array(nodes.length).fill(NONE);
    this.#rows.forEach((node, row) => {
      this.#rowOf[node] = row;
    });
    this.#columnOf = new Int32Array(nodes.length).fill(NONE);
    this.#directOf = new Int32Array(nodes.length).fill(NO_PATH);
    this.#lastGroup = new Int32Array(this.#rows.length).fill(NO_PATH);
    this.#links = this.#rows.map((node) => this.#linksOf(node));
    this.#distance = new Int32Array(this.#rows.length);
    this.#nextHops = this.#links.map(({ peerRows }) => new Int32Array(peerRows.length));
    this.#egressCount = new Int32Array(this.#rows.length);
  }

  *steps(): Steps<Routes> {
    const { hosts, routes } = this.#graph.network;
    for (let i = 0; i < hosts.length; i++) {
      if (i % HOSTS_PER_STEP === 0) yield;
      this.#addDestination(hosts[i]);
    }
    for (const node of this.#tunnelEnds()) this.#columnOf[node] = this.#columnOfWhatHangsOn(node);
    this.#addByHand(routes);
    const [rowOf, columns, columnOf, directOf] = [this.#rowOf, this.#columns, this.#columnOf, this.#directOf];
    return { table: new RouteTable({ rowOf, columns, columnOf, directOf }), groups: this.#groups };
  }

  #linksOf(node: number): RowLinks {
    const graph = this.#graph;
    const sign = this.#rules.first === 'highest' ? 1 : -1;
    const ports = this.#usedPorts(node)
      .filter((port) => this.#rowOf[peerOf(graph, port)] >= 0)
      .sort((a, b) => sign * (peerOf(graph, b) - peerOf(graph, a)) || a - b);
    return {
      forwards: !isHost(graph, node),
      peerRows: Int32Array.from(ports, (port) => this.#rowOf[peerOf(graph, port)]),
      peerPorts: Int32Array.from(ports, (port) => graph.peerPort[port]),
    };
  }

  #usedPorts(node: number): number[] {
    const ports = portsOf(this.#graph, node);
    if (this.#rules.parallelLinks === 'all') return ports;
    const lastTo = new Map(ports.map((port) => [peerOf(this.#graph, port), port]));
    return ports.filter((port) => lastTo.get(peerOf(this.#graph, port)) === port);
  }

  #addDestination(host: number): void {
    const { peerPort } = this.#graph;
    const ports = portsOf(this.#graph, host);
    if (ports.length > 1) this.#columnOf[host] = this.#columns.push(this.#search(host)) - 1;
    if (ports.length !== 1) return;
    const attached = peerOf(this.#graph, ports[0]);
    this.#columnOf[host] = this.#columnOfWhatHangsOn(attached);
    const row = this.#rowOf[attached];
    if (row >= 0) this.#directOf[host] = this.#groupOf(row, [peerPort[ports[0]]]);
  }

  /** The destinations of outer headers: provider edges and routers of the WAN. */
  #tunnelEnds(): readonly number[] {
    const { wan } = this.#graph.network;
    return wan === undefined ? [] : [...wan.edges.flat(), ...wan.routers];
  }

  /** The column shared by the hosts attached to a node. It serves the node itself too, which has no direct group. */
  #columnOfWhatHangsOn(attached: number): number {
    const known = this.#columnVia.get(attached);
    if (known !== undefined) return known;
    // Hosts don't forward, so no path leads through one.
    const column = isHost(this.#graph, attached) ?
      new Int32Array(this.#rows.length).fill(NO_PATH) :
      this.#search(attached);
    const row = this.#rowOf[attached];
    if (row >= 0) column[row] = DIRECT;
    const index = this.#columns.push(column) - 1;
    this.#columnVia.set(attached, index);
    return index;
  }

  /** Finds the next-hop group of each row towards a node. */
  #search(root: number): Int32Array {
    this.#findNextHops(this.#rowOf[root]);
    return this.#egressCount.map((count, row) =>
      count === 0 ? NO_PATH : this.#groupOf(row, this.#nextHops[row].subarray(0, count))
    );
  }

  /**
   * Breadth-first search from the root. If a link leads one step away from the root, the port at its far end is a next hop. The
   * search reaches nodes in order, so the next hops of each node are in order too.
   */
  #findNextHops(root: number): void {
    const distance = this.#distance.fill(UNSEEN);
    const egressCount = this.#egressCount.fill(0);
    const queue = [root];
    distance[root] = 0;
    for (const row of queue) {
      const { forwards, peerRows, peerPorts } = this.#links[row];
      if (row !== root && !forwards) continue;
      const next = distance[row] + 1;
      for (let link = 0; link < peerRows.length; link++) {
        const peer = peerRows[link];
        if (distance[peer] === UNSEEN) {
          distance[peer] = next;
          queue.push(peer);
        }
        if (distance[peer] === next) this.#nextHops[peer][egressCount[peer]++] = peerPorts[link];
      }
    }
  }

  /** The number of a group of ports. The previous one is tried first: for most destinations a node's next hops do not change. */
  #groupOf(row: number, ports: Ports): number {
    const last = this.#lastGroup[row];
    if (last !== NO_PATH && isSame(this.#groups[last], ports)) return last;
    const group = this.#knownGroup(ports);
    this.#lastGroup[row] = group;
    return group;
  }

  #knownGroup(ports: Ports): number {
    const key = ports.join();
    const known = this.#groupOfKey.get(key);
    if (known !== undefined) return known;
    const group = this.#groups.push([...ports]) - 1;
    this.#groupOfKey.set(key, group);
    return group;
  }

  /** Adds manual routes. Their names are already validated. Each destination named gets its own column. */
  #addByHand(routes: readonly RouteSpec[]): void {
    const graph = this.#graph;
    const ids = new Map(graph.network.nodes.map(({ name }, id) => [name, id]));
    const own = new Map<number, Int32Array>();
    for (const { node, destination, via } of routes) {
      const [at, to] = [ids.get(node) ?? NONE, ids.get(destination) ?? NONE];
      const row = this.#rowOf[at];
      if (row < 0) continue;
      const column = own.get(to) ?? this.#ownColumn(to);
      own.set(to, column);
      const used = new Set<number>();
      const ports = via.map((name) => {
        const port = portsOf(graph, at).find((candidate) =>
          !used.has(candidate) && peerOf(graph, candidate) === ids.get(name)
        ) ??
          NONE;
        used.add(port);
        return port;
      });
      column[row] = this.#groupOf(row, ports);
    }
  }

  #ownColumn(destination: number): Int32Array {
    const shared = this.#columnOf[destination];
    const column = shared < 0 ? new Int32Array(this.#rows.length).fill(NO_PATH) : this.#columns[shared].slice();
    this.#columnOf[destination] = this.#columns.push(column) - 1;
    return column;
  }
}

function isSame(a: Ports, b: Ports): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return same === a.length && same === b.length;
}

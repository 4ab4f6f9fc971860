/** A network as numbered ports: those of a node are consecutive, in the order of its links. */
import type { Network } from '../topology/network.js';

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

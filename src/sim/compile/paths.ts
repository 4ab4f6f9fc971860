/**
 * Paths through the network: the one that the hash selects for a flow, the first of each next-hop group, the longest base
 * round trip, and the default timeout.
 *
 *   reference  pair RTT = 2 sum(delay) + sum over hops of floor(payload time of a full packet, ns); BDP = floor(RTT
 *              least rate / 8) (docs/specs/reference.md, section 2: headers and ACKs are left out)
 *   standard   pair RTT = sum over hops of delay and time of a full packet, and the same back with an ACK
 *
 * Round trips are those of the path that takes the first next hop of each group.
 */
import { BIT_PS_PER_BYTE } from '../../exact-numbers.js';
import { ecmpHash, HOST_PORT_SEED, type FlowTuple } from '../../switching/ecmp-hash.js';
import { PS_PER_NS } from '../../unit-sizes.js';
import { float64ArrayOf } from '../float64-array-of.js';
import type { NetworkPlan } from '../plan.js';
import type { KernelFidelity } from '../scenario/setting-words.js';
import { isHost, peerOf, type Graph } from './graph.js';
import type { FlowSizes } from './packet-sizes.js';
import { portsTowards, type Routes } from './routes.js';
import type { TxTimes } from './tx-time.js';

/** Egress ports of a packet, from the sending host's on. */
export type Path = readonly number[];

/** The longest base path of all pairs of hosts. */
export interface BasePath {
  readonly rttPs: number;
  /** Largest bandwidth-delay product, bytes: round trip times the lowest rate on the path. */
  readonly bdpBytes: number;
}

const BIT_NS_PER_BYTE = 8e9;
/** Steps of timeouts that adapters support: IBTA volume 1, section 11.2 ("Local ACK Timeout"). */
const STEP_PS = 4_096_000;
const PS_PER_BYTE_AT_1_BPS = 8e12;

/** The path that the hash selects for a flow; null: there is no path. */
export function hashedPath(graph: Graph, routes: Routes, source: number, destination: number, tuple: FlowTuple): Path
  | null {
  return follow(graph, routes, source, destination,
    (node, ports) => ports.length === 1 ? 0 : ecmpHash(tuple, hashSeed(graph, node)) % ports.length);
}

/** Seed of a node's hash: a switch's id; all hosts share one. */
export function hashSeed(graph: Graph, node: number): number {
  return isHost(graph, node) ? HOST_PORT_SEED : node;
}

/** The path that takes the first next hop of each group; null: there is no path. */
export function firstPath(graph: Graph, routes: Routes, source: number, destination: number): Path | null {
  return follow(graph, routes, source, destination, () => 0);
}

function follow(graph: Graph, routes: Routes, source: number, destination: number,
  choose: (node: number, ports: readonly number[]) => number): Path | null {
  const path: number[] = [];
  let node = source;
  while (node !== destination) {
    const ports = portsTowards(graph, routes, node, destination);
    if (ports.length === 0 || path.length > graph.network.nodes.length || (node !== source && isHost(graph, node))) {
      return null;
    }
    const port = ports[choose(node, ports)];
    path.push(port);
    node = peerOf(graph, port);
  }
  return path;
}

/** Largest number of switches on a path. */
export function switchesOnLongest(paths: Iterable<Path>): number {
  let most = 0;
  for (const path of paths) most = Math.max(most, path.length - 1);
  return most;
}

/** The rules by which base round trips are computed. */
export interface RttRules {
  readonly fidelity: KernelFidelity;
  readonly mtuBytes: number;
  readonly wireOverheadBytes: number;
  /** Bytes that a WAN tunnel adds on the link of a port. Omitted: no tunnels. */
  readonly tunnelBytes?: (port: number) => number;
}

/** The longest base round trip, and the largest bandwidth-delay product. */
export function longestBase(graph: Graph, paths: readonly Path[], rules: RttRules, sizes: FlowSizes,
  times: TxTimes): BasePath {
  let [rttPs, bdpBytes] = [0, 0];
  for (const path of paths) {
    const pairPs = rules.fidelity !== 'standard' ?
      referenceRtt(graph, path, rules.mtuBytes) :
      standardRtt(graph, path, rules, sizes, times);
    const least = path.reduce((rate, port) => Math.min(rate, graph.rateBps[port]), Infinity);
    rttPs = Math.max(rttPs, pairPs);
    bdpBytes = Math.max(bdpBytes, Number((BigInt(pairPs) * BigInt(least)) / BIT_PS_PER_BYTE));
  }
  return { rttPs, bdpBytes };
}

function referenceRtt(graph: Graph, path: Path, mtuBytes: number): number {
  return path.reduce(
    (sum, port) =>
      sum + 2 * graph.delayPs[port] + Math.floor((mtuBytes * BIT_NS_PER_BYTE) / graph.rateBps[port]) * PS_PER_NS,
    0,
  );
}

function standardRtt(graph: Graph, path: Path, rules: RttRules, { headerBytes, ackBytes }: FlowSizes,
  times: TxTimes): number {
  const { mtuBytes, wireOverheadBytes, tunnelBytes = () => 0 } = rules;
  return path.reduce((sum, port) => {
    const rate = graph.rateBps[port];
    const around = wireOverheadBytes + tunnelBytes(port);
    return sum + 2 * graph.delayPs[port] + times.ps(mtuBytes + headerBytes + around, rate) +
      times.ps(ackBytes + around, rate);
  }, 0);
}

/**
 * The default retransmission timeout of a path: the longest time that the queues on it can hold a packet, so that a timeout
 * implies a loss.
 *
 *   longest wait = delays of the links, both directions + sum over the path's switches of (packet memory / rate of the
 *     port towards the destination)
 *   path timeout = the smallest 4.096 us 2^n, n whole, that is not below it
 *
 * Memory is shared, so a single queue can fill it. Pauses can make a packet wait longer, but only while other ports drain the
 * same memory. The usual setting of adapters, 14 (67 ms), is longer than any value computed here.
 *
 * @param path egress ports.
 * @param waits longest wait at each port.
 */
export function pathTimeoutPs(path: Path, waits: Float64Array): number {
  let longestPs = 0;
  for (const port of path) longestPs += waits[port];
  let pathTimeout = STEP_PS;
  while (pathTimeout < longestPs) pathTimeout *= 2;
  return pathTimeout;
}

/** Maximum delay of a packet at each port, including its link and the ACK's return over it; picoseconds. */
export function longestWaits({ nodes, ports }: Pick<NetworkPlan, 'nodes' | 'ports'>): Float64Array {
  return float64ArrayOf(ports,
    ({ node, rateBps, delayPs, peerPort }) =>
      delayPs + ports[peerPort].delayPs + (nodes[node].bufferBytes * PS_PER_BYTE_AT_1_BPS) / rateBps);
}

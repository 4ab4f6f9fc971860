/**
 * Paths through the network: a flow's own, by the hash, and the longest base round trip of all pairs of hosts.
 *
 *   reference  pair RTT = 2 sum(delay) + sum over hops of floor(payload time of a full packet, ns); BDP = floor(RTT
 *              least rate / 8) (ns3-reference, section 2: headers and ACKs are left out)
 *   standard   pair RTT = sum over hops of delay and time of a full packet, and the same back with an ACK
 *
 * Round trips are taken over the path that is first in each group.
 */
import type { Fidelity } from '../scenario/spec.js';
import { ecmpHash, HOST_PORT_SEED, type FlowTuple } from '../../switching/ecmp-hash.js';
import { isHost, peerOf, portsOf, type Graph } from './graph.js';
import { atOnce, type Steps } from '../steps.js';
import type { FlowSizes } from './packet-sizes.js';
import { portsTowards, type Routes } from './routes.js';
import type { TxTimes } from './tx-time.js';

/** Ports that a packet leaves by, from the sending host's on; null: no path. */
export type Path = readonly number[];

/** The longest of all pairs of hosts. */
export interface BasePath {
  readonly rttPs: number;
  /** Largest product of round trip and least rate, bytes. */
  readonly bdpBytes: number;
}

const PS_PER_NS = 1000;
const NS_PER_SECOND = 8e9;
const BIT_PS_PER_BYTE = 8_000_000_000_000n;
/** Pairs of kinds of hosts that are looked at; beyond, the pairs of the first so many kinds. */
const KINDS_MAX = 4096;
/** Some milliseconds, before an engine has compiled the code too. */
const PATHS_PER_STEP = 1024;

/** The path that the hash gives a flow; null: there is none. */
export function hashedPath(graph: Graph, routes: Routes, source: number, destination: number, tuple: FlowTuple): Path
  | null {
  return follow(graph, routes, source, destination,
    (node, ports) => ports.length === 1 ? 0 : ecmpHash(tuple, hashSeed(graph, node)) % ports.length);
}

/** Seed of a node's hash: the id of a switch, one for all hosts. */
export function hashSeed(graph: Graph, node: number): number {
  return isHost(graph, node) ? HOST_PORT_SEED : node;
}

/** The path that is first in each group; null: there is none. */
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

/**
 * Paths between all kinds of hosts: two hosts are of one kind if their links are alike and lead to the same switches.
 */
export function* pathsOfAllKinds(graph: Graph, routes: Routes): Steps<Path[]> {
  const kinds = new Map<string, number[]>();
  for (const host of graph.network.hosts) {
    const key = portsOf(graph, host).map((port) =>
      `${peerOf(graph, port)} ${graph.rateBps[port]} ${graph.delayPs[port]}`
    ).join();
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, [host]);
    else if (known.length < 2) known.push(host);
  }
  const samples = [...kinds.values()].slice(0, KINDS_MAX);
  const paths: Path[] = [];
  for (const [destination] of samples) {
    for (const sample of samples) {
      if (paths.length % PATHS_PER_STEP === PATHS_PER_STEP - 1) yield;
      const source = sample.find((host) => host !== destination);
      const path = source === undefined ? null : firstPath(graph, routes, source, destination);
      if (path !== null) paths.push(path);
    }
  }
  return paths;
}

/** Most switches on a path. */
export function switchesOnLongest(paths: Iterable<Path>): number {
  let most = 0;
  for (const path of paths) most = Math.max(most, path.length - 1);
  return most;
}

/** What determines base round trips. */
export interface RttRules {
  readonly fidelity: Fidelity;
  readonly mtuBytes: number;
  readonly wireOverheadBytes: number;
  /** What the tunnel of a WAN adds on the link of a port. Left out: nothing. */
  readonly tunnelBytes?: (port: number) => number;
}

/** The longest base round trip, and the largest product with the least rate. */
export function longestBase(graph: Graph, paths: readonly Path[], rules: RttRules, sizes: FlowSizes,
  times: TxTimes): BasePath {
  return atOnce(longestBaseSteps(graph, paths, rules, sizes, times));
}

/** The same in steps. */
export function* longestBaseSteps(graph: Graph, paths: readonly Path[], rules: RttRules, sizes: FlowSizes,
  times: TxTimes): Steps<BasePath> {
  let [rttPs, bdpBytes] = [0, 0];
  for (const [index, path] of paths.entries()) {
    if (index % PATHS_PER_STEP === PATHS_PER_STEP - 1) yield;
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
      sum + 2 * graph.delayPs[port] + Math.floor((mtuBytes * NS_PER_SECOND) / graph.rateBps[port]) * PS_PER_NS,
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

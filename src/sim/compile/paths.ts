/**
 * Paths through the network: the one that the hash selects for a flow, the first of each next-hop group, the longest base
 * round trip, the default timeout, and the minimum completion time of a flow.
 *
 *   reference  pair RTT = 2 sum(delay) + sum over hops of floor(payload time of a full packet, ns); BDP = floor(RTT
 *              least rate / 8) (docs/specs/reference.md, section 2: headers and ACKs are left out)
 *   standard   pair RTT = sum over hops of delay and time of a full packet, and the same back with an ACK
 *
 * Round trips are those of the path that takes the first next hop of each group.
 */
import { BIT_PS_PER_BYTE, exactTxTimePs } from '../../exact-numbers.js';
import { txTimeNs } from '../../reference/algorithms/rate-numbers.js';
import { ecmpHash, HOST_PORT_SEED, type FlowTuple } from '../../switching/ecmp-hash.js';
import { PS_PER_NS } from '../../units.js';
import type { NetworkPlan } from '../plan.js';
import type { KernelFidelity } from '../scenario/setting-words.js';
import { isHost, peerOf, type Graph, portsTowards, type Routes } from './routes.js';
import type { FlowSizes } from './packet-sizes.js';

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
  return Float64Array.from(ports,
    ({ node, rateBps, delayPs, peerPort }) =>
      delayPs + ports[peerPort].delayPs + (nodes[node].bufferBytes * PS_PER_BYTE_AT_1_BPS) / rateBps);
}

export interface IdealRules {
  readonly mtuBytes: number;
  readonly wireOverheadBytes: number;
  /** Bytes that a WAN tunnel adds on the link of a port. Omitted: no tunnels. */
  readonly tunnelBytes?: (port: number) => number;
  /** Whether packets take several paths at once. */
  readonly isSpread?: boolean;
}

/** Rates and delays, indexed by port. */
type Rates = Pick<Graph, 'rateBps' | 'delayPs'>;

/**
 * Minimum completion time of a flow in an idle network: store and forward, packets back to back, an ACK per packet, no window.
 *
 *   m full packets leave hop j at   F(j) = sum of tx up to j + (m - 1) largest tx up to j + delays before j
 *   the last, shorter one at        L(j) = max(L(j - 1) + delay, F(j)) + its tx
 *   done at                         L(end) + delay + the ACK's path back, where it may wait for the previous ACK: a short
 *                                   last packet can follow more closely than an ACK takes. ACKs of full packets don't
 *                                   meet.
 *
 * If packets spread over several paths, they share only the first and the last link: for the links between, the largest tx is
 * ignored and the last packet waits for no other. The result is then a lower bound.
 *
 * @returns picoseconds from start to the last ACK; if the return path is empty, to the last byte.
 */
export function idealPs(graph: Rates, times: TxTimes, rules: IdealRules, sizes: FlowSizes, sizeBytes: number,
  paths: { readonly there: Path; readonly back: Path }): number {
  const { mtuBytes, wireOverheadBytes, tunnelBytes = () => 0, isSpread = false } = rules;
  const fullPackets = Math.ceil(sizeBytes / mtuBytes) - 1;
  const lastBytes = sizeBytes - fullPackets * mtuBytes;
  let [sum, largest, delays, full, last] = [0, 0, 0, 0, 0];
  const end = paths.there.length - 1;
  for (const [hop, port] of paths.there.entries()) {
    const isShared = !isSpread || hop === 0 || hop === end;
    const rate = graph.rateBps[port];
    const overhead = sizes.headerBytes + wireOverheadBytes + tunnelBytes(port);
    const tx = times.ps(mtuBytes + overhead, rate);
    sum += tx;
    if (isShared) largest = Math.max(largest, tx);
    const fullDone = fullPackets === 0 ? 0 : sum + (fullPackets - 1) * largest + delays;
    full = fullDone + graph.delayPs[port];
    last = Math.max(last, isShared ? fullDone : 0) + times.ps(lastBytes + overhead, rate) + graph.delayPs[port];
    delays += graph.delayPs[port];
  }
  const ackBytes = sizes.ackBytes + wireOverheadBytes;
  return pathBack(graph, paths.back, (port) => times.ps(ackBytes + tunnelBytes(port), graph.rateBps[port]), {
    last,
    full: fullPackets === 0 ? 0 : full,
  });
}

/**
 * Minimum time from a READ's post to its last byte, picoseconds: its request arrives after the sum of its tx and delays on the
 * path back, then L(end) + delay, without ACKs.
 */
export function idealReadPs(graph: Rates, times: TxTimes, rules: IdealRules,
  sizes: FlowSizes & { readonly requestBytes: number }, sizeBytes: number,
  { there, back }: { readonly there: Path; readonly back: Path }): number {
  const { wireOverheadBytes, tunnelBytes = () => 0 } = rules;
  const requestPs = back.reduce((sum, port) => {
    const lenBytes = sizes.requestBytes + wireOverheadBytes + tunnelBytes(port);
    return sum + times.ps(lenBytes, graph.rateBps[port]) + graph.delayPs[port];
  }, 0);
  return requestPs + idealPs(graph, times, rules, sizes, sizeBytes, { there, back: [] });
}

/** When the last ACK arrives. @param arrivals when the last packet and the one before it arrive at the receiver. */
function pathBack(graph: Rates, path: Path, txPs: (port: number) => number,
  arrivals: { readonly last: number; readonly full: number }): number {
  let { last, full } = arrivals;
  for (const port of path) {
    full += txPs(port);
    last = Math.max(last, full) + txPs(port);
    full += graph.delayPs[port];
    last += graph.delayPs[port];
  }
  return last;
}

/**
 * Transmission times on links, in picoseconds; each length and rate is computed only once. `exact`: rounded up. `ns3`: whole
 * nanoseconds, as the reference simulator rounds (docs/specs/reference.md, section 1).
 */
export class TxTimes {
  readonly #known = new Map<number, Map<number, number>>();
  readonly #rounding: 'exact' | 'ns3';
  /** Rate requested last: most paths have one rate throughout. */
  #lastRateBps = NaN;
  #ofLastRate = new Map<number, number>();

  constructor(rounding: 'exact' | 'ns3') {
    this.#rounding = rounding;
  }

  /** Picoseconds of `lenBytes` at `rateBps`. */
  ps(lenBytes: number, rateBps: number): number {
    const ofRate = rateBps === this.#lastRateBps ? this.#ofLastRate : this.#timesAt(rateBps);
    const known = ofRate.get(lenBytes);
    if (known !== undefined) return known;
    const time = this.#rounding === 'ns3' ? ns3TxTimePs(lenBytes, rateBps) : exactTxTimePs(lenBytes, rateBps);
    ofRate.set(lenBytes, time);
    return time;
  }

  #timesAt(rateBps: number): Map<number, number> {
    const times = this.#known.get(rateBps) ?? new Map<number, number>();
    this.#known.set(rateBps, times);
    this.#lastRateBps = rateBps;
    this.#ofLastRate = times;
    return times;
  }
}

/** Transmission time rounded as the reference simulator does: up to a whole nanosecond, less 1 ns. */
export function ns3TxTimePs(lenBytes: number, rateBps: number): number {
  return txTimeNs(lenBytes, rateBps) * PS_PER_NS;
}

/**
 * Sends requests and replies as packets over the simulated network: store and forward, a FIFO queue per port, links with the
 * rates and delays that the flows see.
 *
 *   frame       Ethernet header 14, the IP packet, FCS 4, at least 64 bytes; 20 more on the wire (preamble, gap)
 *   request     UDP to port 4791 without payload, with the data's DSCP and source port, so that it takes the probed flow's path;
 *               receivers drop such a packet (CA17-24)
 *   reply       by the first of the shortest paths
 *   on an idle network a reply of hop n arrives after the sum over its n links of 2 delays and the times of request and reply
 *
 * There is no other traffic. Faults of links and hosts do not affect these packets.
 */
import { deliverPacket, routePacket } from '../../../discovery/node-packets.js';
import type { DiscoveryNode } from '../../../discovery/node.js';
import { writeU16 } from '../../../wire/bytes.js';
import { RequestPacket } from '../../../wire/discovery/packets.js';
import { Ipv4 } from '../../../wire/ip/ipv4.js';
import { Ipv6 } from '../../../wire/ip/ipv6.js';
import { Ethernet } from '../../../wire/link/ethernet.js';
import { peerOf, type Graph, type Routes } from '../../compile/routes.js';
import { firstPath, type TxTimes } from '../../compile/paths.js';
import { EventQueue } from '../../event-queue.js';
import type { PacketRecord } from '../../result.js';
import type { ValidDiscoveryRouter } from '../../scenario/valid-scenario.js';

const FCS_BYTES = 4;
const LEAST_FRAME_BYTES = 64;

/** The network that packets cross. */
export interface ExchangeNetwork {
  readonly graph: Graph;
  readonly routes: Routes;
  readonly times: TxTimes;
  readonly wireOverheadBytes: number;
  readonly routerOf: (node: number) => ValidDiscoveryRouter;
}

/** Packets sent and dropped. */
export interface ExchangeCounts {
  readonly requests: number;
  readonly replies: number;
  readonly repliesDropped: number;
}

/** A packet, and its egress ports from its first node on. */
interface Travelling {
  readonly kind: 'request' | 'reply';
  readonly path: readonly number[];
  readonly flow: number;
  readonly source: number;
}

export class Exchange {
  readonly #network: ExchangeNetwork;
  readonly #nodes: Map<number, DiscoveryNode>;
  readonly #events = new EventQueue();
  /** Earliest time of each port's next transmission. */
  readonly #freePs: Float64Array;
  readonly #records: PacketRecord[] = [];
  readonly #onReply: (host: number, bytes: Uint8Array, nowPs: number) => void;
  #requests = 0;
  #replies = 0;
  #repliesDropped = 0;

  /** @param nodes nodes by index; an entry is replaced when its node accepts a policy. */
  constructor(network: ExchangeNetwork, nodes: Map<number, DiscoveryNode>,
    onReply: (host: number, bytes: Uint8Array, nowPs: number) => void) {
    this.#network = network;
    this.#nodes = nodes;
    this.#onReply = onReply;
    this.#freePs = new Float64Array(network.graph.nodeOf.length);
  }

  get counts(): ExchangeCounts {
    return { requests: this.#requests, replies: this.#replies, repliesDropped: this.#repliesDropped };
  }

  /** Packets as they left their ports, in order of time. */
  get records(): readonly PacketRecord[] {
    return this.#records.toSorted((a, b) => a.timePs - b.timePs);
  }

  /** Sends a request along the path of a flow. */
  request(bytes: Uint8Array, path: readonly number[], flow: number, atPs: number): void {
    this.#requests += 1;
    const source = this.#network.graph.nodeOf[path[0]];
    this.#events.schedule(atPs, () => {
      this.#send(bytes, 0, { kind: 'request', path, flow, source });
    });
  }

  /** Runs until nothing is in flight. @returns the time of that, picoseconds. */
  run(): number {
    this.#events.runUntil(Infinity);
    return this.#events.nowPs;
  }

  #send(bytes: Uint8Array, index: number, travelling: Travelling): void {
    const { graph, times, wireOverheadBytes } = this.#network;
    const port = travelling.path[index];
    const lenBytes = Math.max(LEAST_FRAME_BYTES, Ethernet.lenBytes + bytes.length + FCS_BYTES);
    const beginPs = Math.max(this.#events.nowPs, this.#freePs[port]);
    const sentPs = beginPs + times.ps(lenBytes + wireOverheadBytes, graph.rateBps[port]);
    this.#freePs[port] = sentPs;
    this.#records.push({
      timePs: beginPs,
      port,
      kind: 'discovery',
      flow: travelling.flow,
      sequence: 0,
      lenBytes,
      payloadBytes: 0,
      trafficClass: 0,
      marked: false,
      ipPacket: bytes,
    });
    this.#events.schedule(sentPs + graph.delayPs[port], () => {
      this.#arrive(bytes, index, travelling);
    });
  }

  #arrive(bytes: Uint8Array, index: number, travelling: Travelling): void {
    const node = peerOf(this.#network.graph, travelling.path[index]);
    if (travelling.kind === 'request') this.#arriveRequest(bytes, index, travelling, node);
    else if (index === travelling.path.length - 1) this.#onReply(node, bytes, this.#events.nowPs);
    else this.#passReply(bytes, index, travelling, node);
  }

  #passReply(bytes: Uint8Array, index: number, travelling: Travelling, node: number): void {
    const forwarded = nextHopLimit(bytes);
    if (this.#network.routerOf(node).dropsReplies || forwarded === undefined) {
      this.#repliesDropped += 1;
      return;
    }
    this.#send(forwarded, index + 1, travelling);
  }

  #arriveRequest(bytes: Uint8Array, index: number, travelling: Travelling, node: number): void {
    const state = this.#nodes.get(node);
    if (state === undefined) return;
    const isLast = index === travelling.path.length - 1;
    const { responses } = this.#network.routerOf(node);
    if (!isLast && responses === 'unaware') {
      const count = RequestPacket.read(bytes)?.request.outboundHopCount ?? 0;
      this.#forward(RequestPacket.forward(bytes, count), index, travelling);
      return;
    }
    const outcome = isLast ? deliverPacket(state, bytes) : routePacket(state, bytes);
    if (outcome === undefined) return;
    this.#nodes.set(node, outcome.node);
    if (outcome.replyPacket !== undefined && responses === 'always') this.#reply(outcome.replyPacket, node, travelling);
    this.#forward(outcome.forwardedPacket, index, travelling);
  }

  #forward(bytes: Uint8Array | undefined, index: number, travelling: Travelling): void {
    if (bytes !== undefined) this.#send(bytes, index + 1, travelling);
  }

  #reply(bytes: Uint8Array, node: number, { source, flow }: Travelling): void {
    const { graph, routes } = this.#network;
    const path = firstPath(graph, routes, node, source);
    if (path === null) return;
    this.#replies += 1;
    this.#send(bytes, 0, { kind: 'reply', path, flow, source: node });
  }
}

/* Forwards an IP packet: decrements its hop limit and updates IPv4's checksum. */

const VERSION_SHIFT = 4;
const IPV4_TTL = Ipv4.offsetOf('ttl');
const IPV4_CHECKSUM = Ipv4.offsetOf('checksum');
const IPV6_HOP_LIMIT = Ipv6.offsetOf('hopLimit');

/** The packet with its hop limit decremented; undefined if that is exhausted. */
export function nextHopLimit(bytes: Uint8Array): Uint8Array | undefined {
  const isIpv4 = bytes[0] >> VERSION_SHIFT === 4;
  const at = isIpv4 ? IPV4_TTL : IPV6_HOP_LIMIT;
  if (bytes[at] <= 1) return undefined;
  const next = bytes.slice();
  next[at] -= 1;
  if (isIpv4) writeU16(next, IPV4_CHECKSUM, Ipv4.computeChecksum(next));
  return next;
}

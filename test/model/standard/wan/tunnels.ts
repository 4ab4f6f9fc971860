/**
 * Tunnels between the provider edges of a WAN, and the border filter (draft-hu-rtgwg-rocev2-fcn-00, section 4;
 * draft-xiao-rtgwg-rocev2-fast-cnp-01, section 5).
 *
 *   target   for a packet in a tunnel the destination of its outer header; for a packet to the other data centre that
 *            has not entered its tunnel the provider edge of its service; else its host
 *   entry    outer ECN by the mode of the edge; exit: ECN by RFC 6040 (src/tunnel/ecn.ts)
 *   END.CON  a Fast CNP for a packet in a tunnel gets an outer header to the tunnel entry, except at the entry itself
 */
import { decapsulateEcn, ECN_CE, ECN_NOT_ECT, encapsulateEcn } from '../../../../src/tunnel/ecn.js';
import { cnpDefaults } from '../../../../src/wire/roce/cnp.js';
import type { RawWanNode } from '../../../../src/sim/features/wan/memory.js';
import type { WanPlan, WanServicePlan } from '../../../../src/sim/features/wan/plan.js';
import type { Port } from '../../link-ends.js';
import type { World } from '../../network.js';
import type { Packet, Tunnel } from '../../packet.js';

const WAN = 2;
const CODES = 4;

type Counts = { -readonly [Key in keyof Omit<RawWanNode, 'cells'>]: number } & { readonly cells: number[] };

function noCounts(): Counts {
  return {
    encapsulated: 0,
    decapsulated: 0,
    wrapped: 0,
    unwrapped: 0,
    deniedIn: 0,
    deniedOut: 0,
    cells: Array.from({ length: CODES * CODES }, () => 0),
  };
}

export class Tunnels {
  /** Counters by node. */
  readonly counts: readonly Counts[];
  readonly #world: World;
  readonly #wan: WanPlan;

  constructor(world: World, wan: WanPlan) {
    this.#world = world;
    this.#wan = wan;
    this.counts = world.plan.nodes.map(noCounts);
  }

  /** The next node that a packet is routed to, which may be more than one link away. */
  targetOf(node: number, { destination, flow, tunnel }: Pick<Packet, 'destination' | 'flow' | 'tunnel'>): number {
    if (tunnel !== undefined) return tunnel.end;
    const domain = this.#wan.domains[node];
    if (domain === WAN || this.#wan.domains[destination] === domain) return destination;
    return this.#serviceOf(flow).edges[domain];
  }

  /** The same for the data of a flow, by the node alone: at the entry the first segment, if any, then the exit edge. */
  targetOfData(node: number, flow: number): number {
    const { source, destination } = this.#world.plan.flows.get(flow);
    const [from, to, here] = [source, destination, node].map((one) => this.#wan.domains[one]);
    if (from === to || here === to || this.#sideOf(node) === to) return destination;
    const service = this.#serviceOf(flow);
    if (here === from) return service.edges[from];
    return this.#sideOf(node) < 0 ? service.edges[to] : this.#ends(service, to)[0];
  }

  /** Processes a packet that has arrived; undefined: it is dropped. */
  arrive(node: number, port: Port, packet: Packet): Packet | undefined {
    const peer = this.#world.ports[port.plan.peerPort].device.node;
    if (this.#isBarred(node, peer, packet, 'permitIn')) {
      this.counts[node].deniedIn += 1;
      this.#drop(port, packet, 'accessList');
      return undefined;
    }
    const inside = packet.tunnel?.end === node ? this.#arriveAtEnd(node, packet, packet.tunnel) : packet;
    if (inside !== undefined) return this.enter(node, inside);
    this.#drop(port, packet, 'tunnelEcn');
    return undefined;
  }

  /** Whether a packet may leave by a port; counts it if not. */
  mayLeave(node: number, port: Port, packet: Packet): boolean {
    const peer = this.#world.ports[port.plan.peerPort].device.node;
    if (!this.#isBarred(node, peer, packet, 'permitOut')) return true;
    this.counts[node].deniedOut += 1;
    return false;
  }

  /** Encapsulates packets to the other data centre into the tunnel of their service at a provider edge. */
  enter(node: number, packet: Packet): Packet {
    const side = this.#sideOf(node);
    const to = this.#wan.domains[packet.destination];
    if (side < 0 || side === to || packet.tunnel !== undefined) return packet;
    const service = this.#serviceOf(packet.flow);
    const innerEcn = this.#ecnOf(packet);
    const mode = this.#wan.compatibilityEdges.includes(node) ? 'compatibility' : 'normal';
    const outerEcn = encapsulateEcn(innerEcn, mode);
    const ends = this.#ends(service, to);
    this.counts[node].encapsulated += 1;
    return this.#into(packet, { end: ends[0], rest: ends.slice(1), innerEcn, outerEcn, endCon: false },
      service.overheadBytes);
  }

  /** Adds an outer header to a Fast CNP that a node has created, if necessary. */
  wrap(node: number, packet: Packet, cause: Packet): Packet {
    if (cause.tunnel === undefined) return this.enter(node, packet);
    const { domains, wrapperBytes } = this.#wan;
    const entry = this.#serviceOf(cause.flow).edges[domains[this.#world.plan.flows.source[cause.flow]]];
    if (entry === node) return packet;
    this.counts[node].wrapped += 1;
    const tunnel = { end: entry, rest: [], innerEcn: cnpDefaults.ecn, outerEcn: cnpDefaults.ecn, endCon: true };
    return this.#into(packet, tunnel, wrapperBytes);
  }

  /** Whether congestion may be written into the outermost header here. */
  isMarkable(packet: Packet): boolean {
    if (packet.kind !== 'data') return false;
    if (this.#ecnOf(packet) !== ECN_NOT_ECT) return true;
    return this.#wan.marksAll && packet.tunnel !== undefined;
  }

  #arriveAtEnd(node: number, packet: Packet, tunnel: Tunnel): Packet | undefined {
    if (tunnel.rest.length > 0)
      return { ...packet, tunnel: { ...tunnel, end: tunnel.rest[0], rest: tunnel.rest.slice(1) } };
    const outer = this.#ecnOf(packet);
    const counts = this.counts[node];
    counts.cells[CODES * tunnel.innerEcn + outer] += 1;
    counts.decapsulated += 1;
    if (tunnel.endCon) counts.unwrapped += 1;
    const { ecn } = decapsulateEcn(tunnel.innerEcn, outer);
    if (ecn === 'drop') return undefined;
    this.#world.count.outerHeaderGone(tunnel.overheadBytes);
    return { ...packet, tunnel: undefined, marked: ecn === ECN_CE, lenBytes: packet.lenBytes - tunnel.overheadBytes };
  }

  #into(packet: Packet, tunnel: Omit<Tunnel, 'overheadBytes'>, overheadBytes: number): Packet {
    this.#world.count.outerHeaderMade(overheadBytes);
    return {
      ...packet,
      tunnel: { ...tunnel, overheadBytes },
      marked: tunnel.outerEcn === ECN_CE,
      lenBytes: packet.lenBytes + overheadBytes,
    };
  }

  /** The ECN field of the outermost header. */
  #ecnOf({ marked, tunnel, kind }: Packet): number {
    if (marked) return ECN_CE;
    if (tunnel !== undefined) return tunnel.outerEcn;
    if (kind === 'data') return this.#wan.dataEcn;
    return kind === 'cnp' || kind === 'fast-cnp' ? cnpDefaults.ecn : ECN_NOT_ECT;
  }

  #isBarred(node: number, peer: number, packet: Packet, list: 'permitIn' | 'permitOut'): boolean {
    if (packet.kind !== 'fast-cnp' || packet.tunnel !== undefined) return false;
    const border = this.#wan.borders.find((one) => one.node === node);
    if (border === undefined || this.#wan.domains[peer] === this.#wan.domains[node]) return false;
    return packet.origin === undefined || !border[list].includes(packet.origin);
  }

  #drop(port: Port, packet: Packet, reason: 'accessList' | 'tunnelEcn'): void {
    port.drops += 1;
    this.#world.count.dropped(packet, reason);
  }

  #serviceOf(flow: number): WanServicePlan {
    return this.#wan.services[this.#wan.serviceOfFlow[flow]];
  }

  /** The data centre of a provider edge; -1: the node is no edge. */
  #sideOf(node: number): number {
    return this.#wan.edges.findIndex((edges) => edges.includes(node));
  }

  /** The destination nodes of outer headers to a data centre, in order. */
  #ends({ segments, edges }: WanServicePlan, to: number): number[] {
    return [...(to === 1 ? segments : [...segments].reverse()), edges[to]];
  }
}

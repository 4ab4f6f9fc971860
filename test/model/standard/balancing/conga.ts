/**
 * CONGA by its paper (SIGCOMM 2014): the first leaf sends each flowlet on the uplink of the least congested path;
 * packets collect the congestion of their path; the last leaf reports one path to the first leaf with each response.
 *
 *   X       bytes sent to a port towards a switch; x 7/8, rounded down, at each multiple of tau / 8
 *   level   8 X / (rate tau), rounded down, at most 7
 *   metric  max(level of the uplink, what was reported of the path within the ageing time)
 *
 * assembly/simulator/balancing/conga.ts states how ambiguous passages of the paper were read.
 */
import type { CongaPlan } from '../../../../src/sim/features/balancing/plan.js';
import type { Port } from '../../link-ends.js';
import type { World } from '../../network.js';
import type { Packet } from '../../packet.js';
import type { Balancer, Forwarder } from '../../parts.js';
import { nextHopsOf } from './chosen-next-hops.js';
import type { Flowlets } from './flowlets.js';
import type { Below } from './egress-chooser.js';

const TICKS_OF_TAU = 8;
const LEVELS = 8;
const BITS_PS = 8e12;

/** Carried by data from its first leaf on: the index of its path, and the congestion on it so far. */
class Gathered {
  readonly path: number;
  congestion = 0;

  constructor(path: number) {
    this.path = path;
  }
}

/** Carried by a response to the first leaf. */
class Feedback {
  readonly path: number;
  readonly congestion: number;

  constructor(path: number, congestion: number) {
    this.path = path;
    this.congestion = congestion;
  }
}

interface Known {
  readonly congestion: number;
  readonly sincePs: number;
  /** Whether it has changed since it was reported. */
  readonly changed: boolean;
}

/** The congestion known to a leaf of the paths to or from another leaf, by path index. */
class PathTable {
  readonly #known = new Map<number, Known>();
  readonly #ageingPs: number;
  #lastReported = 0;

  constructor(ageingPs: number) {
    this.#ageingPs = ageingPs;
  }

  keep(nowPs: number, path: number, congestion: number): void {
    const before = this.#known.get(path);
    const changed = before?.congestion !== congestion || before.changed;
    this.#known.set(path, { congestion, sincePs: nowPs, changed });
  }

  congestionOf(nowPs: number, path: number): number {
    const known = this.#known.get(path);
    return known !== undefined && this.#isYoung(nowPs, known) ? known.congestion : 0;
  }

  /** The next one after the one reported last, preferring one that has changed. */
  feedback(nowPs: number): Feedback | undefined {
    const young = [...this.#known].filter(([, known]) => this.#isYoung(nowPs, known));
    const changed = young.filter(([, known]) => known.changed);
    const paths = (changed.length > 0 ? changed : young).map(([path]) => path).sort((a, b) => a - b);
    const path = paths.find((one) => one > this.#lastReported) ?? paths[0];
    const known = this.#known.get(path);
    if (known === undefined) return undefined;
    this.#lastReported = path;
    this.#known.set(path, { ...known, changed: false });
    return new Feedback(path, known.congestion);
  }

  #isYoung(nowPs: number, { sincePs }: Known): boolean {
    return nowPs - sincePs <= this.#ageingPs;
  }
}

/** The estimated load of a port. */
class Estimate {
  readonly #rateBps: number;
  readonly #tauPs: number;
  #bytes = 0;
  #ticks = 0;

  constructor(rateBps: number, tauPs: number) {
    this.#rateBps = rateBps;
    this.#tauPs = tauPs;
  }

  add(nowPs: number, lenBytes: number): void {
    this.#discount(nowPs);
    this.#bytes += lenBytes;
  }

  level(nowPs: number): number {
    this.#discount(nowPs);
    const full = (this.#rateBps * this.#tauPs) / BITS_PS;
    return Math.min(LEVELS - 1, Math.floor((LEVELS * this.#bytes) / full));
  }

  #discount(nowPs: number): void {
    const ticks = Math.floor((nowPs * TICKS_OF_TAU) / this.#tauPs);
    for (; this.#ticks < ticks && this.#bytes > 0; this.#ticks += 1) this.#bytes = Math.floor((7 / 8) * this.#bytes);
    this.#ticks = ticks;
  }
}

export class CongaSwitch implements Balancer {
  readonly #world: World;
  readonly #forwarder: Forwarder;
  readonly #plan: CongaPlan;
  readonly #flowlets: Flowlets;
  readonly #below: Below;
  readonly #estimates = new Map<Port, Estimate>();
  /** Path tables by the other leaf. */
  readonly #toLeaf = new Map<number, PathTable>();
  readonly #fromLeaf = new Map<number, PathTable>();

  constructor(world: World, forwarder: Forwarder, plan: CongaPlan, flowlets: Flowlets, below: Below) {
    this.#world = world;
    this.#forwarder = forwarder;
    this.#plan = plan;
    this.#flowlets = flowlets;
    this.#below = below;
  }

  receive(packet: Packet, arrival: Port): void {
    const [first, last] = this.#leavesOf(packet);
    const isBetween = first !== last;
    const isChosen = packet.kind === 'data' && isBetween && first === this.#forwarder.node;
    const egress = isChosen ? this.#choose(packet, last) : this.#forwarder.ecmpEgress(packet);
    if (egress !== undefined && packet.kind !== 'fast-cnp') {
      if (isBetween) this.#passLeaf(packet, egress, first, last);
      this.#give(packet, egress);
    }
    this.#forwarder.forward(packet, arrival, egress);
  }

  waiting(): Iterable<Packet> {
    return [];
  }

  /** The first and last leaf of the data of a flow. */
  #leavesOf({ flow }: Packet): [number, number] {
    const { plan: { flows, ports } } = this.#world;
    const leafBehind = (port: number): number => ports[ports[port].peerPort].node;
    return [leafBehind(flows.sourcePort[flow]), leafBehind(flows.responsePort[flow])];
  }

  #choose(packet: Packet, last: number): Port | undefined {
    const nextHops = nextHopsOf(this.#forwarder, packet);
    if (nextHops.open.length === 0) return undefined;
    return this.#flowlets.egressFor(this.#now, packet, nextHops,
      (before) => this.#leastCongested(nextHops.open, last, before));
  }

  #leastCongested(open: readonly Port[], last: number, before: Port | undefined): Port {
    const metrics = open.map((port) =>
      Math.max(this.#estimateOf(port).level(this.#now),
        this.#tableOf(this.#toLeaf, last).congestionOf(this.#now, this.#uplinkOf(port)))
    );
    const least = Math.min(...metrics);
    const best = open.filter((_, at) => metrics[at] === least);
    if (before !== undefined && best.includes(before)) return before;
    return best.length === 1 ? best[0] : best[this.#below(best.length)];
  }

  #passLeaf(packet: Packet, egress: Port, first: number, last: number): void {
    const { node } = this.#forwarder;
    const { label } = packet;
    if (packet.kind === 'data') {
      if (node === first) packet.label = new Gathered(this.#uplinkOf(egress));
      else if (node === last && label instanceof Gathered)
        this.#tableOf(this.#fromLeaf, first).keep(this.#now, label.path, label.congestion);
    } else if (node === last) {
      packet.label = this.#tableOf(this.#fromLeaf, first).feedback(this.#now);
    } else if (node === first && label instanceof Feedback) {
      this.#tableOf(this.#toLeaf, last).keep(this.#now, label.path, label.congestion);
    }
  }

  /** Assigns a port to the packet and counts bytes to switches. */
  #give({ lenBytes, label }: Packet, egress: Port): void {
    if (!this.#isUplink(egress)) return;
    const estimate = this.#estimateOf(egress);
    estimate.add(this.#now, lenBytes);
    if (label instanceof Gathered) label.congestion = Math.max(label.congestion, estimate.level(this.#now));
  }

  get #now(): number {
    return this.#world.events.nowPs;
  }

  #isUplink({ plan: { peerPort } }: Port): boolean {
    const { nodes, ports } = this.#world.plan;
    return nodes[ports[peerPort].node].kind === 'switch';
  }

  /** The index of a port among those to switches. */
  #uplinkOf(port: Port): number {
    const { nodes } = this.#world.plan;
    const before = this.#world.ports.slice(nodes[this.#forwarder.node].firstPort, port.index);
    return before.filter((one) => this.#isUplink(one)).length;
  }

  #estimateOf(port: Port): Estimate {
    const known = this.#estimates.get(port) ?? new Estimate(port.plan.rateBps, this.#plan.tauPs);
    this.#estimates.set(port, known);
    return known;
  }

  #tableOf(tables: Map<number, PathTable>, leaf: number): PathTable {
    const known = tables.get(leaf) ?? new PathTable(this.#plan.ageingPs);
    tables.set(leaf, known);
    return known;
  }
}

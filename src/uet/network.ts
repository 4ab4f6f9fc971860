/** The network of a run: stateful switches, queues and links, made from a plan. */
import { SimEvent, type EventList } from './event-list.js';
import { Fifo } from './fifo.js';
import type { LinkPlan, NetworkPlan, SwitchPlan, SwitchTier } from './network-plan.js';
import type { NextHopChoice, ChoosingSwitch } from './next-hop-choice.js';
import type { Packet, PacketSink } from './packet.js';
import { HostQueue, SwitchQueue, type TrimSettings } from './queues.js';
import type { RunContext } from './run-context.js';

/** Delivers packets that arrive at a host to their sender or receiver. */
const HOST: PacketSink = { receive: (packet: Packet) => packet.endpoint.receive(packet) };

export class Network {
  /** Output queues of the hosts. */
  readonly hostQueues: readonly HostQueue[];
  readonly #context: RunContext;
  readonly #trim: TrimSettings;
  readonly #switches: readonly Switch[];

  constructor(context: RunContext, plan: NetworkPlan, trim: TrimSettings, choice: NextHopChoice) {
    this.#context = context;
    this.#trim = trim;
    this.#switches = plan.switches.map(({ tier, latencyPs }) => new Switch(context, tier, latencyPs, choice));
    this.#switches.forEach((at, index) => {
      at.connect(this.#routes(plan.switches[index]));
    });
    this.hostQueues = plan.leaves.map((leaf) =>
      new HostQueue(context, plan.hostRateBps, new Pipe(context.events, plan.hostLatencyPs, this.#switches[leaf]))
    );
  }

  #routes({ firstHost, hostsPerList, down, up }: SwitchPlan): SwitchRoutes {
    const lists = down.map((links) => links.map((link) => this.#queue(link)));
    const uplinks = up.map((link) => this.#queue(link));
    return {
      down: (host) => lists[Math.floor((host - firstHost) / hostsPerList)] ?? [],
      up: () => [...uplinks],
    };
  }

  #queue({ name, queue, latencyPs, next }: LinkPlan): SwitchQueue {
    const isLastHop = next < 0;
    const pipe = new Pipe(this.#context.events, latencyPs, isLastHop ? HOST : this.#switches[next]);
    return new SwitchQueue(this.#context, { name, isLastHop }, queue, this.#trim, pipe);
  }
}

/** The queues from a switch to its neighbours. */
export interface SwitchRoutes {
  /** Queues down towards a host, in order; empty if the host is not below. */
  down(host: number): SwitchQueue[];
  /** All uplink queues, in order. */
  up(): SwitchQueue[];
}

/**
 * A switch: the output of a packet is chosen on arrival; then the packet passes the delay line of the switch (also if its
 * latency is 0) and enters the output queue.
 *
 * Next hops are determined on the first use of a destination. A leaf's uplinks are listed and shuffled once, for all
 * destinations; as in the reference, an aggregation switch lists and shuffles its uplinks for each destination.
 */
export class Switch implements PacketSink, ChoosingSwitch {
  readonly tier: SwitchTier;
  readonly salt: number;
  readonly #context: RunContext;
  readonly #choice: NextHopChoice;
  readonly #delay: Pipe;
  readonly #nextHops: SwitchQueue[][] = [];
  #routes: SwitchRoutes | undefined = undefined;
  #uplinks: SwitchQueue[] | undefined = undefined;

  constructor(context: RunContext, tier: SwitchTier, latencyPs: number, choice: NextHopChoice) {
    this.tier = tier;
    this.salt = context.random.draw();
    this.#context = context;
    this.#choice = choice;
    this.#delay = new Pipe(context.events, latencyPs, { receive: enterOutput });
  }

  /** Sets the routes. Called once, before the first packet. */
  connect(routes: SwitchRoutes): void {
    this.#routes = routes;
  }

  receive(packet: Packet): void {
    const nextHops = this.#nextHops[packet.destination] ?? this.#find(packet.destination);
    packet.output = nextHops.length === 1 ? nextHops[0] : this.#choice.choose(this, nextHops, packet);
    this.#delay.receive(packet);
  }

  #find(host: number): SwitchQueue[] {
    const down = this.#routes?.down(host) ?? [];
    const nextHops = down.length > 0 ? down : this.#shuffledUplinks();
    this.#nextHops[host] = nextHops;
    return nextHops;
  }

  #shuffledUplinks(): SwitchQueue[] {
    if (this.#uplinks !== undefined) return this.#uplinks;
    const uplinks = this.#routes?.up() ?? [];
    this.#context.random.shuffle(uplinks);
    if (this.tier === 'tor') this.#uplinks = uplinks;
    return uplinks;
  }
}

function enterOutput(packet: Packet): void {
  packet.output?.receive(packet);
}

/**
 * A delay line: a link, or the latency of a switch. Only its oldest packet has an event. That packet is passed on before the
 * next one is scheduled, which determines the order of events of the same instant.
 */
export class Pipe implements PacketSink {
  readonly #events: EventList;
  readonly #delayPs: number;
  readonly #next: PacketSink;
  readonly #packets = new Fifo<Packet>();
  readonly #due = new SimEvent(() => this.#deliver());

  /** @param next the component that receives the packets. */
  constructor(events: EventList, delayPs: number, next: PacketSink) {
    this.#events = events;
    this.#delayPs = delayPs;
    this.#next = next;
  }

  receive(packet: Packet): void {
    packet.duePs = this.#events.nowPs + this.#delayPs;
    this.#packets.push(packet);
    if (this.#packets.length === 1) this.#events.schedule(this.#due, packet.duePs);
  }

  #deliver(): void {
    const packet = this.#packets.shift();
    if (packet === undefined) return;
    this.#next.receive(packet);
    const { first } = this.#packets;
    if (first !== undefined) this.#events.schedule(this.#due, first.duePs);
  }
}

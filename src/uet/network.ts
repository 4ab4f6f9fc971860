/** The network of a run: stateful switches, queues and links, made from a plan, and the NICs of hosts. */
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
interface SwitchRoutes {
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

/** Control packets go first, except when the count modulo this is 0. */
const CONTROL_CYCLE = 11;
const PS_PER_BYTE_AT_1_BPS = 8e12;

/** A sender that queues at the NIC. */
export interface NicClient {
  /** Sends one packet, or calls `yieldTurn`. */
  takeTurn(): void;
}

/**
 * The NIC of a host: one port, shared by its senders and by control packets (ACKs, NACKs, pulls, RTSs, probes).
 *
 * The NIC is idle, or busy while it sends bytes at its own rate. A sender asks before it sends: at an idle NIC it may send, at
 * a busy one it queues. When data and control packets both wait, ten of eleven packets sent are control packets.
 *
 * A packet enters the host's output queue before the NIC schedules the end of its transmission, so the queue's event of the
 * same instant runs first.
 */
export class Nic {
  readonly #context: RunContext;
  readonly #rateBps: number;
  readonly #queue: PacketSink;
  readonly #waiting = new Fifo<NicClient>();
  readonly #control = new Fifo<Packet>();
  readonly #sent = new SimEvent(() => this.#becomeIdle());
  #isBusy = false;
  #turn = 0;

  /** @param queue the output queue of the host. */
  constructor(context: RunContext, rateBps: number, queue: PacketSink) {
    this.#context = context;
    this.#rateBps = rateBps;
    this.#queue = queue;
    // The reference draws the NIC's first port at random, although there is only one.
    context.random.fraction();
  }

  /** Queued senders, including the one whose turn it is until it has sent. */
  get waitingSenders(): number {
    return this.#waiting.length;
  }

  /** Returns whether the sender may send now; otherwise queues it. */
  ask(client: NicClient): boolean {
    if (!this.#isBusy) return true;
    this.#waiting.push(client);
    return false;
  }

  /** Puts a data packet into the output queue. The sender must be allowed to send, and occupies the NIC afterwards. */
  pass(packet: Packet): void {
    this.#queue.receive(packet);
  }

  /** Ends the turn of the first queued sender, if any, and makes the NIC busy. */
  occupy(bytes: number): void {
    this.#waiting.shift();
    this.#beBusy(bytes);
  }

  sendControl(packet: Packet): void {
    this.#control.push(packet);
    if (!this.#isBusy) this.#sendFirstControl();
  }

  /** Called by the sender whose turn it is if it can't send. */
  yieldTurn(): void {
    this.#waiting.shift();
    const { first } = this.#waiting;
    if (first !== undefined) first.takeTurn();
    else if (this.#control.length > 0) this.#sendFirstControl();
  }

  #becomeIdle(): void {
    this.#isBusy = false;
    const { first } = this.#waiting;
    if (first !== undefined && this.#control.length > 0) {
      this.#turn = (this.#turn + 1) % CONTROL_CYCLE;
      if (this.#turn === 0) first.takeTurn();
      else this.#sendFirstControl();
    } else if (first !== undefined) {
      first.takeTurn();
    } else if (this.#control.length > 0) {
      this.#sendFirstControl();
    }
  }

  #sendFirstControl(): void {
    const packet = this.#control.shift();
    if (packet === undefined) return;
    const { sizeBytes } = packet;
    this.#queue.receive(packet);
    this.#beBusy(sizeBytes);
  }

  #beBusy(bytes: number): void {
    this.#isBusy = true;
    const { events } = this.#context;
    events.schedule(this.#sent, events.nowPs + Math.trunc((bytes * PS_PER_BYTE_AT_1_BPS) / this.#rateBps));
  }
}

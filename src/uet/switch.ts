/**
 * A switch: the output of a packet is chosen on arrival; then the packet passes the delay line of the switch (also if its
 * latency is 0) and enters the output queue.
 *
 * Next hops are determined on the first use of a destination. A leaf's uplinks are listed and shuffled once, for all
 * destinations; as in the reference, an aggregation switch lists and shuffles its uplinks for each destination.
 */
import { Pipe } from './pipe.js';
import type { Packet, PacketSink } from './packet.js';
import type { SwitchTier } from './network-plan.js';
import type { ChoosingSwitch, NextHopChoice } from './next-hop-choice.js';
import type { RunContext } from './run-context.js';
import type { SwitchQueue } from './switch-queue.js';

/** The queues from a switch to its neighbours. */
export interface SwitchRoutes {
  /** Queues down towards a host, in order; empty if the host is not below. */
  down(host: number): SwitchQueue[];
  /** All uplink queues, in order. */
  up(): SwitchQueue[];
}

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

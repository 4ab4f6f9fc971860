/**
 * A switch: an arriving packet gets its output at once, passes the delay line of the switch (also if its latency is 0)
 * and then enters the output queue.
 *
 * Next hops are found on the first use of a destination. A leaf's uplinks are listed and shuffled once, for all
 * destinations. Kept of the reference: an aggregation switch lists and shuffles its uplinks again for each destination.
 */
import { Pipe } from './pipe.js';
import type { Packet, PacketSink } from './packet.js';
import type { SwitchTier } from './network-plan.js';
import type { ChoosingSwitch, NextHopChoice } from './next-hop-choice.js';
import type { RunContext } from './run-context.js';
import type { SwitchQueue } from './switch-queue.js';

/** What the network knows of a switch's neighbours. */
export interface SwitchRoutes {
  /** Queues down towards a host, in order; empty: the host is not below. */
  down(host: number): SwitchQueue[];
  /** All queues up, in order. */
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

  /** Once, before the first packet. */
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

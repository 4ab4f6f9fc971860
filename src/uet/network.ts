/** The network of a run: stateful switches, queues and links, made from a plan. */
import { HostQueue } from './host-queue.js';
import type { LinkPlan, NetworkPlan, SwitchPlan } from './network-plan.js';
import type { NextHopChoice } from './next-hop-choice.js';
import type { Packet, PacketSink } from './packet.js';
import { Pipe } from './pipe.js';
import type { RunContext } from './run-context.js';
import { Switch, type SwitchRoutes } from './switch.js';
import { SwitchQueue, type TrimSettings } from './switch-queue.js';

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

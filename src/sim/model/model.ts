/**
 * A packet network as the reference simulator runs it, in plain TypeScript: the model against which the kernel is
 * checked.
 *
 * Role: builds hosts, switches and ports of a plan, starts the flows, runs to the end and collects the numbers. Written
 * to be read beside ../shared/specs/ns3-reference.md, section by section; speed is no aim.
 *
 * Known deviations: fidelity `reference` only; no losses and no link events; HPCC-PINT's switches round by other random
 * numbers and compute in doubles, so its runs agree with the reference in the mean only.
 */
import type { NetworkPlan } from '../plan.js';
import { pick } from '../pick.js';
import type { PortResult, Totals } from '../result.js';
import { CongestionPointRandom } from '../../reference/cp/random.js';
import { Counters } from './counters.js';
import { EventQueue } from './event-queue.js';
import { Host } from './host.js';
import { MarkRandom } from './mark-random.js';
import type { ModelListener, Packet } from './packet.js';
import { Port, type Network } from './port.js';
import { requireModelled } from './require-modelled.js';
import { Switch } from './switch.js';

export interface ModelOptions {
  readonly onEvent?: ModelListener;
}

export interface ModelFlow {
  /** Start to last ACK, picoseconds; null while unfinished. */
  readonly completionPs: number | null;
}

const PORT_COUNTERS = ['txPackets', 'txBytes', 'maxClassQueueBytes', 'marks', 'drops', 'pausesSent'] as const;

export type ModelPort = Pick<PortResult, (typeof PORT_COUNTERS)[number]>;

export interface ModelResult {
  readonly ended: 'all-flows-done' | 'time' | 'stuck';
  readonly simulatedPs: number;
  readonly events: number;
  readonly packetHops: number;
  readonly flows: readonly ModelFlow[];
  readonly ports: readonly ModelPort[];
  readonly totals: Totals;
}

/**
 * Runs a plan of fidelity `reference` until nothing happens any more, or until its end.
 *
 * @throws RoceError `invalid-scenario` for what only the `standard` fidelity has.
 */
export function modelNetwork(plan: NetworkPlan, options: ModelOptions = {}): ModelResult {
  requireModelled(plan);
  return new Model(plan, options).run();
}

class Model {
  readonly #network: Network;
  readonly #hosts = new Map<number, Host>();
  readonly #devices: readonly (Host | Switch)[];
  readonly #completionsPs: (number | null)[];

  constructor(plan: NetworkPlan, { onEvent }: ModelOptions) {
    const ports: Port[] = [];
    this.#completionsPs = Array.from(plan.flows, () => null);
    this.#network = {
      plan,
      ports,
      events: new EventQueue(),
      count: new Counters(),
      listener: onEvent,
      markRandom: new MarkRandom(plan.seed, plan.nodes.length),
      pintRandom: new CongestionPointRandom(plan.seed),
    };
    this.#devices = plan.nodes.map(({ kind },
      node) => (kind === 'host' ? this.#makeHost(node) : new Switch(this.#network, node))
    );
    plan.ports.forEach(({ node }, index) => {
      ports.push(new Port(this.#network, index, this.#devices[node]));
    });
  }

  run(): ModelResult {
    const { plan, events } = this.#network;
    plan.flows.after.forEach((after, index) => {
      if (after < 0) this.#startAt(plan.flows.startPs[index], index);
    });
    const drained = events.runUntil(plan.endPs);
    return this.#collect(drained ? events.nowPs : plan.endPs, drained);
  }

  #makeHost(node: number): Host {
    const host = new Host(this.#network, node, {
      onCompleted: (flow, completionPs) => {
        this.#completionsPs[flow] = completionPs;
      },
      onDelivered: (flow) => {
        this.#startFollowers(flow);
      },
    });
    this.#hosts.set(node, host);
    return host;
  }

  /** A flow starts behind all else that was scheduled for that instant: the reference starts it by a further event. */
  #startAt(timePs: number, index: number): void {
    const { plan, events } = this.#network;
    events.schedule(timePs, () => {
      events.schedule(timePs, () => {
        this.#hosts.get(plan.flows.get(index).source)?.startFlow(index);
      });
    });
  }

  #startFollowers(flow: number): void {
    const { plan, events } = this.#network;
    plan.flows.after.forEach((after, index) => {
      if (after === flow) this.#startAt(events.nowPs + plan.flows.startPs[index], index);
    });
  }

  #collect(simulatedPs: number, drained: boolean): ModelResult {
    const { ports, events, count } = this.#network;
    count.inFlight(this.#unfinishedPackets());
    const allDone = this.#completionsPs.every((completionPs) => completionPs !== null);
    return {
      ended: allDone ? 'all-flows-done' : drained ? 'stuck' : 'time',
      simulatedPs,
      events: events.executed,
      packetHops: ports.reduce((sum, { txPackets }) => sum + txPackets, 0),
      flows: this.#completionsPs.map((completionPs) => ({ completionPs })),
      ports: ports.map((port) => pick(port, PORT_COUNTERS)),
      totals: { ...count.totals, drops: count.drops },
    };
  }

  *#unfinishedPackets(): Generator<Packet> {
    for (const device of this.#devices) yield* device.waiting();
    for (const port of this.#network.ports) yield* port.travelling;
  }
}

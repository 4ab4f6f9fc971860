/**
 * Port status updates of MRC: a host of several planes reports the state of its ports to each host with which it shares
 * a QP.
 *
 *   update    when the adapter detects a change, to each peer whose last update differs; numbered per peer from 1 on
 *   response  from the peer at once; the peer's adapter uses the newest update that it has received
 *   repeated  after the timeout of the QP, the same update on the next entropy, until it is acknowledged or has been
 *             sent `sends` times
 *
 * Source: OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md), 3.9; docs/specs/mrc-formats.md, 2.10.
 */
import type { PortStatusPair } from '../../src/sim/features/transports/plan.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import type { ScheduledEvent } from '../../src/sim/event-queue.js';
import { swapped, tupleOf } from '../../src/switching/ecmp-hash.js';
import type { World } from './network.js';
import { endpointPacket, type Packet } from './packet.js';

const FIRST_ENTROPY_PORT = 49_152;

/** The status that a host has announced to a peer, and the status that the peer has received. */
interface Announced {
  readonly pair: PortStatusPair;
  /** Planes whose ports are down, as last announced. */
  down: string;
  id: number;
  left: number;
  timer: ScheduledEvent | undefined;
  takenId: number;
  /** The ports of the host's adapter that the peer's adapter assumes to be down, by number within the adapter. */
  known: ReadonlySet<number>;
}

export interface PortStatusActions {
  /** Whether adapters assume that the link of a port is up. */
  readonly seemsUp: (port: number) => boolean;
  readonly send: (host: number, packet: Packet) => void;
}

export class PortStatuses {
  readonly #world: World;
  readonly #actions: PortStatusActions;
  readonly #all: readonly Announced[];

  constructor(world: World, actions: PortStatusActions) {
    this.#world = world;
    this.#actions = actions;
    this.#all = (world.plan.transports?.portStatus?.pairs ?? []).map((pair) => ({
      pair,
      down: '',
      id: 0,
      left: 0,
      timer: undefined,
      takenId: 0,
      known: new Set<number>(),
    }));
  }

  get isAnyKnownDown(): boolean {
    return this.#all.some(({ known }) => known.size > 0);
  }

  /** Whether an adapter assumes that a port of a host's adapter is down; undefined: the host reports none. */
  isKnownDown(adapter: number, host: number, port: number): boolean | undefined {
    return this.#all.find(({ pair }) => pair.peerAdapter === adapter && pair.host === host)?.known.has(port);
  }

  /** Adapters have detected a change of the link between two nodes. */
  report(nodes: readonly number[]): void {
    for (const announced of this.#all) {
      if (!nodes.includes(announced.pair.adapter)) continue;
      const down = this.#downPorts(announced.pair).join();
      if (down === announced.down) continue;
      Object.assign(announced, { down, id: announced.id + 1, left: this.#plan.sends });
      if (announced.timer !== undefined) announced.timer.cancelled = true;
      this.#send(announced);
    }
  }

  /** An endpoint packet has reached its host. */
  take({ flow, tuple, sentPs, marked, portStatus }: Packet): void {
    if (portStatus === undefined) throw new TypeError('no endpoint packet');
    const { pair: index, id, down, isResponse } = portStatus;
    const announced = this.#all[index]!;
    if (isResponse) {
      if (id === announced.id && announced.timer !== undefined) {
        announced.timer.cancelled = true;
        announced.timer = undefined;
      }
      return;
    }
    if (id > announced.takenId) {
      announced.takenId = id;
      announced.known = new Set(down);
    }
    const response = endpointPacket(this.#kindFrom(announced.pair.peer, flow), {
      flow,
      destination: announced.pair.host,
      tuple: swapped(tuple),
      trafficClass: this.#world.plan.flows.get(flow).ackClass,
      lenBytes: this.#plan.responseBytes,
      sentPs,
      echo: marked,
      portStatus: { ...portStatus, isResponse: true },
    });
    this.#actions.send(announced.pair.peer, response);
  }

  #send(announced: Announced): void {
    const { events, plan } = this.#world;
    const { pair, id } = announced;
    const flow = plan.flows.get(pair.flow);
    const sourcePort = plan.balancing?.selection === undefined ?
      flow.udpSourcePort :
      FIRST_ENTROPY_PORT + this.#plan.sends - announced.left;
    const tuple = tupleOf(plan.nodes[flow.source].address, plan.nodes[flow.destination].address, sourcePort,
      flow.udpDestinationPort);
    this.#actions.send(pair.host, endpointPacket(this.#kindFrom(pair.host, pair.flow), {
      flow: pair.flow,
      destination: pair.peer,
      tuple: flow.source === pair.host ? tuple : swapped(tuple),
      trafficClass: flow.ackClass,
      lenBytes: this.#plan.requestBytes,
      sentPs: events.nowPs,
      portStatus: { pair: this.#all.indexOf(announced), id, down: this.#downPorts(pair), isResponse: false },
    }));
    announced.left -= 1;
    announced.timer = undefined;
    const timeoutPs = plan.nodes[flow.source].retransmitTimeoutPs ?? plan.rules.retransmitTimeoutPs;
    const intervalPs = Math.max(timeoutPs, flow.pathTimeoutPs ?? 0);
    if (announced.left === 0 || intervalPs === 0) return;
    announced.timer = events.schedule(events.nowPs + intervalPs, () => {
      this.#send(announced);
    });
  }

  /** The ports into planes that the adapter assumes to be down, numbered from 1. */
  #downPorts({ adapter }: PortStatusPair): number[] {
    const { firstPort, portCount } = this.#world.plan.nodes[adapter];
    const numbers = Array.from({ length: portCount - 1 }, (_, plane) => plane + 1);
    return numbers.filter((number) => !this.#actions.seemsUp(firstPort + number));
  }

  #kindFrom(host: number, flow: number): 'data' | 'ack' {
    return this.#world.plan.flows.get(flow).source === host ? 'data' : 'ack';
  }

  get #plan(): NonNullable<NonNullable<NetworkPlan['transports']>['portStatus']> {
    const plan = this.#world.plan.transports?.portStatus;
    if (plan === undefined) throw new TypeError('The plan has no port status updates.');
    return plan;
  }
}

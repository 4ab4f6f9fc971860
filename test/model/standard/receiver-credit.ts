/**
 * Receiver credit: the pull pacer of a host port.
 *
 *   active   flows that requested more credit or had a packet trimmed. The first is granted at most 64 quanta up to its
 *            target; then it moves to the end of the list, or to `idle` when it has reached its target
 *   idle     if none is active, the first is granted 64 quanta; then it moves to the end of the list, or leaves it when
 *            the grant is the largest window beyond its target
 *   credit   one credit packet per step; the next step follows after the time of the granted quanta (4 if none)
 *
 * A flow is in one list at a time, and leaves it when all its data has arrived.
 *
 * Source: docs/specs/uet-reference.md, 5.3 and 9.
 */
import { PULL_QUANTUM_BYTES } from '../../../src/abi/ack-layout.js';
import { type RcccParameters, rcccMaxWindowBytes } from '../../../src/config/algorithms/rccc.js';
import { swapped } from '../../../src/switching/ecmp-hash.js';
import type { World } from '../network.js';
import { creditPacket, type Packet } from '../packet.js';
import type { CreditPacer, Receiver } from '../parts.js';
import { mtuBytesOf } from './transports.js';

const QUANTA = 64;
const QUANTA_IF_NONE = 4;

/** A flow that the host receives. */
interface Client {
  readonly flow: number;
  readonly receiver: Receiver;
  /** The highest target, and the granted quanta. */
  target: number;
  granted: number;
  tuple: Packet['tuple'];
}

export class PullPacer implements CreditPacer {
  readonly #world: World;
  readonly #rateBps: number;
  readonly #send: (credit: Packet) => void;
  readonly #clients = new Map<number, Client>();
  #active: Client[] = [];
  #idle: Client[] = [];
  #isRunning = false;

  /** @param port of the host on which credit leaves. */
  constructor(world: World, port: number, send: (credit: Packet) => void) {
    this.#world = world;
    this.#rateBps = world.plan.ports[port].rateBps;
    this.#send = send;
  }

  take({ flow, tuple, pullTarget = -Infinity, trimmed }: Packet, receiver: Receiver): void {
    const client = this.#clients.get(flow) ?? { flow, receiver, target: 0, granted: 0, tuple };
    this.#clients.set(flow, client);
    client.tuple = tuple;
    if (this.#hasArrived(client)) return;
    const isRaised = pullTarget > client.target;
    client.target = Math.max(client.target, pullTarget);
    if ((isRaised || trimmed !== undefined) && !this.#active.includes(client)) this.#activate(client);
  }

  #activate(client: Client): void {
    const { events } = this.#world;
    this.#idle = this.#idle.filter((one) => one !== client);
    this.#active.push(client);
    if (this.#isRunning) return;
    this.#isRunning = true;
    events.schedule(events.nowPs, () => {
      this.#takeTurn();
    });
  }

  #takeTurn(): void {
    const { events, count } = this.#world;
    this.#active = this.#active.filter((client) => !this.#hasArrived(client));
    this.#idle = this.#idle.filter((client) => !this.#hasArrived(client));
    const [client] = [...this.#active, ...this.#idle];
    if (client === undefined) {
      this.#isRunning = false;
      return;
    }
    const quanta = this.#active.length > 0 ? this.#grantActive(client) : this.#grantIdle(client);
    count.granted(quanta * PULL_QUANTUM_BYTES);
    this.#sendCredit(client);
    events.schedule(events.nowPs + this.#quantumPs(client.flow) * (quanta === 0 ? QUANTA_IF_NONE : quanta), () => {
      this.#takeTurn();
    });
  }

  #grantActive(client: Client): number {
    const quanta = Math.max(0, Math.min(QUANTA, client.target - client.granted));
    client.granted += quanta;
    this.#active.shift();
    (client.target > client.granted ? this.#active : this.#idle).push(client);
    return quanta;
  }

  #grantIdle(client: Client): number {
    const { parameterSets, flows } = this.#world.plan;
    client.granted += QUANTA;
    this.#idle.shift();
    const windowBytes = rcccMaxWindowBytes(parameterSets[flows.parameterSet[client.flow]] as RcccParameters);
    if (client.granted - client.target < Math.floor(windowBytes / PULL_QUANTUM_BYTES)) this.#idle.push(client);
    return QUANTA;
  }

  #sendCredit({ flow, tuple, granted }: Client): void {
    const { plan: { flows, receiverCredit }, events } = this.#world;
    const { source: destination, ackClass: trafficClass } = flows.get(flow);
    const lenBytes = receiverCredit?.packetBytes ?? 0;
    this.#send(creditPacket({
      flow,
      destination,
      tuple: swapped(tuple),
      trafficClass,
      lenBytes,
      sequence: granted,
      sentPs: events.nowPs,
    }));
  }

  /** The time of one quantum, including the headers and wire overhead of full packets. */
  #quantumPs(flow: number): number {
    const { plan } = this.#world;
    const { source, headerBytes } = plan.flows.get(flow);
    const fullBytes = mtuBytesOf(plan, source) + headerBytes;
    const onWire = (fullBytes + plan.rules.wireOverheadBytes) / fullBytes;
    return Math.trunc(2048e12 / this.#rateBps / 0.99 * onWire);
  }

  #hasArrived({ flow, receiver }: Client): boolean {
    return receiver.expected >= this.#world.plan.flows.get(flow).sizeBytes;
  }
}

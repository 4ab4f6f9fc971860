/**
 * The requester of a READ: sends the request, accepts responses in order, and repeats the request for missing ones.
 *
 *   start                 request from byte 0
 *   sequence = expected   expected grows; no ACK
 *   sequence > expected   one request from the expected byte, which counts as a retry
 *   timeout               without a request or an accepted response: likewise; adaptive like the timeout of a sender
 *
 * It accepts nothing once its retries are exhausted. Source: IBTA vol. 1, 9.7.5.1.9, 9.9.2.
 */
import { swapped, tupleOf } from '../../../src/switching/ecmp-hash.js';
import type { FlowPlan } from '../../../src/sim/plan.js';
import type { World } from '../network.js';
import { readRequest, type Packet } from '../packet.js';
import type { Requester, RequesterActions } from '../parts.js';
import type { Retries } from '../retries.js';

export class ReadRequester implements Requester {
  expected = 0;
  readonly startPs: number;
  readonly #world: World;
  readonly #index: number;
  readonly #flow: FlowPlan;
  readonly #retries: Retries;
  readonly #actions: RequesterActions;
  readonly #timeoutPs: number;
  #requestedFor = -1;
  #progressPs = 0;
  #hasFailed = false;

  constructor(world: World, index: number, retries: Retries, actions: RequesterActions) {
    const { plan: { flows, nodes, rules }, events } = world;
    this.#world = world;
    this.#index = index;
    this.#flow = flows.get(index);
    this.#retries = retries;
    this.#actions = actions;
    this.#timeoutPs = nodes[this.#flow.destination].retransmitTimeoutPs ?? rules.retransmitTimeoutPs;
    this.startPs = events.nowPs;
  }

  start(): void {
    this.#actions.send(this.#request());
    if (this.#timeoutPs > 0) this.#await(this.startPs + this.#timeoutPs);
  }

  rejects(): boolean {
    return this.#hasFailed;
  }

  receive(timePs: number, { sequence, payloadBytes }: Packet): Packet | undefined {
    if (this.#hasFailed || sequence < this.expected) return undefined;
    if (sequence > this.expected) return this.#requestMissing();
    this.expected += payloadBytes;
    this.#progressPs = timePs;
    return undefined;
  }

  #requestMissing(): Packet | undefined {
    if (this.#requestedFor === this.expected) return undefined;
    this.#requestedFor = this.expected;
    return this.#mayRetry('fast') ? this.#request() : undefined;
  }

  #request(): Packet {
    const { plan: { nodes, verbs }, events: { nowPs }, count } = this.#world;
    const { source, destination, udpSourcePort, udpDestinationPort, dataClass } = this.#flow;
    count.flows[this.#index].readRequests += 1;
    this.#progressPs = nowPs;
    return readRequest({
      flow: this.#index,
      destination: source,
      tuple: swapped(tupleOf(nodes[source].address, nodes[destination].address, udpSourcePort, udpDestinationPort)),
      trafficClass: dataClass,
      sequence: this.expected,
      nextSequence: this.expected,
      lenBytes: verbs?.readRequestBytes ?? 0,
      sentPs: nowPs,
    });
  }

  #mayRetry(found: 'fast' | 'timeout'): boolean {
    if (this.#retries.allows(found, this.expected)) return true;
    this.#hasFailed = true;
    this.#actions.fail();
    return false;
  }

  #await(timePs: number): void {
    this.#world.events.schedule(timePs, () => {
      if (!this.#hasFailed && this.expected < this.#flow.sizeBytes) this.#expire();
    });
  }

  #expire(): void {
    const { nowPs } = this.#world.events;
    const { pathTimeoutPs = 0 } = this.#flow;
    const duePs = this.#progressPs + (this.#progressPs + this.#timeoutPs > nowPs ? this.#timeoutPs : pathTimeoutPs);
    if (duePs > nowPs) {
      this.#await(duePs);
      return;
    }
    this.#actions.noteTimeout();
    if (!this.#mayRetry('timeout')) return;
    this.#actions.send(this.#request());
    this.#await(nowPs + this.#timeoutPs);
  }
}

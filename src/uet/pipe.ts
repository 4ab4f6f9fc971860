/**
 * A delay line: a link, or the latency of a switch. Only its oldest packet has an event. That packet is passed on before the
 * next one is scheduled, which determines the order of events of the same instant.
 */
import { SimEvent, type EventList } from './event-list.js';
import { Fifo } from './fifo.js';
import type { Packet, PacketSink } from './packet.js';

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

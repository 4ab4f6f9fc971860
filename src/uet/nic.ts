/**
 * The NIC of a host: one port, shared by its senders and by control packets (ACKs, NACKs, pulls, RTSs, probes).
 *
 * States: idle, or busy for the bytes sent at the NIC's own rate. A sender asks before it sends: idle: it may; busy: it
 * queues. When the NIC becomes idle and both kinds wait, ten of eleven packets are control packets.
 *
 * A packet enters the host's output queue before the end of the NIC's time is listed, so the queue's own event of that
 * instant runs first.
 */
import { SimEvent } from './event-list.js';
import { Fifo } from './fifo.js';
import type { Packet, PacketSink } from './packet.js';
import type { RunContext } from './run-context.js';

/** Control has its turn unless the count modulo this is 0. */
const TURNS = 11;
const PS_PER_BYTE_AT_1_BPS = 8e12;

/** A sender that queues at the NIC. */
export interface NicClient {
  /** Sends one packet, or says that it cannot. */
  takeTurn(): void;
}

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
    // The reference draws the NIC's first port, of which there is one.
    context.random.fraction();
  }

  /** Senders that queue; one that has its turn counts until it has sent. */
  get waitingSenders(): number {
    return this.#waiting.length;
  }

  /** Whether the sender may send now; else it queues. */
  ask(client: NicClient): boolean {
    if (!this.#isBusy) return true;
    this.#waiting.push(client);
    return false;
  }

  /** Puts a data packet of a sender that may send into the output queue; the sender then occupies the NIC. */
  pass(packet: Packet): void {
    this.#queue.receive(packet);
  }

  /** Ends the turn of the first sender that waits, if any, and makes the NIC busy. */
  occupy(bytes: number): void {
    this.#waiting.shift();
    this.#beBusy(bytes);
  }

  sendControl(packet: Packet): void {
    this.#control.push(packet);
    if (!this.#isBusy) this.#sendFirstControl();
  }

  /** The sender whose turn it is cannot send. */
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
      this.#turn = (this.#turn + 1) % TURNS;
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

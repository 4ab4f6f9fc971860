/**
 * The NIC of a host: one port, shared by its senders and by control packets (ACKs, NACKs, pulls, RTSs, probes).
 *
 * The NIC is idle, or busy while it sends bytes at its own rate. A sender asks before it sends: at an idle NIC it may send, at
 * a busy one it queues. When data and control packets both wait, ten of eleven packets sent are control packets.
 *
 * A packet enters the host's output queue before the NIC schedules the end of its transmission, so the queue's event of the
 * same instant runs first.
 */
import { SimEvent } from './event-list.js';
import { Fifo } from './fifo.js';
import type { Packet, PacketSink } from './packet.js';
import type { RunContext } from './run-context.js';

/** Control packets go first, except when the count modulo this is 0. */
const TURNS = 11;
const PS_PER_BYTE_AT_1_BPS = 8e12;

/** A sender that queues at the NIC. */
export interface NicClient {
  /** Sends one packet, or calls `yieldTurn`. */
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

/**
 * The sending end of an emulated QP: go-back-N of RC (IBTA vol. 1, 9.7), with packets counted from 0; the PSN is the low 24 bits.
 *
 *   sent      next += 1; while packets are unacknowledged, a timeout runs from the last progress
 *   ACK       all packets up to its PSN are acknowledged
 *   NAK       PSN sequence error: all packets before it are acknowledged, and sending continues from it
 *   timeout   sending continues from the first unacknowledged packet
 */

const PSNS = 2 ** 24;
const HALF = PSNS / 2;

/** Limits of a sender. */
export interface RequesterLimits {
  /** Total number of packets; Infinity to continue until stopped. */
  readonly packets: number;
  /** Maximum number of unacknowledged packets, 1 to 2^23. */
  readonly windowPackets: number;
  /** Retransmission timeout, counted from the last progress. */
  readonly timeoutPs: number;
}

export class Requester {
  /** First unacknowledged packet, and next packet to send. */
  acknowledged = 0;
  next = 0;
  /** One after the highest packet ever sent. */
  sentUpTo = 0;
  /** Counters: packets sent, including retransmissions; retransmissions; NAKs; timeouts. */
  sent = 0;
  again = 0;
  naks = 0;
  timeouts = 0;
  stopped = false;
  readonly #limits: RequesterLimits;
  #progressPs = 0;

  constructor(limits: RequesterLimits) {
    this.#limits = limits;
  }

  get maySend(): boolean {
    const { packets, windowPackets } = this.#limits;
    return !this.stopped && this.next < packets && this.next - this.acknowledged < windowPackets;
  }

  /** Whether all packets that will ever be sent are acknowledged. */
  get isDone(): boolean {
    const last = this.stopped ? this.sentUpTo : this.#limits.packets;
    return this.acknowledged >= last;
  }

  /** Number of packets in flight. */
  get inFlight(): number {
    return this.next - this.acknowledged;
  }

  /** When the timeout expires; Infinity if nothing is in flight. */
  get timeoutPs(): number {
    return this.acknowledged < this.sentUpTo ? this.#progressPs + this.#limits.timeoutPs : Infinity;
  }

  /** Sends the next packet. @returns its number. */
  send(timePs: number): number {
    if (this.acknowledged === this.sentUpTo) this.#progressPs = timePs;
    const packet = this.next;
    this.next += 1;
    this.sent += 1;
    if (packet < this.sentUpTo) this.again += 1;
    else this.sentUpTo = this.next;
    return packet;
  }

  /** @returns whether it acknowledges new packets. */
  onAck(psn: number, timePs: number): boolean {
    return this.#acknowledge(this.packetOf(psn) + 1, timePs);
  }

  /** @returns whether the packet was sent and is not yet acknowledged. */
  onNak(psn: number, timePs: number): boolean {
    const missing = this.packetOf(psn);
    if (missing < this.acknowledged || missing > this.sentUpTo) return false;
    this.naks += 1;
    this.#acknowledge(missing, timePs);
    this.next = Math.max(this.acknowledged, missing);
    this.#progressPs = timePs;
    return true;
  }

  onTimeout(timePs: number): void {
    this.timeouts += 1;
    this.next = this.acknowledged;
    this.#progressPs = timePs;
  }

  #acknowledge(upTo: number, timePs: number): boolean {
    if (upTo <= this.acknowledged || upTo > this.sentUpTo) return false;
    this.acknowledged = upTo;
    this.next = Math.max(this.next, upTo);
    this.#progressPs = timePs;
    return true;
  }

  /** The packet number with this PSN that is closest to the first unacknowledged one. */
  packetOf(psn: number): number {
    const base = this.acknowledged;
    const ahead = (psn - (base % PSNS) + PSNS) % PSNS;
    return ahead < HALF ? base + ahead : base + ahead - PSNS;
  }
}

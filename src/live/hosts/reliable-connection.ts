/**
 * The two ends of an emulated QP: go-back-N of RC (IBTA vol. 1, 9.7), with packets counted from 0; the PSN is the low 24
 * bits.
 */

const PSNS = 2 ** 24;
const HALF = PSNS / 2;

/** Limits of a sender. */
interface RequesterLimits {
  /** Total number of packets; Infinity to continue until stopped. */
  readonly packets: number;
  /** Maximum number of unacknowledged packets, 1 to 2^23. */
  readonly windowPackets: number;
  /** Retransmission timeout, counted from the last progress. */
  readonly timeoutPs: number;
}

/**
 * The sending end.
 *
 *   sent      next += 1; while packets are unacknowledged, a timeout runs from the last progress
 *   ACK       all packets up to its PSN are acknowledged
 *   NAK       PSN sequence error: all packets before it are acknowledged, and sending continues from it
 *   timeout   sending continues from the first unacknowledged packet
 */
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

/** How the receiver responds to a packet. */
type Response = 'ack' | 'nak' | 'nothing';

/**
 * The receiving end: accepts packets in order, drops packets that are ahead with one NAK per gap, and acknowledges
 * duplicates again (9.7.5).
 */
export class Responder {
  /** Number of packets accepted in order, and so the number of the next expected one. */
  expected = 0;
  messages = 0;
  received = 0;
  outOfOrder = 0;
  duplicates = 0;
  #hasSentNak = false;

  /** @param isLast whether it is the last packet of its message. @param asks whether it requests an ACK. */
  take(psn: number, isLast: boolean, asks: boolean): Response {
    this.received += 1;
    const ahead = (psn - (this.expected % PSNS) + PSNS) % PSNS;
    if (ahead === 0) {
      this.expected += 1;
      if (isLast) this.messages += 1;
      this.#hasSentNak = false;
      return asks ? 'ack' : 'nothing';
    }
    if (ahead >= HALF) {
      this.duplicates += 1;
      return 'ack';
    }
    this.outOfOrder += 1;
    if (this.#hasSentNak) return 'nothing';
    this.#hasSentNak = true;
    return 'nak';
  }
}

/**
 * The receiving end of an emulated QP: packets in order are accepted, packets ahead are dropped with one NAK per gap, packets
 * accepted before are acknowledged again (IBTA vol. 1, 9.7.5).
 */

const PSNS = 2 ** 24;
const HALF = PSNS / 2;

/** The response to a packet. */
export type Response = 'ack' | 'nak' | 'nothing';

export class Responder {
  /** Packets accepted in order, which is also the number of the next expected one. */
  expected = 0;
  messages = 0;
  received = 0;
  outOfOrder = 0;
  duplicates = 0;
  #hasToldGap = false;

  /** @param isLast last packet of its message. @param asks whether it requests an ACK. */
  take(psn: number, isLast: boolean, asks: boolean): Response {
    this.received += 1;
    const ahead = (psn - (this.expected % PSNS) + PSNS) % PSNS;
    if (ahead === 0) {
      this.expected += 1;
      if (isLast) this.messages += 1;
      this.#hasToldGap = false;
      return asks ? 'ack' : 'nothing';
    }
    if (ahead >= HALF) {
      this.duplicates += 1;
      return 'ack';
    }
    this.outOfOrder += 1;
    if (this.#hasToldGap) return 'nothing';
    this.#hasToldGap = true;
    return 'nak';
  }
}

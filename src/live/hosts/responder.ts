/**
 * The receiving end of an emulated QP: accepts packets in order, drops packets that are ahead with one NAK per gap, and
 * acknowledges duplicates again (IBTA vol. 1, 9.7.5).
 */

const PSNS = 2 ** 24;
const HALF = PSNS / 2;

/** How the receiver responds to a packet. */
export type Response = 'ack' | 'nak' | 'nothing';

export class Responder {
  /** Number of packets accepted in order, and so the number of the next expected one. */
  expected = 0;
  messages = 0;
  received = 0;
  outOfOrder = 0;
  duplicates = 0;
  #hasToldGap = false;

  /** @param isLast whether it is the last packet of its message. @param asks whether it requests an ACK. */
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

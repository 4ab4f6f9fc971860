/**
 * Going back to the first unacknowledged byte on each NAK: everything from there is retransmitted.
 *
 *   ACK(e)   una := max(una, e); but where a NAK has set nxt back, in the reference, nxt := max(nxt, una)
 *   NAK(e)   the same, then nxt := una
 *
 * In the reference an ACK leaves nxt where a NAK has set it (docs/specs/reference.md, section 2). So a second NAK for one gap
 * sets nxt back while packets sent after the first one are in flight: una overtakes nxt, and the flow keeps sending from nxt
 * bytes that have arrived, even when it is complete. Read as: nxt - una below 0 is below any window. After timeouts, which the
 * reference does not have, ACKs move nxt forward.
 */
import type { Packet } from '../packet.js';
import type { LossRecovery, SendingFlow } from '../parts.js';

export interface GoBackRules {
  /** The effect of ACKs that overtake a next byte which a NAK has set back. */
  readonly afterNak: 'stays' | 'follows';
}

export class ReferenceGoBack implements LossRecovery {
  readonly recovering = false;
  readonly #queuePair: SendingFlow;
  readonly #rules: GoBackRules;
  #backByNak = false;

  constructor(queuePair: SendingFlow, rules: GoBackRules) {
    this.#queuePair = queuePair;
    this.#rules = rules;
  }

  acknowledge(timePs: number, { sequence }: Packet): void {
    const queuePair = this.#queuePair;
    if (sequence > queuePair.sndUna) {
      queuePair.sndUna = sequence;
      queuePair.lastProgressPs = timePs;
    }
    const stays = this.#rules.afterNak === 'stays' && this.#backByNak;
    if (!stays) queuePair.sndNxt = Math.max(queuePair.sndNxt, queuePair.sndUna);
  }

  goBackFor({ kind }: Packet): boolean {
    if (kind !== 'nak') return false;
    this.#queuePair.sndNxt = this.#queuePair.sndUna;
    this.#backByNak = true;
    return true;
  }

  goBack(timePs: number): void {
    this.#queuePair.sndNxt = this.#queuePair.sndUna;
    this.#queuePair.lastProgressPs = timePs;
    this.#backByNak = false;
  }

  onSend(timePs: number): void {
    if (this.#queuePair.sndNxt === this.#queuePair.sndUna) this.#queuePair.lastProgressPs = timePs;
  }

  skipReceived(): void {
    // Nothing is known to have arrived beyond a gap.
  }

  allows(): boolean {
    return true;
  }
}

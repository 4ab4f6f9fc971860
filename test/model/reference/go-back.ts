/**
 * Going back to what is not acknowledged, on each NAK: all that follows is sent again.
 *
 *   ACK(e)   una := max(una, e); but where a NAK has set nxt back, in the reference, nxt := max(nxt, una)
 *   NAK(e)   the same, then nxt := una
 *
 * In the reference an ACK leaves nxt where a NAK has set it (docs/specs/reference.md, section 2). So a second NAK for one gap sets nxt back
 * while what was sent after the first one is on its way: una overtakes nxt, and the flow goes on sending from nxt on what
 * has arrived, even when it is complete. Read as: nxt - una below 0 is below any window. Timeouts, which the reference
 * has none of, set nxt back for ACKs to move it on.
 */
import type { Packet } from '../packet.js';
import type { LossRecovery, SendingFlow } from '../parts.js';

export interface GoBackRules {
  /** What becomes of a next byte that a NAK has set back, when ACKs overtake it. */
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

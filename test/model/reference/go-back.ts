/**
 * Each NAK goes back to the first unacknowledged byte and retransmits everything from there.
 *
 *   ACK(e)   una := max(una, e); nxt := max(nxt, una), but not in the reference after a NAK has set nxt back
 *   NAK(e)   the same, then nxt := una
 *
 * In the reference an ACK does not change nxt after a NAK has set it back (docs/specs/reference.md, section 2). A
 * second NAK for the same gap therefore sets nxt back while packets sent after the first one are in flight: una
 * overtakes nxt, and the flow continues to send bytes that have arrived, even when it is complete. Read as: nxt - una
 * below 0 is below any window. After timeouts, which the reference does not have, ACKs move nxt forward.
 */
import type { Packet } from '../packet.js';
import type { LossRecovery, SendingFlow } from '../parts.js';

export interface GoBackRules {
  /** The effect of an ACK beyond the next byte after a NAK has set it back. */
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
    // The sender does not know which packets arrived beyond a gap.
  }

  allows(): boolean {
    return true;
  }
}

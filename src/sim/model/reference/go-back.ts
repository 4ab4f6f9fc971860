/** Going back to what is not acknowledged, on each NAK: all that follows is sent again. */
import type { Packet } from '../packet.js';
import type { LossRecovery, SendingFlow } from '../parts.js';

export class ReferenceGoBack implements LossRecovery {
  readonly recovering = false;
  readonly #queuePair: SendingFlow;

  constructor(queuePair: SendingFlow) {
    this.#queuePair = queuePair;
  }

  acknowledge(timePs: number, { sequence }: Packet): void {
    const queuePair = this.#queuePair;
    if (sequence > queuePair.sndUna) {
      queuePair.sndUna = sequence;
      queuePair.lastProgressPs = timePs;
    }
    // An ACK may come that was in flight when a timeout sent the flow back.
    queuePair.sndNxt = Math.max(queuePair.sndNxt, queuePair.sndUna);
  }

  goBackFor({ kind }: Packet): void {
    if (kind === 'nak') this.#queuePair.sndNxt = this.#queuePair.sndUna;
  }

  goBack(timePs: number): void {
    this.#queuePair.sndNxt = this.#queuePair.sndUna;
    this.#queuePair.lastProgressPs = timePs;
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

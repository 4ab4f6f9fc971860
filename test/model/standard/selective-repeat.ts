/**
 * The sending end of selective repeat: sends the packet that a NAK requests, otherwise the next one in order.
 *
 *   NAK(una)   asked := una: only this packet is retransmitted next
 *   ACK(e)     una := max(una, e); the order continues from una at least; a requested packet that has arrived is not
 *              sent
 *   timeout    the order restarts from una: everything is retransmitted
 *
 * Source: "RoCE Network Proposal", slide 16.
 */
import type { Packet } from '../packet.js';
import type { LossRecovery, SendingFlow } from '../parts.js';

export class SelectiveRepeat implements LossRecovery {
  readonly recovering = false;
  /** First byte never sent. */
  newFrom = 0;
  readonly #queuePair: SendingFlow;
  #asked: number | undefined;
  #inOrder = 0;

  constructor(queuePair: SendingFlow) {
    this.#queuePair = queuePair;
  }

  acknowledge(timePs: number, { sequence }: Packet): void {
    const queuePair = this.#queuePair;
    if (sequence <= queuePair.sndUna) return;
    queuePair.sndUna = sequence;
    queuePair.lastProgressPs = timePs;
    this.#inOrder = Math.max(this.#inOrder, sequence);
    if (this.#asked !== undefined && this.#asked < sequence) this.#asked = undefined;
  }

  goBackFor({ kind, sequence }: Packet): boolean {
    if (kind !== 'nak' || sequence !== this.#queuePair.sndUna) return false;
    this.#asked = sequence;
    return true;
  }

  goBack(timePs: number): void {
    this.#queuePair.lastProgressPs = timePs;
    this.#asked = undefined;
    this.#inOrder = this.#queuePair.sndUna;
  }

  onSend(timePs: number): void {
    const { sndNxt, sndUna, stream } = this.#queuePair;
    if (sndNxt === sndUna) this.#queuePair.lastProgressPs = timePs;
    const end = stream.after(sndNxt);
    this.#asked = undefined;
    this.#inOrder = Math.max(this.#inOrder, end);
    this.newFrom = Math.max(this.newFrom, end);
  }

  skipReceived(): void {
    this.#queuePair.sndNxt = this.#asked ?? this.#inOrder;
  }

  allows(): boolean {
    return true;
  }
}

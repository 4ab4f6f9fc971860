/**
 * Go-back-N of the second reference: every NAK, even a repeated one, goes back to the first unacknowledged byte.
 *
 *   ACK, NAK(e)   una := max(una, e); nxt := max(nxt, una); for a NAK then nxt := una
 *
 * With back-to-zero each e is first rounded down to a multiple of the chunk, so a flow of another size never ends
 * [BUG].
 * Source: docs/specs/reference-lossy.md, section 4.
 */
import type { Packet } from '../packet.js';
import type { LossRecovery, SendingFlow } from '../parts.js';

export class LossyGoBackN implements LossRecovery {
  readonly recovering = false;
  readonly #queuePair: SendingFlow;
  /** 0: the byte itself. */
  readonly #backToZeroBytes: number;

  constructor(queuePair: SendingFlow, backToZeroBytes: number) {
    this.#queuePair = queuePair;
    this.#backToZeroBytes = backToZeroBytes;
  }

  acknowledge(_timePs: number, { sequence }: Packet): void {
    const queuePair = this.#queuePair;
    const chunkBytes = this.#backToZeroBytes;
    const acknowledged = chunkBytes > 0 ? sequence - (sequence % chunkBytes) : sequence;
    queuePair.sndUna = Math.max(queuePair.sndUna, acknowledged);
    queuePair.sndNxt = Math.max(queuePair.sndNxt, queuePair.sndUna);
  }

  goBackFor({ kind }: Packet): boolean {
    if (kind === 'nak') this.goBack();
    return kind === 'nak';
  }

  goBack(): void {
    this.#queuePair.sndNxt = this.#queuePair.sndUna;
  }

  onSend(): void {
    // Bytes in flight follow from una and nxt.
  }

  skipReceived(): void {
    // The sender does not know which packets arrived beyond a gap.
  }

  allows(): boolean {
    return true;
  }
}

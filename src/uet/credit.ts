/**
 * Credit of a sender under receiver-based control, in bytes. It starts at the maximum window (speculation, until the first
 * feedback). Sending requires credit above 0 and consumes the full packet size, so credit can go negative by up to a packet.
 *
 *   pull p > last: credit := min(credit + 256 (p - last), largest window)
 *   target = ceil((min(backlog, window, largest window) - credit) / senders at the NIC + 256 last) / 256);
 *            while speculating, at least one MTU is requested
 */

export const QUANTUM_BYTES = 256;
/** First pull number; large, so that lower targets don't become negative. */
export const FIRST_PULL = 100_000_000;

/** Input of the pull target, in bytes; `senders` is the number of senders queued at the NIC. */
export interface CreditDemand {
  readonly backlogBytes: number;
  /** Bytes waiting for retransmission. */
  readonly queuedBytes: number;
  readonly windowBytes: number;
  readonly maxBytes: number;
  readonly mtuBytes: number;
  readonly senders: number;
}

export class Credit {
  bytes = 0;
  lastPull = FIRST_PULL;
  isSpeculating = true;

  /** @param maxBytes maximum window. */
  pull(pullNumber: number, maxBytes: number): void {
    if (pullNumber <= this.lastPull) return;
    this.bytes = Math.min(this.bytes + QUANTUM_BYTES * (pullNumber - this.lastPull), maxBytes);
    this.lastPull = pullNumber;
  }

  /** The pull number to request. */
  target({ backlogBytes, queuedBytes, windowBytes, maxBytes, mtuBytes, senders }: CreditDemand): number {
    let bytes = Math.min(backlogBytes + queuedBytes, windowBytes, maxBytes) - this.bytes;
    if (this.isSpeculating && bytes < mtuBytes && backlogBytes > 0) bytes = mtuBytes;
    if (senders > 1) bytes = Math.trunc(bytes / senders);
    bytes += QUANTUM_BYTES * this.lastPull;
    return Math.floor((bytes + QUANTUM_BYTES - 1) / QUANTUM_BYTES);
  }

  stopSpeculating(): void {
    if (!this.isSpeculating) return;
    this.isSpeculating = false;
    this.bytes = Math.min(this.bytes, 0);
  }
}

/**
 * The bytes that a sender has not sent yet: a flow of one size.
 *
 *   bytes = ceil(size / payload) * 64 + size;   a packet takes min(mtu, bytes), so the last one is not padded
 */
import { HEADER_BYTES } from './packet.js';

export interface Backlog {
  /** Remaining bytes, headers included. */
  readonly bytes: number;
  /** Size of the next new packet, for the window test. */
  readonly nextBytes: number;
  /** Removes the next new packet, and returns its bytes. */
  take(seq: number): number;
  /** Called when `seq` is acknowledged, possibly by several ACKs. */
  acknowledge?(seq: number): void;
  /** Whether an ACK finishes the flow. */
  isFinished(cumulative: number, requestsToSend: number): boolean;
}

/** Bytes of a flow on the wire, headers included. */
export function wireBytes(sizeBytes: number, payloadBytes: number): number {
  return Math.ceil(sizeBytes / payloadBytes) * HEADER_BYTES + sizeBytes;
}

export class FlowBacklog implements Backlog {
  bytes: number;
  readonly #sizeBytes: number;
  readonly #mtuBytes: number;
  readonly #payloadBytes: number;

  constructor(sizeBytes: number, mtuBytes: number) {
    this.#sizeBytes = sizeBytes;
    this.#mtuBytes = mtuBytes;
    this.#payloadBytes = mtuBytes - HEADER_BYTES;
    this.bytes = wireBytes(sizeBytes, this.#payloadBytes);
  }

  get nextBytes(): number {
    return Math.min(this.#mtuBytes, this.bytes);
  }

  take(): number {
    const bytes = this.nextBytes;
    this.bytes -= bytes;
    return bytes;
  }

  isFinished(cumulative: number, requestsToSend: number): boolean {
    return (cumulative - requestsToSend) * this.#payloadBytes >= this.#sizeBytes;
  }
}

/**
 * What a sender has still to send for the first time: a flow of one size.
 *
 *   bytes = ceil(size / payload) * 64 + size;   a packet takes min(mtu, bytes), so the last one is not padded
 */
import { HEADER_BYTES } from './packet.js';

export interface Backlog {
  /** With headers. */
  readonly bytes: number;
  /** Of the next new packet, as the window test sees it. */
  readonly nextBytes: number;
  /** Takes the next new packet, and returns its bytes. */
  take(seq: number): number;
  /** Number `seq` is acknowledged; more than one ACK may say so. */
  acknowledge?(seq: number): void;
  /** Whether an ACK finishes the flow. */
  isFinished(cumulative: number, requestsToSend: number): boolean;
}

/** Bytes on the wire, headers included. */
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

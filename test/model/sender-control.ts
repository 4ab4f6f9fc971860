/**
 * The interface of the congestion control of one sender: DCQCN with its timers in the event queue (`dcqcn-sender.ts`),
 * or an algorithm that acts only on ACKs (`ack-sender.ts`).
 */
import type { Ack } from '../../src/reference/algorithms/ack.js';
import type { ModelEventKind } from './packet.js';

export interface SenderControl {
  /** The rate R in bits per second. */
  readonly rateBps: number;
  onSent(timePs: number, lenBytes: number): void;
  /**
   * Handles an ACK or NAK. Returns the change of the next packet's time in picoseconds; undefined if the algorithm has
   * not set its rate. After 0 the host still checks its wake-up.
   */
  onAck(ack: Ack): number | undefined;
  /** Everything is acknowledged, so timers stop. */
  stop(): void;
}

/** Called on transitions, with the rate after them. */
export type ControlListener = (timePs: number, kind: ModelEventKind, rateBps: number) => void;

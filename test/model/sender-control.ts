/**
 * Congestion control of one sender of the plain network model, behind one interface: DCQCN with its timers in the event
 * queue (`dcqcn-sender.ts`), or an algorithm that acts only on acknowledgements (`ack-sender.ts`).
 */
import type { Ack } from '../../src/reference/algorithms/ack.js';
import type { ModelEventKind } from './packet.js';

export interface SenderControl {
  /** R, bits per second. */
  readonly rateBps: number;
  onSent(timePs: number, lenBytes: number): void;
  /**
   * An ACK or NAK arrived. Returns by how much the next packet's time moves, picoseconds; undefined if the algorithm has
   * not set its rate in a way that moves it. (0 is not the same: the host then still checks its wake-up.)
   */
  onAck(ack: Ack): number | undefined;
  /** All is acknowledged: timers stop. */
  stop(): void;
}

/** Called on transitions, with the rate after them. */
export type ControlListener = (timePs: number, kind: ModelEventKind, rateBps: number) => void;

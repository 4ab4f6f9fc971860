/**
 * DCTCP as in the reference: without an estimate of the marked fraction, and without a maximum window.
 *
 *   ACK, not marked: cwnd += bytes * mtu / cwnd;   marked: cwnd := max(cwnd - bytes / 3, mtu);   NACK: max(cwnd - size, mtu)
 */
import type { FlowState } from './flow-state.js';
import type { SenderControl } from './sender-control.js';

export class DctcpControl implements SenderControl {
  readonly #state: FlowState;
  readonly #mtuBytes: number;

  constructor(state: FlowState, mtuBytes: number) {
    this.#state = state;
    this.#mtuBytes = mtuBytes;
  }

  onAck(isMarked: boolean, _delayPs: number, bytes: number): void {
    const state = this.#state;
    if (isMarked) this.#shrink(Math.trunc(bytes / 3));
    else state.windowBytes += Math.trunc((bytes * this.#mtuBytes) / state.windowBytes);
  }

  onNack(bytes: number): void {
    this.#shrink(bytes);
  }

  #shrink(bytes: number): void {
    const state = this.#state;
    state.windowBytes = Math.max(state.windowBytes - bytes, this.#mtuBytes);
  }
}

/** Sender-based congestion control: what all algorithms share, and DCTCP. NSCC is in nscc.ts. */
import { maxWindowBytes, type FirstWindow } from '../parameters.js';

/** How ACKs and NACKs change the window. */
export interface SenderControl {
  /** @param bytes bytes that the ACK newly reports as received. */
  onAck(isMarked: boolean, delayPs: number, bytes: number): void;
  /** @param bytes size of the trimmed packet. */
  onNack(bytes: number, isLastHop: boolean): void;
}

/** Sums of window changes by cause, as in the reference, bytes. */
export interface WindowChanges {
  fair: number;
  proportional: number;
  fast: number;
  eta: number;
  multiplicative: number;
  quick: number;
  nack: number;
}

export function noWindowChanges(): WindowChanges {
  return { fair: 0, proportional: 0, fast: 0, eta: 0, multiplicative: 0, quick: 0, nack: 0 };
}

/** A constant window. As in the reference, a timeout still shrinks it, permanently. */
export const CONSTANT_CONTROL: SenderControl = {
  onAck: () => undefined,
  onNack: () => undefined,
};

const WEIGHT = 0.0125;
const OUTLIER_BASES = 0.25;

/**
 * A sender's measurements and its window, shared by all algorithms.
 *
 *   raw round trip below the base RTT:  base RTT := raw;  max window := 1.5 * trunc(raw / 1e6 * link speed / 8e6)
 *   average delay: d > target and not marked: trunc(w * base * 0.25 + (1 - w) * avg);  else trunc(w * d + (1 - w) * avg)
 *
 * w = 0.0125. If the maximum falls, the window is not reduced before the next check of its bounds.
 */
export class FlowState {
  windowBytes: number;
  maxWindowBytes: number;
  baseRttPs: number;
  averageDelayPs = 0;
  /** May be negative: an ACK can report bytes of a packet that was already considered lost. */
  inFlightBytes = 0;
  /** Bytes acknowledged since the last quick-adapt check; since the last window adjustment; since the last quick adapt (mod 2^32). */
  achievedBytes = 0;
  receivedBytes = 0;
  ignoredBytes = 0;
  readonly #linkSpeedBps: number;
  readonly #targetPs: number;

  constructor(first: FirstWindow, rates: { readonly linkSpeedBps: number; readonly targetPs: number }) {
    this.#linkSpeedBps = rates.linkSpeedBps;
    this.#targetPs = rates.targetPs;
    this.baseRttPs = first.baseRttPs;
    this.maxWindowBytes = first.maxWindowBytes;
    this.windowBytes = first.windowBytes;
  }

  acknowledge(bytes: number): void {
    this.achievedBytes += bytes;
    this.receivedBytes += bytes;
    this.ignoredBytes = (this.ignoredBytes + bytes) >>> 0;
    this.inFlightBytes -= bytes;
  }

  updateBaseRtt(rawPs: number): void {
    if (rawPs >= this.baseRttPs) return;
    this.baseRttPs = rawPs;
    this.maxWindowBytes = maxWindowBytes(Math.trunc(((rawPs / 1e6) * this.#linkSpeedBps) / 8e6));
  }

  updateAverage(delayPs: number, isMarked: boolean): void {
    const rest = (1 - WEIGHT) * this.averageDelayPs;
    const isOutlier = !isMarked && delayPs > this.#targetPs;
    this.averageDelayPs = Math.trunc((isOutlier ? WEIGHT * this.baseRttPs * OUTLIER_BASES : WEIGHT * delayPs) + rest);
  }
}

/**
 * DCTCP as in the reference: without an estimate of the marked fraction, and without a maximum window.
 *
 *   ACK, not marked: cwnd += bytes * mtu / cwnd;   marked: cwnd := max(cwnd - bytes / 3, mtu);   NACK: max(cwnd - size, mtu)
 */
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

/** Sender-based congestion control: what all algorithms share, then DCTCP and NSCC. */
import type { EventList } from './event-list.js';
import { maxWindowBytes, type FirstWindow, nsccGains } from './parameters.js';

/** How ACKs and NACKs change the window. */
export interface SenderControl {
  /** @param bytes bytes that the ACK newly reports as received. */
  onAck(isMarked: boolean, delayPs: number, bytes: number): void;
  /** @param bytes size of the trimmed packet. */
  onNack(bytes: number, isLastHop: boolean): void;
}

/** Sums of window changes by cause, as in the reference, bytes. */
interface WindowChanges {
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

/** Of the average delay. */
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

const FAST_DELAY_PS = 1e6;
const GAMMA = 0.8;
const DECREASE_MAX = 0.5;
const QUICK_TARGETS = 4;
const ADJUST_MTUS = 8;

interface NsccParameters {
  readonly mtuBytes: number;
  readonly payloadBytes: number;
  readonly linkSpeedBps: number;
  readonly rttPs: number;
  readonly targetPs: number;
  readonly quickGate: number;
  /** A NACK of the last hop leaves the window to the receiver. */
  readonly isReceiverControlled: boolean;
}

/**
 * NSCC, network-signalled congestion control, as the reference has it. Its inputs are the mark and the queuing delay.
 *
 *   A = bdp(rtt0) / 150000, B = target / 12e6;   alpha = 4 mss A B / target, fi = 5 mss A, eta = 0.15 mss A, scale = 0.25 A
 *
 *   not marked, delay >= target   fair increase             inc += fi b
 *   not marked, delay <  target   proportional increase     inc += alpha b (target - delay), unless fast increase:
 *                                 delay < 1 us for a window: cwnd += scale b
 *   marked, delay >= target       multiplicative decrease   cwnd *= max(1 - 0.8 (avg - target) / avg, 0.5), once per RTT
 *   marked, delay <  target       nothing
 *   fulfil                        every 8 mtu or rtt0       cwnd += inc / cwnd;  after rtt0: cwnd += eta
 *   quick adapt                   after NACKs, or delay > 4 target, once per RTT + target, if achieved < max / 2^gate:
 *                                 cwnd := max(achieved, mtu), and marks are ignored until what was in flight is gone
 *
 * Kept of the reference: inc has 32 bits; a hit of quick adapt ends all else on this ACK; only an elapsed period resets
 * the clock of fulfilments, so after one by bytes it runs on.
 */
export class NsccControl implements SenderControl {
  readonly changes: WindowChanges = noWindowChanges();
  readonly #state: FlowState;
  readonly #events: EventList;
  readonly #parameters: NsccParameters;
  /** Bytes per ps and byte; bytes per byte; bytes; factor. */
  readonly #alpha: number;
  readonly #fair: number;
  readonly #eta: number;
  readonly #fastScale: number;
  /** Bytes squared, 32 bits, that the next fulfilment divides by the window. */
  #increase = 0;
  #fairSum = 0;
  #proportionalSum = 0;
  #fastBytes = 0;
  #isFast = false;
  #lastDecreasePs = 0;
  #lastAdjustPs = 0;
  #quickEndPs = 0;
  #ignoreBytes = 0;
  #wasNacked = false;

  constructor(state: FlowState, events: EventList, parameters: NsccParameters) {
    this.#state = state;
    this.#events = events;
    this.#parameters = parameters;
    const { alpha, fair, eta, fastScale } = nsccGains(parameters);
    this.#alpha = alpha;
    this.#fair = fair;
    this.#eta = eta;
    this.#fastScale = fastScale;
  }

  /** As the trace shows it. */
  get increase(): number {
    return this.#increase;
  }

  onAck(isMarked: boolean, delayPs: number, bytes: number): void {
    if (this.#quickAdapt(isMarked, delayPs, false)) return;
    const isLate = delayPs >= this.#parameters.targetPs;
    if (!isMarked && isLate) this.#fairIncrease(bytes);
    else if (!isMarked) this.#proportionalIncrease(bytes, delayPs);
    else if (isLate) this.#multiplicativeDecrease();
    this.#bound();
    this.#fulfil();
    this.#bound();
  }

  onNack(bytes: number, isLastHop: boolean): void {
    const state = this.#state;
    const { rttPs, isReceiverControlled } = this.#parameters;
    state.ignoredBytes = (state.ignoredBytes + bytes) >>> 0;
    state.updateAverage(rttPs, true);
    this.#wasNacked = true;
    this.changes.nack += bytes;
    if (this.#quickAdapt(true, 0, true)) return;
    if (isReceiverControlled && isLastHop) return;
    state.windowBytes -= bytes;
    this.#bound();
  }

  /** Returns whether this was a hit, which ends all else. */
  #quickAdapt(isMarked: boolean, delayPs: number, isLoss: boolean): boolean {
    const state = this.#state;
    const { nowPs } = this.#events;
    let isHit = false;
    if (isMarked && state.ignoredBytes < this.#ignoreBytes) {
      isHit = true;
    } else if (nowPs > this.#quickEndPs) {
      if (this.#quickEndPs !== 0 && this.#isCollapsed(delayPs, isLoss)) {
        this.#jump();
        isHit = true;
      }
      state.achievedBytes = 0;
      this.#quickEndPs = nowPs + state.baseRttPs + this.#parameters.targetPs;
    }
    if (isHit) {
      this.#increase = 0;
      state.receivedBytes = 0;
    }
    return isHit;
  }

  #isCollapsed(delayPs: number, isLoss: boolean): boolean {
    const { targetPs, quickGate } = this.#parameters;
    const { achievedBytes, maxWindowBytes } = this.#state;
    const isCongested = this.#wasNacked || isLoss || delayPs > QUICK_TARGETS * targetPs;
    return isCongested && achievedBytes < Math.floor(maxWindowBytes / 2 ** quickGate);
  }

  /** The window becomes what one RTT has achieved, which may be more than before. */
  #jump(): void {
    const state = this.#state;
    const before = state.windowBytes;
    state.windowBytes = Math.max(state.achievedBytes, this.#parameters.mtuBytes);
    this.changes.quick += before - state.windowBytes;
    this.#ignoreBytes = state.inFlightBytes >>> 0;
    state.ignoredBytes = 0;
    this.#wasNacked = false;
  }

  #fairIncrease(bytes: number): void {
    const before = this.#increase;
    this.#increase = wordOf(before + this.#fair * bytes);
    this.#fairSum += this.#increase - before;
  }

  #proportionalIncrease(bytes: number, delayPs: number): void {
    if (this.#fastIncrease(bytes, delayPs)) return;
    const before = this.#increase;
    this.#increase = wordOf(before + this.#alpha * bytes * (this.#parameters.targetPs - delayPs));
    this.#proportionalSum += this.#increase - before;
  }

  /** Returns whether it was active. */
  #fastIncrease(bytes: number, delayPs: number): boolean {
    const state = this.#state;
    if (delayPs < FAST_DELAY_PS) {
      this.#fastBytes = (this.#fastBytes + bytes) >>> 0;
      if (this.#fastBytes > state.windowBytes || this.#isFast) {
        const before = state.windowBytes;
        state.windowBytes = Math.trunc(before + bytes * this.#fastScale);
        this.changes.fast += state.windowBytes - before;
        this.#isFast = true;
        return true;
      }
    } else {
      this.#fastBytes = 0;
    }
    this.#isFast = false;
    return false;
  }

  #multiplicativeDecrease(): void {
    const state = this.#state;
    const { targetPs, mtuBytes } = this.#parameters;
    const { averageDelayPs } = state;
    const { nowPs } = this.#events;
    this.#isFast = false;
    this.#fastBytes = 0;
    if (averageDelayPs <= targetPs || nowPs - this.#lastDecreasePs <= state.baseRttPs) return;
    const before = state.windowBytes;
    const factor = Math.max(1 - (GAMMA * (averageDelayPs - targetPs)) / averageDelayPs, DECREASE_MAX);
    state.windowBytes = Math.max(Math.trunc(before * factor), mtuBytes);
    this.changes.multiplicative += before - state.windowBytes;
    this.#lastDecreasePs = nowPs;
  }

  #bound(): void {
    const state = this.#state;
    state.windowBytes = Math.min(Math.max(state.windowBytes, this.#parameters.mtuBytes), state.maxWindowBytes);
  }

  #fulfil(): void {
    const state = this.#state;
    const { rttPs, mtuBytes } = this.#parameters;
    const { nowPs } = this.#events;
    const elapsedPs = nowPs - this.#lastAdjustPs;
    if (state.receivedBytes <= ADJUST_MTUS * mtuBytes && elapsedPs <= rttPs) return;
    state.windowBytes += Math.trunc(this.#increase / state.windowBytes);
    this.changes.fair += Math.trunc(this.#fairSum / state.windowBytes);
    this.changes.proportional += Math.trunc(this.#proportionalSum / state.windowBytes);
    this.#fairSum = 0;
    this.#proportionalSum = 0;
    if (elapsedPs >= rttPs) {
      const before = state.windowBytes;
      state.windowBytes = Math.trunc(before + this.#eta);
      this.changes.eta += state.windowBytes - before;
      this.#lastAdjustPs = nowPs;
    }
    this.#increase = 0;
    state.receivedBytes = 0;
  }
}

/** Cut to a whole number, and that to 32 bits. */
function wordOf(value: number): number {
  return Math.trunc(value) % 2 ** 32;
}

/**
 * NSCC's sender, one QP: the readable model.
 *
 * Inputs: per ACK the payload newly acknowledged, the round trip, whether the packet was marked; NACKs of trimmed packets; losses.
 * State: window (whole bytes), base round trip, largest window, average delay, achieved bytes, and times.
 *
 *   quick adapt   once per base + target, after a loss, or with a long delay, if achieved < max / 2^gate: window = achieved
 *   ACK           not marked, delay >= target   inc += fi b
 *                 not marked, delay < target    inc += alpha b (target - delay), or window += b fi_scale while there is no delay
 *                 marked, delay >= target       once per base: window *= max(1 - gamma (average - target) / average, 1 - maxDecrease)
 *   fulfil        each 8 packets or base round trip: window += inc / window; each base round trip also + eta
 *   penalty p > 0 no increase; window = min(window, in flight before the ACK) - p b / 128. An ACK with p = 0 and restore resets the window
 *                 to the value before the penalties
 *   NACK, loss    quick adapt, else window -= packet;  timeout  window -= packet
 *
 * Citation: UE Specification 1.0, NSCC, as uet-htsim implements it (docs/guides/uet-reference.md).
 * Known deviations: bytes in flight are counted from packets sent, each at most a full one, and are 0 when everything sent is
 * acknowledged; sums other than inc have more than 32 bits.
 */
import type { NsccState } from '../../../abi/state/ack-states.js';
import * as trace from '../../../abi/trace-layout.js';
import { type NsccParameters, nsccBdpBytes, nsccGains, type NsccGains } from '../../../config/algorithms/nscc.js';
import type { Ack, AckOutcome, EventOutcome, Nack } from '../ack.js';
import { SenderFrame } from '../sender-frame.js';

/** A delay above target without a mark counts as this many base round trips. */
const OUTLIER_BASES = 0.25;

/** Input of quick adapt from an ACK or a loss. */
interface Signal {
  readonly timePs: number;
  readonly delayPs: number;
  readonly isMarked: boolean;
  readonly isLoss: boolean;
}

/** The window of a new QP, bytes. */
function initialWindow({ initialWindowBytes, packetBytes }: NsccParameters, maxWindowBytes: number): number {
  const wanted = initialWindowBytes === 0 ? maxWindowBytes : initialWindowBytes;
  return Math.max(packetBytes, Math.min(wanted, maxWindowBytes));
}

/** NSCC's sender for one QP (UE Specification 1.0). The parameters must have been validated. */
export class NsccModel extends SenderFrame<NsccParameters, NsccState> {
  readonly #gains: NsccGains;

  constructor(parameters: NsccParameters) {
    const maxWindowBytes = Math.floor(parameters.maxWindowBdps * nsccBdpBytes(parameters));
    super(parameters, {
      windowBytes: initialWindow(parameters, maxWindowBytes),
      baseRttPs: parameters.baseRttPs,
      averageDelayPs: 0,
      maxWindowBytes,
      inFlightBytes: 0,
      increase: 0,
      receivedBytes: 0,
      achievedBytes: 0,
      toIgnoreBytes: 0,
      ignoredBytes: 0,
      adaptEndPs: 0,
      lastDecreasePs: 0,
      lastFulfilPs: 0,
      fastBytes: 0,
      savedWindowBytes: 0,
      isFast: false,
      hasLost: false,
      lastEventPs: 0,
      nextSendPs: 0,
    });
    this.#gains = nsccGains(parameters);
  }

  /** The window over the base round trip, up to the line rate. */
  get rateBps(): number {
    const rateBps = (this.live.windowBytes * 8e12) / this.live.baseRttPs;
    return Math.min(rateBps, this.parameters.maxRateBps);
  }

  get windowBytes(): number {
    return this.live.windowBytes;
  }

  onSent(timePs: number, lenBytes: number): EventOutcome {
    const outcome = this.admit(timePs);
    if (outcome !== 'handled') return outcome;
    this.live.inFlightBytes += Math.min(lenBytes, this.parameters.packetBytes);
    this.live.nextSendPs = timePs;
    return 'handled';
  }

  protected takeAck(ack: Ack): AckOutcome {
    const { timePs, ackedBytes, ackSeq, sndNxt, ecnEcho: isMarked, sentTimePs, windowPenalty = 0 } = ack;
    if (ackedBytes === undefined) return 'no-signal';
    const state = this.live;
    const { inFlightBytes } = state;
    state.lastEventPs = timePs;
    state.achievedBytes += ackedBytes;
    state.receivedBytes += ackedBytes;
    state.ignoredBytes += ackedBytes;
    state.inFlightBytes = ackSeq === sndNxt ? 0 : state.inFlightBytes - ackedBytes;
    const delayPs = this.#measure(sentTimePs === undefined ? 0 : timePs - sentTimePs, isMarked);
    const inputs = this.#inputs(delayPs);
    this.tracer?.describe(trace.TRACE_NSCC_ROUND_TRIP, inputs);
    if (!this.#adapts({ timePs, delayPs, isMarked, isLoss: false }, inputs)) {
      if (isMarked) this.#decrease(timePs, delayPs, inputs);
      else if (windowPenalty === 0) this.#increase(delayPs, ackedBytes, inputs);
      this.#bound();
      if (windowPenalty === 0) this.#fulfil(timePs, inputs);
    }
    this.#takePenalty(ack, inFlightBytes, ackedBytes);
    this.#bound();
    return 'update';
  }

  #takePenalty({ windowPenalty = 0, restoreWindow = false }: Ack, inFlightBytes: number, ackedBytes: number): void {
    const state = this.live;
    if (windowPenalty > 0) {
      if (state.savedWindowBytes === 0) state.savedWindowBytes = state.windowBytes;
      state.windowBytes = Math.min(state.windowBytes, inFlightBytes) - Math.floor((windowPenalty * ackedBytes) / 128);
    } else if (restoreWindow && state.savedWindowBytes !== 0) {
      state.windowBytes = state.savedWindowBytes;
      state.savedWindowBytes = 0;
    }
  }

  onNack({ timePs, trimmedBytes, sentTimePs, isLastHop }: Nack): EventOutcome {
    const outcome = this.admit(timePs);
    if (outcome !== 'handled') return outcome;
    const { nackRtt, lastHopTrims } = this.parameters;
    const rttPs = sentTimePs === undefined ? 0 : timePs - sentTimePs;
    if (nackRtt === 'measure' && rttPs > 0) this.#lowerBase(rttPs);
    this.#trimmed(timePs, trimmedBytes, lastHopTrims === 'leave' && isLastHop);
    return 'handled';
  }

  onLoss(timePs: number, found: 'fast' | 'timeout'): EventOutcome {
    const outcome = this.admit(timePs);
    if (outcome !== 'handled') return outcome;
    const { inferredLoss, packetBytes } = this.parameters;
    if (found === 'fast' && inferredLoss === 'as-trimmed') {
      this.#trimmed(timePs, packetBytes, false);
      return 'handled';
    }
    const reason = found === 'fast' ? trace.TRACE_NSCC_LOSS : trace.TRACE_NSCC_TIMEOUT;
    this.tracer?.describe(reason, this.#inputs(0));
    if (found === 'fast') this.live.hasLost = true;
    this.live.windowBytes -= packetBytes;
    this.#bound();
    this.live.inFlightBytes -= packetBytes;
    return 'handled';
  }

  /** Handles a trimmed packet. `isLeft`: does not subtract it from the window, as receiver credit controls the last hop. */
  #trimmed(timePs: number, bytes: number, isLeft: boolean): void {
    const state = this.live;
    state.ignoredBytes += bytes;
    this.#average(this.parameters.baseRttPs, true);
    const inputs = this.#inputs(0);
    this.tracer?.describe(trace.TRACE_NSCC_LOSS, inputs);
    state.hasLost = true;
    const isTaken = this.#adapts({ timePs, delayPs: 0, isMarked: true, isLoss: true }, inputs);
    if (!isTaken && !isLeft) state.windowBytes -= bytes;
    this.#bound();
    state.inFlightBytes -= bytes;
  }

  /** Updates base round trip and average delay with a round trip; 0: none. Returns the queueing delay. */
  #measure(rttPs: number, isMarked: boolean): number {
    if (rttPs <= 0) return this.live.averageDelayPs;
    this.#lowerBase(rttPs);
    const delayPs = rttPs - this.live.baseRttPs;
    this.#average(delayPs, isMarked);
    return delayPs;
  }

  /** Lowers the base round trip and the largest window; `#bound` later limits the window to it. */
  #lowerBase(rttPs: number): void {
    const { maxRateBps, maxWindowBdps } = this.parameters;
    if (rttPs >= this.live.baseRttPs) return;
    const bdpBytes = Math.floor(((rttPs / 1e6) * maxRateBps) / 8e6);
    this.live.baseRttPs = rttPs;
    this.live.maxWindowBytes = Math.floor(maxWindowBdps * bdpBytes);
  }

  #average(delayPs: number, isMarked: boolean): void {
    const { delayWeight, targetDelayPs } = this.parameters;
    const { baseRttPs, averageDelayPs } = this.live;
    const isOutlier = !isMarked && delayPs > targetDelayPs;
    const sample = isOutlier ? delayWeight * baseRttPs * OUTLIER_BASES : delayWeight * delayPs;
    this.live.averageDelayPs = Math.floor(sample + (1 - delayWeight) * averageDelayPs);
  }

  /** Quick adapt. Returns whether it has handled the event, so that no other rule applies. */
  #adapts(signal: Signal, inputs: readonly number[]): boolean {
    const state = this.live;
    const { quickAdapt, targetDelayPs } = this.parameters;
    if (!quickAdapt) return false;
    let isTaken = signal.isMarked && state.ignoredBytes < state.toIgnoreBytes;
    if (!isTaken && signal.timePs > state.adaptEndPs) {
      if (state.adaptEndPs !== 0 && this.#hasCollapsed(signal)) {
        this.tracer?.describe(trace.TRACE_NSCC_QUICK_ADAPT, inputs);
        this.#jump();
        isTaken = true;
      }
      state.achievedBytes = 0;
      state.adaptEndPs = signal.timePs + state.baseRttPs + targetDelayPs;
    }
    if (isTaken) {
      state.increase = 0;
      state.receivedBytes = 0;
    }
    return isTaken;
  }

  #hasCollapsed({ delayPs, isLoss }: Signal): boolean {
    const { adaptTargets, targetDelayPs, adaptGate } = this.parameters;
    const isLate = adaptTargets !== 0 && delayPs > adaptTargets * targetDelayPs;
    const isCongested = isLoss || this.live.hasLost || isLate;
    return isCongested && this.live.achievedBytes < Math.floor(this.live.maxWindowBytes / 2 ** adaptGate);
  }

  /** Sets the window to the bytes achieved in the period, which may be more than before. */
  #jump(): void {
    const state = this.live;
    state.windowBytes = Math.max(state.achievedBytes, this.parameters.packetBytes);
    state.toIgnoreBytes = state.inFlightBytes;
    state.ignoredBytes = 0;
    state.hasLost = false;
  }

  #increase(delayPs: number, bytes: number, inputs: readonly number[]): void {
    const { targetDelayPs } = this.parameters;
    const { alpha, fairBytes } = this.#gains;
    if (delayPs >= targetDelayPs) this.#gain(fairBytes * bytes);
    else if (!this.#increasesFast(delayPs, bytes, inputs)) this.#gain(alpha * bytes * (targetDelayPs - delayPs));
  }

  /** Adds an increase, which the next fulfilment applies. */
  #gain(bytesSquared: number): void {
    const sum = Math.floor(this.live.increase + bytesSquared);
    this.live.increase = this.parameters.increaseSum === 'u32' ? sum % 2 ** 32 : sum;
  }

  /** Fast increase: after a whole window without queueing delay, until there is delay. Returns whether it was applied. */
  #increasesFast(delayPs: number, bytes: number, inputs: readonly number[]): boolean {
    const state = this.live;
    const hasNoDelay = delayPs < this.parameters.fastDelayPs;
    state.fastBytes = hasNoDelay ? state.fastBytes + bytes : 0;
    state.isFast = hasNoDelay && (state.isFast || state.fastBytes > state.windowBytes);
    if (!state.isFast) return false;
    this.tracer?.describe(trace.TRACE_NSCC_FAST_INCREASE, inputs);
    state.windowBytes = Math.floor(state.windowBytes + bytes * this.#gains.fastFactor);
    return true;
  }

  #decrease(timePs: number, delayPs: number, inputs: readonly number[]): void {
    const state = this.live;
    const { targetDelayPs, decreaseGain, maxDecrease } = this.parameters;
    if (delayPs < targetDelayPs) return;
    state.isFast = false;
    state.fastBytes = 0;
    const { averageDelayPs, lastDecreasePs, baseRttPs } = state;
    if (averageDelayPs <= targetDelayPs || timePs - lastDecreasePs <= baseRttPs) return;
    this.tracer?.describe(trace.TRACE_NSCC_DECREASE, inputs);
    const byDelay = 1 - (decreaseGain * (averageDelayPs - targetDelayPs)) / averageDelayPs;
    state.windowBytes = Math.floor(state.windowBytes * Math.max(byDelay, 1 - maxDecrease));
    state.lastDecreasePs = timePs;
  }

  /** Adds the collected increase to the window. The time of the next fulfilment restarts only if due: one by bytes does not restart it. */
  #fulfil(timePs: number, inputs: readonly number[]): void {
    const state = this.live;
    const { fulfilPackets, packetBytes, baseRttPs } = this.parameters;
    const sincePs = timePs - state.lastFulfilPs;
    if (state.receivedBytes <= fulfilPackets * packetBytes && sincePs <= baseRttPs) return;
    this.tracer?.describe(trace.TRACE_NSCC_INCREASE, inputs);
    state.windowBytes += Math.floor(state.increase / state.windowBytes);
    if (sincePs >= baseRttPs) {
      state.windowBytes = Math.floor(state.windowBytes + this.#gains.fixedBytes);
      state.lastFulfilPs = timePs;
    }
    state.increase = 0;
    state.receivedBytes = 0;
  }

  /** Limits the window to the largest one, but to at least a packet, even if the largest window is smaller. */
  #bound(): void {
    const { windowBytes, maxWindowBytes } = this.live;
    this.live.windowBytes = Math.max(Math.min(windowBytes, maxWindowBytes), this.parameters.packetBytes);
  }

  /** The numbers at an event, for the trace. */
  #inputs(delayPs: number): readonly number[] {
    const { averageDelayPs, windowBytes, baseRttPs } = this.live;
    return [delayPs, averageDelayPs, this.parameters.targetDelayPs, windowBytes, baseRttPs];
  }
}

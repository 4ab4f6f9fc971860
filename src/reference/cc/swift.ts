/**
 * Swift's sender, one QP: the readable model.
 *
 * Inputs: per ACK the round trip, the part of it that hosts took, the path's hops, packets acknowledged; losses.
 * State: cwnd (packets, fractions allowed), time of the last decrease, timeouts in a row, last round-trip time.
 *
 *   ACK              timeouts = 0; delay = round trip - host delay
 *     delay < target   cwnd += ai acked / cwnd     (cwnd below 1: ai acked)
 *     else             if now - last decrease >= round trip:
 *                      cwnd *= max(1 - beta (delay - target) / delay, 1 - maxMdf)
 *   fast loss        timeouts = 0; if a decrease is due: cwnd *= 1 - maxMdf
 *   timeout          timeouts + 1; from timeoutsToReset on cwnd = minCwnd; else as a fast loss
 *   always           cwnd within minCwnd .. maxCwnd; if it fell: last decrease = now
 *   pacing           cwnd < 1: the next packet goes round trip / cwnd after the last one; else none
 *
 * Citation: Kumar et al., SIGCOMM 2020, section 3 with algorithm 1.
 * Known deviations: the paper runs two windows, for fabric and host delay, and uses the smaller; this is the fabric's,
 * and the host's delay is only taken off. `last decrease` moves when cwnd fell, not also when it stayed. Until a round
 * trip has been measured the base target stands in for it.
 */
import type { SwiftParameters } from '../../config/swift-parameters.js';
import { eventRefusal, type Ack, type AckOutcome, type CongestionControl, type EventOutcome, takeOver } from './ack.js';

export interface SwiftState {
  /** Congestion window, packets. */
  cwnd: number;
  /** Last round-trip time, picoseconds. */
  rttPs: number;
  /** When the window last fell, picoseconds; -Infinity = never. */
  lastDecreasePs: number;
  /** Retransmission timeouts in a row. */
  timeouts: number;
  /** Time of the last event, picoseconds. */
  lastEventPs: number;
  /** The next packet may leave at this time, picoseconds; 0 = at once. */
  nextSendPs: number;
}

/** What flow scaling adds to the target at a window, picoseconds. */
export function flowScalingPs(parameters: SwiftParameters, cwnd: number): number {
  const { flowScaleRangePs, flowScaleMinCwnd, flowScaleMaxCwnd } = parameters;
  const atMax = 1 / Math.sqrt(flowScaleMaxCwnd);
  const slope = flowScaleRangePs / (1 / Math.sqrt(flowScaleMinCwnd) - atMax);
  const scaled = slope / Math.sqrt(cwnd) - slope * atMax;
  const capped = scaled < flowScaleRangePs ? scaled : flowScaleRangePs;
  return capped > 0 ? capped : 0;
}

/** The delay that a window aims at over a path of so many hops, picoseconds. */
export function targetDelayPs(parameters: SwiftParameters, cwnd: number, hopCount: number): number {
  return parameters.baseTargetPs + hopCount * parameters.hopScalePs + flowScalingPs(parameters, cwnd);
}

/** Swift's sender for one QP (Kumar et al., SIGCOMM 2020). The parameters must have been validated. */
export class SwiftModel implements CongestionControl {
  readonly #parameters: SwiftParameters;
  readonly #state: SwiftState;

  constructor(parameters: SwiftParameters) {
    this.#parameters = parameters;
    this.#state = {
      cwnd: parameters.initialCwnd,
      rttPs: parameters.baseTargetPs,
      lastDecreasePs: -Infinity,
      timeouts: 0,
      lastEventPs: 0,
      nextSendPs: 0,
    };
  }

  /** The live state; it changes under its reader. */
  get state(): Readonly<SwiftState> {
    return this.#state;
  }

  /** The window over the round trip, up to the line rate. */
  get rateBps(): number {
    const { packetBytes, maxRateBps } = this.#parameters;
    const rateBps = (this.#state.cwnd * packetBytes * 8e12) / this.#state.rttPs;
    return rateBps < maxRateBps ? rateBps : maxRateBps;
  }

  /** At least one packet: a smaller window is kept by pacing. */
  get windowBytes(): number {
    const { cwnd } = this.#state;
    return (cwnd > 1 ? cwnd : 1) * this.#parameters.packetBytes;
  }

  get nextSendPs(): number {
    return this.#state.nextSendPs;
  }

  /** Goes on from a state of another model with the same parameters; what is not a field of it is passed over. */
  resume(state: object): void {
    takeOver(this.#state, state);
  }

  onSent(timePs: number): EventOutcome {
    const refusal = eventRefusal(timePs, this.#state.lastEventPs);
    if (refusal !== undefined) return refusal;
    const { cwnd, rttPs } = this.#state;
    this.#state.lastEventPs = timePs;
    this.#state.nextSendPs = cwnd < 1 ? timePs + Math.ceil(rttPs / cwnd) : timePs;
    return 'handled';
  }

  onAck(ack: Ack): AckOutcome {
    const { timePs, sentTimePs, hostDelayPs = 0, hopCount = 0, ackedPackets = 1 } = ack;
    const refusal = eventRefusal(timePs, this.#state.lastEventPs);
    if (refusal !== undefined) return refusal;
    const rttPs = sentTimePs === undefined ? -1 : timePs - sentTimePs;
    const delayPs = rttPs - hostDelayPs;
    if (!(rttPs > 0 && delayPs >= 0)) return 'no-signal';
    const state = this.#state;
    const target = targetDelayPs(this.#parameters, state.cwnd, hopCount);
    state.lastEventPs = timePs;
    state.timeouts = 0;
    state.rttPs = rttPs;
    if (delayPs < target) {
      this.#moveTo(timePs, this.#increased(ackedPackets));
      return 'update';
    }
    if (!this.#mayDecrease(timePs)) return 'skipped';
    this.#moveTo(timePs, state.cwnd * this.#decreaseFactor(delayPs, target));
    return 'update';
  }

  onLoss(timePs: number, found: 'fast' | 'timeout'): EventOutcome {
    const refusal = eventRefusal(timePs, this.#state.lastEventPs);
    if (refusal !== undefined) return refusal;
    const { timeoutsToReset, minCwnd, maxDecrease } = this.#parameters;
    const state = this.#state;
    state.lastEventPs = timePs;
    state.timeouts = found === 'fast' ? 0 : Math.min(state.timeouts + 1, timeoutsToReset);
    if (state.timeouts >= timeoutsToReset) this.#moveTo(timePs, minCwnd);
    else if (this.#mayDecrease(timePs)) this.#moveTo(timePs, state.cwnd * (1 - maxDecrease));
    return 'handled';
  }

  #increased(ackedPackets: number): number {
    const { cwnd } = this.#state;
    const step = this.#parameters.aiPackets * ackedPackets;
    return cwnd >= 1 ? cwnd + step / cwnd : cwnd + step;
  }

  #decreaseFactor(delayPs: number, targetPs: number): number {
    const { decreaseBeta, maxDecrease } = this.#parameters;
    const byDelay = 1 - decreaseBeta * ((delayPs - targetPs) / delayPs);
    return byDelay > 1 - maxDecrease ? byDelay : 1 - maxDecrease;
  }

  #mayDecrease(timePs: number): boolean {
    return timePs - this.#state.lastDecreasePs >= this.#state.rttPs;
  }

  #moveTo(timePs: number, wanted: number): void {
    const { minCwnd, maxCwnd } = this.#parameters;
    const floored = wanted > minCwnd ? wanted : minCwnd;
    const cwnd = floored < maxCwnd ? floored : maxCwnd;
    if (cwnd < this.#state.cwnd) this.#state.lastDecreasePs = timePs;
    this.#state.cwnd = cwnd;
  }
}

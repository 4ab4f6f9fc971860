/**
 * Swift's sender, one QP: the readable model.
 *
 * Inputs: per ACK the round trip, the host delay within it, the number of hops, packets acknowledged; losses.
 * State: cwnd (packets, fractions allowed), time of the last decrease, consecutive timeouts, last round-trip time.
 *
 *   ACK              timeouts = 0; delay = round trip - host delay
 *     delay < target   cwnd += ai acked / cwnd     (cwnd below 1: ai acked)
 *     else             if now - last decrease >= round trip:
 *                      cwnd *= max(1 - beta (delay - target) / delay, 1 - maxMdf)
 *   fast loss        timeouts = 0; if a decrease is due: cwnd *= 1 - maxMdf
 *   timeout          timeouts + 1; from timeoutsToReset on cwnd = minCwnd; else like a fast loss
 *   always           cwnd within minCwnd .. maxCwnd; if it fell: last decrease = now
 *   pacing           cwnd < 1: the next packet goes round trip / cwnd after the last one; else none
 *
 * Citation: Kumar et al., SIGCOMM 2020, section 3 with algorithm 1.
 * Known deviations: the paper has two windows, for fabric and host delay, and uses the smaller; this model has only the
 * fabric window and subtracts the host delay. `last decrease` changes only if cwnd fell, not if it stayed. Until a round
 * trip has been measured the base target is used instead.
 */
import type { SwiftState } from '../../../abi/state/ack-states.js';
import { TRACE_SWIFT_DECREASE, TRACE_SWIFT_INCREASE, TRACE_SWIFT_LOSS, TRACE_SWIFT_ROUND_TRIP,
  TRACE_SWIFT_TIMEOUT } from '../../../abi/trace-layout.js';
import type { SwiftParameters } from '../../../config/algorithms/swift.js';
import type { Ack, AckOutcome, EventOutcome } from '../ack.js';
import { SenderFrame } from '../sender-frame.js';

/** Delay that flow scaling adds to the target for a window, picoseconds. */
export function flowScalingPs(parameters: SwiftParameters, cwnd: number): number {
  const { flowScaleRangePs, flowScaleMinCwnd, flowScaleMaxCwnd } = parameters;
  const atMax = 1 / Math.sqrt(flowScaleMaxCwnd);
  const slope = flowScaleRangePs / (1 / Math.sqrt(flowScaleMinCwnd) - atMax);
  const scaled = slope / Math.sqrt(cwnd) - slope * atMax;
  const capped = scaled < flowScaleRangePs ? scaled : flowScaleRangePs;
  return capped > 0 ? capped : 0;
}

/** Target delay for a window on a path with this many hops, picoseconds. */
export function targetDelayPs(parameters: SwiftParameters, cwnd: number, hopCount: number): number {
  return parameters.baseTargetPs + hopCount * parameters.hopScalePs + flowScalingPs(parameters, cwnd);
}

/** Swift's sender for one QP (Kumar et al., SIGCOMM 2020). The parameters must have been validated. */
export class SwiftModel extends SenderFrame<SwiftParameters, SwiftState> {
  constructor(parameters: SwiftParameters) {
    super(parameters, {
      cwnd: parameters.initialCwnd,
      rttPs: parameters.baseTargetPs,
      lastDecreasePs: -Infinity,
      timeouts: 0,
      lastEventPs: 0,
      nextSendPs: 0,
    });
  }

  /** The window over the round trip, up to the line rate. */
  get rateBps(): number {
    const { packetBytes, maxRateBps } = this.parameters;
    const rateBps = (this.live.cwnd * packetBytes * 8e12) / this.live.rttPs;
    return rateBps < maxRateBps ? rateBps : maxRateBps;
  }

  /** At least one packet; pacing enforces smaller windows. */
  get windowBytes(): number {
    const { cwnd } = this.live;
    return (cwnd > 1 ? cwnd : 1) * this.parameters.packetBytes;
  }

  onSent(timePs: number): EventOutcome {
    const outcome = this.admit(timePs);
    if (outcome !== 'handled') return outcome;
    const { cwnd, rttPs } = this.live;
    this.live.nextSendPs = cwnd < 1 ? timePs + Math.ceil(rttPs / cwnd) : timePs;
    return 'handled';
  }

  protected takeAck(ack: Ack): AckOutcome {
    const { timePs, sentTimePs, hostDelayPs = 0, hopCount = 0, ackedPackets = 1 } = ack;
    const rttPs = sentTimePs === undefined ? -1 : timePs - sentTimePs;
    const delayPs = rttPs - hostDelayPs;
    if (!(rttPs > 0 && delayPs >= 0)) return 'no-signal';
    const state = this.live;
    const target = targetDelayPs(this.parameters, state.cwnd, hopCount);
    state.lastEventPs = timePs;
    state.timeouts = 0;
    state.rttPs = rttPs;
    const describe = (reason: number): void => this.tracer?.describe(reason, [rttPs, delayPs, target, state.cwnd]);
    if (delayPs < target) {
      describe(TRACE_SWIFT_INCREASE);
      this.#moveTo(timePs, this.#increased(ackedPackets));
      return 'update';
    }
    if (!this.#mayDecrease(timePs)) {
      // The rate depends on the round trip even if the window is unchanged.
      describe(TRACE_SWIFT_ROUND_TRIP);
      return 'skipped';
    }
    describe(TRACE_SWIFT_DECREASE);
    this.#moveTo(timePs, state.cwnd * this.#decreaseFactor(delayPs, target));
    return 'update';
  }

  onLoss(timePs: number, found: 'fast' | 'timeout'): EventOutcome {
    const outcome = this.admit(timePs);
    if (outcome !== 'handled') return outcome;
    const { timeoutsToReset, minCwnd, maxDecrease } = this.parameters;
    const state = this.live;
    state.timeouts = found === 'fast' ? 0 : Math.min(state.timeouts + 1, timeoutsToReset);
    const resets = state.timeouts >= timeoutsToReset;
    this.tracer?.describe(resets ? TRACE_SWIFT_TIMEOUT : TRACE_SWIFT_LOSS, [state.rttPs, 0, 0, state.cwnd]);
    if (resets) this.#moveTo(timePs, minCwnd);
    else if (this.#mayDecrease(timePs)) this.#moveTo(timePs, state.cwnd * (1 - maxDecrease));
    return 'handled';
  }

  #increased(ackedPackets: number): number {
    const { cwnd } = this.live;
    const step = this.parameters.aiPackets * ackedPackets;
    return cwnd >= 1 ? cwnd + step / cwnd : cwnd + step;
  }

  #decreaseFactor(delayPs: number, targetPs: number): number {
    const { decreaseBeta, maxDecrease } = this.parameters;
    const byDelay = 1 - decreaseBeta * ((delayPs - targetPs) / delayPs);
    return byDelay > 1 - maxDecrease ? byDelay : 1 - maxDecrease;
  }

  #mayDecrease(timePs: number): boolean {
    return timePs - this.live.lastDecreasePs >= this.live.rttPs;
  }

  #moveTo(timePs: number, wanted: number): void {
    const { minCwnd, maxCwnd } = this.parameters;
    const floored = wanted > minCwnd ? wanted : minCwnd;
    const cwnd = floored < maxCwnd ? floored : maxCwnd;
    if (cwnd < this.live.cwnd) this.live.lastDecreasePs = timePs;
    this.live.cwnd = cwnd;
  }
}

/**
 * TIMELY's sender, one QP: the readable model.
 *
 * Inputs: the round-trip time of each ACK (its arrival minus the acknowledged packet's send time). State: rate, smoothed
 * difference of round-trip times, last round-trip time, stage.
 *
 *   first ACK        only stores rtt and lastUpdateSeq
 *   completion event d = (1 - a) d + a (rtt - last);  gradient = d / minRtt;  then one of
 *     rtt < T_low     increase
 *     rtt > T_high    decrease by 1 - b (1 - T_high / rtt)
 *     gradient <= 0   increase
 *     else            decrease by max(0, 1 - b gradient)
 *   increase         R = min(max, R + (stage < hyperAfterSteps ? R_AI : R_HAI)); stage + 1
 *   decrease         R = max(min, R factor); stage = 0
 *
 * A completion event is an ACK with ackSeq > lastUpdateSeq (then lastUpdateSeq = sndNxt), or each ACK (`updateOn`).
 * Times enter the formulas in nanoseconds. A new rate applies from the next packet on: the running gap is unchanged.
 * An ACK without a round-trip time, or with a negative one, is `no-signal`.
 *
 * Citation: Mittal et al., "TIMELY", SIGCOMM 2015, algorithm 1.
 * Known deviations: stage counters stop at 65535. TIMELY has no unique fixed point (Zhu et al., "ECN or Delay",
 * CoNEXT 2016): unequal rates may never converge.
 */
import type { TimelyState } from '../../../abi/state/ack-states.js';
import { STAGE_MAX } from '../../../abi/codes.js';
import { TRACE_TIMELY_GRADIENT, TRACE_TIMELY_HIGH_RTT, TRACE_TIMELY_LOW_RTT } from '../../../abi/trace-layout.js';
import type { TimelyParameters } from '../../../config/algorithms/timely.js';
import { beginsRoundTrip, isNewer, sequenceOf, type Ack, type AckOutcome } from '../ack.js';
import { roundRate } from '../rate-numbers.js';
import { NO_ROUND_TRIP, RateSender } from '../sender-frame.js';

/** TIMELY's sender for one QP (Mittal et al., SIGCOMM 2015). The parameters must have been validated. */
export class TimelyModel extends RateSender<TimelyParameters, TimelyState> {
  /** TIMELY has no window. */
  readonly windowBytes = 0;

  constructor(parameters: TimelyParameters) {
    super(parameters, {
      rateBps: parameters.maxRateBps,
      rttDiffNs: 0,
      lastRttNs: 0,
      incStage: 0,
      ...NO_ROUND_TRIP,
    }, parameters.sendGap);
  }

  protected takeAck(ack: Ack): AckOutcome {
    const rttNs = ack.sentTimePs === undefined ? -1 : (ack.timePs - ack.sentTimePs) / 1000;
    if (!(rttNs >= 0)) return 'no-signal';
    const { sequence, updateOn } = this.parameters;
    this.live.lastEventPs = ack.timePs;
    if (updateOn === 'round-trip' && !beginsRoundTrip(sequence, this.live, ack.ackSeq)) return 'skipped';
    return this.#complete(rttNs, ack.sndNxt);
  }

  #complete(rttNs: number, sndNxt: number): AckOutcome {
    const first = !this.live.started;
    if (!first) this.#update(rttNs);
    this.#noteRoundTrip(rttNs, sndNxt);
    return first ? 'first' : 'update';
  }

  #update(rttNs: number): void {
    const { ewmaAlpha, decreaseBeta, lowRttPs, highRttPs, minRttPs } = this.parameters;
    const state = this.live;
    state.rttDiffNs = (1 - ewmaAlpha) * state.rttDiffNs + ewmaAlpha * (rttNs - state.lastRttNs);
    const gradient = state.rttDiffNs / (minRttPs / 1000);
    const highNs = highRttPs / 1000;
    const describe = (reason: number): void =>
      this.tracer?.describe(reason, [rttNs, state.rttDiffNs, gradient, state.incStage]);
    if (rttNs < lowRttPs / 1000) {
      describe(TRACE_TIMELY_LOW_RTT);
      this.#increaseBelowLow();
    } else if (rttNs > highNs) {
      describe(TRACE_TIMELY_HIGH_RTT);
      this.#decrease(1 - decreaseBeta * (1 - highNs / rttNs));
    } else {
      describe(TRACE_TIMELY_GRADIENT);
      if (gradient <= 0) this.#increaseStaged();
      else this.#decrease(1 - decreaseBeta * gradient);
    }
  }

  /** Stores the round-trip time; with one update per round trip only if more was sent since the mark, as in the reference. */
  #noteRoundTrip(rttNs: number, sndNxt: number): void {
    const { sequence, updateOn } = this.parameters;
    const state = this.live;
    const next = sequenceOf(sequence, sndNxt);
    const further = !state.started || isNewer(sequence, next, state.lastUpdateSeq);
    if (further) state.lastUpdateSeq = next;
    if (further || updateOn === 'ack') state.lastRttNs = rttNs;
    state.started = sequence === 'psn24' || updateOn === 'ack' || state.lastUpdateSeq !== 0;
  }

  #increaseBelowLow(): void {
    if (this.parameters.lowRttIncrease === 'staged') this.#increaseStaged();
    else this.#increaseBy(this.parameters.aiRateBps);
  }

  #increaseStaged(): void {
    const { aiRateBps, haiRateBps, hyperAfterSteps } = this.parameters;
    const { incStage } = this.live;
    this.#increaseBy(incStage < hyperAfterSteps ? aiRateBps : haiRateBps);
    this.live.incStage = incStage < STAGE_MAX ? incStage + 1 : STAGE_MAX;
  }

  #increaseBy(stepBps: number): void {
    const { maxRateBps } = this.parameters;
    const raised = this.live.rateBps + stepBps;
    this.live.rateBps = raised < maxRateBps ? raised : maxRateBps;
  }

  #decrease(factor: number): void {
    const { numbers, minRateBps } = this.parameters;
    const cutBps = roundRate(numbers, this.live.rateBps * (factor > 0 ? factor : 0));
    this.live.rateBps = cutBps > minRateBps ? cutBps : minRateBps;
    this.live.incStage = 0;
  }
}

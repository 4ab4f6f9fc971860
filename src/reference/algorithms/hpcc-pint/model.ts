/**
 * HPCC-PINT's sender, one QP: the readable model.
 *
 * Like HPCC (hpcc/model.ts), but with the utilisation that the switches have measured, smoothed and encoded:
 *
 *   an ACK is evaluated with probability pintProbability
 *   the first one only sets lastUpdateSeq = sndNxt
 *   then c = decode(power) / eta and HPCC's step; a full update (ackSeq > lastUpdateSeq) commits R_c and the stage
 *
 * Citation: Ben Basat et al., "PINT", SIGCOMM 2020; Li et al., "HPCC", SIGCOMM 2019.
 * Known deviations: no random number is drawn at probability 1.
 */
import type { HpccPintState } from '../../../abi/state/hpcc-pint.js';
import { TRACE_DETAIL_FULL, TRACE_PINT_ADDITIVE, TRACE_PINT_MULTIPLICATIVE } from '../../../abi/trace-layout.js';
import type { HpccPintParameters } from '../../../config/algorithms/hpcc-pint/parameters.js';
import { beginsRoundTrip, moveMark, type Ack, type AckOutcome } from '../ack.js';
import { commit, decideStep } from '../hpcc/update.js';
import { PintCodec, type RandomSource } from './codec.js';
import { paceRateChange, windowInUse } from '../rate-numbers.js';
import { NO_ROUND_TRIP, RateSender } from '../sender-frame.js';

/** HPCC-PINT's sender for one QP. The parameters must have been validated. */
export class HpccPintModel extends RateSender<HpccPintParameters, HpccPintState> {
  readonly #random: RandomSource;
  readonly #codec: PintCodec;

  constructor(parameters: HpccPintParameters, random: RandomSource) {
    super(parameters, {
      rateBps: parameters.maxRateBps,
      committed: parameters.maxRateBps,
      incStage: 0,
      ...NO_ROUND_TRIP,
    }, parameters.sendGap);
    this.#random = random;
    this.#codec = new PintCodec(parameters.pintBase, parameters.pintBits);
  }

  get windowBytes(): number {
    const { windowMode, numbers, windowBytes, maxRateBps } = this.parameters;
    return windowInUse(windowMode, numbers, windowBytes, this.live.rateBps, maxRateBps);
  }

  protected takeAck(ack: Ack): AckOutcome {
    if (ack.pintPower === undefined) return 'no-signal';
    const { pintProbability, sequence, fastReact } = this.parameters;
    this.live.lastEventPs = ack.timePs;
    if (pintProbability < 1 && this.#random.next() >= pintProbability) return 'skipped';
    const full = beginsRoundTrip(sequence, this.live, ack.ackSeq);
    if (!full && !fastReact) return 'skipped';
    return this.#takePower(ack.pintPower, ack.sndNxt, full);
  }

  #takePower(power: number, sndNxt: number, full: boolean): AckOutcome {
    const first = !this.live.started;
    if (!first) this.#react(power, full);
    if (first || full) moveMark(this.parameters.sequence, this.live, sndNxt);
    if (first) return 'first';
    return full ? 'update' : 'fast';
  }

  #react(power: number, full: boolean): void {
    const { minRateBps, maxRateBps, aiRateBps, targetUtilization } = this.parameters;
    const state = this.live;
    const limits = { minimum: minRateBps, maximum: maxRateBps, increment: aiRateBps };
    const utilization = this.#codec.decode(power);
    const step = decideStep(this.parameters, limits, state, utilization / targetUtilization);
    const reason = step.multiplicative ? TRACE_PINT_MULTIPLICATIVE : TRACE_PINT_ADDITIVE;
    const inputs = [utilization, power, state.committed, state.incStage];
    this.tracer?.describe(reason, inputs, full ? TRACE_DETAIL_FULL : 0);
    if (full) commit(state, step);
    paceRateChange(this.sendGap, state, state.rateBps, step.quantity);
    state.rateBps = step.quantity;
  }
}

/**
 * HPCC-PINT's sender, one QP: the readable model.
 *
 * As HPCC (hpcc.ts) with the utilisation that the switches have measured, smoothed and encoded:
 *
 *   an ACK is looked at with probability pintProbability
 *   the first one only sets lastUpdateSeq = sndNxt
 *   then c = decode(power) / eta and HPCC's step; a full update (ackSeq > lastUpdateSeq) commits R_c and the stage
 *
 * Citation: Ben Basat et al., "PINT", SIGCOMM 2020; Li et al., "HPCC", SIGCOMM 2019.
 * Known deviations: no random number is drawn at probability 1.
 */
import type { HpccPintParameters } from '../../config/hpcc-pint-parameters.js';
import {
  beginsRoundTrip, eventRefusal, moveMark,
  type Ack, type AckOutcome, type CongestionControl, type EventOutcome, type RoundTripMark, takeOver,
} from './ack.js';
import { takeStep } from './hpcc-update.js';
import { PintCodec, type RandomSource } from './pint-codec.js';
import { paceRateChange, paceSent, windowInUse, type SendPace } from './rate-numbers.js';

export interface HpccPintState extends RoundTripMark, SendPace {
  /** R, bits per second. */
  rateBps: number;
  /** R_c, bits per second. */
  committed: number;
  /** Additive steps in a row. */
  incStage: number;
  started: boolean;
  lastUpdateSeq: number;
  /** Time of the last event, picoseconds. */
  lastEventPs: number;
  nextSendPs: number;
  lastLenBytes: number;
}

/** HPCC-PINT's sender for one QP. The parameters must have been validated. */
export class HpccPintModel implements CongestionControl {
  readonly #parameters: HpccPintParameters;
  readonly #random: RandomSource;
  readonly #codec: PintCodec;
  readonly #state: HpccPintState;

  constructor(parameters: HpccPintParameters, random: RandomSource) {
    this.#parameters = parameters;
    this.#random = random;
    this.#codec = new PintCodec(parameters.pintBase, parameters.pintBits);
    this.#state = {
      rateBps: parameters.maxRateBps,
      committed: parameters.maxRateBps,
      incStage: 0,
      started: false,
      lastUpdateSeq: 0,
      lastEventPs: 0,
      nextSendPs: 0,
      lastLenBytes: 0,
    };
  }

  /** The live state; it changes under its reader. */
  get state(): Readonly<HpccPintState> {
    return this.#state;
  }

  get rateBps(): number {
    return this.#state.rateBps;
  }

  get windowBytes(): number {
    const { windowMode, numbers, windowBytes, maxRateBps } = this.#parameters;
    return windowInUse(windowMode, numbers, windowBytes, this.#state.rateBps, maxRateBps);
  }

  get nextSendPs(): number {
    return this.#state.nextSendPs;
  }

  /** Goes on from a state of another model with the same parameters; what is not a field of it is passed over. */
  resume(state: object): void {
    takeOver(this.#state, state);
  }

  onSent(timePs: number, lenBytes: number): EventOutcome {
    const refusal = eventRefusal(timePs, this.#state.lastEventPs);
    if (refusal !== undefined) return refusal;
    this.#state.lastEventPs = timePs;
    paceSent(this.#parameters.sendGap, this.#state, timePs, lenBytes, this.#state.rateBps);
    return 'handled';
  }

  onAck(ack: Ack): AckOutcome {
    const refusal = eventRefusal(ack.timePs, this.#state.lastEventPs);
    if (refusal !== undefined) return refusal;
    if (ack.pintPower === undefined) return 'no-signal';
    const { pintProbability, sequence, fastReact } = this.#parameters;
    this.#state.lastEventPs = ack.timePs;
    if (pintProbability < 1 && this.#random.next() >= pintProbability) return 'skipped';
    const full = beginsRoundTrip(sequence, this.#state, ack.ackSeq);
    if (!full && !fastReact) return 'skipped';
    return this.#takePower(ack.pintPower, ack.sndNxt, full);
  }

  #takePower(power: number, sndNxt: number, full: boolean): AckOutcome {
    const first = !this.#state.started;
    if (!first) this.#react(this.#codec.decode(power), full);
    if (first || full) moveMark(this.#parameters.sequence, this.#state, sndNxt);
    if (first) return 'first';
    return full ? 'update' : 'fast';
  }

  #react(utilization: number, full: boolean): void {
    const { minRateBps, maxRateBps, aiRateBps, targetUtilization, sendGap } = this.#parameters;
    const state = this.#state;
    const limits = { minimum: minRateBps, maximum: maxRateBps, increment: aiRateBps };
    const rateBps = takeStep(this.#parameters, limits, state, utilization / targetUtilization, full);
    paceRateChange(sendGap, state, state.rateBps, rateBps);
    state.rateBps = rateBps;
  }
}

/**
 * A QP under an algorithm that steers by acknowledgements, for the `js` backend: the checks of every door (a time that can
 * be, in order), outcomes, and the model behind it.
 *
 * Role: what `assembly/rp/acknowledgements.ts` does, around the models of this folder.
 */
import {
  OUTCOME_ACK_APPLIED, OUTCOME_ACK_NOT_USED, OUTCOME_ACK_NO_SIGNAL, OUTCOME_BAD_TIME, OUTCOME_CNP_NOT_USED,
  OUTCOME_LOSS_APPLIED, OUTCOME_LOSS_NOT_USED, OUTCOME_SENT, OUTCOME_TIME_BACKWARDS, OUTCOME_TOUCHED, TIME_MAX_PS,
} from '../abi/codes.js';
import { QP_LIMITED } from '../abi/codes.js';
import type { AckParameters } from '../config/algorithms.js';
import type { Ack } from './ack.js';
import { loadHops, loadRecord, saveHops, saveRecord, type RecordValues } from './ack-records.js';
import { makeModel, type AckModel } from './controllers.js';

export interface AckControllerOptions {
  readonly latePolicy: 'refuse' | 'clamp';
}

export class AckController {
  /** Of DCQCN; other algorithms have no timers. */
  readonly timerSteps = 0;
  readonly #parameters: AckParameters;
  readonly #model: AckModel;
  readonly #latePolicy: 'refuse' | 'clamp';
  #lastEventPs = 0;
  #lateClamped = 0;
  #rateBeforeEventBps: number;

  constructor(parameters: AckParameters, { latePolicy }: AckControllerOptions) {
    this.#parameters = parameters;
    this.#model = makeModel(parameters);
    this.#latePolicy = latePolicy;
    this.#rateBeforeEventBps = this.#model.rateBps;
  }

  /** What every reaction point tells of itself. */
  get state(): { readonly rateBps: number; readonly lastEventPs: number } {
    return { rateBps: this.#model.rateBps, lastEventPs: this.#lastEventPs };
  }

  /** QP_* bits, QP_OPEN aside: under control from the start. */
  get flags(): number {
    return QP_LIMITED;
  }

  get lateClamped(): number {
    return this.#lateClamped;
  }

  get rateBeforeEventBps(): number {
    return this.#rateBeforeEventBps;
  }

  sent(timePs: number, lenBytes: number): number {
    const refusal = this.#refusal(timePs);
    if (refusal !== undefined) return refusal;
    const effectivePs = this.#admit(timePs);
    this.#model.onSent(effectivePs, lenBytes);
    this.#lastEventPs = effectivePs;
    return OUTCOME_SENT;
  }

  ack(ack: Ack): number {
    const refusal = this.#refusal(ack.timePs);
    if (refusal !== undefined) return refusal;
    const timePs = this.#admit(ack.timePs);
    const result = this.#model.onAck({ ...ack, timePs });
    if (result === 'no-signal') return OUTCOME_ACK_NO_SIGNAL;
    this.#lastEventPs = timePs;
    return result === 'skipped' ? OUTCOME_ACK_NOT_USED : OUTCOME_ACK_APPLIED;
  }

  loss(timePs: number, found: 'fast' | 'timeout'): number {
    const refusal = this.#refusal(timePs);
    if (refusal !== undefined) return refusal;
    const effectivePs = this.#admit(timePs);
    if (!this.#model.onLoss) return OUTCOME_LOSS_NOT_USED;
    this.#model.onLoss(effectivePs, found);
    this.#lastEventPs = effectivePs;
    return OUTCOME_LOSS_APPLIED;
  }

  /** No such algorithm has a use for CNPs. */
  cnp(timePs: number): number {
    return this.cnpRefusal(timePs);
  }

  cnpRefusal(timePs: number): number {
    return isEventTime(timePs) ? OUTCOME_CNP_NOT_USED : OUTCOME_BAD_TIME;
  }

  touch(timePs: number): number {
    const refusal = this.#refusal(timePs);
    if (refusal !== undefined) return refusal;
    this.#lastEventPs = this.#admit(timePs);
    return OUTCOME_TOUCHED;
  }

  advance(timePs: number): number {
    if (!isEventTime(timePs)) return OUTCOME_BAD_TIME;
    return timePs < this.#lastEventPs ? OUTCOME_TIME_BACKWARDS : this.touch(timePs);
  }

  /** Nothing happens by itself. */
  nextDeadlinePs(): number {
    return Infinity;
  }

  /** Writes the QP's record, and the hops that it keeps. */
  save(view: DataView, at: number, hopsAt: number): void {
    const { rateBps, windowBytes, state } = this.#model;
    const values = { ...(state as RecordValues), rateBps, windowBytes, lastEventPs: this.#lastEventPs };
    saveRecord(view, at, this.#parameters.algorithm, values);
    if ('hops' in state) saveHops(view, hopsAt, state.hops as readonly object[]);
  }

  /** Goes on from a record that another one wrote. */
  load(view: DataView, at: number, hopsAt: number): void {
    const values = loadRecord(view, at, this.#parameters.algorithm);
    const { state } = this.#model;
    const hops = 'hops' in state ? { hops: loadHops(view, hopsAt, (state.hops as readonly object[]).length) } : {};
    this.#model.resume({ ...values, ...hops });
    this.#lastEventPs = Number(values['lastEventPs']);
    this.#rateBeforeEventBps = this.#model.rateBps;
  }

  #refusal(timePs: number): number | undefined {
    if (!isEventTime(timePs)) return OUTCOME_BAD_TIME;
    const isLate = timePs < this.#lastEventPs;
    return isLate && this.#latePolicy === 'refuse' ? OUTCOME_TIME_BACKWARDS : undefined;
  }

  /** The time at which an event takes effect. */
  #admit(timePs: number): number {
    this.#rateBeforeEventBps = this.#model.rateBps;
    if (timePs >= this.#lastEventPs) return timePs;
    this.#lateClamped += 1;
    return this.#lastEventPs;
  }
}

/** May an event have this time? */
export function isEventTime(timePs: number): boolean {
  return timePs >= 0 && timePs <= TIME_MAX_PS;
}

/**
 * A QP under an algorithm that steers by acknowledgements, for the `js` backend: the checks of every door (a time that can
 * be, in order), outcomes, and the model behind it.
 *
 * Role: what `assembly/rp/reaction-point.ts` does, around the models of `src/reference/algorithms`.
 */
import { OUTCOME_ACK, OUTCOME_ACK_APPLIED, OUTCOME_ACK_NOT_USED, OUTCOME_ACK_NO_SIGNAL, OUTCOME_BAD_TIME,
  OUTCOME_CNP_HANDLED, OUTCOME_CNP_NOT_USED, OUTCOME_LOSS_APPLIED, OUTCOME_LOSS_NOT_USED, OUTCOME_SENT,
  OUTCOME_TIME_BACKWARDS, OUTCOME_TOUCHED, TIME_MAX_PS } from '../../abi/codes.js';
import { CAUSE_ACK, CAUSE_LOSS, QP_LIMITED } from '../../abi/codes.js';
import type { AckParameters } from '../../config/algorithms/registry.js';
import type { Ack, AckOutcome } from '../algorithms/ack.js';
import type { RateTracer } from '../algorithms/rate-tracer.js';
import { makeModel, type AckModel } from '../algorithms/registry.js';
import type { PlusTelemetry } from '../algorithms/hpcc-pp/hops.js';
import { loadHops, loadRecord, saveHops, saveRecord, type RecordValues } from '../memory/ack-records.js';

export interface AckControllerOptions {
  readonly latePolicy: 'refuse' | 'clamp';
  /** Hears of each rate that changes. */
  readonly tracer?: RateTracer | undefined;
}

export class AckController {
  readonly #parameters: AckParameters;
  readonly #model: AckModel;
  readonly #latePolicy: 'refuse' | 'clamp';
  readonly #tracer: RateTracer | undefined;
  #lastEventPs = 0;
  #lateClamped = 0;
  #rateBeforeEventBps: number;

  constructor(parameters: AckParameters, { latePolicy, tracer }: AckControllerOptions) {
    this.#parameters = parameters;
    this.#model = makeModel(parameters);
    this.#latePolicy = latePolicy;
    this.#tracer = tracer;
    if (tracer) this.#model.traceWith(tracer);
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

  /** Steps made by time. */
  get timerSteps(): number {
    return this.#model.timerSteps ?? 0;
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
    // What changes here has changed by time: packets that leave change no rate.
    this.#rateBeforeEventBps = this.#model.rateBps;
    return OUTCOME_SENT;
  }

  ack(ack: Ack): number {
    const refusal = this.#refusal(ack.timePs);
    if (refusal !== undefined) return refusal;
    const timePs = this.#admit(ack.timePs);
    return this.#acknowledged(timePs, this.#model.onAck({ ...ack, timePs }));
  }

  /** An ACK frame with a trace; `readTelemetry` reads it. */
  echo(timePs: number, readTelemetry: () => PlusTelemetry | undefined): number {
    if (!this.#model.onEcho) return OUTCOME_ACK;
    if (!isEventTime(timePs)) return OUTCOME_BAD_TIME;
    const telemetry = readTelemetry();
    if (!telemetry) return OUTCOME_ACK;
    const refusal = this.#refusal(timePs);
    if (refusal !== undefined) return refusal;
    const effectivePs = this.#admit(timePs);
    return this.#acknowledged(effectivePs, this.#model.onEcho(effectivePs, telemetry));
  }

  #acknowledged(timePs: number, result: AckOutcome): number {
    if (result === 'no-signal') return OUTCOME_ACK_NO_SIGNAL;
    this.#lastEventPs = timePs;
    this.#tracer?.changed(timePs, CAUSE_ACK, this.#model.rateBps);
    return result === 'skipped' ? OUTCOME_ACK_NOT_USED : OUTCOME_ACK_APPLIED;
  }

  loss(timePs: number, found: 'fast' | 'timeout'): number {
    const refusal = this.#refusal(timePs);
    if (refusal !== undefined) return refusal;
    const effectivePs = this.#admit(timePs);
    if (!this.#model.onLoss) return OUTCOME_LOSS_NOT_USED;
    this.#model.onLoss(effectivePs, found);
    this.#lastEventPs = effectivePs;
    this.#tracer?.changed(effectivePs, CAUSE_LOSS, this.#model.rateBps);
    return OUTCOME_LOSS_APPLIED;
  }

  /** Does its algorithm read hops that Fast CNPs tell of? */
  get readsHops(): boolean {
    return this.#model.onNotification !== undefined;
  }

  /** A CNP or a Fast CNP came. */
  cnp(timePs: number, source: 'fast-cnps' | 'cnps' = 'cnps', telemetry?: PlusTelemetry): number {
    const refusal = this.cnpRefusal(timePs);
    if (refusal !== undefined || !this.#model.onNotification) return refusal ?? OUTCOME_CNP_NOT_USED;
    const effectivePs = this.#admit(timePs);
    const result = this.#model.onNotification(effectivePs, source, telemetry);
    if (result === 'no-signal') return OUTCOME_CNP_NOT_USED;
    this.#lastEventPs = effectivePs;
    this.#tracer?.changed(effectivePs, 'notification', this.#model.rateBps);
    return result === 'skipped' ? OUTCOME_CNP_NOT_USED : OUTCOME_CNP_HANDLED;
  }

  cnpRefusal(timePs: number): number | undefined {
    if (this.#model.onNotification) return this.#refusal(timePs);
    return isEventTime(timePs) ? OUTCOME_CNP_NOT_USED : OUTCOME_BAD_TIME;
  }

  touch(timePs: number): number {
    const refusal = this.#refusal(timePs);
    if (refusal !== undefined) return refusal;
    this.#lastEventPs = this.#admit(timePs);
    this.#model.onTouch?.(this.#lastEventPs);
    return OUTCOME_TOUCHED;
  }

  advance(timePs: number): number {
    if (!isEventTime(timePs)) return OUTCOME_BAD_TIME;
    return timePs < this.#lastEventPs ? OUTCOME_TIME_BACKWARDS : this.touch(timePs);
  }

  /** When its rate can next change by itself; most algorithms have no timers. */
  nextDeadlinePs(): number {
    return this.#model.nextDeadlinePs ?? Infinity;
  }

  /** Writes the QP's record, and the hops that it keeps. */
  save(view: DataView, at: number, hopsAt: number): void {
    const { rateBps, windowBytes, state } = this.#model;
    const values = { ...(state as RecordValues), rateBps, windowBytes, lastEventPs: this.#lastEventPs };
    const { algorithm } = this.#parameters;
    saveRecord(view, at, algorithm, values);
    if ('hops' in state) saveHops(view, hopsAt, algorithm, values, state.hops as readonly object[]);
  }

  /** Goes on from a record that another one wrote. */
  load(view: DataView, at: number, hopsAt: number): void {
    const { algorithm } = this.#parameters;
    const values = loadRecord(view, at, algorithm);
    const { state } = this.#model;
    const hops = 'hops' in state ? loadHops(view, hopsAt, algorithm, (state.hops as readonly object[]).length) : {};
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

/**
 * DCQCN's reaction point, one QP: the readable model against which the wasm engine is checked.
 *
 * Role: the entry points of the model. Each packet event is checked (valid time, not before the QP's last event), then all
 * earlier timers expire, then the event takes effect. The machine itself is in `machine.ts`.
 *
 * Inputs: sent(time, length), cnp(time), touch(time), advance(time). State: `increase.ts`.
 *
 *   next send = t + ceil(8e12 length / R_C)            the limiter's gap after a packet, picoseconds
 *   deadline  = min(increase timer unless it can change nothing any more, cut check if a cut is pending)
 *
 * `simultaneous` decides whether timers precede a packet event of the same instant; touch and advance always expire
 * all timers up to and including their time. On an unlimited QP only a CNP has an effect.
 *
 * Citation: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3.
 * Known deviations: times are whole picoseconds; see also `machine.ts`.
 */
import { OUTCOME_ACK, OUTCOME_ACK_NOT_USED, OUTCOME_CNP_HANDLED, OUTCOME_CREDIT_NOT_USED, OUTCOME_LOSS_NOT_USED,
  OUTCOME_SENT, OUTCOME_TOUCHED } from '../../../abi/codes.js';
import type { DcqcnParameters } from '../../../config/algorithms/dcqcn.js';
import { EventOrder, rejectionOutcome, type LatePolicy } from '../ack.js';
import { DcqcnMachine, type DcqcnObservers, increaseIsFrozen } from './machine.js';
import type { DcqcnState } from './increase.js';

export interface DcqcnModelOptions extends DcqcnObservers {
  /** Treatment of an event older than the QP's last one; default `reject`. */
  readonly latePolicy?: LatePolicy;
  /** `off` executes every single expiry, at any cost; default `on`. */
  readonly shortcuts?: 'on' | 'off';
}

/**
 * DCQCN's reaction point for one QP (Zhu et al., SIGCOMM 2015, section 3).
 *
 * Times are picoseconds, 0 to 2^53 - 1. The parameters must have been validated. Methods return an `OUTCOME_*` code of
 * `abi/codes.ts` and never throw; a rejected event changes nothing.
 */
export class DcqcnModel {
  /** DCQCN does not read the hops that a Fast CNP reports. */
  readonly readsHops = false;
  readonly #parameters: DcqcnParameters;
  readonly #order: EventOrder;
  readonly #machine: DcqcnMachine;
  #rateBeforeEventBps: number;

  constructor(parameters: DcqcnParameters, options: DcqcnModelOptions = {}) {
    this.#parameters = parameters;
    this.#order = new EventOrder(options.latePolicy ?? 'reject');
    this.#machine = new DcqcnMachine(parameters, options.shortcuts ?? 'on', options);
    this.#rateBeforeEventBps = this.#machine.state.rateBps;
  }

  /** The live state, not a copy. */
  get state(): Readonly<DcqcnState> {
    return this.#machine.state;
  }

  /** Alpha as a real number, 0..1, under every numeric policy. */
  get alphaFraction(): number {
    return this.#machine.state.alpha / this.#machine.arithmetic.alphaUnit;
  }

  /** Number of timer expiries and byte-counter steps executed, not counting skipped ones. */
  get timerSteps(): number {
    return this.#machine.timerSteps;
  }

  /** Number of late events that were moved to the time of the QP's last event. */
  get lateClamped(): number {
    return this.#order.lateClamped;
  }

  /** R_C just before the last packet event, after earlier timers; a different R_C now is the effect of that event. */
  get rateBeforeEventBps(): number {
    return this.#rateBeforeEventBps;
  }

  /** Resumes from the state of another model with the same parameters. */
  resume(state: Readonly<DcqcnState>): void {
    this.#machine.resume(state);
  }

  /** A data packet of `lenBytes` on the wire was sent. Returns OUTCOME_SENT, or why the event was rejected. */
  sent(timePs: number, lenBytes: number): number {
    const rejection = this.timeRejection(timePs);
    if (rejection !== undefined) return rejection;
    if (!this.#machine.state.limited) return OUTCOME_SENT;
    const effectivePs = this.#admit(timePs);
    this.#expireBeforeEvent(effectivePs);
    if (this.#machine.state.limited) this.#machine.countBytes(effectivePs, lenBytes);
    const state = this.#machine.state;
    if (state.limited) state.nextSendPs = effectivePs + Math.ceil((lenBytes * 8e12) / state.rateBps);
    state.lastEventPs = effectivePs;
    return OUTCOME_SENT;
  }

  /** A CNP or an accepted Fast CNP arrived. Returns OUTCOME_CNP_HANDLED, or why it was rejected. */
  cnp(timePs: number): number {
    const rejection = this.cnpRejection(timePs);
    if (rejection !== undefined) return rejection;
    const effectivePs = this.#admit(timePs);
    this.#expireBeforeEvent(effectivePs);
    if (this.#machine.state.limited) this.#machine.takeLaterCnp(effectivePs);
    else this.#machine.takeFirstCnp(effectivePs);
    this.#machine.state.lastEventPs = effectivePs;
    return OUTCOME_CNP_HANDLED;
  }

  /** Applies everything that is due up to and including this time. Returns OUTCOME_TOUCHED, or why it was rejected. */
  touch(timePs: number): number {
    const rejection = this.timeRejection(timePs);
    if (rejection !== undefined) return rejection;
    if (!this.#machine.state.limited) return OUTCOME_TOUCHED;
    const effectivePs = this.#admit(timePs);
    this.#machine.expireUntil(effectivePs);
    this.#machine.state.lastEventPs = effectivePs;
    return OUTCOME_TOUCHED;
  }

  /** Like `touch`, but ignores a time before the QP's last event under any policy. */
  advance(timePs: number): number {
    return rejectionOutcome(timePs, this.#lastTimerPs) ?? this.touch(timePs);
  }

  /** DCQCN ignores ACKs. */
  ack(): number {
    return OUTCOME_ACK_NOT_USED;
  }

  /** DCQCN ignores losses. */
  loss(): number {
    return OUTCOME_LOSS_NOT_USED;
  }

  /** DCQCN ignores NACKs. */
  nack(): number {
    return OUTCOME_LOSS_NOT_USED;
  }

  /** DCQCN has no credit. */
  credit(): number {
    return OUTCOME_CREDIT_NOT_USED;
  }

  /** DCQCN ignores traces echoed in ACK frames. */
  echo(): number {
    return OUTCOME_ACK;
  }

  /** The earliest time at which the rate can change without an event, picoseconds; Infinity if it can't. */
  nextDeadlinePs(): number {
    const state = this.#machine.state;
    if (!state.limited) return Infinity;
    const cutPs = state.cutPending ? state.nextCutPs : Infinity;
    if (increaseIsFrozen(this.#parameters, this.#machine.arithmetic, state, 'timeStage')) return cutPs;
    return Math.min(state.nextIncreasePs, cutPs);
  }

  /** Why a sent or touch event at this time would be rejected, if it would be. Changes nothing. */
  timeRejection(timePs: number): number | undefined {
    return this.#order.rejection(timePs, this.#lastTimerPs);
  }

  /** Like `timeRejection` for a CNP, which has an effect also on an unlimited QP. */
  cnpRejection(timePs: number): number | undefined {
    return this.#order.rejection(timePs, this.#machine.state.lastEventPs);
  }

  /** Time before which an event is late. On an unlimited QP only CNPs can be late. */
  get #lastTimerPs(): number {
    const { limited, lastEventPs } = this.#machine.state;
    return limited ? lastEventPs : 0;
  }

  #admit(timePs: number): number {
    return this.#order.admit(timePs, this.#machine.state.lastEventPs);
  }

  #expireBeforeEvent(timePs: number): void {
    const timersFirst = this.#parameters.simultaneous === 'timers-first';
    this.#machine.expireUntil(timersFirst ? timePs : timePs - 1);
    this.#rateBeforeEventBps = this.#machine.state.rateBps;
  }
}

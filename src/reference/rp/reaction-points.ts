/**
 * Reaction points for the `js` backend, for any algorithm: the counterpart of `assembly/rp/reaction-point.ts` for the
 * models of `src/reference/algorithms`.
 */
import { CAUSE_ACK, CAUSE_LOSS, OUTCOME_ACK, OUTCOME_ACK_APPLIED, OUTCOME_ACK_NOT_USED, OUTCOME_ACK_NO_SIGNAL,
  OUTCOME_BAD_TIME, OUTCOME_CNP_HANDLED, OUTCOME_CNP_NOT_USED, OUTCOME_CREDIT_APPLIED, OUTCOME_CREDIT_NOT_USED,
  OUTCOME_LOSS_APPLIED, OUTCOME_LOSS_NOT_USED, OUTCOME_SENT, OUTCOME_TOUCHED, OUTCOME_UNKNOWN_KIND,
  QP_LIMITED } from '../../abi/codes.js';
import { loadHops, loadRecord, saveHops, saveRecord } from '../../abi/state/ack-states.js';
import { ALGORITHM_OF, isCustom, type CustomParameters } from '../../config/algorithms/custom/custom-parameters.js';
import { ALGORITHMS, readsAcks, type AlgorithmParameters,
  type AckParameters } from '../../config/algorithms/registry.js';
import { RoceError } from '../../errors.js';
import { isEventTime, type Ack, type AckOutcome, type Nack, EventOrder, rejectionOutcome, type LatePolicy,
  type RateTracer } from '../algorithms/ack.js';
import { DcqcnModel } from '../algorithms/dcqcn/model.js';
import type { HpccPpTelemetry } from '../algorithms/hpcc-pp/hops.js';
import { makeModel, type AckModel } from '../algorithms/registry.js';

/** The model of a QP's reaction point. */
export type ReactionPoint = DcqcnModel | AckController;

/** A reaction point in its initial state; `tracer` receives each rate change. */
export function makeReactionPoint(parameters: AlgorithmParameters, latePolicy: LatePolicy,
  tracer?: RateTracer): ReactionPoint {
  if (isCustom(parameters)) throw unsupportedHere(parameters);
  if (readsAcks(parameters, ALGORITHMS)) return new AckController(parameters, { latePolicy, tracer });
  return new DcqcnModel(parameters, { latePolicy, tracer });
}

/** The error for custom algorithms: they need a WebAssembly function table, which this backend doesn't have. */
function unsupportedHere(parameters: CustomParameters): RoceError {
  const { name } = parameters[ALGORITHM_OF];
  return new RoceError('unsupported', {
    what: `the custom algorithm ${name}`,
    problem: 'runs on the wasm backend only',
    got: 'js',
    allowed: ['wasm'],
    where: 'options.backend',
  });
}

export interface AckControllerOptions {
  readonly latePolicy: LatePolicy;
  /** Receives each rate change. */
  readonly tracer?: RateTracer | undefined;
}

/** A QP under an algorithm that reacts to ACKs: its model, the order of events, and outcomes. */
export class AckController {
  readonly #algorithm: AckParameters['algorithm'];
  readonly #model: AckModel;
  readonly #order: EventOrder;
  readonly #tracer: RateTracer | undefined;
  #rateBeforeEventBps: number;

  constructor(parameters: AckParameters, { latePolicy, tracer }: AckControllerOptions) {
    this.#algorithm = parameters.algorithm;
    this.#model = makeModel(parameters);
    this.#order = new EventOrder(latePolicy);
    this.#tracer = tracer;
    if (tracer) this.#model.traceWith(tracer);
    this.#rateBeforeEventBps = this.#model.rateBps;
  }

  /** Values that every reaction point reports. */
  get state(): { readonly rateBps: number; readonly lastEventPs: number } {
    const { rateBps, state: { lastEventPs } } = this.#model;
    return { rateBps, lastEventPs };
  }

  /** QP_* bits, except QP_OPEN: limited from the start. */
  get flags(): number {
    return QP_LIMITED;
  }

  /** Number of timer steps. */
  get timerSteps(): number {
    return this.#model.timerSteps ?? 0;
  }

  /**
   * Whether another packet may be sent: the window, in whole bytes, allows it or is 0, i.e. absent (docs/specs/reference.md,
   * section 2); with receiver credit, there is credit (docs/specs/uet-reference.md, 5.1).
   */
  maySend(inFlightBytes: number): boolean {
    const { windowBytes, hasCredit } = this.#model;
    return hasCredit ?? (windowBytes === 0 || inFlightBytes < Math.max(1, Math.floor(windowBytes)));
  }

  get lateClamped(): number {
    return this.#order.lateClamped;
  }

  get rateBeforeEventBps(): number {
    return this.#rateBeforeEventBps;
  }

  sent(timePs: number, lenBytes: number): number {
    return this.#inOrder(timePs, (effectivePs) => {
      this.#model.onSent(effectivePs, lenBytes);
      // A rate change here is the effect of a timer: sent packets change no rate.
      this.#rateBeforeEventBps = this.#model.rateBps;
      return OUTCOME_SENT;
    });
  }

  /** Applies an ACK; `ack` is undefined if the event has no record. */
  ack(timePs: number, ack: Omit<Ack, 'timePs'> | undefined): number {
    if (!ack) return OUTCOME_UNKNOWN_KIND;
    return this.#inOrder(timePs,
      (effectivePs) => this.#acknowledged(effectivePs, this.#model.onAck({ ...ack, timePs: effectivePs })));
  }

  /** Applies an ACK frame with a trace, which `readTelemetry` reads. */
  echo(timePs: number, readTelemetry: () => HpccPpTelemetry | undefined): number {
    const onEcho = this.#model.onEcho?.bind(this.#model);
    if (!onEcho) return OUTCOME_ACK;
    if (!isEventTime(timePs)) return OUTCOME_BAD_TIME;
    const telemetry = readTelemetry();
    if (!telemetry) return OUTCOME_ACK;
    return this.#inOrder(timePs, (effectivePs) => this.#acknowledged(effectivePs, onEcho(effectivePs, telemetry)));
  }

  #acknowledged(timePs: number, result: AckOutcome): number {
    if (result === 'no-signal') return OUTCOME_ACK_NO_SIGNAL;
    this.#report(timePs, CAUSE_ACK);
    return result === 'skipped' ? OUTCOME_ACK_NOT_USED : OUTCOME_ACK_APPLIED;
  }

  loss(timePs: number, found: 'fast' | 'timeout'): number {
    return this.#inOrder(timePs, (effectivePs) => {
      if (!this.#model.onLoss) return OUTCOME_LOSS_NOT_USED;
      this.#model.onLoss(effectivePs, found);
      this.#report(effectivePs, CAUSE_LOSS);
      return OUTCOME_LOSS_APPLIED;
    });
  }

  /** Applies a NACK, undefined if the event has no record. An algorithm without NACKs treats a trimmed packet as lost. */
  nack(timePs: number, nack: Omit<Nack, 'timePs'> | undefined): number {
    if (!nack) return OUTCOME_UNKNOWN_KIND;
    if (!this.#model.onNack) return this.loss(timePs, 'fast');
    return this.#inOrder(timePs, (effectivePs) => {
      this.#model.onNack?.({ ...nack, timePs: effectivePs });
      this.#report(effectivePs, CAUSE_LOSS);
      return OUTCOME_LOSS_APPLIED;
    });
  }

  /** Applies credit; `pullNumber` is undefined if the event has no record. */
  credit(timePs: number, pullNumber: number | undefined): number {
    const onCredit = this.#model.onCredit?.bind(this.#model);
    if (!onCredit) return OUTCOME_CREDIT_NOT_USED;
    if (pullNumber === undefined) return OUTCOME_UNKNOWN_KIND;
    return this.#inOrder(timePs,
      (effectivePs) =>
        onCredit(effectivePs, pullNumber) === 'update' ? OUTCOME_CREDIT_APPLIED : OUTCOME_CREDIT_NOT_USED);
  }

  /** The pull number to request from the receiver; NaN if the algorithm has no credit. */
  pullTarget(backlogBytes: number, senders: number): number {
    return this.#model.pullTarget?.(backlogBytes, senders) ?? NaN;
  }

  /** Whether the algorithm reads the hops reported by Fast CNPs. */
  get readsHops(): boolean {
    return this.#model.onNotification !== undefined;
  }

  /** Applies a CNP or a Fast CNP. */
  cnp(timePs: number, source: 'fast-cnps' | 'cnps' = 'cnps', telemetry?: HpccPpTelemetry): number {
    const rejection = this.cnpRejection(timePs);
    if (rejection !== undefined || !this.#model.onNotification) return rejection ?? OUTCOME_CNP_NOT_USED;
    const effectivePs = this.#admit(timePs);
    const result = this.#model.onNotification(effectivePs, source, telemetry);
    if (result === 'no-signal') return OUTCOME_CNP_NOT_USED;
    this.#report(effectivePs, 'notification');
    return result === 'skipped' ? OUTCOME_CNP_NOT_USED : OUTCOME_CNP_HANDLED;
  }

  cnpRejection(timePs: number): number | undefined {
    if (this.#model.onNotification) return this.#order.rejection(timePs, this.#model.state.lastEventPs);
    return isEventTime(timePs) ? OUTCOME_CNP_NOT_USED : OUTCOME_BAD_TIME;
  }

  touch(timePs: number): number {
    return this.#inOrder(timePs, (effectivePs) => {
      this.#model.onTouch(effectivePs);
      return OUTCOME_TOUCHED;
    });
  }

  advance(timePs: number): number {
    return rejectionOutcome(timePs, this.#model.state.lastEventPs) ?? this.touch(timePs);
  }

  /** Next time when the rate can change without an event; most algorithms have no timers. */
  nextDeadlinePs(): number {
    return this.#model.nextDeadlinePs ?? Infinity;
  }

  /** Writes the QP's record, and its stored hops. */
  save(view: DataView, at: number, hopsAt: number): void {
    const { rateBps, windowBytes, state } = this.#model;
    const values = { ...state, rateBps, windowBytes };
    saveRecord(view, at, this.#algorithm, values);
    saveHops(view, hopsAt, this.#algorithm, values, hopsOf(state));
  }

  /** Resumes from a record written by `save`. */
  load(view: DataView, at: number, hopsAt: number): void {
    const values = loadRecord(view, at, this.#algorithm);
    const room = hopsOf(this.#model.state).length;
    this.#model.resume({ ...values, ...loadHops(view, hopsAt, this.#algorithm, room) });
    this.#rateBeforeEventBps = this.#model.rateBps;
  }

  /** Runs an event at the time at which it takes effect, unless it is rejected. */
  #inOrder(timePs: number, event: (effectivePs: number) => number): number {
    return this.#order.rejection(timePs, this.#model.state.lastEventPs) ?? event(this.#admit(timePs));
  }

  #admit(timePs: number): number {
    this.#rateBeforeEventBps = this.#model.rateBps;
    return this.#order.admit(timePs, this.#model.state.lastEventPs);
  }

  /** Reports an accepted event, which may have changed the rate. */
  #report(timePs: number, cause: number | 'notification'): void {
    this.#tracer?.changed(timePs, cause, this.#model.rateBps);
  }
}

/** The hop records in a model's state. */
function hopsOf(state: object): readonly object[] {
  return 'hops' in state ? (state.hops as readonly object[]) : [];
}

/**
 * HPCC++'s sender, one QP: the readable model.
 *
 * Role: HPCC's core, driven by three kinds of signals. Each event is checked, due recovery steps are applied, then:
 *
 *   signal                          effect
 *   ACK event with exact records    as HPCC, hops matched by identity; full update by sequence numbers, or by the timer
 *   trace of an ACK frame           the same, by the timer: frames do not carry sndNxt
 *   Fast CNP with readable records  u at least notifiedUtilization; full update by the timer
 *   CNP, other Fast CNP             u = notifiedUtilization; full update by the timer
 *   disabled sources                none
 *
 * The timer allows a full update once T has passed since the last one. A full update by a notification also blocks those by
 * ACKs for T, so that one congestion event does not change the reference twice.
 *
 *   u is that of the busiest hop, smoothed; after a notification at least notifiedUtilization
 *   incomplete (a hop is only estimated, or missing) and u < eta: no effect; such a signal may only lower the rate
 *   else HPCC's step from Qc; a full update commits, and a cut also stores the old Qc as the target of recovery
 *
 * Every signal with an effect restarts recovery.
 *
 * Citation: Li et al., SIGCOMM 2019, algorithm 1; draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4; docs/reference/sources.md, HPCC++.
 */
import { PLUS_HOPS } from '../../../abi/ack-layout.js';
import { CAUSE_TIME } from '../../../abi/codes.js';
import type { HpccPpHop, HpccPpState } from '../../../abi/state/hpcc.js';
import * as trace from '../../../abi/trace-layout.js';
import { hpccCoreOf, type HpccPpParameters } from '../../../config/algorithms/hpcc-pp.js';
import type { HpccParameters } from '../../../config/algorithms/hpcc.js';
import { omit } from '../../../config/field-rules.js';
import { beginsRoundTrip, eventRejection, moveMark, type Ack, type AckOutcome, type EventOutcome,
  type RateTracer } from '../ack.js';
import type { HopSample } from '../hpcc/hops.js';
import { initialHpccState, applyQuantity, limitsOf, busiestOf, commit, decideStep, describeStep, smooth,
  type Busiest } from '../hpcc/model.js';
import { roundRate } from '../rate-numbers.js';
import { RateSender } from '../sender-frame.js';
import { estimate, findHop, keepHop, kindOf, measureKnown, nameHop, placeForHop, type HpccPpMeasure, type HpccPpSignal,
  type HpccPpTelemetry } from './hops.js';

/** The state of a QP that has sent nothing: at line rate, u = 1, no known hops. */
function initialHpccPpState(parameters: HpccPpParameters): HpccPpState {
  const core = omit(initialHpccState(hpccCoreOf(parameters)), 'hops');
  const hop: HpccPpHop = { time: 0, txBytes: 0, qlen: 0, seenPs: 0, kind: 0, hopId: 0, portId: 0 };
  return {
    ...core,
    hops: Array.from({ length: PLUS_HOPS }, () => ({ ...hop })),
    nextFullPs: 0,
    heldUntilPs: 0,
    nextRecoveryPs: Infinity,
    target: core.committed,
    recoverySteps: 0,
  };
}

/*
 * Rate recovery of a QP under HPCC++. Without congestion no switch sends a Fast CNP, and without telemetry in ACKs nothing
 * else would raise the rate.
 *
 *   begins    recoveryAfterPs after the last signal, then one step per recoveryPeriodPs, until the line rate is reached
 *   steps     1 to F: Q = (Q + Q_target) / 2, as DCQCN's fast recovery; then Q = Q + Q_AI, as HPCC's additive step
 *   target    the reference before the last cut, at least the present reference and the quantity in use
 *
 * Each step commits: Qc = Q. Steps are applied lazily, when the QP is touched, with the same result as eager ones. After at
 * most F + (maximum - minimum) / Q_AI + 1 steps none is due any more.
 *
 * Source: Zhu et al., SIGCOMM 2015, section 5 (fast recovery, timer); Li et al., SIGCOMM 2019, algorithm 1 (W_AI).
 */

const STEPS_MAX = 65_535;

/** Q, the controlled quantity in use. */
function quantityInUse({ primary }: Pick<HpccParameters, 'primary'>, state: Readonly<HpccPpState>): number {
  return primary === 'rate' ? state.rateBps : state.windowBytes;
}

/** Restarts recovery after a signal, if the rate is below the line rate. */
export function armRecovery(parameters: HpccPpParameters, core: HpccParameters, state: HpccPpState,
  timePs: number): void {
  const { maximum } = limitsOf(core);
  const isWhole = state.committed >= maximum && quantityInUse(core, state) >= maximum;
  state.recoverySteps = 0;
  state.nextRecoveryPs = parameters.recoveryPeriodPs === 0 || isWhole ? Infinity : timePs + parameters.recoveryAfterPs;
}

/** Applies the steps that are due up to and including a time, and reports each to `tracer`. @returns their number. */
export function recover(parameters: HpccPpParameters, core: HpccParameters, state: HpccPpState, timePs: number,
  tracer?: RateTracer): number {
  let steps = 0;
  while (state.nextRecoveryPs <= timePs) {
    const more = step(parameters, core, state, tracer);
    state.nextRecoveryPs = more ? state.nextRecoveryPs + parameters.recoveryPeriodPs : Infinity;
    steps += 1;
  }
  return steps;
}

/** @returns whether a further step would change anything. */
function step(parameters: HpccPpParameters, core: HpccParameters, state: HpccPpState,
  tracer: RateTracer | undefined): boolean {
  const { maximum, increment } = limitsOf(core);
  const before = quantityInUse(core, state);
  if (state.recoverySteps === 0) state.target = Math.max(state.target, state.committed, before);
  const isFast = state.recoverySteps < parameters.fastRecoverySteps;
  const raised = isFast ? roundRate(core.numbers, (before + state.target) / 2) : before + increment;
  const quantity = Math.min(raised, maximum);
  state.recoverySteps = Math.min(state.recoverySteps + 1, STEPS_MAX);
  state.committed = quantity;
  applyQuantity(core, state, quantity);
  const reason = isFast ? trace.TRACE_RECOVERY_HALFWAY : trace.TRACE_RECOVERY_ADDITIVE;
  const detail = core.primary === 'rate' ? 0 : trace.TRACE_DETAIL_WINDOW;
  tracer?.describe(reason, [state.target, state.recoverySteps], detail);
  tracer?.changed(state.nextRecoveryPs, CAUSE_TIME, state.rateBps);
  return quantity < maximum && (isFast || increment > 0);
}

const NO_HOPS: Busiest & { readonly complete: boolean } = { ...busiestOf([]), complete: false };

/** HPCC++'s sender for one QP. The parameters must have been validated. Methods never throw. */
export class HpccPpModel extends RateSender<HpccPpParameters, HpccPpState> {
  readonly #core: HpccParameters;
  #timerSteps = 0;

  constructor(parameters: HpccPpParameters) {
    const core = hpccCoreOf(parameters);
    super(parameters, initialHpccPpState(parameters), core.sendGap);
    this.#core = core;
  }

  get windowBytes(): number {
    return this.live.windowBytes;
  }

  /** Next time when the rate can change without an event, picoseconds. */
  get nextDeadlinePs(): number {
    return this.live.nextRecoveryPs;
  }

  /** Number of recovery steps so far. */
  get timerSteps(): number {
    return this.#timerSteps;
  }

  /** Applies the recovery steps that are due before an event at that time. */
  protected override admit(timePs: number): EventOutcome {
    const outcome = super.admit(timePs);
    if (outcome === 'handled') {
      this.#timerSteps += recover(this.parameters, this.#core, this.live, timePs, this.tracer);
    }
    return outcome;
  }

  protected takeAck(ack: Ack): AckOutcome {
    const { timePs, telemetry } = ack;
    if (telemetry?.kind !== 'exact') return 'no-signal';
    const numbered = this.parameters.clock === 'acks' ? ack : undefined;
    return this.#onSignal({ timePs, telemetry, notified: false }, 'acks', numbered);
  }

  /** An ACK frame echoed telemetry. */
  onEcho(timePs: number, telemetry: HpccPpTelemetry): AckOutcome {
    return this.#onSignal({ timePs, telemetry, notified: false }, 'acks');
  }

  /** A CNP, or a Fast CNP with or without readable telemetry, arrived. */
  onNotification(timePs: number, source: 'fast-cnps' | 'cnps', telemetry: HpccPpTelemetry | undefined): AckOutcome {
    const rejection = eventRejection(timePs, this.live.lastEventPs);
    if (rejection !== undefined) return rejection;
    const isBare = telemetry === undefined || telemetry.hops.length === 0;
    const used = isBare || source === 'cnps' ? 'cnps' : 'fast-cnps';
    if (!this.parameters.signalSources.includes(used)) return 'no-signal';
    return this.#onSignal({ timePs, telemetry: isBare ? undefined : telemetry, notified: true }, used);
  }

  /** Applies due recovery steps, then the signal; `numbered`: the ACK whose sequence numbers decide on a full update. */
  #onSignal(signal: HpccPpSignal, source: 'acks' | 'fast-cnps' | 'cnps', numbered?: Ack): AckOutcome {
    const rejection = this.admit(signal.timePs);
    if (rejection !== 'handled') return rejection;
    const { signalSources, sequence, fastReact } = this.parameters;
    if (!signalSources.includes(source)) return 'skipped';
    const state = this.live;
    const full = numbered ?
      beginsRoundTrip(sequence, state, numbered.ackSeq) && signal.timePs >= state.heldUntilPs :
      signal.timePs >= state.nextFullPs;
    if (!full && !fastReact) return 'skipped';
    this.#take(signal, full);
    if (full && numbered) moveMark(sequence, state, numbered.sndNxt);
    return full ? 'update' : 'fast';
  }

  /** Applies a signal to rate and state. */
  #take(signal: HpccPpSignal, full: boolean): void {
    const { timePs, notified } = signal;
    const state = this.live;
    if (!this.#react(signal, full)) return;
    if (full) state.nextFullPs = timePs + this.#core.baseRttPs;
    if (full && notified) state.heldUntilPs = state.nextFullPs;
    armRecovery(this.parameters, this.#core, state, timePs);
  }

  /** @returns whether the signal had an effect. */
  #react(signal: HpccPpSignal, full: boolean): boolean {
    const { targetUtilization } = this.parameters;
    const core = this.#core;
    const state = this.live;
    const busiest = this.#busiest(signal);
    if (!busiest.counted && !signal.notified) return false;
    const utilization = this.#smoothed(busiest, signal.notified);
    const normalized = utilization / targetUtilization;
    if (!busiest.complete && normalized < 1) return false;
    state.utilization = utilization;
    const step = decideStep(core, limitsOf(core), state, normalized);
    if (this.tracer) describeStep(this.tracer, core, state, step, { utilization, hop: busiest.hop, full });
    if (full && step.quantity < state.committed) state.target = state.committed;
    if (full) commit(state, step);
    applyQuantity(core, state, step.quantity);
    return true;
  }

  #smoothed({ counted, utilization, tauNs }: Busiest, notified: boolean): number {
    const smoothed = counted ? smooth(this.#core, this.live.utilization, utilization, tauNs) : 0;
    return notified ? Math.max(smoothed, this.parameters.notifiedUtilization) : smoothed;
  }

  /** The hop with the largest u' of those that are not ignored; complete if no hop is missing or only estimated. */
  #busiest({ telemetry, timePs, notified }: HpccPpSignal): typeof NO_HOPS {
    if (telemetry === undefined) return NO_HOPS;
    this.#forgetOtherPath(telemetry);
    const inspected = telemetry.hops.slice(0, PLUS_HOPS);
    const found = inspected.map((sample, place) => this.#measure(telemetry, sample, place, timePs, notified));
    const isWhole = telemetry.partial !== true && inspected.length === telemetry.hops.length;
    const complete = isWhole && found.every((measure) => measure !== 'unknown' && measure?.complete !== false);
    return { ...busiestOf(found.map((measure) => (measure === 'unknown' ? undefined : measure))), complete };
  }

  #measure(telemetry: HpccPpTelemetry, sample: HopSample, place: number, timePs: number, notified: boolean):
    | HpccPpMeasure
    | 'unknown'
    | undefined {
    if (!(sample.lineRateBps > 0)) return 'unknown';
    const state = this.live;
    const kind = kindOf(telemetry);
    const known = findHop(state.hops, state.hopCount, kind, sample, place);
    if (known) return measureKnown(this.parameters, known, telemetry, sample, timePs);
    const index = placeForHop(state.hops, state.hopCount);
    nameHop(state.hops[index], kind, sample, place);
    keepHop(state.hops[index], sample, timePs);
    state.hopCount = Math.max(state.hopCount, index + 1);
    return notified ? estimate(this.parameters, sample.lineRateBps, sample.qlenBytes) : 'unknown';
  }

  /** Removes the hops of another path, if records name their path. */
  #forgetOtherPath(telemetry: HpccPpTelemetry): void {
    const pathId = telemetry.kind === 'exact' ? (telemetry.pathId ?? 0) : 0;
    if (pathId === 0) return;
    if (this.parameters.pathChange === 'reset' && pathId !== this.live.pathId) this.live.hopCount = 0;
    this.live.pathId = pathId;
  }
}

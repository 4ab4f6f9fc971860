/**
 * HPCC++'s sender, one QP: the readable model.
 *
 * Role: HPCC's core behind three kinds of signals. Each event is checked, recovery that is due is applied, then:
 *
 *   signal                          what happens
 *   ACK event with exact records    as HPCC, hops known by identity; full update by sequence numbers, or by the timer
 *   trace of an ACK frame           the same by the timer: frames do not state sndNxt
 *   Fast CNP with readable records  u at least that of a notification; full update by the timer
 *   CNP, other Fast CNP             u is that of a notification; full update by the timer
 *   sources that are not used       nothing
 *
 * The timer: a full update may come once T has passed since the last one. One by a notification holds off those by ACKs as
 * long, so that one congestion does not move the reference twice.
 *
 *   u of the busiest hop, smoothed; notified: at least notifiedUtilization
 *   incomplete (a hop that was only estimated, or is missing) and u < eta: nothing; it may lower the rate, not raise it
 *   else HPCC's step from Qc; a full update commits, and notes the old Qc as target when it cuts
 *
 * Any outcome but "nothing" is news, and restarts recovery (recovery.ts).
 *
 * Citation: Li et al., SIGCOMM 2019, algorithm 1; draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4; docs/reference/sources.md, HPCC++.
 */
import type { HpccPpState } from '../../../abi/state/hpcc-pp.js';
import { PLUS_HOPS } from '../../../abi/ack-layout.js';
import type { HpccParameters } from '../../../config/algorithms/hpcc/parameters.js';
import { hpccCoreOf, type HpccPpParameters } from '../../../config/algorithms/hpcc-pp/parameters.js';
import { beginsRoundTrip, eventRejection, moveMark, type Ack, type AckOutcome, type EventOutcome } from '../ack.js';
import { estimate, findHop, keepHop, kindOf, measureKnown, nameHop, placeForHop, type HpccPpMeasure, type HpccPpSignal,
  type HpccPpTelemetry } from './hops.js';
import { armRecovery, recover } from './recovery.js';
import { initialHpccPpState } from './state.js';
import type { HopSample } from '../hpcc/hops.js';
import { applyQuantity, busiestOf, commit, decideStep, describeStep, limitsOf, smooth,
  type Busiest } from '../hpcc/update.js';
import { RateSender } from '../sender-frame.js';

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

  /** When the rate can next change without an event, picoseconds. */
  get nextDeadlinePs(): number {
    return this.live.nextRecoveryPs;
  }

  /** Steps of recovery so far. */
  get timerSteps(): number {
    return this.#timerSteps;
  }

  /** Applies what was due by a time, before an event at that time. */
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

  /** The telemetry that an ACK frame echoes. */
  onEcho(timePs: number, telemetry: HpccPpTelemetry): AckOutcome {
    return this.#onSignal({ timePs, telemetry, notified: false }, 'acks');
  }

  /** A CNP, or a Fast CNP with or without readable telemetry. */
  onNotification(timePs: number, source: 'fast-cnps' | 'cnps', telemetry: HpccPpTelemetry | undefined): AckOutcome {
    const rejection = eventRejection(timePs, this.live.lastEventPs);
    if (rejection !== undefined) return rejection;
    const isBare = telemetry === undefined || telemetry.hops.length === 0;
    const used = isBare || source === 'cnps' ? 'cnps' : 'fast-cnps';
    if (!this.parameters.signalSources.includes(used)) return 'no-signal';
    return this.#onSignal({ timePs, telemetry: isBare ? undefined : telemetry, notified: true }, used);
  }

  /** Applies what is due, then the signal; `numbered`: the ACK whose sequence numbers say when the reference moves. */
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

  /** Moves rate and state by a signal. */
  #take(signal: HpccPpSignal, full: boolean): void {
    const { timePs, notified } = signal;
    const state = this.live;
    if (!this.#react(signal, full)) return;
    if (full) state.nextFullPs = timePs + this.#core.baseRttPs;
    if (full && notified) state.heldUntilPs = state.nextFullPs;
    armRecovery(this.parameters, this.#core, state, timePs);
  }

  /** @returns whether it was news. */
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

  /** The hop with the largest u', over all hops that count; complete if nothing is missing or only estimated. */
  #busiest({ telemetry, timePs, notified }: HpccPpSignal): typeof NO_HOPS {
    if (telemetry === undefined) return NO_HOPS;
    this.#forgetOtherPath(telemetry);
    const looked = telemetry.hops.slice(0, PLUS_HOPS);
    const found = looked.map((sample, place) => this.#measure(telemetry, sample, place, timePs, notified));
    const isWhole = telemetry.partial !== true && looked.length === telemetry.hops.length;
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

  /** Hops of another path are forgotten, where records name their path. */
  #forgetOtherPath(telemetry: HpccPpTelemetry): void {
    const pathId = telemetry.kind === 'exact' ? (telemetry.pathId ?? 0) : 0;
    if (pathId === 0) return;
    if (this.parameters.pathChange === 'reset' && pathId !== this.live.pathId) this.live.hopCount = 0;
    this.live.pathId = pathId;
  }
}

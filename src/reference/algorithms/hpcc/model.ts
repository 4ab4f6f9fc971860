/**
 * HPCC's sender, one QP: the readable model.
 *
 * Each event is checked (valid time, not before the QP's last event). An ACK is then classified:
 *
 *   case                                        effect
 *   ACK without readable telemetry              none
 *   ACK within the round trip, no fastReact     none
 *   first ACK                                   records stored; lastUpdateSeq = sndNxt
 *   more hops than records can hold             rate unchanged; a full update still moves lastUpdateSeq
 *   another path (`pathChange: 'reset'`)        records stored; rate and lastUpdateSeq stay, so the next ACK updates
 *   else                                        react; a full update commits and moves lastUpdateSeq
 *
 * A full update is an ACK with ackSeq > lastUpdateSeq, so one comes per round trip; then lastUpdateSeq = sndNxt.
 * HPCC ignores CNPs and losses. The reaction measures and smooths the utilisation, and derives a rate or window:
 *
 *   measure   u' per hop (hops.ts); busiest hop: u' strictly largest, above 0
 *   smooth    u = (u (T - tau) + u' tau) / T with tau = min(tau, T); or u = u (1 - beta) + u' beta
 *   decide    c = u / eta; c >= 1 or incStage >= maxStage: Q = Qc / c + Q_AI, stage 0; else Q = Qc + Q_AI, stage + 1;
 *             then at least its minimum, then at most its maximum
 *   commit    on a full update Qc = Q and the stage; else only Q changes
 *
 * With `multiRate` each hop smooths, decides and commits independently, and the smallest Q is used; a hop that this ACK
 * skips counts with its Qc. A full update also stores that smallest Q as the QP's Qc, which nothing reads.
 *
 * Sources: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, algorithm 1;
 * alibaba-edu/High-Precision-Congestion-Control at 9f4be2a.
 * Known deviations: on a first ACK with too many hops the simulator writes out of bounds; here the hops that fit are
 * stored. A quotient beyond 64 bits (u below 10^-8) gives the maximum; in C++ it is undefined.
 */
import type { HpccState, HpccHopState } from '../../../abi/state/hpcc.js';
import type { SendPace } from '../../../abi/state/state-record.js';
import * as trace from '../../../abi/trace-layout.js';
import type { HpccParameters } from '../../../config/algorithms/hpcc.js';
import { beginsRoundTrip, moveMark, type Ack, type AckOutcome, type RateTracer } from '../ack.js';
import { windowInUse, paceRateChange, roundRate } from '../rate-numbers.js';
import { RateSender, NO_ROUND_TRIP } from '../sender-frame.js';
import { MAX_EXACT_HOPS, MAX_INT64_HOPS, exactInterval, int64Interval, linkOf, measureInterval, rawLinkOf,
  type HopInterval, type HopMeasure, type Telemetry } from './hops.js';

/**
 * HPCC's sender for one QP. The parameters must have been validated.
 *
 * Methods never throw; a rejected event changes nothing.
 */
export class HpccModel extends RateSender<HpccParameters, HpccState> {
  #rateSet = false;

  constructor(parameters: HpccParameters) {
    super(parameters, initialHpccState(parameters), parameters.sendGap);
  }

  get windowBytes(): number {
    return this.live.windowBytes;
  }

  /** Whether the last ACK set the rate, perhaps to the same value. False for the first ACK, or if all hops were ignored. */
  get rateSet(): boolean {
    return this.#rateSet;
  }

  override onAck(ack: Ack): AckOutcome {
    this.#rateSet = false;
    return super.onAck(ack);
  }

  protected takeAck(ack: Ack): AckOutcome {
    const { telemetry } = ack;
    const hopCount = telemetryHops(this.parameters, telemetry);
    if (telemetry === undefined || hopCount === undefined) return 'no-signal';
    this.live.lastEventPs = ack.timePs;
    const full = beginsRoundTrip(this.parameters.sequence, this.live, ack.ackSeq);
    if (!full && !this.parameters.fastReact) return 'skipped';
    return this.#takeHops(ack.sndNxt, telemetry, hopCount, full);
  }

  #takeHops(sndNxt: number, telemetry: Telemetry, hopCount: number, full: boolean): AckOutcome {
    const parameters = this.parameters;
    const state = this.live;
    if (!state.started) {
      takeRecords(parameters, state, telemetry, hopCount);
      moveMark(parameters.sequence, state, sndNxt);
      return 'first';
    }
    if (hopCount <= hopLimit(parameters)) {
      if (parameters.pathChange === 'reset' && isNewPath(state, telemetry, hopCount)) {
        takeRecords(parameters, state, telemetry, hopCount);
        restartHops(parameters, state);
        return 'new-path';
      }
      this.#rateSet = react(parameters, state, telemetry, hopCount, full, this.tracer);
    }
    if (full) moveMark(parameters.sequence, state, sndNxt);
    return full ? 'update' : 'fast';
  }
}

/** Maximum number of hops for a QP with these parameters. */
export function hopLimit(parameters: HpccParameters): number {
  return parameters.records === 'exact' ? MAX_EXACT_HOPS : MAX_INT64_HOPS;
}

/** The state of a QP that has sent nothing: at line rate, u = 1 (as in the simulator). */
export function initialHpccState(parameters: HpccParameters): HpccState {
  const { primary, numbers, windowMode, windowBytes, maxRateBps } = parameters;
  const committed = primary === 'rate' ? maxRateBps : windowBytes;
  const hop = { time: 0, txBytes: 0, qlen: 0, hopId: 0, utilization: 1, committed, incStage: 0 };
  const rateBps = rateOf(parameters, committed);
  return {
    rateBps,
    windowBytes: primary === 'rate' ? windowInUse(windowMode, numbers, windowBytes, rateBps, maxRateBps) : windowBytes,
    committed,
    utilization: 1,
    incStage: 0,
    ...NO_ROUND_TRIP,
    hopCount: 0,
    pathId: 0,
    hops: Array.from({ length: hopLimit(parameters) }, () => ({ ...hop })),
  };
}

/** The rate that follows from the controlled quantity: the rate itself, or W / T up to the line rate. */
export function rateOf(parameters: HpccParameters, quantity: number): number {
  if (parameters.primary === 'rate') return quantity;
  const rateBps = (quantity * 8e12) / parameters.baseRttPs;
  return rateBps < parameters.maxRateBps ? rateBps : parameters.maxRateBps;
}

/** Parameters that decide on a step; shared with HPCC-PINT. */
export type StepParameters = Pick<HpccParameters, 'numbers' | 'maxStage'>;

/** Floor, cap and additive step of the controlled quantity, bits per second or bytes. */
export interface StepLimits {
  readonly minimum: number;
  readonly maximum: number;
  readonly increment: number;
}

/** A step's result. */
export interface Step {
  readonly quantity: number;
  readonly incStage: number;
  /** Whether Qc was divided by c; otherwise the step was only additive. */
  readonly multiplicative: boolean;
}

/** Reference of a QP or a hop: R_c (bits per second) or W_c (bytes), and the number of consecutive additive steps. */
export interface StepReference {
  committed: number;
  incStage: number;
}

/** One step of algorithm 1 from a reference. @param normalized c = u / eta. */
export function decideStep(parameters: StepParameters, limits: StepLimits, { committed, incStage }: StepReference,
  normalized: number): Step {
  const multiplicative = normalized >= 1 || incStage >= parameters.maxStage;
  const base = multiplicative ? roundRate(parameters.numbers, committed / normalized) : committed;
  const raised = base + limits.increment;
  const floored = raised > limits.minimum ? raised : limits.minimum;
  const quantity = floored < limits.maximum ? floored : limits.maximum;
  return { quantity, incStage: multiplicative ? 0 : incStage + 1, multiplicative };
}

/** Makes the step the new reference, on a full update. */
export function commit(reference: StepReference, { quantity, incStage }: Step): void {
  reference.committed = quantity;
  reference.incStage = incStage;
}

/** What caused a step, for the trace. */
export interface Occasion {
  /** The smoothed u. */
  readonly utilization: number;
  /** The busiest hop; undefined if no hop had any load. */
  readonly hop: MeasuredHop | undefined;
  readonly full: boolean;
}

/** A hop by its position on the path, and its u'; without u' it was ignored. */
export interface MeasuredHop {
  readonly place: number;
  readonly measure: HopMeasure | undefined;
}

const NO_MEASURE: HopMeasure = { utilization: 0, qlenBytes: 0, txRateBps: 0, lineRateBps: 0, tauNs: 0 };

/** Summary of a signal's hops. */
export interface Busiest {
  /** Whether at least one hop was not ignored. */
  readonly counted: boolean;
  readonly utilization: number;
  readonly tauNs: number;
  /** The busiest hop; undefined if no hop had any load. */
  readonly hop: MeasuredHop | undefined;
}

/** The hop with the largest u' above 0; of equal ones the first. */
export function busiestOf(measures: readonly (HopMeasure | undefined)[]): Busiest {
  let hop: MeasuredHop | undefined;
  let { utilization, tauNs } = NO_MEASURE;
  measures.forEach((measure, place) => {
    if (measure === undefined || !(measure.utilization > utilization)) return;
    ({ utilization, tauNs } = measure);
    hop = { place, measure };
  });
  return { counted: measures.some((measure) => measure !== undefined), utilization, tauNs, hop };
}

/** Describes a step to the tracer, before its reference changes; `step` is undefined if the reference stays. */
export function describeStep(tracer: RateTracer, { primary }: HpccParameters, reference: Readonly<StepReference>,
  step: Step | undefined, { utilization, hop, full }: Occasion): void {
  const { committed, incStage } = reference;
  const measure = hop?.measure ?? NO_MEASURE;
  const { qlenBytes, txRateBps, lineRateBps, tauNs } = measure;
  const direction = step?.multiplicative ? trace.TRACE_HPCC_MULTIPLICATIVE : trace.TRACE_HPCC_ADDITIVE;
  const unit = primary === 'rate' ? 0 : trace.TRACE_DETAIL_WINDOW;
  tracer.describe(step ? direction : trace.TRACE_HPCC_KEPT, [
    utilization,
    measure.utilization,
    qlenBytes,
    txRateBps,
    lineRateBps,
    tauNs,
    committed,
    incStage,
  ], unit | (full ? trace.TRACE_DETAIL_FULL : 0), hop?.place);
}

/** Number of hop records in the telemetry, including overwritten ones; undefined if it is of another kind. */
export function telemetryHops(parameters: HpccParameters, telemetry: Telemetry | undefined): number | undefined {
  if (telemetry?.kind !== parameters.records) return undefined;
  if (telemetry.kind === 'exact') return telemetry.hops.length;
  const enough = telemetry.hops.length >= Math.min(telemetry.hopCount, hopLimit(parameters));
  return enough ? telemetry.hopCount : undefined;
}

/** Stores all records of an ACK as the starting point. */
function takeRecords(parameters: HpccParameters, state: HpccState, telemetry: Telemetry, hopCount: number): void {
  state.hopCount = hopCount;
  state.pathId = pathIdOf(telemetry);
  const kept = Math.min(hopCount, hopLimit(parameters));
  for (let i = 0; i < kept; i += 1) {
    storeHop(state.hops[i], telemetry, i);
    state.hops[i].hopId = hopIdOf(telemetry, i);
  }
}

/** Whether the path differs from that of the stored records. */
export function isNewPath(state: Readonly<HpccState>, telemetry: Telemetry, hopCount: number): boolean {
  if (hopCount !== state.hopCount || pathIdOf(telemetry) !== state.pathId) return true;
  return state.hops.slice(0, hopCount).some((hop, i) => hop.hopId !== hopIdOf(telemetry, i));
}

/** Initialises the hops of a new path with u = 1 and the rate in use, so that the rate does not jump. */
export function restartHops(parameters: HpccParameters, state: HpccState): void {
  const committed = parameters.primary === 'rate' ? state.rateBps : state.windowBytes;
  for (const hop of state.hops) Object.assign(hop, { utilization: 1, committed, incStage: 0 });
}

/** Applies an ACK's telemetry to rate and state; a full update commits. Returns whether it set the rate. */
export function react(parameters: HpccParameters, state: HpccState, telemetry: Telemetry, hopCount: number,
  full: boolean, tracer?: RateTracer): boolean {
  const decide = parameters.multiRate ? slowestHop : busiestHop;
  const quantity = decide(parameters, state, telemetry, hopCount, full, tracer);
  if (quantity !== undefined) applyQuantity(parameters, state, quantity);
  return quantity !== undefined;
}

/** Floor, cap and additive step of the quantity that the parameters control. */
export function limitsOf(parameters: HpccParameters): StepLimits {
  const { primary, minRateBps, maxRateBps, aiRateBps, aiWindowBytes, windowBytes, baseRttPs } = parameters;
  if (primary === 'rate') return { minimum: minRateBps, maximum: maxRateBps, increment: aiRateBps };
  return { minimum: (minRateBps * baseRttPs) / 8e12, maximum: windowBytes, increment: aiWindowBytes };
}

/** The step with one utilisation, reference and stage for the QP. Undefined if all hops were ignored. */
function busiestHop(parameters: HpccParameters, state: HpccState, telemetry: Telemetry, hopCount: number, full: boolean,
  tracer: RateTracer | undefined): number | undefined {
  const hops = state.hops.slice(0, hopCount);
  const busiest = busiestOf(hops.map((hop, place) => measureHop(parameters, hop, telemetry, place, full)));
  if (!busiest.counted) return undefined;
  const { hop } = busiest;
  const utilization = smooth(parameters, state.utilization, busiest.utilization, busiest.tauNs);
  state.utilization = utilization;
  const step = decideStep(parameters, limitsOf(parameters), state, utilization / parameters.targetUtilization);
  if (tracer) describeStep(tracer, parameters, state, step, { utilization, hop, full });
  if (full) commit(state, step);
  return step.quantity;
}

/** The step with a utilisation, reference and stage per hop: the first with the smallest Q. Undefined if all were ignored. */
function slowestHop(parameters: HpccParameters, state: HpccState, telemetry: Telemetry, hopCount: number, full: boolean,
  tracer: RateTracer | undefined): number | undefined {
  const limits = limitsOf(parameters);
  let counted = false;
  let smallest = Infinity;
  for (let place = 0; place < hopCount; place += 1) {
    const hop = state.hops[place];
    const measure = measureHop(parameters, hop, telemetry, place, full);
    if (measure) hop.utilization = smooth(parameters, hop.utilization, measure.utilization, measure.tauNs);
    const { utilization } = hop;
    const step = measure && decideStep(parameters, limits, hop, utilization / parameters.targetUtilization);
    const quantity = step?.quantity ?? hop.committed;
    if (quantity < smallest) {
      smallest = quantity;
      if (tracer) describeStep(tracer, parameters, hop, step, { utilization, hop: { place, measure }, full });
    }
    if (!step) continue;
    counted = true;
    if (full) commit(hop, step);
  }
  if (!counted) return undefined;
  if (full) state.committed = smallest;
  return smallest;
}

/** u' of one hop, whose record is replaced; undefined if this update ignores the hop. */
function measureHop(parameters: HpccParameters, hop: HpccHopState, telemetry: Telemetry, index: number, full: boolean):
  | HopMeasure
  | undefined {
  const interval = intervalOf(parameters, hop, telemetry, index);
  if (parameters.sampleFeedback && !full && interval.qlenBytes === 0) return undefined;
  if (interval.tauNs === 0 && parameters.repeatedTimestamp === 'skip-hop') return undefined;
  storeHop(hop, telemetry, index);
  if (interval.tauNs < 0 || interval.sentBytes < 0 || interval.lineRateBps <= 0) return undefined;
  const tauNs = interval.tauNs === 0 ? 1 : interval.tauNs;
  return measureInterval(interval, tauNs, parameters.maxRateBps, parameters.windowBytes);
}

/** The interval between a hop's stored record and that of the telemetry. */
function intervalOf(parameters: HpccParameters, hop: Readonly<HpccHopState>, telemetry: Telemetry,
  index: number): HopInterval {
  return telemetry.kind === 'exact' ?
    exactInterval(hop, telemetry.hops[index]) :
    int64Interval(hop, telemetry.hops[index], parameters.intMultiplier);
}

function storeHop(hop: HpccHopState, telemetry: Telemetry, index: number): void {
  Object.assign(hop, telemetry.kind === 'exact' ? linkOf(telemetry.hops[index]) : rawLinkOf(telemetry.hops[index]));
}

/** u after a sample of `tauNs`. */
export function smooth(parameters: HpccParameters, last: number, sample: number, tauNs: number): number {
  if (parameters.ewma === 'constant') return last * (1 - parameters.ewmaBeta) + sample * parameters.ewmaBeta;
  const baseRttNs = parameters.baseRttPs / 1000;
  const weight = tauNs < baseRttNs ? tauNs : baseRttNs;
  return (last * (baseRttNs - weight) + sample * weight) / baseRttNs;
}

/** Sets rate and window from the controlled quantity, and adjusts the running gap. */
export function applyQuantity(parameters: HpccParameters, state: SendPace & Pick<HpccState, 'rateBps' | 'windowBytes'>,
  quantity: number): void {
  const { primary, windowMode, numbers, windowBytes, maxRateBps } = parameters;
  const rateBps = rateOf(parameters, quantity);
  paceRateChange(parameters.sendGap, state, state.rateBps, rateBps);
  state.rateBps = rateBps;
  const derived = primary === 'rate';
  state.windowBytes = derived ? windowInUse(windowMode, numbers, windowBytes, rateBps, maxRateBps) : quantity;
}

function pathIdOf(telemetry: Telemetry): number {
  return telemetry.kind === 'exact' ? (telemetry.pathId ?? 0) : 0;
}

function hopIdOf(telemetry: Telemetry, index: number): number {
  return telemetry.kind === 'exact' ? (telemetry.hops[index].hopId ?? 0) : 0;
}

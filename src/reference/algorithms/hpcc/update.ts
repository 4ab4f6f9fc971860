/**
 * HPCC's reaction to one ACK: measured utilisation, smoothed, turned into a rate or window.
 *
 *   measure   u' per hop (hops.ts); busiest hop: u' strictly largest, above 0
 *   smooth    u = (u (T - tau) + u' tau) / T with tau = min(tau, T); or u = u (1 - beta) + u' beta
 *   decide    c = u / eta; c >= 1 or incStage >= maxStage: Q = Qc / c + Q_AI, stage 0; else Q = Qc + Q_AI, stage + 1;
 *             then at least its minimum, then at most its maximum
 *   commit    on a full update Qc = Q and the stage; else only Q moves
 *
 * With `multiRate` each hop smooths, decides and commits independently, and the smallest Q is used; a hop that this ACK
 * passes over counts with its Qc. A full update then notes that smallest Q as the QP's Qc, which nothing reads.
 *
 * Source: Li et al., SIGCOMM 2019, algorithm 1; alibaba-edu/High-Precision-Congestion-Control at 9f4be2a.
 * Known deviations: a quotient beyond 64 bits (u below 10^-8) ends at the maximum, where C++ leaves it open.
 */
import type { HpccHopState, HpccState } from '../../../abi/state/hpcc.js';
import type { SendPace } from '../../../abi/state/state-record.js';
import * as trace from '../../../abi/trace-layout.js';
import type { HpccParameters } from '../../../config/algorithms/hpcc/parameters.js';
import { exactInterval, int64Interval, linkOf, measureInterval, rawLinkOf, type HopInterval, type HopMeasure,
  type Telemetry } from './hops.js';
import { hopLimit, rateOf } from './state.js';
import type { RateTracer } from '../rate-tracer.js';
import { paceRateChange, roundRate, windowInUse } from '../rate-numbers.js';

/** Inputs of the decision on a step; shared with HPCC-PINT. */
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
  /** Divided by c, not only raised. */
  readonly multiplicative: boolean;
}

/** From where a QP or a hop steps: R_c (bits per second) or W_c (bytes), and additive steps in a row. */
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

/** A full update: the step becomes the reference. */
export function commit(reference: StepReference, { quantity, incStage }: Step): void {
  reference.committed = quantity;
  reference.incStage = incStage;
}

/** Reason of a step, or of a hop's omission. */
export interface Occasion {
  /** u, smoothed. */
  readonly utilization: number;
  /** Undefined where no hop showed any load. */
  readonly hop: MeasuredHop | undefined;
  readonly full: boolean;
}

/** A hop of a path, by its place, and its u'; without one it did not count. */
export interface MeasuredHop {
  readonly place: number;
  readonly measure: HopMeasure | undefined;
}

const NO_MEASURE: HopMeasure = { utilization: 0, qlenBytes: 0, txRateBps: 0, lineRateBps: 0, tauNs: 0 };

/** Summary of a signal's hops. */
export interface Busiest {
  /** Whether any hop counted. */
  readonly counted: boolean;
  readonly utilization: number;
  readonly tauNs: number;
  /** Undefined when no hop showed any load. */
  readonly hop: MeasuredHop | undefined;
}

/** The hop with the largest u', above 0; the first of equal ones. */
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

/** Explains a step before its reference moves; `step` undefined: the reference is kept. */
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

/** Number of hop records in the telemetry, overwritten ones counted; undefined if it is not of the expected kind. */
export function telemetryHops(parameters: HpccParameters, telemetry: Telemetry | undefined): number | undefined {
  if (telemetry?.kind !== parameters.records) return undefined;
  if (telemetry.kind === 'exact') return telemetry.hops.length;
  const enough = telemetry.hops.length >= Math.min(telemetry.hopCount, hopLimit(parameters));
  return enough ? telemetry.hopCount : undefined;
}

/** Keeps all records of an ACK, as a new start. */
export function takeRecords(parameters: HpccParameters, state: HpccState, telemetry: Telemetry,
  hopCount: number): void {
  state.hopCount = hopCount;
  state.pathId = pathIdOf(telemetry);
  const kept = Math.min(hopCount, hopLimit(parameters));
  for (let i = 0; i < kept; i += 1) {
    storeHop(state.hops[i], telemetry, i);
    state.hops[i].hopId = hopIdOf(telemetry, i);
  }
}

/** Whether the path differs from the one whose records are kept. */
export function isNewPath(state: Readonly<HpccState>, telemetry: Telemetry, hopCount: number): boolean {
  if (hopCount !== state.hopCount || pathIdOf(telemetry) !== state.pathId) return true;
  return state.hops.slice(0, hopCount).some((hop, i) => hop.hopId !== hopIdOf(telemetry, i));
}

/** The hops of a new path start with u = 1 and the rate in use, so that nothing jumps. */
export function restartHops(parameters: HpccParameters, state: HpccState): void {
  const committed = parameters.primary === 'rate' ? state.rateBps : state.windowBytes;
  for (const hop of state.hops) Object.assign(hop, { utilization: 1, committed, incStage: 0 });
}

/** Moves rate and state by an ACK's telemetry. A full update commits. Returns whether a hop counted, so that the rate was set. */
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

/** One utilisation, reference and stage for the QP. Undefined if no hop counted. */
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

/** A utilisation, reference and stage per hop; the first of the smallest Q. Undefined if no hop counted. */
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

/** u' of one hop, whose record is replaced; undefined if the hop does not count in this update. */
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

/** Differences between a hop's kept record and that of the telemetry. */
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

/** Rate and window become those of a quantity; the running gap follows. */
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

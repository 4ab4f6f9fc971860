/**
 * What HPCC and HPCC-PINT tell of an ACK, on the readable models.
 *
 * The hop told is the one that decides: the busiest, or under `multiRate` the one with the smallest Q (the first of equals).
 */
import * as trace from '../../abi/trace-layout.js';
import type { HpccParameters } from '../../config/algorithms/hpcc/parameters.js';
import type { HpccPintParameters } from '../../config/algorithms/hpcc-pint/parameters.js';
import { beginsRoundTrip, type Ack } from '../algorithms/ack.js';
import type { Telemetry } from '../algorithms/hpcc/hops.js';
import type { HpccPintState } from '../algorithms/hpcc-pint/model.js';
import { hopLimit, type HpccHopState, type HpccState } from '../algorithms/hpcc/state.js';
import { decideStep, intervalOf, limitsOf, measureHop, smooth, telemetryHops } from '../algorithms/hpcc/update.js';
import { PintCodec } from '../algorithms/hpcc-pint/codec.js';
import type { Explanation } from './rate-tracer.js';

/** u', its terms and tau of one hop. */
interface MeasuredHop {
  readonly utilization: number;
  readonly tauNs: number;
  readonly terms: readonly [
    utilization: number,
    queueBytes: number,
    txRateBps: number,
    lineRateBps: number,
    tauNs: number,
  ];
}

const NO_TERMS = [0, 0, 0, 0, 0] as const;

/** @returns undefined for an ACK that changes no rate. */
export function explainHpcc(parameters: HpccParameters, state: Readonly<HpccState>, ack: Ack): Explanation | undefined {
  const { telemetry, ackSeq } = ack;
  const hopCount = telemetryHops(parameters, telemetry);
  if (telemetry === undefined || hopCount === undefined || hopCount > hopLimit(parameters)) return undefined;
  const full = beginsRoundTrip(parameters.sequence, state, ackSeq);
  const hops = state.hops.slice(0, hopCount).map((hop, index) => measured(parameters, hop, telemetry, index, full));
  const unit = parameters.primary === 'rate' ? 0 : trace.TRACE_DETAIL_WINDOW;
  const detail = unit | (full ? trace.TRACE_DETAIL_FULL : 0);
  const explanation = parameters.multiRate ? slowest(parameters, state, hops) : busiest(parameters, state, hops);
  return explanation && { ...explanation, detail };
}

function measured(parameters: HpccParameters, hop: Readonly<HpccHopState>, telemetry: Telemetry, index: number,
  full: boolean): MeasuredHop | undefined {
  const interval = intervalOf(parameters, hop, telemetry, index);
  const result = measureHop(parameters, { ...hop }, telemetry, index, full);
  if (result === undefined) return undefined;
  const { utilization, tauNs } = result;
  const txRateBps = (interval.sentBytes * 8) / (tauNs * 1e-9);
  return { utilization, tauNs, terms: [utilization, interval.minQlenBytes, txRateBps, interval.lineRateBps, tauNs] };
}

function busiest(parameters: HpccParameters, state: Readonly<HpccState>,
  hops: readonly (MeasuredHop | undefined)[]): Explanation {
  let place: number | undefined;
  let largest: MeasuredHop = { utilization: 0, tauNs: 0, terms: NO_TERMS };
  hops.forEach((hop, index) => {
    if (hop === undefined || !(hop.utilization > largest.utilization)) return;
    largest = hop;
    place = index;
  });
  const smoothed = smooth(parameters, state.utilization, largest.utilization, largest.tauNs);
  const multiplicative = isMultiplicative(parameters, state.incStage, smoothed);
  const reason = multiplicative ? trace.TRACE_HPCC_MULTIPLICATIVE : trace.TRACE_HPCC_ADDITIVE;
  return { reason, hop: place, inputs: [smoothed, ...largest.terms, state.committed, state.incStage] };
}

function slowest(parameters: HpccParameters, state: Readonly<HpccState>, hops: readonly (MeasuredHop | undefined)[]):
  | Explanation
  | undefined {
  let smallest = Infinity;
  let found: Explanation | undefined;
  hops.forEach((sample, place) => {
    const hop = state.hops[place];
    const { committed, incStage } = hop;
    const u = sample ? smooth(parameters, hop.utilization, sample.utilization, sample.tauNs) : hop.utilization;
    const step = decideStep(parameters, limitsOf(parameters), committed, incStage, u / parameters.targetUtilization);
    const quantity = sample ? step.quantity : committed;
    if (!(quantity < smallest)) return;
    smallest = quantity;
    const multiplicative = isMultiplicative(parameters, incStage, u);
    const reason = multiplicative ? trace.TRACE_HPCC_MULTIPLICATIVE : trace.TRACE_HPCC_ADDITIVE;
    found = {
      reason: sample ? reason : trace.TRACE_HPCC_KEPT,
      hop: place,
      inputs: [u, ...(sample?.terms ?? NO_TERMS), committed, incStage],
    };
  });
  return found;
}

function isMultiplicative({ targetUtilization, maxStage }: HpccParameters | HpccPintParameters, incStage: number,
  u: number): boolean {
  return u / targetUtilization >= 1 || incStage >= maxStage;
}

/** Decode tables of the parameter sets met so far. */
const codecs = new WeakMap<HpccPintParameters, PintCodec>();

function codecOf(parameters: HpccPintParameters): PintCodec {
  const codec = codecs.get(parameters) ?? new PintCodec(parameters.pintBase, parameters.pintBits);
  codecs.set(parameters, codec);
  return codec;
}

export function explainHpccPint(parameters: HpccPintParameters, state: Readonly<HpccPintState>,
  { pintPower, ackSeq }: Ack): Explanation | undefined {
  if (pintPower === undefined) return undefined;
  const u = codecOf(parameters).decode(pintPower);
  const full = beginsRoundTrip(parameters.sequence, state, ackSeq);
  const multiplicative = isMultiplicative(parameters, state.incStage, u);
  return {
    reason: multiplicative ? trace.TRACE_PINT_MULTIPLICATIVE : trace.TRACE_PINT_ADDITIVE,
    detail: full ? trace.TRACE_DETAIL_FULL : 0,
    inputs: [u, pintPower, state.committed, state.incStage],
  };
}

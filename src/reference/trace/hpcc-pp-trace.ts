/** What HPCC++ tells of its steps, on the readable model. */
import { CAUSE_ACK, CAUSE_TIME } from '../../abi/codes.js';
import * as trace from '../../abi/trace-layout.js';
import type { HpccParameters } from '../../config/algorithms/hpcc/parameters.js';
import type { PlusMeasure } from '../algorithms/hpcc-pp/hops.js';
import type { Explanation, RateTracer } from './rate-tracer.js';

/** The busiest hop of a signal, by its place in the signal's list. */
export interface BusiestHop {
  readonly place: number;
  readonly measure: PlusMeasure;
}

/** A signal that is about to act, the state that it finds, and u as the step uses it. */
export function explainSignal({ primary, targetUtilization, maxStage }: HpccParameters,
  { committed, incStage }: { readonly committed: number; readonly incStage: number }, busiest: BusiestHop | undefined,
  utilization: number, full: boolean): Explanation {
  const multiplicative = utilization / targetUtilization >= 1 || incStage >= maxStage;
  return {
    reason: multiplicative ? trace.TRACE_HPCC_MULTIPLICATIVE : trace.TRACE_HPCC_ADDITIVE,
    detail: unitOf(primary) | (full ? trace.TRACE_DETAIL_FULL : 0),
    hop: busiest?.place,
    inputs: [utilization, ...(busiest ? termsOf(busiest.measure) : [0, 0, 0, 0, 0]), committed, incStage],
  };
}

/** u', its terms and tau. */
function termsOf({ utilization, qlenBytes, txRateBps, lineRateBps, tauNs }: PlusMeasure): readonly number[] {
  return [utilization, qlenBytes, txRateBps, lineRateBps, tauNs];
}

/** CAUSE_* of a signal. */
export function causeOf(notified: boolean): number | 'notification' {
  return notified ? 'notification' : CAUSE_ACK;
}

/** Tells of a step of recovery that was made. */
export function traceRecovery(tracer: RateTracer, { primary }: Pick<HpccParameters, 'primary'>,
  step: { readonly timePs: number; readonly isFast: boolean; readonly beforeBps: number },
  after: { readonly rateBps: number; readonly target: number; readonly recoverySteps: number }): void {
  const reason = step.isFast ? trace.TRACE_RECOVERY_HALFWAY : trace.TRACE_RECOVERY_ADDITIVE;
  const inputs = [after.target, after.recoverySteps];
  tracer.changed(step.timePs, CAUSE_TIME, step.beforeBps, after.rateBps, { reason, detail: unitOf(primary), inputs });
}

function unitOf(primary: HpccParameters['primary']): number {
  return primary === 'rate' ? 0 : trace.TRACE_DETAIL_WINDOW;
}

/** What DCQCN's machine tells of a step: R_T, T and B as the step left them, alpha of a cut. */
import { CAUSE_BYTES, CAUSE_TIME } from '../../abi/codes.js';
import * as trace from '../../abi/trace-layout.js';
import type { DcqcnParameters } from '../../config/algorithms/dcqcn/parameters.js';
import { createArithmetic } from '../algorithms/dcqcn/arithmetic.js';
import type { DcqcnListener, DcqcnTransition } from '../algorithms/dcqcn/machine.js';
import type { RateTracer } from './rate-tracer.js';

/** Transitions that can change a rate. */
const REASONS: Partial<Record<DcqcnTransition, number>> = {
  CNP1: trace.TRACE_FIRST_CNP,
  DEC: trace.TRACE_CUT,
  DEC_CLAMP: trace.TRACE_CUT,
  INC_FR: trace.TRACE_FAST_RECOVERY,
  INC_AI: trace.TRACE_ADDITIVE,
  INC_HAI: trace.TRACE_HYPER,
  RELEASE: trace.TRACE_RELEASE,
};
/** Those that tell alpha. */
const OF_ALPHA: ReadonlySet<number> = new Set([trace.TRACE_FIRST_CNP, trace.TRACE_CUT]);
const CAUSES = { time: CAUSE_TIME, bytes: CAUSE_BYTES, notification: 'notification' } as const;

/** A listener that tells of each step that may have changed the rate. */
export function dcqcnTrace(parameters: DcqcnParameters, tracer: RateTracer): DcqcnListener {
  const { alphaUnit } = createArithmetic(parameters);
  return (timePs, transition, state, { trigger, fromBps }) => {
    const reason = REASONS[transition];
    if (reason === undefined) return;
    const { rateBps, targetBps, timeStage, byteStage } = state;
    const alpha = OF_ALPHA.has(reason) ? state.alpha / alphaUnit : 0;
    tracer.changed(timePs, CAUSES[trigger], fromBps, rateBps, {
      reason,
      inputs: [alpha, targetBps, timeStage, byteStage],
    });
  };
}

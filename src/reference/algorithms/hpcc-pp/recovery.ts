/**
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
import type { HpccPpState } from '../../../abi/state/hpcc-pp.js';
import { CAUSE_TIME } from '../../../abi/codes.js';
import * as trace from '../../../abi/trace-layout.js';
import type { HpccParameters } from '../../../config/algorithms/hpcc/parameters.js';
import type { HpccPpParameters } from '../../../config/algorithms/hpcc-pp/parameters.js';
import { applyQuantity, limitsOf } from '../hpcc/update.js';
import { roundRate } from '../rate-numbers.js';
import type { RateTracer } from '../rate-tracer.js';

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

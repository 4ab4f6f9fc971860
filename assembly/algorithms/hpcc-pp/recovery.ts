/**
 * Rate recovery of a QP under HPCC++. Without congestion no switch sends a Fast CNP, and without telemetry in ACKs nothing
 * else would raise the rate.
 *
 *   begins    recoveryAfterPs after the last signal, then one step per recoveryPeriodPs, until the line rate is reached
 *   steps     1 to F: Q = (Q + Q_target) / 2, as DCQCN's fast recovery; then Q = Q + Q_AI, as HPCC's additive step
 *   target    the reference before the last cut, at least the present reference and the quantity in use
 *
 * Each step commits: Qc = Q. Steps are applied lazily, with the same result as eager ones. After at most
 * F + (maximum - minimum) / Q_AI + 1 steps, which validation bounds, none is due any more.
 *
 * Citation  Zhu et al., SIGCOMM 2015, section 5; Li et al., SIGCOMM 2019, algorithm 1. Readable model:
 *           src/reference/algorithms/hpcc-pp/model.ts.
 */
import { CAUSE_TIME } from '../../../src/abi/codes';
import { COUNTER_TIMER_STEPS } from '../../../src/abi/layout';
import { TRACE_RECOVERY_ADDITIVE, TRACE_RECOVERY_HALFWAY } from '../../../src/abi/trace-layout';
import { count } from '../../memory/counters';
import { because, detail, input, keepStep, TRACING, tracing } from '../../trace/ring';
import { unitOf } from '../hpcc/explain';
import { PRIMARY_RATE } from '../hpcc/record';
import { HpccPpParameterSet, HpccPpTimers } from './record';
import { applyQuantity } from '../hpcc/update';
import { roundRate } from '../rate-numbers';
import { Hpcc } from '../../records/controllers';

const STEPS_MAX: u32 = 65535;

/** The controlled quantity in use: rate or window. */
@inline function quantityInUse(q: Hpcc, p: HpccPpParameterSet): f64 {
  return p.primary == PRIMARY_RATE ? q.rateBps : q.windowBytes;
}

/** Restarts recovery after a signal, if the rate is below the line rate. */
export function armRecovery(q: Hpcc, p: HpccPpParameterSet, timers: HpccPpTimers, timePs: f64): void {
  const isWhole = q.committed >= p.stepMaximum && quantityInUse(q, p) >= p.stepMaximum;
  timers.recoverySteps = 0;
  timers.nextRecoveryPs = p.recoveryPeriodPs == 0 || isWhole ? Infinity : timePs + p.recoveryAfterPs;
}

/** Applies the steps that are due up to and including a time. */
export function recover(q: Hpcc, p: HpccPpParameterSet, timers: HpccPpTimers, timePs: f64): void {
  if (timers.nextRecoveryPs > timePs) return;
  let steps: u32 = 0;
  while (timers.nextRecoveryPs <= timePs) {
    const more = step(q, p, timers);
    timers.nextRecoveryPs = more ? timers.nextRecoveryPs + p.recoveryPeriodPs : Infinity;
    steps++;
  }
  count(COUNTER_TIMER_STEPS, steps);
}

/** @returns whether a further step would change anything. */
function step(q: Hpcc, p: HpccPpParameterSet, timers: HpccPpTimers): bool {
  const before = quantityInUse(q, p);
  if (timers.recoverySteps == 0) timers.target = max<f64>(timers.target, max<f64>(q.committed, before));
  const isFast = <f64>timers.recoverySteps < p.fastRecoverySteps;
  const raised = isFast ? roundRate(p.numbers, (before + timers.target) / 2) : before + p.stepIncrement;
  const quantity = min<f64>(raised, p.stepMaximum);
  timers.recoverySteps = min<u32>(timers.recoverySteps + 1, STEPS_MAX);
  q.committed = quantity;
  applyQuantity(q, p, quantity);
  if (TRACING && tracing) traceStep(q, p, timers, isFast);
  return quantity < p.stepMaximum && (isFast || p.stepIncrement > 0);
}

/** Records a recovery step in the trace: target, and number of the step from 1 on. */
function traceStep(q: Hpcc, p: HpccPpParameterSet, timers: HpccPpTimers, isFast: bool): void {
  because(isFast ? TRACE_RECOVERY_HALFWAY : TRACE_RECOVERY_ADDITIVE);
  detail(unitOf(p));
  input(0, timers.target);
  input(1, <f64>timers.recoverySteps);
  keepStep(timers.nextRecoveryPs, CAUSE_TIME, changetype<usize>(q), q.rateBps);
}

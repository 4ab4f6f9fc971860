/**
 * Recovery of a QP under HPCC++ without feedback: without congestion no switch sends a Fast CNP, and nothing else would raise
 * its rate.
 *
 *   begins    recoveryAfterPs after the last news, then one step per recoveryPeriodPs, until the line rate is reached
 *   steps     1 to F: Q = (Q + Q_target) / 2, as DCQCN's fast recovery; then Q = Q + Q_AI, as HPCC's additive step
 *   target    the reference before the last cut, at least the present one and the quantity in use
 *
 * Each step commits: Qc = Q. Lazy, and equal to eager steps; at most F + (maximum - minimum) / Q_AI + 1 of them, which
 * validation bounds, then nothing is due any more.
 *
 * Citation  Zhu et al., SIGCOMM 2015, section 5; Li et al., SIGCOMM 2019, algorithm 1; src/reference/algorithms/hpcc-pp/recovery.ts is
 *           the same to be read.
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

/** The control variable in use: rate or window. */
@inline function quantityInUse(q: Hpcc, p: HpccPpParameterSet): f64 {
  return p.primary == PRIMARY_RATE ? q.rateBps : q.windowBytes;
}

/** New feedback: recovery begins again, if there is anything to recover. */
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

/** @returns whether a further step changes anything. */
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

/** Traces a step, which is due without an event: target, and its number from 1 on. */
function traceStep(q: Hpcc, p: HpccPpParameterSet, timers: HpccPpTimers, isFast: bool): void {
  because(isFast ? TRACE_RECOVERY_HALFWAY : TRACE_RECOVERY_ADDITIVE);
  detail(unitOf(p));
  input(0, timers.target);
  input(1, <f64>timers.recoverySteps);
  keepStep(timers.nextRecoveryPs, CAUSE_TIME, changetype<usize>(q), q.rateBps);
}

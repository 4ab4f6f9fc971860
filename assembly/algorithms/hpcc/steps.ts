/**
 * HPCC's single steps: smoothing the measured utilisation, and deriving a rate or window from it.
 *
 *   smooth   u = (u (T - tau) + u' tau) / T with tau = min(tau, T); or u = u (1 - beta) + u' beta
 *   decide   c = u / eta; c >= 1 or stage >= maxStage: Q = Qc / c + Q_AI, stage 0; else Q = Qc + Q_AI, stage + 1;
 *            then at least its minimum, then at most its maximum
 *
 * Citation  Li et al., SIGCOMM 2019, algorithm 1; alibaba-edu/High-Precision-Congestion-Control at 9f4be2a.
 * Deviation A quotient beyond 64 bits (u below 10^-8) gives the maximum; in C++ it is undefined.
 */
import { EWMA_CONSTANT, HpccParameterSet, StepParameterSet } from './record';
import { roundRate } from '../rate-numbers';
import { Hpcc } from '../../records/controllers';

/** u after a sample of `tauNs`. */
@inline export function smooth(p: HpccParameterSet, last: f64, sample: f64, tauNs: f64): f64 {
  if (p.ewma == EWMA_CONSTANT) return last * p.ewmaRetention + sample * p.ewmaBeta;
  const baseRttNs = p.baseRttNs;
  const weight = tauNs < baseRttNs ? tauNs : baseRttNs;
  return (last * (baseRttNs - weight) + sample * weight) / baseRttNs;
}

/** Whether the step is multiplicative. @param normalized c. */
@inline export function isMultiplicative(p: StepParameterSet, stage: u32, normalized: f64): bool {
  return normalized >= 1 || <f64>stage >= p.maxStage;
}

/** The stage after a step; it never exceeds maxStage, so 16 bits are enough. */
@inline export function stageAfter(stage: u32, multiplicative: bool): u32 {
  return multiplicative ? 0 : stage + 1;
}

/** Q after a step from the reference Qc. */
@inline export function stepFrom(p: StepParameterSet, committed: f64, normalized: f64, multiplicative: bool): f64 {
  const base = multiplicative ? roundRate(p.numbers, committed / normalized) : committed;
  const raised = base + p.stepIncrement;
  const floored = raised > p.stepMinimum ? raised : p.stepMinimum;
  return floored < p.stepMaximum ? floored : p.stepMaximum;
}

/** Executes a QP's step; a full update makes it the new reference. @param normalized c. @returns Q. */
@inline export function step(q: Hpcc, p: StepParameterSet, normalized: f64, multiplicative: bool, full: bool): f64 {
  const quantity = stepFrom(p, q.committed, normalized, multiplicative);
  if (full) {
    q.committed = quantity;
    q.incStage = <u16>stageAfter(q.incStage, multiplicative);
  }
  return quantity;
}

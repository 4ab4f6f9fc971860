/**
 * Marking profile of a switch queue: random early detection on the instantaneous queue, as used by DCQCN.
 *
 * Role     computes the probability that a packet counts as congested.
 * Inputs   queue length q, thresholds Kmin <= Kmax (bytes), Pmax in 0..1.
 * State    none; draws from the caller's generator.
 * Equation p(q) = 0                                   for q <= Kmin
 *                 Pmax (q - Kmin) / (Kmax - Kmin)     for Kmin < q <= Kmax
 *                 1                                   for q > Kmax
 * The jump from Pmax to 1 at Kmax is part of the definition. Kmin = Kmax gives a step function: the ramp is empty,
 * so there is no division by zero.
 *
 * Source   Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3.1.
 * Draws    a random number is drawn only if 0 < p < 1, so a step function uses none.
 */

import { nextRandom } from './random';
import { Random } from '../records/congestion-point';

export function markingProbability(queueBytes: f64, kminBytes: f64, kmaxBytes: f64, pmax: f64): f64 {
  if (queueBytes <= kminBytes) return 0.0;
  if (queueBytes > kmaxBytes) return 1.0;
  return pmax * (queueBytes - kminBytes) / (kmaxBytes - kminBytes);
}

export function isCongested(random: Random, queueBytes: f64, kminBytes: f64, kmaxBytes: f64, pmax: f64): bool {
  const probability = markingProbability(queueBytes, kminBytes, kmaxBytes, pmax);
  if (probability <= 0.0) return false;
  if (probability >= 1.0) return true;
  return nextRandom(random) < probability;
}

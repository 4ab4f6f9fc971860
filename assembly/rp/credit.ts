/** The pull number that a QP with receiver credit requests from its receiver (algorithms/rccc). */
import { readsCredit } from '../algorithms/registry';
import { pullTarget as targetOf } from '../algorithms/rccc/transitions';
import { flagsOf, parameterSetOf, stateOf } from '../memory/map';

/** The pull number of an open QP; NaN if its algorithm has no credit. */
export function pullTarget(qp: u32, backlogBytes: f64, senders: u32): f64 {
  const p = parameterSetOf(flagsOf(qp));
  if (!readsCredit(p.algorithm)) return NaN;
  return targetOf(changetype<usize>(stateOf(qp)), changetype<usize>(p), backlogBytes, senders);
}

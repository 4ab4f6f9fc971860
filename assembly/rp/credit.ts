/** The pull number that a QP under receiver credit asks its receiver for (algorithms/rccc). */
import { readsCredit } from '../algorithms/registry';
import { pullTarget as targetOf } from '../algorithms/rccc/transitions';
import { flagsOf, parameterSetOf, stateOf } from '../memory/map';

/** Of an open QP; NaN: its algorithm has no credit. */
export function pullTarget(qp: u32, backlogBytes: f64, senders: u32): f64 {
  const p = parameterSetOf(flagsOf(qp));
  if (!readsCredit(p.algorithm)) return NaN;
  return targetOf(changetype<usize>(stateOf(qp)), changetype<usize>(p), backlogBytes, senders);
}

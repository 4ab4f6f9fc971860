/**
 * A QP's window: most of its bytes that may be unacknowledged. With receiver credit there is credit instead.
 *
 * Role     holds a sender back until acknowledgements come, or credit.
 * Inputs   payload bytes that have left and are not acknowledged; W, the window that the algorithm keeps, f64 bytes.
 * Rule     another packet may leave while inFlight < max(1, floor(W)); W = 0: there is no window.
 * Credit   another packet may leave while credit > 0, whatever is in flight (algorithms/rccc).
 * So       the last packet may exceed the window by less than its length, and a window below one packet lets one packet be in flight.
 *
 * Source   the ns-3 simulator of HPCC's authors, whose windows are whole bytes, at least 1 (docs/specs/reference.md, section 2); of credit
 *          uet-htsim (docs/specs/uet-reference.md, 5.1).
 */
import { READS_ACKS, READS_CREDIT } from '../../src/abi/algorithms';
import { ControllerState, Rccc } from '../records/controllers';
import { traitsOf } from '../algorithms/registry';
import { flagsOf, parameterSetOf, stateOf } from '../memory/map';

/** Whether a window of whole bytes lets another packet leave; 0 = there is no window. */
@inline export function isWindowOpen(inFlightBytes: i64, windowBytes: i64): bool {
  return windowBytes == 0 || inFlightBytes < windowBytes;
}

/** The window of a QP whose algorithm reads acknowledgements, whole bytes; 0 = it keeps none. */
@inline export function ownWindow(qp: u32): i64 {
  const windowBytes = changetype<ControllerState>(stateOf(qp)).windowBytes;
  return windowBytes > 0 ? max<i64>(1, <i64>windowBytes) : 0;
}

/** Whether a QP whose receiver grants credit has some. */
@inline export function hasCredit(qp: u32): bool {
  return changetype<Rccc>(stateOf(qp)).creditBytes > 0;
}

/** Whether the window or the credit of an open QP lets another packet leave. */
export function maySend(qp: u32, inFlightBytes: f64): bool {
  const traits = traitsOf(parameterSetOf(flagsOf(qp)).algorithm);
  if (traits & READS_CREDIT) return hasCredit(qp);
  return !(traits & READS_ACKS) || isWindowOpen(<i64>inFlightBytes, ownWindow(qp));
}

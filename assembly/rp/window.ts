/**
 * A QP's window: the limit of its unacknowledged bytes. Algorithms with receiver credit use credit instead.
 *
 * Role     stops a sender until ACKs or credit arrive.
 * Inputs   payload bytes sent and not acknowledged; W, the algorithm's window, f64 bytes.
 * Rule     another packet may leave while inFlight < max(1, floor(W)); W = 0: there is no window.
 * Credit   another packet may leave while credit > 0, regardless of the bytes in flight (algorithms/rccc).
 * So       the last packet may exceed the window by less than its length, and a window below one packet allows one in flight.
 *
 * Source   window: the ns-3 simulator of HPCC's authors, whose windows are whole bytes, at least 1 (docs/specs/reference.md,
 *          section 2); credit: uet-htsim (docs/specs/uet-reference.md, 5.1).
 */
import { READS_ACKS, READS_CREDIT } from '../../src/abi/algorithms';
import { ControllerState, Rccc } from '../records/controllers';
import { traitsOf } from '../algorithms/registry';
import { flagsOf, parameterSetOf, stateOf } from '../memory/map';

/** Whether a window of whole bytes allows another packet; 0 = no window. */
@inline export function isWindowOpen(inFlightBytes: i64, windowBytes: i64): bool {
  return windowBytes == 0 || inFlightBytes < windowBytes;
}

/** The window of a QP whose algorithm reads ACKs, whole bytes; 0 = none. */
@inline export function ownWindow(qp: u32): i64 {
  const windowBytes = changetype<ControllerState>(stateOf(qp)).windowBytes;
  return windowBytes > 0 ? max<i64>(1, <i64>windowBytes) : 0;
}

/** Whether a QP with receiver credit has credit left. */
@inline export function hasCredit(qp: u32): bool {
  return changetype<Rccc>(stateOf(qp)).creditBytes > 0;
}

/** Whether the window or the credit of an open QP allows another packet. */
export function maySend(qp: u32, inFlightBytes: f64): bool {
  const traits = traitsOf(parameterSetOf(flagsOf(qp)).algorithm);
  if (traits & READS_CREDIT) return hasCredit(qp);
  return !(traits & READS_ACKS) || isWindowOpen(<i64>inFlightBytes, ownWindow(qp));
}

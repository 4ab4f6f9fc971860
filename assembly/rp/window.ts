/**
 * A QP's window: most of its bytes that may be unacknowledged.
 *
 * Role     holds a sender back until acknowledgements come.
 * Inputs   payload bytes that have left and are not acknowledged; W, the window that the algorithm keeps, f64 bytes.
 * Rule     another packet may leave while inFlight < max(1, floor(W)); W = 0: there is no window.
 * So       the last packet may exceed the window by less than its length, and a window below one packet lets one packet be in flight.
 *
 * Source   the ns-3 simulator of HPCC's authors, whose windows are whole bytes, at least 1 (docs/specs/reference.md, section 2).
 */
import { READS_ACKS } from '../../src/abi/algorithms';
import { ControllerState } from '../records/controllers';
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

/** Whether the window of an open QP lets another packet leave. */
export function maySend(qp: u32, inFlightBytes: f64): bool {
  const readsAcks = (traitsOf(parameterSetOf(flagsOf(qp)).algorithm) & READS_ACKS) != 0;
  return !readsAcks || isWindowOpen(<i64>inFlightBytes, ownWindow(qp));
}

/**
 * RCCC's sender: transitions on one 64-byte record, and the pull number that it requests from its receiver.
 *
 * Inputs    lengths of sent packets; the receiver's pull numbers; arrival of an ACK or NACK, or a loss.
 * State     Rccc: credit, bytes on the wire; the highest pull number, in quanta of 256 bytes; whether the sender speculates.
 *
 *   open           credit = initial credit, for speculation
 *   may send       credit > 0 (rp/window.ts): the last packet may exceed the credit
 *   b bytes sent   credit -= b
 *   first event other than a packet sent: the sender no longer speculates, credit = min(credit, 0)
 *   pull p > last  credit = min(credit + 256 (p - last), largest window); last = p
 *   timeout        credit = max(credit, timeout credit)
 *   target         ceil(trunc((min(backlog, largest window) - credit) / senders) / 256) + last; while it speculates and has a
 *                  backlog, the dividend is at least a packet
 *   rate           line rate: the receiver's pull numbers pace the sender
 *
 * Citation  UE Specification 1.0, RCCC, as implemented in uet-htsim (docs/specs/uet-reference.md, 5.4 and 9); every number:
 *           src/config/algorithms/rccc.ts.
 * Deviation Pull numbers begin at 0, in uet-htsim at 100,000,000, so a target here is below 0 if credit exceeds the backlog. A
 *           timeout grants a packet; uet-htsim sends a request (`timeoutCredit`). The largest window comes from the parameter
 *           set and is at least a packet; in uet-htsim the flow set up last determines it for all. An inferred loss ends
 *           speculation; uet-htsim does not infer losses.
 */
import { ACK_SKIPPED, ACK_UPDATE, CREDIT_PULL_NUMBER, LOSS_TIMEOUT,
  PULL_QUANTUM_BYTES } from '../../../src/abi/ack-layout';
import { ALGORITHM_RCCC, RCCC_TRAITS } from '../../../src/abi/algorithms';
import { PARAMETER_SET_BYTES } from '../../../src/abi/layout';
import { ParameterSet } from '../../memory/records';
import { CONTROLLER_SPECULATING, Rccc } from '../../records/controllers';
import { register as registerAlgorithm, registerCheck, registerCredit, registerLoss } from '../registry';

/** One parameter set, as src/config/algorithms/rccc.ts writes it. */
@unmanaged
export class RcccParameterSet extends ParameterSet {
  packetBytes: f64;
  maxWindowBytes: f64;
  initialCreditBytes: f64;
  /** Credit after a timeout; 0 = none. */
  timeoutCreditBytes: f64;
}

/** Fails the build if the record layouts do not match. */
@inline function checkLayout(): void {
  if (<u32>offsetof<RcccParameterSet>() > <u32>PARAMETER_SET_BYTES) ERROR('RcccParameterSet is too long');
}

/** Registers RCCC. */
export function register(): void {
  registerAlgorithm(ALGORITHM_RCCC, RCCC_TRAITS, open, sent, ack);
  registerLoss(ALGORITHM_RCCC, loss);
  registerCredit(ALGORITHM_RCCC, credit);
  registerCheck(ALGORITHM_RCCC, check);
}

/** Checks a record from outside: sums of its numbers are not NaN. */
function check(q: usize, p: usize, hops: usize): bool {
  const state = changetype<Rccc>(q);
  return isFinite<f64>(state.creditBytes) && state.pullNumber >= 0 && state.pullNumber < Infinity;
}

/** Opens a QP with speculative credit. Its record has been zeroed. */
export function open(q: usize, p: usize, hops: usize): void {
  checkLayout();
  const state = changetype<Rccc>(q);
  const parameters = changetype<RcccParameterSet>(p);
  state.creditBytes = parameters.initialCreditBytes;
  state.flags = <u8>CONTROLLER_SPECULATING;
  state.rateBps = parameters.maxRateBps;
}

/** A data packet was sent. The caller has checked its time. */
export function sent(q: usize, p: usize, hops: usize, timePs: f64, lenBytes: u32): void {
  const state = changetype<Rccc>(q);
  state.creditBytes -= <f64>lenBytes;
  state.nextSendPs = timePs;
}

/** An ACK arrived. @returns ACK_* */
export function ack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): u32 {
  return stopSpeculating(changetype<Rccc>(q)) ? ACK_UPDATE : ACK_SKIPPED;
}

/** A packet was lost; `found`: LOSS_*. A NACK counts as LOSS_FAST. */
export function loss(q: usize, p: usize, hops: usize, timePs: f64, found: u32): void {
  const state = changetype<Rccc>(q);
  stopSpeculating(state);
  if (found == LOSS_TIMEOUT)
    state.creditBytes = max<f64>(state.creditBytes, changetype<RcccParameterSet>(p).timeoutCreditBytes);
}

/** Credit arrived. @returns false unless the pull number is newer; NaN is not. */
export function credit(q: usize, p: usize, hops: usize, record: usize): bool {
  const state = changetype<Rccc>(q);
  const pullNumber = load<f64>(record, CREDIT_PULL_NUMBER);
  stopSpeculating(state);
  if (!(pullNumber > state.pullNumber)) return false;
  const grantedBytes = <f64>PULL_QUANTUM_BYTES * (pullNumber - state.pullNumber);
  state.creditBytes = min<f64>(state.creditBytes + grantedBytes, changetype<RcccParameterSet>(p).maxWindowBytes);
  state.pullNumber = pullNumber;
  return true;
}

/** The largest window of a parameter set. */
@inline export function maxWindowBytes(p: ParameterSet): f64 {
  return changetype<RcccParameterSet>(changetype<usize>(p)).maxWindowBytes;
}

/** The pull number that a sender with this backlog requests; `senders` wait for the same port. */
export function pullTarget(q: usize, p: usize, backlogBytes: f64, senders: u32): f64 {
  const state = changetype<Rccc>(q);
  const parameters = changetype<RcccParameterSet>(p);
  let bytes = min<f64>(backlogBytes, parameters.maxWindowBytes) - state.creditBytes;
  if (state.flags & CONTROLLER_SPECULATING && backlogBytes > 0) bytes = max<f64>(bytes, parameters.packetBytes);
  if (senders > 1) bytes = trunc<f64>(bytes / <f64>senders);
  return ceil<f64>(bytes / <f64>PULL_QUANTUM_BYTES) + state.pullNumber;
}

/** Ends speculation at the first feedback. @returns whether this call did. */
@inline function stopSpeculating(state: Rccc): bool {
  if (!(state.flags & CONTROLLER_SPECULATING)) return false;
  state.flags &= <u8>~CONTROLLER_SPECULATING;
  state.creditBytes = min<f64>(state.creditBytes, 0);
  return true;
}

/**
 * Credit of a sender under receiver-based control, in bytes (docs/specs/uet-reference.md, 5). It starts at the maximum window
 * (speculation, until the first feedback). Sending requires credit above 0 and consumes the full packet size, so credit can go
 * negative by up to a packet.
 *
 *   pull p > last: credit := min(credit + 256 (p - last), largest window)
 *   target = ceil((min(backlog, window, largest window) - credit) / senders at the NIC + 256 last) / 256);
 *            while speculating, at least one MTU is requested
 */
import { UetFlow } from '../records/uet-flows';
import { UetHost } from '../records/uet-network';
import { UET_CONTROL_NONE } from '../records/uet-run';
import { waitingOf } from './nic';
import { control, isReceiverControlled, maxWindowBytes, mtuBytes } from './settings';

export const QUANTUM_BYTES: f64 = 256;
/** First pull number; large, so that lower targets don't become negative. */
export const FIRST_PULL: f64 = 100000000;

export function pullCredit(flow: UetFlow, pullNumber: f64): void {
  if (pullNumber <= flow.lastPull) return;
  flow.creditBytes = min(flow.creditBytes + QUANTUM_BYTES * (pullNumber - flow.lastPull), maxWindowBytes);
  flow.lastPull = pullNumber;
}

export function stopSpeculating(flow: UetFlow): void {
  if (!flow.isSpeculating) return;
  flow.isSpeculating = 0;
  flow.creditBytes = min(flow.creditBytes, 0);
}

/** The pull number to request. Under purely receiver-based control the window has no effect. */
export function nextPullTarget(flow: UetFlow): f64 {
  if (!isReceiverControlled) return 0;
  const windowBytes = control == UET_CONTROL_NONE ? Infinity : flow.windowBytes + mtuBytes;
  let bytes = min(min(flow.backlogBytes + flow.queuedBytes, windowBytes), maxWindowBytes) - flow.creditBytes;
  if (flow.isSpeculating && bytes < mtuBytes && flow.backlogBytes > 0) bytes = mtuBytes;
  const senders = waitingOf(changetype<UetHost>(<usize>flow.sourceAt)).length;
  if (senders > 1) bytes = trunc(bytes / <f64>senders);
  bytes += QUANTUM_BYTES * flow.lastPull;
  return floor((bytes + QUANTUM_BYTES - 1) / QUANTUM_BYTES);
}

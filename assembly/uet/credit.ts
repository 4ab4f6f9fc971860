/**
 * Credit of a sender under receiver control, in bytes (docs/specs/uet-reference.md, 5). It starts at the largest window, as speculation; what the
 * sender first hears ends that. Sending needs credit above 0 and takes the full size, so it goes negative by up to a packet.
 *
 *   pull p > last: credit := min(credit + 256 (p - last), largest window)
 *   target = ceil((min(backlog, window, largest window) - credit) / senders at the NIC + 256 last) / 256);
 *            while speculating at least an mtu is asked for
 */
import { UetFlow } from '../records/uet-flows';
import { UetHost } from '../records/uet-network';
import { UET_CONTROL_NONE } from '../records/uet-run';
import { waitingOf } from './nic';
import { control, isReceiverControlled, maxWindowBytes, mtuBytes } from './settings';

export const QUANTUM_BYTES: f64 = 256;
/** Pull numbers start here, so that targets below it are not negative. */
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

/** The pull number that the sender asks for. By receivers alone the window does not count. */
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

/**
 * Senders' control: which algorithm changes the window, how (docs/specs/uet-reference.md, 6).
 *
 *   dctcp      ACK, not marked: cwnd += bytes * mtu / cwnd;   marked: cwnd := max(cwnd - bytes / 3, mtu);   NACK: max(cwnd - size, mtu)
 *   constant   keeps the window. A timeout shrinks it all the same, for good, as in the reference
 *
 * DCTCP as the reference has it: without its estimate of marks, and without a largest window.
 */
import { UetFlow } from '../records/uet-flows';
import { UET_CONTROL_DCTCP, UET_CONTROL_NSCC } from '../records/uet-run';
import { nsccOnAck, nsccOnNack } from './nscc';
import { control, mtuBytes } from './settings';

export function controlOnAck(flow: UetFlow, isMarked: bool, delayPs: f64, bytes: f64): void {
  if (control == UET_CONTROL_NSCC) nsccOnAck(flow, isMarked, delayPs, bytes);
  else if (control == UET_CONTROL_DCTCP) dctcpOnAck(flow, isMarked, bytes);
}

export function controlOnNack(flow: UetFlow, bytes: f64, isLastHop: bool): void {
  if (control == UET_CONTROL_NSCC) nsccOnNack(flow, bytes, isLastHop);
  else if (control == UET_CONTROL_DCTCP) shrink(flow, bytes);
}

function dctcpOnAck(flow: UetFlow, isMarked: bool, bytes: f64): void {
  if (isMarked) shrink(flow, trunc(bytes / 3));
  else flow.windowBytes += trunc((bytes * mtuBytes) / flow.windowBytes);
}

function shrink(flow: UetFlow, bytes: f64): void {
  flow.windowBytes = max(flow.windowBytes - bytes, mtuBytes);
}

/**
 * Sender-based congestion control: how each algorithm changes the window (docs/specs/uet-reference.md, 6).
 *
 *   dctcp      ACK, not marked: cwnd += bytes * mtu / cwnd;   marked: cwnd := max(cwnd - bytes / 3, mtu);   NACK: max(cwnd - size, mtu)
 *   constant   a constant window. As in the reference, a timeout still shrinks it, permanently
 *
 * DCTCP is as in the reference: without an estimate of the marked fraction, and without a maximum window.
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

/**
 * The NIC of a host: one port, shared by its senders and by control packets (ACKs, NACKs, pulls, RTSs, probes)
 * (docs/specs/uet-reference.md, 5).
 *
 * It is idle, or busy while it sends bytes at the NIC's own rate. A packet enters the host's output queue before the NIC
 * schedules the end of its transmission, so the queue's event of the same instant runs first. Scheduling: nic-scheduling.ts.
 */
import { UET_HOST_NIC_SENT, UET_HOST_WAITING, UetHost, UetPacket, UetRing } from '../records/uet-network';
import { nowPs, schedule } from './events';
import { receiveAtHostQueue } from './host-queue';
import { shiftRing } from './ring';
import { linkSpeedBps } from './settings';

const PS_PER_BYTE_AT_1_BPS: f64 = 8e12;

/** Queued senders, including the one whose turn it is until it has sent. */
@inline export function waitingOf(host: UetHost): UetRing {
  return changetype<UetRing>(changetype<usize>(host) + UET_HOST_WAITING);
}

/** Ends the turn of the first queued sender, if any, and makes the NIC busy. */
export function occupy(host: UetHost, bytes: f64): void {
  const waiting = waitingOf(host);
  if (waiting.length) shiftRing(waiting);
  beBusy(host, bytes);
}

export function sendControl(host: UetHost, packet: UetPacket): void {
  const address = <u32>changetype<usize>(packet);
  packet.next = 0;
  if (host.controlTail) changetype<UetPacket>(<usize>host.controlTail).next = address;
  else host.controlHead = address;
  host.controlTail = address;
  if (!host.isNicBusy) sendFirstControl(host);
}

/** Sends the first control packet, which must exist. */
export function sendFirstControl(host: UetHost): void {
  const packet = changetype<UetPacket>(<usize>host.controlHead);
  host.controlHead = packet.next;
  if (!packet.next) host.controlTail = 0;
  const bytes = <f64>packet.sizeBytes;
  receiveAtHostQueue(host, packet);
  beBusy(host, bytes);
}

function beBusy(host: UetHost, bytes: f64): void {
  host.isNicBusy = 1;
  schedule(changetype<usize>(host) + UET_HOST_NIC_SENT, nowPs + trunc((bytes * PS_PER_BYTE_AT_1_BPS) / linkSpeedBps));
}

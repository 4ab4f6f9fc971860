/**
 * The output queue of a host and its link: three classes in strict priority, each with round robin over flows in the order of
 * their ids (docs/specs/uet-reference.md, 4). Its size is unlimited; if the NIC is as fast as the link, it holds one packet.
 */
import { UET_HOST_ARRIVED, UET_HOST_HIGH, UET_HOST_LOW, UET_HOST_MIDDLE, UET_FLOW_ROUND_BYTES, UetFlowRound, UetHost,
  UetPacket } from '../records/uet-network';
import { nowPs, schedule } from './events';
import { pushRound, shiftRound } from './flow-round';
import { run } from './stop';

@inline function roundOf(host: UetHost, offset: usize): UetFlowRound {
  return changetype<UetFlowRound>(changetype<usize>(host) + offset);
}

export function receiveAtHostQueue(host: UetHost, packet: UetPacket): void {
  pushRound(roundOf(host, <usize>UET_HOST_HIGH + <usize>packet.hostClass * UET_FLOW_ROUND_BYTES), packet);
  if (!host.sending) beginService(host);
}

function beginService(host: UetHost): void {
  let next = shiftRound(roundOf(host, UET_HOST_HIGH));
  if (!next) next = shiftRound(roundOf(host, UET_HOST_MIDDLE));
  if (!next) next = shiftRound(roundOf(host, UET_HOST_LOW));
  host.sending = <u32>next;
  if (!next) return;
  schedule(changetype<usize>(host), nowPs + <f64>changetype<UetPacket>(next).sizeBytes * host.psPerByte);
}

/** The queue's event: a packet has been sent. */
export function endHostService(host: UetHost): void {
  run.packetHops += 1;
  enterPipe(host, changetype<UetPacket>(<usize>host.sending));
  beginService(host);
}

function enterPipe(host: UetHost, packet: UetPacket): void {
  const address = <u32>changetype<usize>(packet);
  const duePs = nowPs + host.delayPs;
  packet.duePs = duePs;
  packet.next = 0;
  if (host.pipeTail) {
    changetype<UetPacket>(<usize>host.pipeTail).next = address;
  } else {
    host.pipeHead = address;
    schedule(changetype<usize>(host) + UET_HOST_ARRIVED, duePs);
  }
  host.pipeTail = address;
}

/** Removes the packet that arrives at the leaf. Call `listNextHostArrival` after passing it on. */
export function takeHostArrival(host: UetHost): UetPacket {
  const packet = changetype<UetPacket>(<usize>host.pipeHead);
  host.pipeHead = packet.next;
  if (!packet.next) host.pipeTail = 0;
  return packet;
}

@inline export function listNextHostArrival(host: UetHost): void {
  if (!host.pipeHead) return;
  schedule(changetype<usize>(host) + UET_HOST_ARRIVED, changetype<UetPacket>(<usize>host.pipeHead).duePs);
}

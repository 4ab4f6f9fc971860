/**
 * One end of a link: a packet is sent, is on its way, arrives. A link is a pipe: what is on it arrives in the order in which it
 * left, so that only its first packet is in the event queue.
 *
 * The end of a transmission is an event only where someone waits for it: a packet queued meanwhile, or a host. Its place
 * among the events of its instant is taken in any case, so nothing else depends on that.
 */
import { DROP_LINK_DOWN, SIM_NONE } from '../../src/abi/sim-layout';
import { arrivalEvent, endEvent } from './event-numbers';
import { cancel, nowOrder, nowPs, schedule, takeOrder } from './event-queue';
import { indexOfPort } from './network';
import { drop, packetAt } from './packets';
import { SimPacket, SimPort } from './records';
import { serialisation } from './serialisation';
import { traceTransmission } from './trace';

/** Transmissions of all ports. */
export let packetHops: f64 = 0;

export function resetTransmissions(): void {
  packetHops = 0;
}

/** Is a packet being sent? */
@inline export function isBusy(port: SimPort): bool {
  return port.endScheduled != 0 || nowPs < port.freeAtPs || (nowPs == port.freeAtPs && nowOrder < port.freeOrder);
}

/** Begins to send; the port is idle. */
export function transmit(port: SimPort, index: u32): void {
  const packet = packetAt(index);
  const tx = serialisation(port, packet.lenBytes);
  port.txPackets += 1;
  port.txBytes += <f64>packet.lenBytes;
  port.busyPs += <f64>tx;
  packetHops += 1;
  port.lastTxPs = tx;
  port.freeAtPs = nowPs + tx;
  port.freeOrder = takeOrder();
  packet.arrivalPs = port.freeAtPs + port.delay;
  packet.arrivalOrder = takeOrder();
  packet.next = SIM_NONE;
  if (port.captured) traceTransmission(port, packet);
  if (port.pipeHead == SIM_NONE) {
    port.pipeHead = index;
    schedule(arrivalEvent(indexOfPort(port)), packet.arrivalPs, packet.arrivalOrder);
  } else {
    packetAt(port.pipeTail).next = index;
  }
  port.pipeTail = index;
}

/** Someone waits for the end of the running transmission. */
@inline export function expectEnd(port: SimPort): void {
  if (port.endScheduled) return;
  port.endScheduled = 1;
  schedule(endEvent(indexOfPort(port)), port.freeAtPs, port.freeOrder);
}

/** The first packet on the way from this port has arrived: it is taken off the link. */
export function takeArrival(port: SimPort): u32 {
  const index = port.pipeHead;
  const next = packetAt(index).next;
  port.pipeHead = next;
  if (next != SIM_NONE) {
    const packet = packetAt(next);
    schedule(arrivalEvent(indexOfPort(port)), packet.arrivalPs, packet.arrivalOrder);
  }
  return index;
}

/** When the transmission of a packet that arrives now over this link began. */
@inline export function departure(port: SimPort, packet: SimPacket): i64 {
  return nowPs - port.delay - serialisation(port, packet.lenBytes);
}

/** The link is cut: what is on it is lost. */
export function loseWire(port: SimPort): void {
  if (port.pipeHead == SIM_NONE) return;
  cancel(arrivalEvent(indexOfPort(port)));
  while (port.pipeHead != SIM_NONE) {
    const index = port.pipeHead;
    port.pipeHead = packetAt(index).next;
    port.drops += 1;
    drop(index, DROP_LINK_DOWN);
  }
}

/**
 * Hosts that receive more slowly than their link: packets wait in a receive buffer, in order, and are removed at the rate of the
 * receive path. Above a threshold, the switch is paused in the class of the arriving packet, until the buffer falls to a lower
 * threshold.
 *
 *   held     bytes in the buffer, including the packet being removed
 *   drop     held + length > capacity
 *   pause    held >= xoff, in classes of data        resume   held <= xon, all paused classes
 *
 * Source     Mellanox WinOF VPI User Manual 4.70, 8.13: beyond the XOFF threshold of its packet buffer an adapter sends pause
 *            frames; packets that arrive while the buffer is full are dropped.
 * Deviation  one buffer for all classes; pause frames are not held in it.
 */
import { DROP_RECEIVE_BUFFER, SIM_NONE } from '../../../src/abi/sim-codes';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { guaranteedClasses, indexOfPort } from '../network';
import { serveNic } from '../nic';
import { dropHazard, packetAt } from '../packets';
import { putPauseFrame } from '../pauses';
import { timeAtRate } from '../serialisation';
import { hazardPort } from './memory';
import { HazardPort } from '../../records/hazards';
import { SimPort } from '../../records/network';
import { CLASSES } from '../classes';

/** First event of the receive paths, one per port. */
let receipts: u32 = 0;

/** Sets the first event number of packets that have passed a receive path. */
export function placeReceipts(event: u32): void {
  receipts = event;
}

/** Whether a host's receive path has paused classes. */
export function wantsPause(port: SimPort): bool {
  const own = hazardPort(port);
  return own.rateBps != 0 && own.pauses != 0 && own.held > own.xon;
}

/** Puts an arriving packet into the buffer, or drops it. */
export function takeIn(port: SimPort, index: u32): void {
  const own = hazardPort(port);
  const packet = packetAt(index);
  if (own.held + packet.lenBytes > own.capacity) {
    port.drops += 1;
    own.receiveDrops++;
    return dropHazard(index, DROP_RECEIVE_BUFFER);
  }
  own.held += packet.lenBytes;
  if (own.held > own.mostHeld) own.mostHeld = own.held;
  packet.next = SIM_NONE;
  if (own.head == SIM_NONE) {
    own.head = index;
    expectNext(port, own);
  } else packetAt(own.tail).next = index;
  own.tail = index;
  const bit: u32 = 1 << <u32>packet.cls;
  if (!own.pauses || own.held < own.xoff || port.pausing & bit || !(guaranteedClasses & bit)) return;
  if (putPauseFrame(port, packet.cls, true)) serveNic(port, nowPs);
}

/** Removes the first packet of the buffer, which has passed the receive path. */
export function takeOut(port: SimPort): u32 {
  const own = hazardPort(port);
  const index = own.head;
  const packet = packetAt(index);
  own.head = packet.next;
  own.held -= packet.lenBytes;
  if (own.head != SIM_NONE) expectNext(port, own);
  if (own.pauses && own.held <= own.xon) resumeIfDue(port, own);
  return index;
}

function expectNext(port: SimPort, own: HazardPort): void {
  const passes = timeAtRate(packetAt(own.head).lenBytes, own.rateBps);
  schedule(receipts + indexOfPort(port), nowPs + passes, drawOrder());
}

function resumeIfDue(port: SimPort, own: HazardPort): void {
  const ended = port.pausing & ~own.storming;
  if (!ended) return;
  for (let cls: u32 = 0; cls < CLASSES; cls++) {
    if (ended & (1 << cls)) putPauseFrame(port, cls, false);
  }
  serveNic(port, nowPs);
}

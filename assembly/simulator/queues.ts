/** The queues of a port, one per class: linked packets, lengths in bytes, and the class to be served next. */
import { SIM_NONE } from '../../src/abi/sim-codes';
import { nowPs } from './event-queue';
import { strictClasses } from './network';
import { fetchPacket, packetAt } from './packets';
import { SimPort } from '../records/network';
import { classOf } from './classes';

/** Appends a packet to its queue. */
export function enqueue(port: SimPort, queue: u32, index: u32): void {
  const packet = packetAt(index);
  packet.next = SIM_NONE;
  const bit: u32 = 1 << queue;
  const own = classOf(port, queue);
  if (port.waiting & bit) packetAt(own.tail).next = index;
  else own.head = index;
  own.tail = index;
  port.waiting |= bit;
  accountQueue(port);
  const classBytes = own.bytes + packet.lenBytes;
  own.bytes = classBytes;
  port.queueBytes += packet.lenBytes;
  if (classBytes > port.maxClassQueueBytes) port.maxClassQueueBytes = classBytes;
  if (port.queueBytes > port.maxQueueBytes) port.maxQueueBytes = port.queueBytes;
}

/** Accounts for a packet that skips the empty queue of an idle port. */
@inline export function passQueue(port: SimPort, queue: u32, lenBytes: u32): void {
  port.queueSincePs = nowPs;
  if (lenBytes > port.maxClassQueueBytes) port.maxClassQueueBytes = lenBytes;
  if (lenBytes > port.maxQueueBytes) port.maxQueueBytes = lenBytes;
  if (queue && !(strictClasses & (1 << queue))) port.lastServed = <u8>queue;
}

/** Removes the first packet of a queue, which must not be empty. */
export function dequeue(port: SimPort, queue: u32): u32 {
  const own = classOf(port, queue);
  const index = own.head;
  const packet = packetAt(index);
  own.head = packet.next;
  if (packet.next == SIM_NONE) port.waiting &= ~(1 << queue);
  else fetchPacket(packet.next);
  accountQueue(port);
  own.bytes -= packet.lenBytes;
  port.queueBytes -= packet.lenBytes;
  return index;
}

/** Removes a packet from anywhere in a queue. `before`: the previous packet; SIM_NONE for the first. */
export function removeBehind(port: SimPort, queue: u32, before: u32, index: u32): void {
  if (before == SIM_NONE) {
    dequeue(port, queue);
    return;
  }
  const own = classOf(port, queue);
  const packet = packetAt(index);
  packetAt(before).next = packet.next;
  if (packet.next == SIM_NONE) own.tail = before;
  accountQueue(port);
  own.bytes -= packet.lenBytes;
  port.queueBytes -= packet.lenBytes;
}

/** Updates the time integral of the queue to now. */
@inline export function accountQueue(port: SimPort): void {
  port.queueIntegral += <f64>port.queueBytes * <f64>(nowPs - port.queueSincePs);
  port.queueSincePs = nowPs;
}

/** The class to be served, or SIM_NONE: pause frames, then strict classes from the highest down, then the others round-robin. */
@inline export function nextClass(port: SimPort): u32 {
  const ready = port.waiting & (~port.paused | 1);
  return ready ? classToServe(port, ready) : SIM_NONE;
}

/** The class to be served among the ready ones, of which there is at least one. */
@inline export function classToServe(port: SimPort, ready: u32): u32 {
  if (ready & 1) return 0;
  const strict = ready & strictClasses;
  if (strict) return 31 - <u32>clz(strict);
  return inTurn(port, ready);
}

/** Round-robin after the class served last. */
@inline function inTurn(port: SimPort, ready: u32): u32 {
  const behind = ready >> (port.lastServed + 1) << (port.lastServed + 1);
  const chosen = <u32>ctz(behind ? behind : ready);
  port.lastServed = <u8>chosen;
  return chosen;
}

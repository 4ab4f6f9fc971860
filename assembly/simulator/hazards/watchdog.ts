/**
 * The PFC watchdog of a switch, per port and class.
 *
 *   detection     a poll finds packets in a queue that has been paused for the detection time or longer
 *   drop          drops the packets in the queue, and those that arrive for it or by its port in its class
 *   forward       the queue is served although it is paused
 *   restoration   a poll finds that no pause has been requested for the restoration time
 *
 * Source     SONiC, PFC Watchdog Design (wiki), 1 to 3: detection, mitigation, restoration.
 * Deviation  SONiC's scripts count polls in which nothing left the queue and it was paused; here the pause itself must last. A pause
 *            counts as requested until the frame that ends it, whereas SONiC counts frames.
 */
import { DROP_WATCHDOG } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { addSource } from '../event-sources';
import { indexOfPort, nodeAt, nodeCount, portAt } from '../network';
import { dequeueFreed, serve } from '../switch';
import { dropHazard } from '../packets';
import { hazardClass, hazardNode, hazardous, hazardPort } from './memory';
import { endWatched } from './pauses';
import { placePolls, setPoll } from './watchdog-polls';
import { HazardNode } from '../../records/hazards';
import { SimNode, SimPort } from '../../records/network';
import { CLASSES, classOf } from '../classes';
import { TRACE_PAUSE_LAPSED } from '../../records/packet-trace';

/** Adds the events at which a switch's watchdog polls its queues. */
export function addPolls(): void {
  placePolls(addSource(hazardous ? nodeCount : 0, poll));
}

function poll(index: u32): void {
  const node = nodeAt(index);
  const own = hazardNode(index);
  own.polling = 0;
  let watched: u32 = 0;
  for (let number: u32 = 0; number < node.portCount; number++) {
    const port = portAt(node.firstPort + number);
    if (!(port.paused | hazardPort(port).stormed)) continue;
    for (let cls: u32 = 1; cls < CLASSES; cls++) pollQueue(node, own, port, cls);
    watched |= port.paused | hazardPort(port).stormed;
  }
  if (watched) setPoll(index);
}

function pollQueue(node: SimNode, own: HazardNode, port: SimPort, cls: u32): void {
  const bit: u32 = 1 << cls;
  if (hazardPort(port).stormed & bit) {
    if (!(hazardPort(port).asked & bit)) restore(own, port, cls);
  } else if (port.paused & port.waiting & bit) {
    if (nowPs - classOf(port, cls).pausedSincePs >= <i64>own.detectionPs) mitigate(node, own, port, cls);
  }
}

function mitigate(node: SimNode, own: HazardNode, port: SimPort, cls: u32): void {
  const ofPort = hazardPort(port);
  endWatched(port, cls, TRACE_PAUSE_LAPSED);
  ofPort.stormed |= 1 << cls;
  ofPort.asked |= 1 << cls;
  ofPort.storms += 1;
  hazardClass(indexOfPort(port), cls).stormedSincePs = nowPs;
  if (!own.drops) return serve(node, port);
  while (port.waiting & (1 << cls)) dropStormed(port, dequeueFreed(node, port, cls));
}

function restore(own: HazardNode, port: SimPort, cls: u32): void {
  const times = hazardClass(indexOfPort(port), cls);
  if (nowPs - times.quietSincePs < <i64>own.restorationPs) return;
  const ofPort = hazardPort(port);
  ofPort.stormed &= ~(1 << cls);
  ofPort.restored += 1;
  ofPort.stormedPs += <f64>(nowPs - times.stormedSincePs);
}

function dropStormed(port: SimPort, index: u32): void {
  port.drops += 1;
  hazardPort(port).watchdogDrops += 1;
  dropHazard(index, DROP_WATCHDOG);
}

/** Adds the time of open intervals, up to now. */
export function accountStormed(port: SimPort): void {
  const own = hazardPort(port);
  for (let cls: u32 = 0; cls < CLASSES; cls++) {
    if (!(own.stormed & (1 << cls))) continue;
    const times = hazardClass(indexOfPort(port), cls);
    own.stormedPs += <f64>(nowPs - times.stormedSincePs);
    times.stormedSincePs = nowPs;
  }
}

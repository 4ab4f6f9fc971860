/**
 * Detects deadlocks: paused queues of switches whose packets wait for each other's memory, in a cycle.
 *
 *   suspected   initially, each paused queue with packets from one switch to another
 *   stuck(q)    bytes that arrived by q and wait in suspected queues
 *   cleared     a queue whose pause would end once all bytes of the next switch except the stuck ones have left
 *   deadlocked  the suspected queues that cannot be cleared: a greatest fixed point
 *   cycle       starts at the first of them; the next one is the deadlocked egress port where most bytes that arrived by it wait
 *
 * There are no false positives: packets that can still leave do not help the remaining queues, and arriving ones only use memory. A
 * deadlock forms when the last port of its cycle is paused. Hosts that pause forever are not part of a cycle, so not a deadlock.
 *
 * Source     S. Hu et al., Deadlocks in Datacenter Networks: Why Do They Form, and How to Avoid Them, HotNets 2016: cyclic buffer
 *            dependency; E. Coffman et al., System Deadlocks, ACM Computing Surveys 3(2), 1971: circular wait.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { areLinksResolved } from '../links';
import { nodeAt, nodeCount, portAt, portCount, totals } from '../network';
import { packetAt } from '../packets';
import { areStartsOver } from '../sender';
import { leastUse, sharedOfUse, wouldResume } from '../shared-buffer';
import { deadlockAt, hazardClass, hazardNetwork, hazardNode } from './memory';
import { bytesFrom } from './queue-bytes';
import { TOTAL_DELIVERED, TOTAL_FLOWS_DONE } from '../../records/sim-run';
import { DEADLOCKS_KEPT, DEADLOCK_CYCLE, DEADLOCK_CYCLE_COUNT } from '../../records/hazards';
import { SimPort } from '../../records/network';
import { CLASSES, classOf } from '../classes';

/** Whether there is a deadlock that has not been resolved. */
let isOpen: bool = false;
let progress: f64 = 0;
let progressPs: i64 = 0;

export function beginDeadlocks(): void {
  isOpen = false;
  progress = -1;
  progressPs = 0;
}

/** Searches for a deadlock and records it; of two simultaneous ones, only the first. */
export function seekDeadlock(): void {
  let found = suspectAll();
  while (found && clearSome()) found = countSuspects();
  if (!found) return resolve();
  if (isOpen) return;
  isOpen = true;
  const own = hazardNetwork();
  if (own.deadlocks++ < <u32>DEADLOCKS_KEPT) record(own.deadlockRecords++);
}

function resolve(): void {
  if (!isOpen) return;
  isOpen = false;
  const own = hazardNetwork();
  if (own.deadlocks == own.deadlockRecords) deadlockAt(own.deadlockRecords - 1).resolvedPs = <f64>nowPs;
}

/** Whether the run can't proceed because of a deadlock. */
export function isEndedByDeadlock(): bool {
  const made = load<f64>(totals + (TOTAL_DELIVERED << 3)) + load<f64>(totals + (TOTAL_FLOWS_DONE << 3));
  if (made != progress) {
    progress = made;
    progressPs = nowPs;
  }
  const quietPs = <i64>hazardNetwork().quietPs;
  if (!isOpen || quietPs == 0 || nowPs - progressPs < quietPs) return false;
  return areStartsOver() && areLinksResolved();
}

function suspectAll(): bool {
  for (let index: u32 = 0; index < portCount; index++) {
    const port = portAt(index);
    const blocked = port.isHost || portAt(port.peer).isHost ? 0 : port.paused & port.waiting;
    for (let cls: u32 = 0; cls < CLASSES; cls++) hazardClass(index, cls).suspected = blocked >> cls & 1;
  }
  return countSuspects();
}

function countSuspects(): bool {
  for (let index: u32 = 0; index < portCount; index++) {
    for (let cls: u32 = 0; cls < CLASSES; cls++) {
      if (hazardClass(index, cls).suspected) return true;
    }
  }
  return false;
}

/** Returns whether any queue was cleared. */
function clearSome(): bool {
  weighStuck();
  let cleared = false;
  for (let index: u32 = 0; index < portCount; index++) {
    for (let cls: u32 = 0; cls < CLASSES; cls++) {
      if (!hazardClass(index, cls).suspected || staysPaused(portAt(portAt(index).peer), portAt(index).peer, cls))
        continue;
      hazardClass(index, cls).suspected = 0;
      cleared = true;
    }
  }
  return cleared;
}

/** Whether a port's pause of a class would last after all but the stuck packets have left the switch. */
function staysPaused(inPort: SimPort, number: u32, cls: u32): bool {
  if (!(inPort.pausing & (1 << cls))) return false;
  const stuck = hazardClass(number, cls).stuck;
  return stuck != 0 && !wouldResume(nodeAt(inPort.node), inPort, cls, stuck, hazardNode(inPort.node).stuckShared);
}

/** Computes the stuck bytes of each port and class, and their share of the shared memory. */
function weighStuck(): void {
  for (let index: u32 = 0; index < portCount; index++) {
    for (let cls: u32 = 0; cls < CLASSES; cls++) hazardClass(index, cls).stuck = 0;
  }
  for (let index: u32 = 0; index < portCount; index++) {
    for (let cls: u32 = 0; cls < CLASSES; cls++) {
      if (hazardClass(index, cls).suspected) weighQueue(portAt(index), cls);
    }
  }
  for (let node: u32 = 0; node < nodeCount; node++) hazardNode(node).stuckShared = 0;
  for (let index: u32 = 0; index < portCount; index++) {
    const port = portAt(index);
    if (port.isHost) continue;
    for (let cls: u32 = 0; cls < CLASSES; cls++) {
      const left = leastUse(classOf(port, cls), hazardClass(index, cls).stuck);
      hazardNode(port.node).stuckShared += sharedOfUse(left, cls);
    }
  }
}

function weighQueue(port: SimPort, cls: u32): void {
  for (let at = classOf(port, cls).head; at != SIM_NONE; at = packetAt(at).next) {
    const packet = packetAt(at);
    if (packet.inPort != SIM_NONE) hazardClass(packet.inPort, cls).stuck += packet.lenBytes;
  }
}

/** Records the cycle that contains the first deadlocked queue, or that it leads to. */
function record(number: u32): void {
  const deadlock = deadlockAt(number);
  deadlock.foundPs = <f64>nowPs;
  deadlock.resolvedPs = -1;
  deadlock.formedPs = 0;
  deadlock.ports = 0;
  const places = changetype<usize>(deadlock) + DEADLOCK_CYCLE;
  const first = entryOfCycle(firstSuspect());
  let at = first;
  do {
    if (deadlock.ports < <u32>DEADLOCK_CYCLE_COUNT) store<u32>(places + (<usize>deadlock.ports << 2), at);
    deadlock.ports++;
    const sincePs = <f64>classOf(portAt(at / CLASSES), at % CLASSES).pausedSincePs;
    if (sincePs > deadlock.formedPs) deadlock.formedPs = sincePs;
    at = nextInCycle(at);
  } while (at != first);
}

function firstSuspect(): u32 {
  let at: u32 = 0;
  while (!hazardClass(at / CLASSES, at % CLASSES).suspected) at++;
  return at;
}

/** The member of the cycle with the lowest number. After as many steps as there are ports, the walk is in the cycle. */
function entryOfCycle(from: u32): u32 {
  let at = from;
  for (let steps: u32 = 0; steps < portCount; steps++) at = nextInCycle(at);
  let least = at;
  for (let other = nextInCycle(at); other != at; other = nextInCycle(other)) least = min<u32>(least, other);
  return least;
}

/** The deadlocked egress port of the next switch where most bytes that arrived from this port wait. */
function nextInCycle(at: u32): u32 {
  const cls = at % CLASSES;
  const inPort = portAt(at / CLASSES).peer;
  const node = nodeAt(portAt(inPort).node);
  let next = at;
  let most: u32 = 0;
  for (let number: u32 = 0; number < node.portCount; number++) {
    const egress = node.firstPort + number;
    if (!hazardClass(egress, cls).suspected) continue;
    const bytes = bytesFrom(portAt(egress), inPort, cls);
    if (bytes <= most) continue;
    most = bytes;
    next = egress * CLASSES + cls;
  }
  return next;
}

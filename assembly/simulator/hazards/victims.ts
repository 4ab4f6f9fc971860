/**
 * Victims of PFC: flows that a pause holds although their own way is free.
 *
 *   held     data waits in a paused queue: of a switch's port, or at a host's port, where a flow has bytes left to send
 *   free     at the next switch the flow's exit is not paused in that class, and nothing of the class waits there
 *   root     from the paused port on: the port where most of what came in waits, as long as that is paused too
 *
 * Time is accounted when a pause ends, and at each look while it lasts, by what is free then.
 * Source     Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, 2.2: victim flows.
 */
import { FLOW_DONE, SIM_NONE } from '../../../src/abi/sim-layout';
import { nowPs } from '../event-queue';
import { flowAt, indexOfPort, lists, nodeAt, portAt } from '../network';
import { isData, packetAt } from '../packets';
import { wayOfData } from '../paths';
import { classOf, SimNode, SimPort } from '../records';
import { hazardClass, hazardFlow, hazardNetwork } from './memory';
import { bytesFrom } from './queue-bytes';

/** Number of the present walk along a queue, so that a flow counts once. */
let walk: u32 = 0;
let walkRoot: u32 = 0;
let knowsRoot: bool = false;

export function beginVictims(): void {
  walk = 0;
}

/** Accounts for the flows that a paused class of a port has held since the last time. */
export function accountVictims(port: SimPort, cls: u32): void {
  const own = hazardClass(indexOfPort(port), cls);
  const heldPs = nowPs - own.accountedPs;
  own.accountedPs = nowPs;
  if (heldPs <= 0 || hazardNetwork().lookPs == 0 || portAt(port.peer).isHost) return;
  walk++;
  knowsRoot = false;
  if (port.isHost) return accountSenders(port, cls, <f64>heldPs);
  if (!(port.waiting & (1 << cls))) return;
  for (let at = classOf(port, cls).head; at != SIM_NONE; at = packetAt(at).next) {
    const packet = packetAt(at);
    if (isData(packet)) accountFlow(port, cls, packet.flow, <f64>heldPs);
  }
}

function accountSenders(port: SimPort, cls: u32, heldPs: f64): void {
  for (let place: u32 = 0; place < port.qpCount; place++) {
    const number = load<u32>(lists + (<usize>(port.list + place) << 2));
    const flow = flowAt(number);
    if (flow.dataClass == cls && !(flow.flags & FLOW_DONE) && flow.sndNxt < flow.size)
      accountFlow(port, cls, number, heldPs);
  }
}

function accountFlow(port: SimPort, cls: u32, number: u32, heldPs: f64): void {
  const own = hazardFlow(number);
  if (own.walk == walk) return;
  own.walk = walk;
  if (!isFree(nodeAt(portAt(port.peer).node), number, cls)) return;
  own.heldPs += heldPs;
  if (heldPs <= own.longestPs) return;
  own.longestPs = heldPs;
  own.heldAt = indexOfPort(port);
  own.root = rootOf(port, cls);
}

/** Could the flow's data leave the next switch at once? */
function isFree(node: SimNode, number: u32, cls: u32): bool {
  const out = wayOfData(node, flowAt(number));
  if (out == SIM_NONE) return false;
  const exit = portAt(out);
  return !((exit.paused | exit.waiting) & (1 << cls));
}

/** Where it began that a port is paused: once for all flows of a walk. SIM_NONE: in a circle. */
function rootOf(port: SimPort, cls: u32): u32 {
  if (!knowsRoot) walkRoot = followBack(port, cls);
  knowsRoot = true;
  return walkRoot;
}

function followBack(port: SimPort, cls: u32): u32 {
  let at = port;
  const first = indexOfPort(port);
  for (let steps: u32 = 0; steps < MOST_STEPS; steps++) {
    const peer = portAt(at.peer);
    if (peer.isHost) return indexOfPort(at);
    const next = fullestExit(nodeAt(peer.node), indexOfPort(peer), cls);
    if (next == SIM_NONE) return indexOfPort(at);
    at = portAt(next);
    if (!(at.paused & (1 << cls))) return next;
    if (next == first) return SIM_NONE;
  }
  return SIM_NONE;
}

/** Longer than any way through a network: a walk that is not over by then goes in a circle. */
const MOST_STEPS: u32 = 64;

/** The exit of a switch where most bytes of a class wait that came in by a port; SIM_NONE: none do. */
function fullestExit(node: SimNode, inPort: u32, cls: u32): u32 {
  let fullest = SIM_NONE;
  let most: u32 = 0;
  for (let number: u32 = 0; number < node.portCount; number++) {
    const bytes = bytesFrom(portAt(node.firstPort + number), inPort, cls);
    if (bytes <= most) continue;
    most = bytes;
    fullest = node.firstPort + number;
  }
  return fullest;
}

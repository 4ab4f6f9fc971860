/**
 * Victims of PFC: flows that a pause holds although its cause is not on their path.
 *
 *   held     data waits in a paused queue of a switch; at a host, bytes are left to send
 *   root     follows from the paused port to the port where most of its data waits, while that one is also paused; SIM_NONE: a cycle
 *   victim   the root is not on the flow's path; in a cycle: its egress port at the next switch has neither a pause nor a queue
 *
 * Flows are checked when a pause begins and periodically while it lasts; time counts from a check to the next, or to the
 * pause's end. A flow that several queues hold counts at the first of them.
 * Source     Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, 2.2: victim flows.
 */
import { FLOW_DONE, SIM_NONE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { flowAt, indexOfPort, nodeAt, portAt } from '../network';
import { isData, packetAt } from '../packets';
import { flowAtPlace } from '../ready-qps';
import { egressOfData } from '../hashed-egress';
import { hazardFlow, hazardNetwork } from './memory';
import { bytesFrom } from './queue-bytes';
import { HazardFlow } from '../../records/hazards';
import { SimFlow, SimNode, SimPort } from '../../records/network';
import { CLASSES, classOf } from '../classes';

/** Number of the current traversal of a queue, so that each flow counts once. */
let walk: u32 = 0;
let walkRoot: u32 = 0;
let knowsRoot: bool = false;

export function beginVictims(): void {
  walk = 0;
}

/** Accounts for flows that a paused class of a port has held since the last call. `waitsForHalt`: whether the pause continues. */
export function accountVictims(port: SimPort, cls: u32, waitsForHalt: bool): void {
  if (hazardNetwork().checkIntervalPs == 0 || portAt(port.peer).isHost) return;
  walk++;
  knowsRoot = false;
  if (port.isHost) return accountSenders(port, cls, waitsForHalt);
  if (!(port.waiting & (1 << cls))) return;
  for (let at = classOf(port, cls).head; at != SIM_NONE; at = packetAt(at).next) {
    const packet = packetAt(at);
    if (isData(packet)) accountFlow(port, cls, packet.flow, waitsForHalt);
  }
}

function accountSenders(port: SimPort, cls: u32, waitsForHalt: bool): void {
  for (let place: u32 = 0; place < port.listed; place++) {
    const number = flowAtPlace(port, place);
    if (number == SIM_NONE) continue;
    const flow = flowAt(number);
    if (flow.dataClass == cls && !(flow.flags & FLOW_DONE) && flow.sndNxt < flow.size)
      accountFlow(port, cls, number, waitsForHalt);
  }
}

function accountFlow(port: SimPort, cls: u32, number: u32, waitsForHalt: bool): void {
  const own = hazardFlow(number);
  if (own.walk == walk) return;
  own.walk = walk;
  const place = indexOfPort(port) * CLASSES + cls + 1;
  if (isHeld(own)) {
    if (own.place != place) return;
    addTime(own, <f64>(nowPs - own.sincePs), indexOfPort(port));
  }
  own.place = 0;
  if (!waitsForHalt || !isVictim(port, cls, number)) return;
  own.place = place;
  own.sincePs = nowPs;
  own.placeRoot = rootOf(port, cls);
}

/** Whether the flow already counts at another queue that is still paused. */
function isHeld(own: HazardFlow): bool {
  if (!own.place) return false;
  const port = portAt((own.place - 1) / CLASSES);
  const cls = (own.place - 1) % CLASSES;
  return (port.paused & (1 << cls)) != 0 && own.sincePs >= classOf(port, cls).pausedSincePs;
}

function addTime(own: HazardFlow, heldPs: f64, port: u32): void {
  own.heldPs += heldPs;
  if (heldPs <= own.longestPs) return;
  own.longestPs = heldPs;
  own.heldAt = port;
  own.root = own.placeRoot;
}

function isVictim(port: SimPort, cls: u32, number: u32): bool {
  const root = rootOf(port, cls);
  if (root == SIM_NONE) return isFree(nodeAt(portAt(port.peer).node), number, cls);
  return root != indexOfPort(port) && !isOnPath(flowAt(number), root);
}

function isOnPath(flow: SimFlow, wanted: u32): bool {
  let at = flow.sourcePort;
  for (let steps: u32 = 0; steps < MOST_STEPS; steps++) {
    if (at == wanted) return true;
    const peer = portAt(portAt(at).peer);
    if (peer.isHost) return false;
    at = egressOfData(nodeAt(peer.node), flow);
    if (at == SIM_NONE) return false;
  }
  return false;
}

/** Whether the flow's data could leave the next switch immediately. */
function isFree(node: SimNode, number: u32, cls: u32): bool {
  const out = egressOfData(node, flowAt(number));
  if (out == SIM_NONE) return false;
  const egress = portAt(out);
  return !((egress.paused | egress.waiting) & (1 << cls));
}

/** The root of a port's pause, found once per traversal; SIM_NONE for a cycle. */
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
    const next = fullestEgress(nodeAt(peer.node), indexOfPort(peer), cls);
    if (next == SIM_NONE) return indexOfPort(at);
    at = portAt(next);
    if (!(at.paused & (1 << cls))) return next;
    if (next == first) return SIM_NONE;
  }
  return SIM_NONE;
}

/** Longer than any path through a network: more steps mean a cycle. */
const MOST_STEPS: u32 = 64;

/** The egress port where most bytes of a class that arrived by a port wait; SIM_NONE if there are none. */
function fullestEgress(node: SimNode, inPort: u32, cls: u32): u32 {
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

/**
 * Which QPs of a host's port are to be looked at, where it has many: so that a packet does not walk the list of them all.
 *
 * Tree      of minima over the places of the port's list: a leaf is the instant from which on the QP at its place may be able to send.
 *           LOOK: look at it. READY: it had bytes left and no gap when it was last looked at, and nothing has happened to it since. The end of
 *           its gap: nothing before. NEVER: only something that happens to it (an ACK, a notification, a timeout)
 *           or to the port (a resume) can let it send.
 * Safe      a leaf may be too early, which costs a look, but never too late: whatever happens to a flow sets it to LOOK. A flow that is
 *           done has LOOK.
 * Pauses    where all classes of a port's QPs are paused the leaves alone say what looks at all of them would find.
 * Cost      a look at the first QP that may send, and a change of a leaf: the logarithm of the number of QPs. A pause, a resume and a QP
 *           that leaves: a walk over the leaves, not over the flows.
 *
 * Under fidelity `standard` alone: in the references a look at a QP may run its timers, so all are looked at there.
 */
import { FLOW_DONE, SIM_NONE } from '../../src/abi/sim-layout';
import { READY_FLOW_BYTES, READY_QPS_MAX, READY_QP_BYTES } from '../../src/abi/ready-qps';
import { allocate } from '../memory/map';
import { nowPs } from './event-queue';
import { flowAt, flowCount, lists, portAt, reference } from './network';
import { lossy } from './lossy/network';
import { SimFlow, SimPort } from './records';

/** Ports of fewer QPs have no tree. */
const MANY: u32 = 16;
export const NEVER: i64 = i64.MAX_VALUE;
const LOOK: i64 = 0;
const READY: i64 = -1;
const NODE_SHIFT: usize = 3;
/** Nodes per entry of a port's list: a tree has fewer than twice the leaves, and fewer than twice as many leaves as entries. */
const NODES_PER_ENTRY: u32 = READY_QP_BYTES >> <i32>NODE_SHIFT;

let trees: usize = 0;
/** By flow: its place in the list of its port. */
let places: usize = 0;
/** Has any port had a tree? Networks without one look at no port for each packet that comes back. */
let planted = false;

/** @param entries of the lists of all ports; of too many none has a tree, as flows need the memory. */
export function allocateReadyQps(entries: u32): void {
  planted = false;
  const wanted = entries >= MANY && entries <= <u32>READY_QPS_MAX;
  trees = wanted ? allocate(<usize>entries * READY_QP_BYTES) : 0;
  places = wanted ? allocate(<usize>flowCount * READY_FLOW_BYTES) : 0;
}

@inline function nodeOf(port: SimPort, node: u32): usize {
  return trees + ((<usize>port.list * NODES_PER_ENTRY + node) << NODE_SHIFT);
}

/** A flow has a place in the list of its port, or another one. */
@inline export function notePlace(flow: u32, place: u32): void {
  if (trees) store<u32>(places + <usize>flow * READY_FLOW_BYTES, place);
}

@inline function leafOf(port: SimPort, place: u32): i64 {
  return load<i64>(nodeOf(port, port.leaves + place));
}

@inline function putLeaf(port: SimPort, place: u32, untilPs: i64): void {
  store<i64>(nodeOf(port, port.leaves + place), untilPs);
}

/** A QP has joined at the end of the list. */
@inline export function qpJoined(port: SimPort): void {
  if (port.qpCount < MANY || !trees || reference || lossy) return;
  if (port.qpCount > port.leaves) plantTree(port);
  else setLeaf(port, port.qpCount - 1, LOOK);
}

/** What held some of the QPs is over. */
export function release(port: SimPort): void {
  if (!port.leaves) return;
  port.held = 0;
  for (let place: u32 = 0; place < port.qpCount; place++) {
    if (leafOf(port, place) == NEVER) putLeaf(port, place, LOOK);
  }
  putMinima(port);
}

/** Are all classes of the port's QPs paused, and does the tree not know it yet? */
@inline export function isHeldAnew(port: SimPort): bool {
  return !port.held && !(port.qpClasses & ~port.paused);
}

/** None of the QPs can send before a resume. Returns the first place whose flow is done; SIM_NONE: there is none. */
export function hold(port: SimPort): u32 {
  let finished = SIM_NONE;
  port.held = 1;
  for (let place: u32 = 0; place < port.qpCount; place++) {
    let leaf = leafOf(port, place);
    if (leaf > nowPs) continue;
    if (leaf == LOOK) {
      leaf = restOf(flowAtPlace(port, place));
      if (leaf == LOOK) finished = min<u32>(finished, place);
    }
    putLeaf(port, place, leaf == LOOK || leaf > nowPs ? leaf : NEVER);
  }
  putMinima(port);
  return finished;
}

/** QPs have left the list: those behind them have moved up, with their leaves (`moveLeaf`), from a list that was `before` long. */
export function shorten(port: SimPort, before: u32): void {
  if (!port.leaves) return;
  if (port.qpCount < MANY) port.leaves = 0;
  else if (port.qpCount <= port.leaves >> 1) plantTree(port);
  else {
    for (let place = port.qpCount; place < before; place++) putLeaf(port, place, NEVER);
    putMinima(port);
  }
}

/** A QP moves up in the list. */
@inline export function moveLeaf(port: SimPort, place: u32, to: u32): void {
  if (port.leaves) putLeaf(port, to, leafOf(port, place));
}

/** Can a flow be done? Its leaf may say that it is not. */
@inline export function mayBeDone(port: SimPort, place: u32): bool {
  return !port.leaves || leafOf(port, place) == LOOK;
}

/** Something has happened to a flow. */
@inline export function lookAgain(flow: SimFlow, number: u32): void {
  if (!planted) return;
  const port = portAt(flow.sourcePort);
  const place = load<u32>(places + <usize>number * READY_FLOW_BYTES);
  if (port.leaves && place < port.qpCount) setLeaf(port, place, LOOK);
}

/** The QP at a place need not be looked at before an instant. */
export function setLeaf(port: SimPort, place: u32, untilPs: i64): void {
  let node = port.leaves + place;
  store<i64>(nodeOf(port, node), untilPs);
  while (node > 1) {
    node >>= 1;
    const least = leastOfChildren(port, node);
    if (load<i64>(nodeOf(port, node)) == least) return;
    store<i64>(nodeOf(port, node), least);
  }
}

/** The first place from this one on that is to be looked at; the number of leaves or more: there is none. */
export function firstToLookAt(port: SimPort, from: u32): u32 {
  const leaves = port.leaves;
  if (from >= leaves) return leaves;
  let node = leaves + from;
  while (load<i64>(nodeOf(port, node)) > nowPs) {
    while (node & 1) node >>= 1;
    if (!node) return leaves;
    node++;
  }
  while (node < leaves) {
    node <<= 1;
    if (load<i64>(nodeOf(port, node)) > nowPs) node++;
  }
  return node - leaves;
}

/** When the first QP is to be looked at. */
@inline export function firstLookPs(port: SimPort): i64 {
  return load<i64>(nodeOf(port, 1));
}

@inline function leastOfChildren(port: SimPort, node: u32): i64 {
  const at = nodeOf(port, node << 1);
  return min<i64>(load<i64>(at), load<i64>(at, 1 << NODE_SHIFT));
}

function plantTree(port: SimPort): void {
  const count = port.qpCount;
  const leaves: u32 = 1 << (32 - <u32>clz(count - 1));
  port.leaves = leaves;
  port.held = 0;
  planted = true;
  for (let place: u32 = 0; place < leaves; place++)
    putLeaf(port, place, place < count ? restOf(flowAtPlace(port, place)) : NEVER);
  putMinima(port);
}

/** From all leaves up to the root. */
function putMinima(port: SimPort): void {
  for (let node = port.leaves - 1; node > 0; node--) store<i64>(nodeOf(port, node), leastOfChildren(port, node));
}

@inline function flowAtPlace(port: SimPort, place: u32): SimFlow {
  return flowAt(load<u32>(lists + (<usize>(port.list + place) << 2)));
}

/** The leaf of a flow as it is now. A gap that goes on outlasts whatever else holds a flow that has bytes left. */
@inline export function restOf(flow: SimFlow): i64 {
  if (flow.flags & FLOW_DONE) return LOOK;
  if (flow.sndNxt >= flow.size) return NEVER;
  return flow.nextAvailPs > nowPs ? flow.nextAvailPs : READY;
}

/**
 * Which QPs of a host's port are to be looked at, where it has many: so that a packet does not walk the list of them all.
 *
 * Tree      of minima over the places of the port's list: a leaf is the instant from which on the QP at its place may be able to send.
 *           0: look at it. The end of its gap: nothing before. NEVER: only something that happens to it (an ACK, a notification, a timeout)
 *           or to the port (a resume) can let it send.
 * Safe      a leaf may be too early, which costs a look, but never too late: whatever happens to a flow sets it to 0.
 * Cost      a look at the first QP that may send, and a change of a leaf: the logarithm of the number of QPs.
 *
 * Under fidelity `standard` alone: in the references a look at a QP may run its timers, so all are looked at there.
 */
import { READY_QPS_MAX, READY_QP_BYTES } from '../../src/abi/ready-qps';
import { allocate } from '../memory/map';
import { nowPs } from './event-queue';
import { flowAt, lists, portAt, reference } from './network';
import { lossy } from './lossy/network';
import { SimFlow, SimPort } from './records';

/** Ports of fewer QPs have no tree. */
const MANY: u32 = 16;
export const NEVER: i64 = i64.MAX_VALUE;
const NODE_SHIFT: usize = 3;
/** Nodes per entry of a port's list: a tree has fewer than twice the leaves, and fewer than twice as many leaves as entries. */
const NODES_PER_ENTRY: u32 = READY_QP_BYTES >> <i32>NODE_SHIFT;

let trees: usize = 0;
/** Has any port had a tree? Networks without one look at no port for each packet that comes back. */
let planted = false;

/** @param entries of the lists of all ports; of too many none has a tree, as flows need the memory. */
export function allocateReadyQps(entries: u32): void {
  planted = false;
  trees = entries < MANY || entries > <u32>READY_QPS_MAX ? 0 : allocate(<usize>entries * READY_QP_BYTES);
}

@inline function nodeOf(port: SimPort, node: u32): usize {
  return trees + ((<usize>port.list * NODES_PER_ENTRY + node) << NODE_SHIFT);
}

/** A QP has joined at the end of the list. */
@inline export function qpJoined(port: SimPort): void {
  if (port.qpCount < MANY || !trees || reference || lossy) return;
  if (port.qpCount > port.leaves) plantTree(port);
  else setLeaf(port, port.qpCount - 1, 0);
}

/** QPs have left the list, or what holds some of them is over. */
export function lookAtAll(port: SimPort): void {
  if (!port.leaves) return;
  if (port.qpCount < MANY) port.leaves = 0;
  else plantTree(port);
}

/** Something has happened to a flow. */
@inline export function lookAgain(flow: SimFlow): void {
  if (!planted) return;
  const port = portAt(flow.sourcePort);
  if (port.leaves && flow.place < port.qpCount) setLeaf(port, flow.place, 0);
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
  planted = true;
  for (let place: u32 = 0; place < leaves; place++) {
    store<i64>(nodeOf(port, leaves + place), place < count ? endOfGap(flowAtPlace(port, place)) : NEVER);
  }
  for (let node = leaves - 1; node > 0; node--) store<i64>(nodeOf(port, node), leastOfChildren(port, node));
}

@inline function flowAtPlace(port: SimPort, place: u32): SimFlow {
  return flowAt(load<u32>(lists + (<usize>(port.list + place) << 2)));
}

/** A gap that goes on outlasts whatever else holds a flow that has bytes left. */
@inline export function endOfGap(flow: SimFlow): i64 {
  return flow.sndNxt < flow.size && flow.nextAvailPs > nowPs ? flow.nextAvailPs : 0;
}

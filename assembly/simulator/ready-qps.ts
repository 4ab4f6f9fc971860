/**
 * Finds the QPs that may send on a host's port with many QPs, without walking the whole list for each packet.
 *
 * Sets       bit sets over the slots of the port's list. CANDIDATES: the QP has bytes left and no gap, or is finished; window and pause
 *            are checked when it is visited. DONE: it is finished, and is removed at the next check. PRESENT: the slot is used.
 * Gaps       a tree of minima over the slots: the end of the gap of a QP with bytes left, or NEVER. When a gap ends, its QP is
 *            added to CANDIDATES.
 * Exact      each event of a flow updates its sets (`qpChanged`), so nothing is searched while all QPs are paused, and the wake-up
 *            is the tree's root. A QP held by a window or a pause is in no set until an event or a resume.
 * Cost       per packet: the next bit of a set, and O(log n) if the gap outlasts the transmission. Removing a QP: a scan over bits,
 *            64 slots at a time.
 *
 * Only under fidelity `standard`: in the references, checking a QP may run its timers, so all QPs are checked there.
 */
import { FLOW_DONE, READY_FLOW_BYTES, READY_GAP_BYTES, READY_QPS_MAX, READY_SET_BYTES,
  SIM_NONE } from '../../src/abi/sim-codes';
import { allocate } from '../memory/map';
import { nowPs } from './event-queue';
import { flowAt, flowCount, lists, portAt } from './network';
import { SimFlow, SimPort } from '../records/network';

export const NEVER: i64 = i64.MAX_VALUE;
const NODE_SHIFT: usize = 3;
const WORD_SHIFT: usize = 3;
/** Nodes per entry of a port's list: a tree has fewer than twice as many nodes as leaves, and fewer than twice as many leaves as entries. */
const NODES_PER_ENTRY: u32 = READY_GAP_BYTES >> <i32>NODE_SHIFT;
/** Numbers of a port's sets, which are stored consecutively, followed by a summary with a bit for each non-zero word of CANDIDATES. */
const CANDIDATES: u32 = 0;
const DONE: u32 = 1;
const PRESENT: u32 = 2;
const SETS: u32 = 3;

let trees: usize = 0;
let sets: usize = 0;
/** Address of each flow's slot in the list of its port. */
let places: usize = 0;
/** Whether any port has had sets; if not, arriving responses need no check of their port. */
let planted = false;

/** @param entries entries in the lists of all ports; with too few or too many no port has sets, as flows need the memory. */
export function allocateReadyQps(entries: u32, least: u32): void {
  planted = false;
  const wanted = entries >= least && entries <= <u32>READY_QPS_MAX;
  trees = wanted ? allocate(<usize>entries * READY_GAP_BYTES) : 0;
  sets = wanted ? allocate(<usize>entries * READY_SET_BYTES) : 0;
  places = wanted ? allocate(<usize>flowCount * READY_FLOW_BYTES) : 0;
}

/** Whether memory was allocated for the sets. */
@inline export function hasReadyQps(): bool {
  return trees != 0;
}

// ---- Sets

@inline function wordsOf(port: SimPort): u32 {
  return max<u32>(port.leaves >> 6, 1);
}

/** Address of a set. A port's sets begin at a whole word; with 16 entries or more they fit. */
@inline function setOf(port: SimPort, set: u32): usize {
  return sets + ((<usize>port.list * READY_SET_BYTES + 7) >> WORD_SHIFT << WORD_SHIFT) +
    ((<usize>set * wordsOf(port)) << WORD_SHIFT);
}

@inline function bitOf(place: u32): u64 {
  return (1 as u64) << (place & 63);
}

@inline function put(port: SimPort, set: u32, place: u32): void {
  const at = setOf(port, set) + (<usize>(place >> 6) << WORD_SHIFT);
  store<u64>(at, load<u64>(at) | bitOf(place));
}

@inline function remove(port: SimPort, set: u32, place: u32): void {
  const at = setOf(port, set) + (<usize>(place >> 6) << WORD_SHIFT);
  store<u64>(at, load<u64>(at) & ~bitOf(place));
}

@inline function addCandidate(port: SimPort, place: u32): void {
  put(port, CANDIDATES, place);
  put(port, SETS, place >> 6);
}

/** Removes a QP from CANDIDATES: it need not be checked before its next event. */
export function removeCandidate(port: SimPort, place: u32): void {
  remove(port, CANDIDATES, place);
  const word = place >> 6;
  if (!load<u64>(setOf(port, CANDIDATES) + (<usize>word << WORD_SHIFT))) remove(port, SETS, word);
}

/** The first slot to check from this one on; SIM_NONE if there is none. */
export function firstCandidate(port: SimPort, from: u32): u32 {
  if (from >= port.leaves) return SIM_NONE;
  const candidates = setOf(port, CANDIDATES);
  const bits = load<u64>(candidates + (<usize>(from >> 6) << WORD_SHIFT)) >> (from & 63);
  if (bits) return from + <u32>ctz(bits);
  const word = firstIn(setOf(port, SETS), (from >> 6) + 1, wordsOf(port));
  if (word == SIM_NONE) return SIM_NONE;
  return (word << 6) + <u32>ctz(load<u64>(candidates + (<usize>word << WORD_SHIFT)));
}

/** The first finished QP from this slot on; SIM_NONE if there is none. */
export function firstDone(port: SimPort, from: u32): u32 {
  return firstIn(setOf(port, DONE), from, port.leaves);
}

/** The first set bit from `from` on, below `count`. */
function firstIn(set: usize, from: u32, count: u32): u32 {
  let at = from;
  while (at < count) {
    const bits = load<u64>(set + (<usize>(at >> 6) << WORD_SHIFT)) >> (at & 63);
    if (bits) return at + <u32>ctz(bits);
    at = (at | 63) + 1;
  }
  return SIM_NONE;
}

/** Number of QPs before a slot. */
export function rankOf(port: SimPort, place: u32): u32 {
  const present = setOf(port, PRESENT);
  let rank: u32 = 0;
  for (let word: u32 = 0; word < place >> 6; word++)
    rank += <u32>popcnt(load<u64>(present + (<usize>word << WORD_SHIFT)));
  return rank + <u32>popcnt(load<u64>(present + (<usize>(place >> 6) << WORD_SHIFT)) & (bitOf(place) - 1));
}

/** The slot of the QP with this many before it, which must exist. */
export function placeOfRank(port: SimPort, rank: u32): u32 {
  let at = setOf(port, PRESENT);
  let word: u32 = 0;
  let left = rank;
  let bits = load<u64>(at);
  while (left >= <u32>popcnt(bits)) {
    left -= <u32>popcnt(bits);
    at += 1 << WORD_SHIFT;
    word++;
    bits = load<u64>(at);
  }
  while (left--) bits &= bits - 1;
  return (word << 6) + <u32>ctz(bits);
}

// ---- Gaps

@inline function nodeOf(port: SimPort, node: u32): usize {
  return trees + ((<usize>port.list * NODES_PER_ENTRY + node) << NODE_SHIFT);
}

@inline function leastOfChildren(port: SimPort, node: u32): i64 {
  const at = nodeOf(port, node << 1);
  return min<i64>(load<i64>(at), load<i64>(at, 1 << NODE_SHIFT));
}

/** Sets the end of the gap of the QP at a slot; NEVER if it has none. */
function putGap(port: SimPort, place: u32, untilPs: i64): void {
  let node = port.leaves + place;
  if (load<i64>(nodeOf(port, node)) == untilPs) return;
  store<i64>(nodeOf(port, node), untilPs);
  while (node > 1) {
    node >>= 1;
    const least = leastOfChildren(port, node);
    if (load<i64>(nodeOf(port, node)) == least) return;
    store<i64>(nodeOf(port, node), least);
  }
}

/** The earliest end of a gap; NEVER if there is none. */
@inline export function firstGapPs(port: SimPort): i64 {
  return load<i64>(nodeOf(port, 1));
}

/** Adds QPs whose gaps have ended to CANDIDATES. */
@inline export function endGaps(port: SimPort): void {
  while (firstGapPs(port) <= nowPs) endGap(port);
}

function endGap(port: SimPort): void {
  const least = firstGapPs(port);
  let node: u32 = 1;
  while (node < port.leaves) {
    node <<= 1;
    node += <u32>(load<i64>(nodeOf(port, node)) != least);
  }
  const place = node - port.leaves;
  putGap(port, place, NEVER);
  addCandidate(port, place);
}

// ---- QPs

@inline export function flowAtPlace(port: SimPort, place: u32): u32 {
  return load<u32>(lists + (<usize>(port.list + place) << 2));
}

/** Adds a QP at a slot; the port must have sets. */
export function putQp(port: SimPort, place: u32, flow: u32): void {
  store<u32>(places + <usize>flow * READY_FLOW_BYTES, place);
  put(port, PRESENT, place);
  sort(port, place, flowAt(flow));
}

/** Removes a finished QP from its slot. */
export function removeQp(port: SimPort, place: u32): void {
  remove(port, PRESENT, place);
  remove(port, DONE, place);
  removeCandidate(port, place);
}

/** Updates the sets after an event of a flow, which may no longer be in the list. */
@inline export function qpChanged(flow: SimFlow, number: u32): void {
  if (!planted) return;
  const port = portAt(flow.sourcePort);
  const place = load<u32>(places + <usize>number * READY_FLOW_BYTES);
  if (port.leaves && flowAtPlace(port, place) == number) sort(port, place, flow);
}

/**
 * Puts a QP into the sets for its state. A gap that ends before the running transmission is ignored, as nothing can be sent before.
 * A longer one takes precedence over everything else that holds back a QP with bytes left.
 */
export function sort(port: SimPort, place: u32, flow: SimFlow): void {
  const isDone = (flow.flags & FLOW_DONE) != 0;
  const isIdle = !isDone && flow.sndNxt >= flow.size;
  const hasGap = !isDone && !isIdle && flow.nextAvailPs > max<i64>(nowPs, port.freeAtPs);
  putGap(port, place, hasGap ? flow.nextAvailPs : NEVER);
  if (hasGap || isIdle) return removeCandidate(port, place);
  addCandidate(port, place);
  if (!isDone) return;
  put(port, DONE, place);
  port.someDone = 1;
}

/** Makes empty sets for this many slots, a power of two. */
export function plant(port: SimPort, leaves: u32): void {
  port.leaves = leaves;
  port.someDone = 0;
  planted = true;
  const words = wordsOf(port);
  memory.fill(setOf(port, CANDIDATES), 0, <usize>(words * SETS + ((words + 63) >> 6)) << WORD_SHIFT);
  for (let node: u32 = 1; node < 2 * leaves; node++) store<i64>(nodeOf(port, node), NEVER);
}

/** Adds the port's QPs without a gap to CANDIDATES, after a pause of some classes has ended. */
export function release(port: SimPort): void {
  if (!port.leaves || !(port.qpClasses & (port.qpClasses - 1))) return;
  for (let place: u32 = 0; place < port.listed; place++)
    if (flowAtPlace(port, place) != SIM_NONE) sort(port, place, flowAt(flowAtPlace(port, place)));
}

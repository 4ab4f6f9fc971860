/**
 * The list of QPs of a host's port in the order in which they joined it, which is the round-robin order.
 *
 * Few     without empty slots; when a QP is removed, those after it move up.
 * Many    a removed QP leaves its slot empty, and sets hold the slots to check (ready-qps.ts). The list is compacted when its
 *         slots are exhausted or mostly empty.
 * Last    `lastQp`, the QP served last: the number of QPs before it, or with many QPs its slot. If QPs are removed and none is
 *         served, the number of QPs before it is kept, as with few QPs.
 */
import { FLOW_DONE, SIM_NONE } from '../../src/abi/sim-codes';
import { lossy } from './lossy/network';
import { flowLeft, recycling } from './messages/memory';
import { flowAt, indexOfPort, listEntries, lists, portAt, portCount, reference } from './network';
import { allocateReadyQps, firstDone, flowAtPlace, hasReadyQps, placeOfRank, plant, putQp, rankOf,
  removeQp } from './ready-qps';
import { SimPort } from '../records/network';

/** Ports with fewer QPs have no sets. */
const MANY: u32 = 16;
/** A list is compacted when it has 2^this times as many slots as QPs. */
const SPARSE_SHIFT: u32 = 3;

export function allocateQpLists(): void {
  allocateReadyQps(listEntries(), MANY);
}

@inline function putEntry(port: SimPort, place: u32, flow: u32): void {
  store<u32>(lists + (<usize>(port.list + place) << 2), flow);
}

/** Appends a QP. */
export function addQp(port: SimPort, flow: u32): void {
  if (port.leaves && port.listed == port.leaves) renew(port, port.qpCount + 1);
  const place = port.listed++;
  putEntry(port, place, flow);
  port.qpCount++;
  if (port.leaves) putQp(port, place, flow);
  else if (port.qpCount >= MANY && hasReadyQps() && !reference && !lossy) renew(port, port.qpCount);
}

/** The slot after that of the QP served last, where the search among many QPs begins. */
@inline export function firstInTurn(port: SimPort): u32 {
  return port.lastIsRank ? placeOfRank(port, (port.lastQp + 1) % port.qpCount) : port.lastQp + 1;
}

/** Removes the finished QPs from this slot on; returns the new slot of the QP at `kept`. */
export function removeFinished(port: SimPort, from: u32, kept: u32): u32 {
  return port.leaves ? removeOfMany(port, from, kept) : removeOfFew(port, from, kept);
}

function removeOfFew(port: SimPort, from: u32, kept: u32): u32 {
  let to = from;
  let keptAt = kept;
  for (let place = from; place < port.qpCount; place++) {
    const flow = flowAtPlace(port, place);
    if (place != kept && flowAt(flow).flags & FLOW_DONE) {
      if (recycling) flowLeft(flow);
      continue;
    }
    if (place == kept) keptAt = to;
    putEntry(port, to++, flow);
  }
  port.qpCount = to;
  port.listed = to;
  return keptAt;
}

function removeOfMany(port: SimPort, from: u32, kept: u32): u32 {
  const last = kept == SIM_NONE ? rankOfLast(port) : 0;
  for (let place = firstDone(port, from); place != SIM_NONE; place = firstDone(port, place + 1)) {
    if (recycling) flowLeft(flowAtPlace(port, place));
    removeQp(port, place);
    putEntry(port, place, SIM_NONE);
    port.qpCount--;
  }
  if (kept == SIM_NONE) {
    port.someDone = 0;
    setLast(port, last);
  }
  return isSparse(port) ? closeAround(port, kept) : kept;
}

@inline function isSparse(port: SimPort): bool {
  return port.qpCount < MANY || port.qpCount <= port.leaves >> SPARSE_SHIFT;
}

/** Compacts the list; returns the new slot of the QP at `kept`. */
function closeAround(port: SimPort, kept: u32): u32 {
  const keptAt = kept == SIM_NONE ? kept : rankOf(port, kept);
  if (port.qpCount < MANY) closeUp(port);
  else renew(port, port.qpCount);
  return keptAt;
}

@inline function rankOfLast(port: SimPort): u32 {
  return port.lastIsRank ? port.lastQp : rankOf(port, port.lastQp);
}

function setLast(port: SimPort, rank: u32): void {
  const isPlace = rank < port.qpCount;
  port.lastQp = isPlace ? placeOfRank(port, rank) : rank;
  port.lastIsRank = <u8>!isPlace;
}

/** Makes new sets for 50 % more QPs than now, but not for more than will ever join the list. */
function renew(port: SimPort, count: u32): void {
  closeUp(port);
  plant(port, min<u32>(powerFrom(count + (count >> 1)), powerFrom(roomOf(port))));
  for (let place: u32 = 0; place < port.qpCount; place++) putQp(port, place, flowAtPlace(port, place));
  setLast(port, port.lastQp);
}

/** Compacts the list and drops the sets. */
function closeUp(port: SimPort): void {
  if (!port.leaves) return;
  port.lastQp = rankOfLast(port);
  let to: u32 = 0;
  for (let place: u32 = 0; place < port.listed; place++) {
    const flow = flowAtPlace(port, place);
    if (flow == SIM_NONE) continue;
    putEntry(port, place, SIM_NONE);
    putEntry(port, to++, flow);
  }
  port.listed = to;
  port.leaves = 0;
}

/** Capacity of the list: all QPs that will ever join it. */
function roomOf(port: SimPort): u32 {
  const next = indexOfPort(port) + 1;
  return (next < portCount ? portAt(next).list : listEntries()) - port.list;
}

/** The smallest power of two that is at least `least`, a number above 1. */
@inline function powerFrom(least: u32): u32 {
  return 1 << (32 - <u32>clz(least - 1));
}

/**
 * ConWeave: a flow leaves a path whose replies are late, and its last leaf holds back packets that overtake.
 *
 * First leaf   requests a reply with the first packet of an epoch (INIT). If it is in time, the epoch ends. If it is late, the
 *              flow's last packet on the old path is marked TAIL, and later ones take a path not known to be congested, in phase 1.
 * Last leaf    replies to INIT and TAIL, reports paths of marked packets (NOTIFY), and holds packets of phase 1 until the TAIL or a
 *              timeout.
 *
 * State that is idle for over 2 ms at a tick (every 2 ms from a switch's first packet on) is deleted; ticks are evaluated on access.
 * Source: docs/specs/reference-lossy.md, section 9; C. H. Song et al., SIGCOMM 2023.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { cRandom } from './c-random';
import { firstPath, linksOfPath, pathsBetween, portsOfPath, slotOfPath } from './leaf-paths';
import { defaultWaitPs, expiryPs, flushExtraPs, lossyNode, PATH_RECORD_BYTES, pathPausePs, pausedPaths,
  replyExtraPs } from './network';
import { LossyFlow, LossyPart } from '../../records/lossy';

const CONWEAVE_DATA: u8 = 0;
const CONWEAVE_INIT: u8 = 1;
const CONWEAVE_TAIL: u8 = 2;
/** Kind of a response that names a congested path. */
export const CONWEAVE_NOTIFY: u8 = 3;

const LINK_PS: i64 = 2_000_000;
const AGE_PS: i64 = 2_000_000_000;
const PS_PER_NS: i64 = 1000;
const NEVER: i64 = i64.MAX_VALUE;
/** Offset in a slot of the end of a path's pause, after the path. */
const UNTIL: usize = 8;

// ---- First leaf

/** Initialises the state of a flow at both leaves. */
export function beginConWeave(own: LossyFlow): void {
  forgetThere(own);
  forgetHere(own);
  own.txLastPs = -1;
  own.rxLastPs = -1;
  own.heldHead = SIM_NONE;
}

function forgetThere(own: LossyFlow): void {
  own.txLastPs = 0;
  own.txResolved = 1;
  own.txDeadlinePs = 0;
  own.txEpoch = 0;
  own.txPhase = 0;
  own.txPath = SIM_NONE;
  own.txTailPs = 0;
}

function forgetHere(own: LossyFlow): void {
  own.rxEpoch = 1;
  own.rxPhase = 0;
  own.rxTxPs = 0;
  own.rxRxPs = 0;
  own.rxCached = 0;
  own.rxTailPs = 0;
  own.rxReordering = 0;
}

/** Whether a switch's state was idle for too long at its last tick. */
function isStateExpired(node: u32, lastPs: i64): bool {
  const firstPs = lossyNode(node).firstPs;
  const ticks = (nowPs - firstPs) / AGE_PS;
  return ticks > 0 && firstPs + ticks * AGE_PS - lastPs > AGE_PS;
}

/** Chooses the path of a data packet from one leaf to another, and writes the packet's ConWeave fields. */
export function weave(own: LossyFlow, part: LossyPart, here: u32, there: u32): void {
  if (own.txLastPs >= 0 && isStateExpired(here, own.txLastPs)) forgetThere(own);
  const isExpired = max<i64>(own.txLastPs, 0) + expiryPs < nowPs;
  const isFresh = !isExpired && own.txResolved != 0;
  own.txResolved = 0;
  own.txLastPs = nowPs;
  const first = firstPath(here, there);
  part.kind = CONWEAVE_DATA;
  part.phase = own.txPhase;
  if (isExpired || isFresh) beginEpoch(own, part, linksOfPath(first));
  else if (own.txDeadlinePs < nowPs) beginTail(own, part);
  choosePath(own, part, first, pathsBetween(here, there), isExpired, isFresh);
  part.epoch = own.txEpoch;
  part.txPs = nowPs;
  part.tailPs = own.txTailPs;
}

function beginEpoch(own: LossyFlow, part: LossyPart, links: u32): void {
  part.kind = CONWEAVE_INIT;
  part.phase = 0;
  own.txDeadlinePs = nowPs + LINK_PS * <i64>links + replyExtraPs;
  own.txEpoch++;
  own.txPhase = 0;
}

function beginTail(own: LossyFlow, part: LossyPart): void {
  part.kind = CONWEAVE_TAIL;
  part.phase = 0;
  own.txDeadlinePs = NEVER;
  own.txPhase = 1;
}

function choosePath(own: LossyFlow, part: LossyPart, first: u32, count: u32, isExpired: bool, isFresh: bool): void {
  cRandom();
  const one = first + cRandom() % count;
  const other = first + cRandom() % count;
  const choice = !isBad(one) ? one : !isBad(other) ? other : SIM_NONE;
  if (own.txPath == SIM_NONE) {
    own.txPath = choice == SIM_NONE ? one : choice;
    part.path = own.txPath;
    return;
  }
  if (part.kind == CONWEAVE_TAIL) {
    part.path = own.txPath;
    if (choice != SIM_NONE) own.txPath = choice;
    own.txTailPs = nowPs;
    return;
  }
  if (isExpired && choice != SIM_NONE) own.txPath = choice;
  if (isExpired || isFresh) own.txTailPs = 0;
  part.path = own.txPath;
}

@inline function slotOf(path: u32): usize {
  return pausedPaths + <usize>slotOfPath(path) * PATH_RECORD_BYTES;
}

/** Whether the last leaf has recently reported this path. */
function isBad(path: u32): bool {
  const slot = slotOf(path);
  return load<u32>(slot) == portsOfPath(path) && load<i64>(slot, UNTIL) > nowPs;
}

/** Handles a response of the last leaf at the first leaf. */
export function takeResponse(own: LossyFlow, part: LossyPart, here: u32): void {
  if (part.kind == CONWEAVE_NOTIFY) {
    store<u32>(slotOf(part.path), portsOfPath(part.path));
    store<i64>(slotOf(part.path), nowPs + pathPausePs, UNTIL);
    return;
  }
  if (own.txLastPs >= 0 && isStateExpired(here, own.txLastPs)) return;
  if (part.epoch != own.txEpoch) return;
  const counts = part.kind == CONWEAVE_TAIL ?
    own.txPhase == 1 :
    own.txPhase == 0 && nowPs < own.txDeadlinePs && own.txDeadlinePs != NEVER;
  if (!counts) return;
  own.txResolved = 1;
  own.txDeadlinePs = NEVER;
}

// ---- Last leaf

/** Latest time at which the flow's held packets are released; NEVER if unchanged. */
export let flushPs: i64 = NEVER;

@inline export function movesFlush(): bool {
  return flushPs != NEVER;
}

/** Whether the packet belongs to an earlier epoch and is only forwarded. */
export let isLate: bool = false;

/** Handles a data packet at its last leaf; returns whether it is held. Sets `flushPs` if the time of release changes. */
export function receiveAtLastLeaf(own: LossyFlow, part: LossyPart, here: u32): bool {
  if (own.rxLastPs >= 0 && !own.flushScheduled && isStateExpired(here, own.rxLastPs)) forgetHere(own);
  own.rxLastPs = nowPs;
  flushPs = NEVER;
  isLate = part.epoch < own.rxEpoch;
  if (isLate) return false;
  const first = part.phase == 0;
  if (first) {
    own.rxTxPs = part.txPs;
    own.rxRxPs = nowPs;
  }
  const isEarly = noteEpoch(own, part, first);
  if (part.kind == CONWEAVE_TAIL || part.phase == 1) own.rxTailPs = part.tailPs;
  const gapPs = own.rxCached ? max<i64>(0, own.rxTailPs - own.rxTxPs) : defaultWaitPs;
  if (first && own.rxReordering)
    flushPs = part.kind == CONWEAVE_TAIL ? nowPs + PS_PER_NS : nowPs + gapPs + flushExtraPs;
  else if (isEarly && !own.rxReordering) {
    own.rxReordering = 1;
    flushPs = max<i64>(nowPs, (own.rxCached ? own.rxRxPs : nowPs) + gapPs + flushExtraPs);
  }
  return isEarly;
}

/** Updates epoch and phase from a packet; returns whether it has overtaken earlier packets of its epoch. */
function noteEpoch(own: LossyFlow, part: LossyPart, first: bool): bool {
  const isTail = part.kind == CONWEAVE_TAIL;
  if (part.epoch > own.rxEpoch) {
    own.rxEpoch = part.epoch;
    own.rxPhase = <u8>isTail;
    own.rxCached = <u8>first;
    return part.phase > own.rxPhase;
  }
  if (first) own.rxCached = 1;
  if (!isTail) return part.phase > own.rxPhase;
  if (!own.rxReordering) own.rxPhase = 1;
  return false;
}

/** Releases the held packets. */
export function endReordering(own: LossyFlow): void {
  own.rxReordering = 0;
  own.rxPhase = 1;
}

/** Whether a packet requests a response of its kind. */
@inline export function requestsReply(part: LossyPart): bool {
  return part.kind == CONWEAVE_INIT || part.kind == CONWEAVE_TAIL;
}

/** Sets the fields of a response to a packet. */
export function fillResponse(response: LossyPart, cause: LossyPart, kind: u8): void {
  response.kind = kind;
  response.path = cause.path;
  response.epoch = cause.epoch;
}

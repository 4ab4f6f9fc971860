/**
 * REPS (recycled entropies for packet spraying): a ring of eight entropy values with good feedback
 * (docs/specs/uet-reference.md, 7).
 *
 *   good       overwrites the slot at the head and marks it fresh
 *   next       exploring, or nothing fresh: random;  else the oldest fresh value, which is then no longer fresh
 *   timeout    freezes for 10 ms, unless exploring: round robin over the slots, fresh or not
 *   feedback   after the 10 ms: the ring is cleared and 16 values are explored
 *
 * Without trimming, the reference ends at a timeout in REPS, so the run is rejected.
 */
import { UET_FLOW_REPS_VALUES, UetFlow } from '../records/uet-flows';
import { UET_REPS_TIMEOUT } from '../records/uet-run';
import { nowPs } from './events';
import { draw } from './random';
import { isTrimming } from './settings';
import { run, stop } from './stop';

const SLOTS: u32 = 8;
const FROZEN_PS: f64 = 10e9;
const EXPLORED: u32 = 16;

@inline function valueAt(flow: UetFlow, slot: u32): usize {
  return changetype<usize>(flow) + UET_FLOW_REPS_VALUES + (<usize>slot << 1);
}

@inline function drawn(): u32 {
  return draw() % run.paths;
}

export function nextOfReps(flow: UetFlow): u32 {
  if (flow.repsToExplore) {
    flow.repsToExplore--;
    return drawn();
  }
  if (flow.repsIsFrozen) return flow.repsCount ? nextFrozen(flow) : drawn();
  if (!flow.repsCount || !flow.repsFresh) return drawn();
  return take(flow, (flow.repsHead - flow.repsFresh + SLOTS) % SLOTS);
}

function nextFrozen(flow: UetFlow): u32 {
  const slot = flow.repsFrozenSlot;
  flow.repsFrozenSlot = (slot + 1) % flow.repsCount;
  return take(flow, slot);
}

function take(flow: UetFlow, slot: u32): u32 {
  const bit: u32 = 1 << slot;
  if (flow.repsIsFresh & bit) {
    flow.repsIsFresh &= ~bit;
    flow.repsFresh--;
  }
  return load<u16>(valueAt(flow, slot));
}

/** Ends a freeze whose time is over. Call before any feedback is applied. */
@inline export function thawIfDue(flow: UetFlow): void {
  if (flow.repsIsFrozen && nowPs > flow.repsFrozenUntilPs) unfreeze(flow);
}

export function addToReps(flow: UetFlow, ev: u32): void {
  const head = flow.repsHead;
  const bit: u32 = 1 << head;
  if (!(flow.repsIsFresh & bit)) flow.repsFresh++;
  flow.repsIsFresh |= bit;
  store<u16>(valueAt(flow, head), <u16>ev);
  flow.repsHead = (head + 1) % SLOTS;
  flow.repsCount = min(flow.repsCount + 1, SLOTS);
}

export function freezeOnTimeout(flow: UetFlow): void {
  if (flow.repsIsFrozen || flow.repsToExplore) return;
  if (!isTrimming) stop(UET_REPS_TIMEOUT);
  flow.repsIsFrozen = 1;
  flow.repsFrozenUntilPs = nowPs + FROZEN_PS;
}

function unfreeze(flow: UetFlow): void {
  flow.repsIsFrozen = 0;
  flow.repsHead = 0;
  flow.repsCount = 0;
  flow.repsFresh = 0;
  flow.repsFrozenSlot = 0;
  flow.repsIsFresh = 0;
  flow.repsToExplore = EXPLORED;
}

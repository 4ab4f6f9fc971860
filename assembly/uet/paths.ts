/**
 * The path selector of a flow: chooses the next entropy value, and takes feedback on used ones
 * (docs/specs/uet-reference.md, 7).
 *
 *   mixed         reuses entropy values with good feedback, oldest first; without any, the bitmap chooses
 *   reps_legacy   round robin over all paths, from path 1 on, within the first window or the first N packets; then entropy values
 *                 with good feedback, oldest first; without any, a random path
 */
import { UET_FLOW_GOOD, UetFlow } from '../records/uet-flows';
import { UetRing } from '../records/uet-network';
import { UET_PATHS_BITMAP, UET_PATHS_MIXED, UET_PATHS_OBLIVIOUS, UET_PATHS_REPS,
  UET_PATHS_REPS_LEGACY } from '../records/uet-run';
import { allocate } from './memory';
import { beginRound, nextInRound, nextOfBitmap, penalize } from './path-round';
import { draw } from './random';
import { addToReps, freezeOnTimeout, nextOfReps, thawIfDue } from './reps';
import { pushRing, shiftRing } from './ring';
import { payloadBytes } from './settings';
import { run } from './stop';

/** Feedback of an ACK, NACK or timeout on the path of its packet: its penalty. */
export const GOOD: u32 = 0;
export const ECN: u32 = 1;
export const NACKED: u32 = 4;
export const TIMED_OUT: u32 = 15;

let selector: u32 = 0;

export function readSelector(): void {
  selector = run.selector;
}

/** Draws the initial state of a flow's selector. */
export function beginPaths(flow: UetFlow): void {
  if (selector == UET_PATHS_REPS || selector == UET_PATHS_REPS_LEGACY) return;
  beginRound(flow);
  if (selector != UET_PATHS_OBLIVIOUS) flow.penaltiesAt = <u32>allocate(run.paths);
}

@inline function goodOf(flow: UetFlow): UetRing {
  return changetype<UetRing>(changetype<usize>(flow) + UET_FLOW_GOOD);
}

/** The entropy value of the next packet. */
export function nextEv(flow: UetFlow): u32 {
  if (selector == UET_PATHS_MIXED) return goodOf(flow).length ? shiftRing(goodOf(flow)) : nextOfBitmap(flow);
  if (selector == UET_PATHS_REPS) return nextOfReps(flow);
  if (selector == UET_PATHS_OBLIVIOUS) return nextInRound(flow);
  if (selector == UET_PATHS_BITMAP) return nextOfBitmap(flow);
  return nextOfLegacy(flow);
}

/** The next entropy value of `reps_legacy`; depends on the number of the next new packet, also for a retransmission. */
function nextOfLegacy(flow: UetFlow): u32 {
  const windowPackets = trunc(flow.windowBytes / payloadBytes);
  if (<f64>flow.nextSeq < min(windowPackets, <f64>run.paths)) flow.pathPlace = (flow.pathPlace + 1) % run.paths;
  else flow.pathPlace = goodOf(flow).length ? shiftRing(goodOf(flow)) : draw() % run.paths;
  return flow.pathPlace;
}

/** @param ev entropy value of the packet; 0 for a timeout, as the reference does not store it. @param feedback GOOD, ECN, NACKED, TIMED_OUT. */
export function pathFeedback(flow: UetFlow, ev: u32, feedback: u32): void {
  if (selector == UET_PATHS_OBLIVIOUS) return;
  if (selector == UET_PATHS_REPS) {
    thawIfDue(flow);
    if (feedback == GOOD) addToReps(flow, ev);
    else if (feedback == TIMED_OUT) freezeOnTimeout(flow);
    return;
  }
  if (selector != UET_PATHS_REPS_LEGACY) penalize(flow, ev, feedback);
  if (feedback == GOOD && selector != UET_PATHS_BITMAP) pushRing(goodOf(flow), ev);
}

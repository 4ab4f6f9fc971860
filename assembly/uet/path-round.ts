/**
 * Oblivious spraying and the bitmap: round robin over all paths, in an order that changes after each round
 * (docs/specs/uet-reference.md, 7).
 *
 *   EV = ((i ^ x) & (N - 1)) | (top & ~(N - 1)),   i = 0 to N - 1;  after a round x is drawn again
 *
 * N is a power of two. `top` is drawn once per flow. The bitmap skips paths with a penalty:
 *
 *   penalty, 0 to 15: ECN + 1, NACK + 4, timeout + 15
 *   next: while the current path has a penalty, advance, at most N times; the penalty of the first skipped path falls by 1
 */
import { UetFlow } from '../records/uet-flows';
import { draw } from './random';
import { run } from './stop';

const TOP_RANGE: u32 = 65535;
const PENALTY_MAX: u32 = 15;

export function beginRound(flow: UetFlow): void {
  flow.pathTop = (draw() % TOP_RANGE) & ~(run.paths - 1);
  flow.pathMask = draw() % run.paths;
}

@inline function pathOf(flow: UetFlow): u32 {
  return (flow.pathPlace ^ flow.pathMask) & (run.paths - 1);
}

function advance(flow: UetFlow): void {
  flow.pathPlace++;
  if (flow.pathPlace < run.paths) return;
  flow.pathPlace = 0;
  flow.pathMask = draw() & (run.paths - 1);
}

/** Returns the current entropy value and advances the round. */
export function nextInRound(flow: UetFlow): u32 {
  const ev = pathOf(flow) | flow.pathTop;
  advance(flow);
  return ev;
}

@inline function penaltyAt(flow: UetFlow): usize {
  return <usize>flow.penaltiesAt + <usize>pathOf(flow);
}

export function nextOfBitmap(flow: UetFlow): u32 {
  const first = penaltyAt(flow);
  const penalty = load<u8>(first);
  if (!penalty) return nextInRound(flow);
  store<u8>(first, penalty - 1);
  for (let skipped: u32 = 0; skipped < run.paths; skipped++) {
    advance(flow);
    if (!load<u8>(penaltyAt(flow))) break;
  }
  return nextInRound(flow);
}

/** @param penalty penalty of the feedback. */
export function penalize(flow: UetFlow, ev: u32, penalty: u32): void {
  const at = <usize>flow.penaltiesAt + <usize>(ev & (run.paths - 1));
  store<u8>(at, <u8>min(<u32>load<u8>(at) + penalty, PENALTY_MAX));
}

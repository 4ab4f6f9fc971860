/**
 * The flows that run, in the order in which they started, and how equal their rates are. Of many only those that started
 * first are looked at, so that a look costs the same in a network of any size. Flows that are done leave the list when they
 * are next looked at.
 *
 *   Jain's index   J = (sum x)^2 / (n sum x^2)      as in src/sim/results/fairness.ts, which names the source
 */
import { FLOW_DONE } from '../../src/abi/sim-layout';
import { allocate } from '../memory/map';
import { rateAt } from './engine-feed';
import { flowAt } from './network';

/** Flows whose rates are compared, at most. */
const COMPARED_MAX: u32 = 1024;

let list: usize = 0;
let begin: u32 = 0;
let end: u32 = 0;

export function allocateRunning(flows: u32): void {
  list = allocate(<usize>flows << 2);
}

export function beginRunning(): void {
  begin = 0;
  end = 0;
}

/** Each flow once. */
@inline export function addRunning(flow: u32): void {
  store<u32>(placeAt(end++), flow);
}

/** Jain's index of the rates above 0 at an instant that no event has passed; 1 for fewer than two. */
export function fairnessAt(timePs: f64): f64 {
  let rates: u32 = 0;
  let sum: f64 = 0;
  let squares: f64 = 0;
  const last = dropDone();
  for (let place = begin; place < last; place++) {
    const rateBps = rateAt(flowAt(load<u32>(placeAt(place))), timePs);
    if (rateBps <= 0) continue;
    rates++;
    sum += rateBps;
    squares += rateBps * rateBps;
  }
  return rates < 2 ? 1 : (sum * sum) / (<f64>rates * squares);
}

/** Moves the flows that still run, up to COMPARED_MAX, behind those that are done; returns the place behind them. */
function dropDone(): u32 {
  let last = begin;
  let left = COMPARED_MAX;
  while (last < end && left > 0) {
    if (!isDone(last)) left--;
    last++;
  }
  let kept = last;
  for (let place = last; place > begin; place--) {
    if (isDone(place - 1)) continue;
    kept--;
    store<u32>(placeAt(kept), load<u32>(placeAt(place - 1)));
  }
  begin = kept;
  return last;
}

@inline function isDone(place: u32): bool {
  return (flowAt(load<u32>(placeAt(place))).flags & FLOW_DONE) != 0;
}

@inline function placeAt(place: u32): usize {
  return list + (<usize>place << 2);
}

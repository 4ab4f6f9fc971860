/**
 * The running flows in the order of their starts, and the fairness of their rates. Of many flows only those that started first are
 * sampled, so that the cost of a sample does not depend on the network's size. Finished flows are removed at the next sample, or
 * when the list is full; a record reused by another message is added again with a new use number.
 *
 *   Jain's index   J = (sum x)^2 / (n sum x^2)      as in src/sim/results/summary.ts, which names the source
 */
import { FLOW_DONE } from '../../src/abi/sim-codes';
import { allocate } from '../memory/map';
import { rateAt } from './engine-feed';
import { flowAt } from './network';

/** Maximum number of flows whose rates are compared. */
const COMPARED_MAX: u32 = 1024;

let list: usize = 0;
let capacity: u32 = 0;
/** Address of each record's use number. */
let uses: usize = 0;
let begin: u32 = 0;
let end: u32 = 0;

export function allocateRunning(flows: u32): void {
  capacity = 2 * flows;
  list = allocate(<usize>capacity << 3);
  uses = allocate(<usize>flows << 2);
}

export function beginRunning(): void {
  begin = 0;
  end = 0;
}

/** Adds a flow; call once per flow. */
@inline export function addRunning(flow: u32): void {
  if (end == capacity) compact();
  put(end++, flow, useOf(flow));
}

/** Called when a record is reused by another flow, which will be added. */
export function renewRunning(flow: u32): void {
  store<u32>(uses + (<usize>flow << 2), useOf(flow) + 1);
}

/** Moves running flows to the beginning, which frees half of the list. */
function compact(): void {
  let kept: u32 = 0;
  for (let place = begin; place < end; place++) {
    if (!isDone(place)) put(kept++, flowOf(place), useIn(place));
  }
  begin = 0;
  end = kept;
}

/** Jain's index of the rates above 0 at a time up to which all events have been handled; 1 for fewer than two. */
export function fairnessAt(timePs: f64): f64 {
  let rates: u32 = 0;
  let sum: f64 = 0;
  let squares: f64 = 0;
  const last = dropDone();
  for (let place = begin; place < last; place++) {
    const flow = flowAt(flowOf(place));
    // Skip idle QPs that wait for their next message.
    if (flow.sndUna >= flow.size) continue;
    const rateBps = rateAt(flow, timePs);
    if (rateBps <= 0) continue;
    rates++;
    sum += rateBps;
    squares += rateBps * rateBps;
  }
  return rates < 2 ? 1 : (sum * sum) / (<f64>rates * squares);
}

/** Moves up to COMPARED_MAX running flows after the finished ones; returns the index after them. */
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
    put(kept, flowOf(place - 1), useIn(place - 1));
  }
  begin = kept;
  return last;
}

@inline function isDone(place: u32): bool {
  const flow = flowOf(place);
  return useIn(place) != useOf(flow) || (flowAt(flow).flags & FLOW_DONE) != 0;
}

@inline function placeAt(place: u32): usize {
  return list + (<usize>place << 3);
}

@inline function flowOf(place: u32): u32 {
  return load<u32>(placeAt(place));
}

@inline function useIn(place: u32): u32 {
  return load<u32>(placeAt(place), 4);
}

@inline function useOf(flow: u32): u32 {
  return load<u32>(uses + (<usize>flow << 2));
}

@inline function put(place: u32, flow: u32, use: u32): void {
  store<u32>(placeAt(place), flow);
  store<u32>(placeAt(place), use, 4);
}

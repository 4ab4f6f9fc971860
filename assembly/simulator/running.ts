/**
 * The flows that run, in the order in which they started, and how equal their rates are. Flows that are done leave the list
 * when it is next looked at.
 *
 *   Jain's index   J = (sum x)^2 / (n sum x^2)      as in src/sim/results/fairness.ts, which names the source
 */
import { FLOW_DONE } from '../../src/abi/sim-layout';
import { allocate } from '../memory/map';
import { rateAt } from './engine-feed';
import { flowAt } from './network';

let list: usize = 0;
let count: u32 = 0;

export function allocateRunning(flows: u32): void {
  list = allocate(<usize>flows << 2);
}

export function beginRunning(): void {
  count = 0;
}

/** Each flow once. */
@inline export function addRunning(flow: u32): void {
  store<u32>(list + (<usize>(count++) << 2), flow);
}

/** Jain's index of all rates above 0 at an instant that no event has passed; 1 for fewer than two. */
export function fairnessAt(timePs: f64): f64 {
  let kept: u32 = 0;
  let rates: u32 = 0;
  let sum: f64 = 0;
  let squares: f64 = 0;
  for (let place: u32 = 0; place < count; place++) {
    const index = load<u32>(list + (<usize>place << 2));
    const flow = flowAt(index);
    if (flow.flags & FLOW_DONE) continue;
    store<u32>(list + (<usize>(kept++) << 2), index);
    const rateBps = rateAt(flow, timePs);
    if (rateBps <= 0) continue;
    rates++;
    sum += rateBps;
    squares += rateBps * rateBps;
  }
  count = kept;
  return rates < 2 ? 1 : (sum * sum) / (<f64>rates * squares);
}

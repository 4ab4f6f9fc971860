/** Counters: f64, exact up to 2^53, so that the host reads them without BigInt. */
import { COUNTER_CLASSES, COUNTER_OUTCOMES, COUNTERS_ADDRESS } from '../../src/abi/layout';

@inline export function count(counter: u32, amount: f64): void {
  const at = <usize>COUNTERS_ADDRESS + (<usize>counter << 3);
  store<f64>(at, load<f64>(at) + amount);
}

@inline export function countOutcome(outcome: u32): void {
  count(COUNTER_OUTCOMES + outcome, 1);
}

@inline export function countClass(packetClass: u32): void {
  count(COUNTER_CLASSES + packetClass, 1);
}

/**
 * The active set of a flow's entropies: a slot for each, and a reserve of further ones.
 *
 *   leaves   an entropy that is ASSUMED_BAD or DENIED: a usable one of the reserve takes its slot, of the same plane (entropy mod planes); if there is
 *            none, it keeps the slot, and the rotation skips it
 *   joins    one that is GOOD again: from the reserve it takes the first slot of its plane whose entropy is ASSUMED_BAD or DENIED
 *
 * Source  OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 3.9.
 */
import { activeAt, entropyStateAt, planes, reserve } from './memory';
import { ENTROPY_ASSUMED_BAD, ENTROPY_SKIP, FlowEntropies, NO_SLOT, Selector } from '../../records/balancing';

/** The first ones of `count` entropies are in the set. */
export function startActive(own: Selector, flow: FlowEntropies, count: u32): void {
  for (let number: u32 = 0; number < count; number++) {
    const isActive = number < own.entropies;
    entropyStateAt(flow, number).slot = isActive ? <u16>number : <u16>NO_SLOT;
    if (isActive) store<u16>(activeAt(own, flow, number), <u16>number);
  }
}

/** Slots whose entropy is GOOD or in SKIP. */
@inline export function usableActive(own: Selector, flow: FlowEntropies): u32 {
  return own.entropies - flow.outActive;
}

/** An entropy has ceased to be usable. */
export function leaveActive(own: Selector, flow: FlowEntropies, number: u32): void {
  if (entropyStateAt(flow, number).slot == NO_SLOT) return;
  const spare = spareFor(own, flow, number);
  if (spare == NO_SLOT) flow.outActive++;
  else exchange(own, flow, number, spare);
}

/** An entropy has become usable. */
export function joinActive(own: Selector, flow: FlowEntropies, number: u32): void {
  if (entropyStateAt(flow, number).slot != NO_SLOT) {
    flow.outActive--;
    return;
  }
  const failed = outLike(own, flow, number);
  if (failed == NO_SLOT) return;
  flow.outActive--;
  exchange(own, flow, failed, number);
}

/** `spare`, of the reserve, takes the slot of `number`. */
function exchange(own: Selector, flow: FlowEntropies, number: u32, spare: u32): void {
  const entry = entropyStateAt(flow, number);
  store<u16>(activeAt(own, flow, entry.slot), <u16>spare);
  entropyStateAt(flow, spare).slot = entry.slot;
  entry.slot = <u16>NO_SLOT;
}

/** The first usable entropy of the reserve in the same plane; NO_SLOT: there is none. */
function spareFor(own: Selector, flow: FlowEntropies, number: u32): u32 {
  const count = own.entropies + reserve;
  for (let spare: u32 = 0; spare < count; spare++) {
    const entry = entropyStateAt(flow, spare);
    if (entry.slot == NO_SLOT && entry.state <= <u8>ENTROPY_SKIP && isSamePlane(spare, number)) return spare;
  }
  return NO_SLOT;
}

/** The entropy in the first slot of the same plane that is not usable; NO_SLOT: there is none. */
function outLike(own: Selector, flow: FlowEntropies, number: u32): u32 {
  if (!flow.outActive) return NO_SLOT;
  for (let slot: u32 = 0; slot < own.entropies; slot++) {
    const out: u32 = load<u16>(activeAt(own, flow, slot));
    if (entropyStateAt(flow, out).state > <u8>ENTROPY_SKIP && isSamePlane(out, number)) return out;
  }
  return NO_SLOT;
}

@inline function isSamePlane(number: u32, other: u32): bool {
  return planes == 1 || number % planes == other % planes;
}

/** The entropy of the set that has been ASSUMED_BAD for longest, in the first slot of equals; NO_SLOT: there is none. */
export function oldestBad(own: Selector, flow: FlowEntropies): u32 {
  let oldest: u32 = NO_SLOT;
  let sincePs = i64.MAX_VALUE;
  for (let slot: u32 = 0; slot < own.entropies; slot++) {
    const number: u32 = load<u16>(activeAt(own, flow, slot));
    const entry = entropyStateAt(flow, number);
    if (entry.state != ENTROPY_ASSUMED_BAD || entry.sincePs >= sincePs) continue;
    oldest = number;
    sincePs = entry.sincePs;
  }
  return oldest;
}

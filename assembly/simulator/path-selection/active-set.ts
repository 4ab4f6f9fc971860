/**
 * The active set of a flow's entropies, one per slot; further entropies are the reserve.
 *
 *   leaves   an entropy that becomes ASSUMED_BAD or DENIED: a usable entropy of the reserve in the same plane takes its slot;
 *            if there is none, it keeps the slot, and the rotation skips it
 *   joins    an entropy of the reserve that becomes GOOD again: it takes the first slot of its plane whose entropy is ASSUMED_BAD or DENIED
 *
 * Source  OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 3.9.
 */
import { activeAt, entropyStateAt, planeOf, planes, reserve } from './memory';
import { ENTROPY_ASSUMED_BAD, ENTROPY_SKIP, FIRST_ENTROPY_PORT, FlowEntropies, NO_SLOT,
  Selector } from '../../records/balancing';

/** Puts the first of `count` entropies into the slots; the others are the reserve. */
export function startActive(own: Selector, flow: FlowEntropies, count: u32): void {
  for (let number: u32 = 0; number < count; number++) {
    const isActive = number < own.entropies;
    entropyStateAt(flow, number).slot = isActive ? <u16>number : <u16>NO_SLOT;
    if (isActive) store<u16>(activeAt(own, flow, number), <u16>number);
  }
}

/** Number of slots whose entropy is GOOD or SKIP. */
@inline export function usableActive(own: Selector, flow: FlowEntropies): u32 {
  return own.entropies - flow.outActive;
}

/** Replaces an entropy that is no longer usable. */
export function leaveActive(own: Selector, flow: FlowEntropies, number: u32): void {
  if (entropyStateAt(flow, number).slot == NO_SLOT) return;
  const spare = spareFor(own, flow, number);
  if (spare == NO_SLOT) flow.outActive++;
  else exchange(own, flow, number, spare);
}

/** Puts an entropy that is usable again into the set, if a slot of its plane has an unusable one. */
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

/** Gives the slot of `number` to `spare`, an entropy of the reserve. */
function exchange(own: Selector, flow: FlowEntropies, number: u32, spare: u32): void {
  const entry = entropyStateAt(flow, number);
  store<u16>(activeAt(own, flow, entry.slot), <u16>spare);
  entropyStateAt(flow, spare).slot = entry.slot;
  entry.slot = <u16>NO_SLOT;
}

/** The first usable entropy of the reserve in the same plane; NO_SLOT if there is none. */
function spareFor(own: Selector, flow: FlowEntropies, number: u32): u32 {
  const count = own.entropies + reserve;
  for (let spare: u32 = 0; spare < count; spare++) {
    const entry = entropyStateAt(flow, spare);
    if (entry.slot == NO_SLOT && entry.state <= <u8>ENTROPY_SKIP && isSamePlane(flow, spare, number)) return spare;
  }
  return NO_SLOT;
}

/** The first unusable entropy of the active set in the same plane; NO_SLOT if there is none. */
function outLike(own: Selector, flow: FlowEntropies, number: u32): u32 {
  if (!flow.outActive) return NO_SLOT;
  for (let slot: u32 = 0; slot < own.entropies; slot++) {
    const out: u32 = load<u16>(activeAt(own, flow, slot));
    if (entropyStateAt(flow, out).state > <u8>ENTROPY_SKIP && isSamePlane(flow, out, number)) return out;
  }
  return NO_SLOT;
}

@inline function isSamePlane(flow: FlowEntropies, number: u32, other: u32): bool {
  const first = FIRST_ENTROPY_PORT + flow.upper;
  return planes == 1 || planeOf(first + number, planes) == planeOf(first + other, planes);
}

/** The entropy of the set that has been ASSUMED_BAD for longest; the first slot wins ties. NO_SLOT if there is none. */
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

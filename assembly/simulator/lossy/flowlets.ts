/**
 * Flowlets: packets of a flow with gaps of at most 100 us keep their path.
 *
 * Quirk of the reference: flows from one leaf to one destination with similar ports share an entry; the host numbers the entries.
 * Source: docs/specs/reference-lossy.md, section 9; E. Vanini et al., NSDI 2017 (LetFlow).
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { FLOWLET_BYTES, flowlets } from './network';
import { LossyFlow } from '../../records/lossy';

const GAP_PS: i64 = 100_000_000;
const PATH: usize = 8;

@inline function entryOf(own: LossyFlow): usize {
  return flowlets + <usize>own.flowlet * FLOWLET_BYTES;
}

/** The path of the current flowlet; SIM_NONE if a new one begins. */
export function pathOfFlowlet(own: LossyFlow): u32 {
  const entry = entryOf(own);
  const lastPs = load<i64>(entry);
  store<i64>(entry, nowPs);
  return lastPs > 0 && nowPs - lastPs <= GAP_PS ? load<u32>(entry, PATH) : SIM_NONE;
}

export function keepPath(own: LossyFlow, path: u32): void {
  store<u32>(entryOf(own), path, PATH);
}

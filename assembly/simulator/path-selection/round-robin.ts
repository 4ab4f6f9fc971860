/**
 * Entropies round-robin, each of N once per rotation in a random order: the oblivious path selection of uet-htsim.
 *
 *   entropy = upper + ((turn xor mask) mod N);  turn += 1;  after N packets turn = 0 and mask is drawn again
 *   upper is a random multiple of N per flow, mask a random number below N: both are drawn at the flow's first packet, in this order
 *
 * Source   uet-htsim, oblivious path selection (docs/reference/sources.md).
 */
import { draw } from './memory';
import { ENTROPY_PORTS, FlowEntropies, Selector } from '../../records/balancing';

export function nextRoundRobin(own: Selector, flow: FlowEntropies): u32 {
  const entropy = currentEntropy(own, flow);
  passTurn(own, flow);
  return entropy;
}

/** The entropy of the current turn. */
export function currentEntropy(own: Selector, flow: FlowEntropies): u32 {
  if (!flow.isStarted) {
    flow.isStarted = 1;
    flow.upper = <u16>(draw(own, ENTROPY_PORTS) & ~(own.entropies - 1));
    flow.mask = <u16>draw(own, own.entropies);
  }
  return flow.upper + (flow.turn ^ flow.mask);
}

export function passTurn(own: Selector, flow: FlowEntropies): void {
  flow.turn++;
  if (flow.turn < own.entropies) return;
  flow.turn = 0;
  flow.mask = <u16>draw(own, own.entropies);
}

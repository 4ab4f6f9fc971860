/**
 * Entropies that a controller denies at given times, in every flow of the network: the one with a number, or all of a plane. An entropy
 * is GOOD again once neither denies it.
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 3.8, state DENIED.
 * Deviations  the controller has the same list for all flows, and all senders learn of a change at once.
 */
import { flowAt, flowCount } from '../network';
import { allow, deny } from './entropy-states';
import { entropiesOf, entropyStateAt, isDenied, reserve, selectorOf, setDenied } from './memory';
import { ENTROPY_DENIED, FlowEntropies, SELECTION_RULE_ENTROPY_STATES, Selector } from '../../records/balancing';

/** Denies or allows an entropy or a plane in all flows, including those that begin later. `target`: as of `setDenied`. */
export function changeDenial(target: u32, denies: bool): void {
  setDenied(target, denies);
  for (let flow: u32 = 0; flow < flowCount; flow++) {
    const own = selectorOf(flowAt(flow).source);
    const entropies = entropiesOf(flow);
    if (own.rule == SELECTION_RULE_ENTROPY_STATES && entropies.isStarted) applyDenials(own, entropies);
  }
}

function applyDenials(own: Selector, flow: FlowEntropies): void {
  const count = own.entropies + reserve;
  for (let number: u32 = 0; number < count; number++) {
    const was = entropyStateAt(flow, number).state == ENTROPY_DENIED;
    if (isDenied(flow, number) == was) continue;
    if (was) allow(own, flow, number);
    else deny(own, flow, number);
  }
}

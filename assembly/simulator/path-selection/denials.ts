/**
 * Entropies that a controller denies at given times. A denial concerns the entropy with the same number in every flow of the network.
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 3.8, state DENIED.
 * Deviations  the controller has the same list for all flows, and all senders learn of a change at once.
 */
import { flowAt, flowCount } from '../network';
import { allow, deny } from './entropy-states';
import { entropiesOf, selectorOf, setDenied } from './memory';
import { SELECTION_RULE_ENTROPY_STATES } from '../../records/balancing';

/** Denies or allows an entropy in all flows, including those that begin later. */
export function changeDenial(number: u32, isDenied: bool): void {
  setDenied(number, isDenied);
  for (let flow: u32 = 0; flow < flowCount; flow++) {
    const own = selectorOf(flowAt(flow).source);
    const entropies = entropiesOf(flow);
    if (own.rule != SELECTION_RULE_ENTROPY_STATES || !entropies.isStarted) continue;
    if (isDenied) deny(own, entropies, number);
    else allow(own, entropies, number);
  }
}

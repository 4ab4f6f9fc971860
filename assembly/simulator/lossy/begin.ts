/** Initialises the parts of fidelity `reference-lossy` that `reference` does not have. */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { flowCount, nodeAt, nodeCount } from '../network';
import { beginCRandom } from './c-random';
import { beginConWeave } from './conweave';
import { beginDrill } from './drill';
import { beginEndChecks } from './end-checks';
import { isDrill, lossy, lossyFlow, lossyNode, seed } from './network';
import { beginPools } from './pools';

export function beginLossy(): void {
  if (!lossy) return;
  beginCRandom(seed);
  if (isDrill()) beginDrill();
  for (let flow: u32 = 0; flow < flowCount; flow++) {
    const own = lossyFlow(flow);
    own.sacked = SIM_NONE;
    own.held = SIM_NONE;
    beginConWeave(own);
  }
  for (let index: u32 = 0; index < nodeCount; index++) {
    lossyNode(index).firstPs = -1;
    if (nodeAt(index).isSwitch) beginPools(nodeAt(index), lossyNode(index));
  }
  beginEndChecks();
}

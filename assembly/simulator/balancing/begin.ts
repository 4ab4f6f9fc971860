/** Initialises load balancing under `standard`. */
import { seedRandom } from '../../cp/random';
import { nodeCount, rule } from '../network';
import { beginEstimates } from './estimates';
import { balanced, balancerAt, leafCount, randomOf } from './network';
import { RULE_SEED } from '../../records/sim-run';

/** Offset of the seeds from those of marking and Fast CNPs, which are also derived from the scenario's seed. */
const STREAM: u32 = 0x62616c61;

export function beginBalancing(): void {
  if (!balanced) return;
  for (let index: u32 = 0; index < nodeCount; index++)
    seedRandom(randomOf(balancerAt(index)), <u32>rule(RULE_SEED) + STREAM + index * 0x9e3779b1);
  if (leafCount) beginEstimates();
}

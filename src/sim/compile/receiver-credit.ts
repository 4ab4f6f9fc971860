/** Receiver credit in the simulator: no algorithm with it runs there yet. */
import { READS_CREDIT } from '../../abi/algorithms.js';
import { PRESET_ALGORITHMS, type PresetName } from '../../config/algorithms/preset-names.js';
import { ALGORITHMS, factsOf, type AlgorithmParameters } from '../../config/algorithms/registry.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { ValidAlgorithm } from '../scenario/valid-scenario.js';

/** Whether the simulator runs the algorithm of a preset. */
export function runsInSimulator(preset: PresetName): boolean {
  return (ALGORITHMS[PRESET_ALGORITHMS[preset]].traits & READS_CREDIT) === 0;
}

/** @throws RoceError `invalid-scenario` for an algorithm whose receivers would have to grant credit. */
export function rejectReceiverCredit({ name, preset }: ValidAlgorithm, parameters: AlgorithmParameters): void {
  const { title, traits } = factsOf(parameters);
  if ((traits & READS_CREDIT) === 0) return;
  rejectScenario({
    what: title,
    problem: 'needs receivers that grant credit, which the simulator does not have yet',
    got: preset,
    where: `algorithms.${name}.preset`,
    hint: 'The engine runs it: engine.credit, engine.pullTarget',
  });
}

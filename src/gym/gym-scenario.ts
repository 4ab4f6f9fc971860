/** The scenario of an episode: the environment's, with a seed and parameters of algorithms. */
import { RoceError } from '../errors.js';
import { compileScenario, type CompiledScenario } from '../sim/compile/compile-scenario.js';
import { DEFAULT_ALGORITHM } from '../sim/scenario/defaults.js';
import type { ScenarioFiles } from '../sim/scenario/graph-finder.js';
import type { AlgorithmSpec, ScenarioSpec } from '../sim/scenario/spec.js';
import { validateScenario } from '../sim/scenario/validate.js';

/** Parameters by the name of the algorithm in the scenario, and by their own. */
export type EpisodeParameters = Readonly<Record<string, NonNullable<AlgorithmSpec['parameters']>>>;

/** @throws RoceError `invalid-scenario`; `unsupported` for a fidelity other than `standard`. */
export function compileEpisode(scenario: ScenarioSpec, files: ScenarioFiles): CompiledScenario {
  const valid = validateScenario(scenario, files);
  if (valid.fidelity !== 'standard') {
    const hint = 'The other fidelities repeat published simulators, in which no agent acts';
    throw new RoceError('unsupported', { got: valid.fidelity, allowed: ['standard'], where: 'scenario.fidelity', hint });
  }
  return compileScenario(valid);
}

/** @throws RoceError `invalid-argument` for an algorithm that the scenario does not have. */
export function withParameters(scenario: ScenarioSpec, parameters: EpisodeParameters): ScenarioSpec {
  const algorithms: Record<string, AlgorithmSpec> = {
    ...scenario.algorithms ?? { [DEFAULT_ALGORITHM.name]: { preset: DEFAULT_ALGORITHM.preset } },
  };
  for (const [name, changed] of Object.entries(parameters)) {
    if (!Object.hasOwn(algorithms, name)) {
      const allowed = Object.keys(algorithms);
      const where = `parameters.${name}`;
      throw new RoceError('invalid-argument', { what: 'the name of an algorithm', got: name, allowed, where });
    }
    algorithms[name] = { ...algorithms[name], parameters: { ...algorithms[name].parameters, ...changed } };
  }
  return { ...scenario, algorithms };
}

/** The scenario of an episode: the environment's scenario with a seed and algorithm parameters. */
import { omit } from '../config/omit.js';
import { RoceError } from '../errors.js';
import { compileScenario, validateScenario, type AlgorithmSpec, type CompiledScenario, type ScenarioFiles,
  type ScenarioSpec } from '../sim/index.js';

/** Algorithm parameters: by the algorithm's name in the scenario, then by the parameter's name. */
export type EpisodeParameters = Readonly<Record<string, NonNullable<AlgorithmSpec['parameters']>>>;

/** Compiles the scenario. @throws RoceError `invalid-scenario`; `unsupported` for a fidelity other than `standard`. */
export function compileEpisode(scenario: ScenarioSpec, files: ScenarioFiles): CompiledScenario {
  const valid = validateScenario(scenario, files);
  if (valid.fidelity !== 'standard') {
    const hint = 'The other fidelities repeat published simulators, in which no agent acts';
    throw new RoceError('unsupported', {
      got: valid.fidelity,
      allowed: ['standard'],
      where: 'scenario.fidelity',
      hint,
    });
  }
  return compileScenario(valid);
}

/** @throws RoceError `invalid-argument` if the scenario has no algorithm with this name. */
export function withParameters(scenario: ScenarioSpec, parameters: EpisodeParameters,
  files: ScenarioFiles): ScenarioSpec {
  const algorithms: Record<string, AlgorithmSpec> = { ...scenario.algorithms ?? defaultsOf(scenario, files) };
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

/** The algorithms of a scenario that does not name any. */
function defaultsOf(scenario: ScenarioSpec, files: ScenarioFiles): Record<string, AlgorithmSpec> {
  const { algorithms } = validateScenario(scenario, files);
  return Object.fromEntries(algorithms.map((one) => [one.name, omit(one, 'name', 'custom', 'substitutes')]));
}

/** The parameters of a scenario's algorithms: what is in force, what the preset has, what is allowed. */
import { PARAMETER_RULES } from '../../src/config/algorithms/parameter-rules.js';
import { compileScenario, validateScenario, type CompiledScenario, type ScenarioSpec } from '../../src/sim/index.js';
import type { AlgorithmFacts, ParameterFacts, ParameterValue } from '../protocol/run-protocol.js';

/** Of algorithms that no flow uses nothing is known. */
export function algorithmFacts(compiled: CompiledScenario): AlgorithmFacts[] {
  const given = compiled.spec.algorithms ?? {};
  const presets = presetParameters(compiled.spec);
  return compiled.algorithmNames.flatMap((name, index): AlgorithmFacts[] => {
    const values = parametersOf(compiled, index);
    if (values === undefined) return [];
    const of = presets === undefined ? undefined : parametersOf(presets, index);
    return [{
      name: name in given ? name : '',
      algorithm: String(values['algorithm']),
      preset: given[name]?.preset ?? 'dcqcn-sigcomm15',
      parameters: Object.keys(values).filter((key) => key !== 'algorithm').map((key) =>
        parameterFacts(key, values, of ?? values)
      ),
    }];
  });
}

type Values = Readonly<Record<string, ParameterValue>>;

function parameterFacts(name: string, values: Values, presets: Values): ParameterFacts {
  const rule = PARAMETER_RULES[String(values['algorithm'])]?.[name];
  const options = [rule?.allowed].flat();
  const choices =
    options.every((one) => typeof one === 'string' || typeof one === 'boolean' || typeof one === 'number') ?
      options as ParameterValue[] :
      [];
  const range = options.find((one) => typeof one === 'object' && one !== null);
  const { min = 0, max = Infinity, multipleOf } = typeof range === 'object' && range !== null && 'min' in range ?
    range :
    {};
  return {
    name,
    value: values[name] ?? '',
    presetValue: presets[name] ?? '',
    choices: typeof values[name] === 'boolean' ? [true, false] : choices,
    min: Number(min),
    max: Number(max),
    isWhole: multipleOf === 1,
  };
}

/** Of the first flow that uses the algorithm. */
function parametersOf({ plan, flowAlgorithms }: CompiledScenario, algorithm: number): Values | undefined {
  const flow = flowAlgorithms.indexOf(algorithm);
  if (flow < 0) return undefined;
  return plan.parameterSets[plan.flows.parameterSet[flow] ?? 0] as unknown as Values | undefined;
}

/** The same scenario with the presets as they are. */
function presetParameters(spec: ScenarioSpec): CompiledScenario | undefined {
  const algorithms = spec.algorithms;
  if (algorithms === undefined) return undefined;
  if (Object.values(algorithms).every(({ parameters }) => parameters === undefined)) return undefined;
  const plain = Object.entries(algorithms).map(([name, algorithm]): [string, object] => {
    const others = Object.entries(algorithm).filter(([key]) => key !== 'parameters');
    return [name, Object.fromEntries<unknown>(others)];
  });
  return compileScenario(validateScenario({ ...spec, algorithms: Object.fromEntries(plain) }));
}

/** Facts about the parameters of a scenario's algorithms: current values, preset values, allowed values. */
import type { CustomAlgorithm } from '../../src/algorithm/index.js';
import { ALGORITHM_OF, isCustom } from '../../src/config/algorithms/custom/custom-parameters.js';
import { ruleOf } from '../../src/config/algorithms/custom/declaration.js';
import { PARAMETER_RULES } from '../../src/config/algorithms/registry.js';
import { compileScenario, validateScenario, type CompiledScenario } from '../../src/sim/index.js';
import type { AlgorithmFacts, ParameterFacts, ParameterValue } from '../protocol/run-protocol.js';

/** Facts of the algorithms that flows use; others are omitted. */
export function algorithmFacts(compiled: CompiledScenario): AlgorithmFacts[] {
  const given = compiled.spec.algorithms ?? {};
  const presets = presetParameters(compiled);
  return compiled.algorithmNames.flatMap((name, index): AlgorithmFacts[] => {
    const values = parametersOf(compiled, index);
    if (values === undefined) return [];
    const of = presets === undefined ? undefined : parametersOf(presets, index);
    return [{
      name: name in given ? name : '',
      algorithm: String(values['algorithm']),
      preset: given[name]?.preset ?? 'dcqcn-sigcomm15',
      parameters: Object.keys(values).filter((key) => key !== 'algorithm').map((key) =>
        parameterFacts(key, values, of ?? values, customOf(compiled, index))
      ),
    }];
  });
}

type Values = Readonly<Record<string, ParameterValue>>;

function parameterFacts(name: string, values: Values, presets: Values,
  custom: CustomAlgorithm | undefined): ParameterFacts {
  const declared = custom?.parameters[name];
  const rule = declared === undefined ? PARAMETER_RULES[String(values['algorithm'])]?.[name] : ruleOf(declared);
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

/** Parameters of the first flow that uses the algorithm. */
function parametersOf(compiled: CompiledScenario, algorithm: number): Values | undefined {
  const set = parameterSetOf(compiled, algorithm);
  if (set === undefined || !isCustom(set)) return set as Values | undefined;
  return { algorithm: set.algorithm, ...set[ALGORITHM_OF].valuesOf(set) };
}

function parameterSetOf({ plan, flowAlgorithms }: CompiledScenario, algorithm: number): object | undefined {
  const flow = flowAlgorithms.indexOf(algorithm);
  return flow < 0 ? undefined : plan.parameterSets[plan.flows.parameterSet[flow] ?? 0];
}

function customOf(compiled: CompiledScenario, algorithm: number): CustomAlgorithm | undefined {
  const set = parameterSetOf(compiled, algorithm);
  return set !== undefined && isCustom(set) ? set[ALGORITHM_OF] : undefined;
}

/** The same scenario with unchanged presets. */
function presetParameters(compiled: CompiledScenario): CompiledScenario | undefined {
  const { spec } = compiled;
  const algorithms = spec.algorithms;
  if (algorithms === undefined) return undefined;
  if (Object.values(algorithms).every(({ parameters }) => parameters === undefined)) return undefined;
  const plain = Object.entries(algorithms).map(([name, algorithm]): [string, object] => {
    const others = Object.entries(algorithm).filter(([key]) => key !== 'parameters');
    return [name, Object.fromEntries<unknown>(others)];
  });
  const custom = compiled.algorithmNames.flatMap((_, index) => customOf(compiled, index) ?? []);
  const files = { algorithms: [...new Set(custom)] };
  return compileScenario(validateScenario({ ...spec, algorithms: Object.fromEntries(plain) }, files));
}

/** A parameter set of each algorithm: its first preset, as the simulator builds it for a host at 100 Gb/s. */
import { ALGORITHMS, type AlgorithmName, type AlgorithmParameters, PRESET_ALGORITHMS,
  type PresetName } from '../../src/config/algorithms/registry.js';
import { buildParameterSet, type ParameterSetContext } from '../../src/sim/compile/parameter-sets.js';
import { gbps, us } from '../../src/units.js';

const CONTEXT: ParameterSetContext = {
  lineRateBps: gbps(100),
  baseRttPs: us(10),
  windowBytes: 125_000,
  mtuBytes: 1000,
  headerBytes: 82,
};

function exampleOf(name: AlgorithmName): AlgorithmParameters {
  const preset = (Object.keys(PRESET_ALGORITHMS) as PresetName[]).find((preset) => PRESET_ALGORITHMS[preset] === name);
  if (preset === undefined) throw new Error(`${name} has no preset in src/sim/compile/parameter-sets.ts`);
  return buildParameterSet({ name, preset }, CONTEXT);
}

export const ALGORITHM_EXAMPLES = Object.fromEntries(
  (Object.keys(ALGORITHMS) as AlgorithmName[]).map((name) => [name, exampleOf(name)]),
) as Readonly<Record<AlgorithmName, AlgorithmParameters>>;

/** The algorithms of examples/algorithms, by the name of the built-in one that each is equal to. */
import type { CustomAlgorithm } from '../../../src/config/algorithms/custom/custom-algorithm.js';
import type { BuiltInParameters } from '../../../src/config/algorithms/registry.js';

/** RCCC has none: its receiver's credit is no event of custom algorithms. */
export type BuiltInName = Exclude<BuiltInParameters['algorithm'], 'rccc'>;

export const BUILT_IN_NAMES = [
  'dcqcn',
  'hpcc',
  'hpcc-pint',
  'timely',
  'dctcp',
  'swift',
  'hpcc-pp',
  'nscc',
] as const satisfies readonly BuiltInName[];

/** One file of the folder. */
export async function exampleAlgorithm(file: string): Promise<CustomAlgorithm> {
  const { default: algorithm } = await import(`../../../examples/algorithms/${file}.js`) as {
    default: CustomAlgorithm;
  };
  return algorithm;
}

/** All that equal a built-in one, as the simulator takes them as substitutes. */
export async function exampleSubstitutes(): Promise<Readonly<Record<BuiltInName, CustomAlgorithm>>> {
  const entries = await Promise.all(BUILT_IN_NAMES.map(async (name) => [name, await exampleAlgorithm(name)] as const));
  return Object.fromEntries(entries) as Record<BuiltInName, CustomAlgorithm>;
}

/** The algorithms of examples/algorithms, by the name of the built-in algorithm that each equals. */
import type { CustomAlgorithm } from '../../../src/config/algorithms/custom/custom-algorithm.js';
import type { BuiltInParameters } from '../../../src/config/algorithms/registry.js';

/** RCCC has no counterpart: custom algorithms get no event for the credit of the receiver. */
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

/** The algorithm that a file of the folder exports. */
export async function exampleAlgorithm(file: string): Promise<CustomAlgorithm> {
  const { default: algorithm } = await import(`../../../examples/algorithms/${file}.js`) as {
    default: CustomAlgorithm;
  };
  return algorithm;
}

/** All of them, in the form in which the simulator takes substitutes. */
export async function exampleSubstitutes(): Promise<Readonly<Record<BuiltInName, CustomAlgorithm>>> {
  const entries = await Promise.all(BUILT_IN_NAMES.map(async (name) => [name, await exampleAlgorithm(name)] as const));
  return Object.fromEntries(entries) as Record<BuiltInName, CustomAlgorithm>;
}

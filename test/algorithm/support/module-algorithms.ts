/** The modules of examples/algorithms that equal a built-in algorithm, as custom algorithms. */
import { defineAlgorithm } from '../../../src/algorithm/define-algorithm.js';
import { declarationFromJson } from '../../../src/algorithm/declaration-from-json.js';
import type { CustomAlgorithm } from '../../../src/config/algorithms/custom/custom-algorithm.js';
import { buildModule, type Language } from './build-module.js';
import { declarationOf } from './declarations.js';

export const MODULE_NAMES = ['dcqcn', 'hpcc'] as const;
export type ModuleName = (typeof MODULE_NAMES)[number];

export async function moduleAlgorithm(language: Language, name: ModuleName): Promise<CustomAlgorithm> {
  return defineAlgorithm({
    ...declarationFromJson(JSON.stringify(declarationOf(name)), name),
    module: await buildModule(language, name),
  });
}

/** Both, in the form in which the simulator takes substitutes. */
export async function moduleSubstitutes(language: Language): Promise<Readonly<Record<ModuleName, CustomAlgorithm>>> {
  const [dcqcn, hpcc] = await Promise.all(MODULE_NAMES.map((name) => moduleAlgorithm(language, name)));
  return { dcqcn: dcqcn!, hpcc: hpcc! };
}

/** Memory of modules: regions of 64 KiB from MODULE_REGION on, in which their static data and their stacks are. */
import { MODULE_REGION_BYTES } from '../abi/custom-layout.js';
import type { CustomAlgorithm } from '../config/algorithms/custom/custom-algorithm.js';
import { ALGORITHM_OF, isCustom } from '../config/algorithms/custom/custom-parameters.js';
import { RoceError } from '../errors.js';
import { regionAddress } from './module/region.js';

/**
 * Bytes of the regions of all modules of some parameter sets. Every module has the first one: compilers leave out data that is 0.
 *
 * @throws RoceError `invalid-algorithm` for two modules in one region.
 */
export function moduleBytesNeeded(parameterSets: readonly object[]): number {
  const modules = new Set(parameterSets.flatMap((set) => (isCustom(set) ? [set[ALGORITHM_OF]] : []))
    .filter(({ code }) => code.kind === 'module'));
  const taken = new Map<number, CustomAlgorithm>();
  for (const algorithm of modules) {
    const region = regionOf(algorithm);
    if (region === undefined) continue;
    const other = taken.get(region);
    if (other !== undefined) throw overlap(algorithm, other, region);
    taken.set(region, algorithm);
  }
  return modules.size === 0 ? 0 : (Math.max(0, ...taken.keys()) + 1) * MODULE_REGION_BYTES;
}

function regionOf({ code }: CustomAlgorithm): number | undefined {
  return code.kind === 'module' ? code.region : undefined;
}

function overlap(algorithm: CustomAlgorithm, other: CustomAlgorithm, region: number): RoceError {
  const hint = `Link one of them for address ${regionAddress(region + 1)}`;
  return new RoceError('invalid-algorithm', {
    what: `the memory of the module ${algorithm.name}`,
    problem: `is that of ${other.name}`,
    got: regionAddress(region),
    where: algorithm.name,
    hint,
  });
}

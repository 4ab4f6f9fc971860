/** Memory of modules: regions of 64 KiB from MODULE_REGION on, which hold their static data and stacks. */
import { MODULE_REGION_BYTES } from '../abi/custom-layout.js';
import { ALGORITHM_OF, isCustom } from '../config/algorithms/custom/custom-parameters.js';
import { RoceError } from '../errors.js';
import { regionAddress } from './module/region.js';

/** An algorithm or a congestion point. */
interface Defined {
  readonly name: string;
  readonly code: { readonly kind: 'handlers' } | { readonly kind: 'module'; readonly region: number | undefined };
}

/**
 * Bytes of all regions that the modules of parameter sets and congestion points use. With any module the first region
 * is included: a module's all-zero data does not appear in its file.
 *
 * @throws RoceError `invalid-algorithm` for two modules in one region.
 */
export function moduleBytesNeeded(parameterSets: readonly object[], points: readonly Defined[] = []): number {
  const algorithms = parameterSets.flatMap((set): Defined[] => (isCustom(set) ? [set[ALGORITHM_OF]] : []));
  const modules = new Set([...algorithms, ...points].filter(({ code }) => code.kind === 'module'));
  const taken = new Map<number, Defined>();
  for (const one of modules) {
    const region = regionOf(one);
    if (region === undefined) continue;
    const other = taken.get(region);
    if (other !== undefined) throw overlap(one, other, region);
    taken.set(region, one);
  }
  return modules.size === 0 ? 0 : (Math.max(0, ...taken.keys()) + 1) * MODULE_REGION_BYTES;
}

function regionOf({ code }: Defined): number | undefined {
  return code.kind === 'module' ? code.region : undefined;
}

function overlap({ name }: Defined, other: Defined, region: number): RoceError {
  const hint = `Link one of them for address ${regionAddress(region + 1)}`;
  return new RoceError('invalid-algorithm', {
    what: `the memory of the module ${name}`,
    problem: `overlaps that of ${other.name}`,
    got: regionAddress(region),
    where: name,
    hint,
  });
}

/**
 * Instantiates a custom algorithm's module over the engine's memory, and lists its handlers as table entries. Regions of
 * 64 KiB from MODULE_REGION on hold the static data and stacks of modules.
 */
import { MODULE_REGION_BYTES } from '../abi/custom-layout.js';
import { HANDLER_NAMES, type CustomCode, type HandlerName } from '../config/algorithms/custom/custom-algorithm.js';
import { ALGORITHM_OF, isCustom } from '../config/algorithms/custom/custom-parameters.js';
import { RoceError } from '../errors.js';
import type { Bound } from './bound.js';
import { FUEL_NAME, VERSION_NAME } from './module/abi.js';
import { regionAddress } from './module/region.js';

/** Version of the interface between kernel and modules. */
const ABI_VERSION = 1;

/** The export name of each handler. */
export const MODULE_EXPORTS: Readonly<Record<HandlerName, string>> = {
  open: 'roce_open',
  sent: 'roce_sent',
  ack: 'roce_ack',
  cnp: 'roce_cnp',
  fastCnp: 'roce_fast_cnp',
  loss: 'roce_loss',
  timer: 'roce_timer',
  nack: 'roce_nack',
};

/**
 * The handlers by HANDLER_*; records in `bound` how to read the meter. @throws RoceError `invalid-algorithm` for
 * another interface version.
 */
export function moduleFunctions(abi: { readonly memory: object }, bound: Bound,
  code: Extract<CustomCode, { kind: 'module' }>): readonly CallableFunction[] {
  const { exports } = new WebAssembly.Instance(compiledOf(code.bytes), {
    env: { memory: abi.memory as WebAssembly.Memory },
  });
  const fuel = exports[FUEL_NAME];
  if (fuel instanceof WebAssembly.Global) bound.fuel = () => fuel.value as number;
  requireVersion(bound.custom.name, exports[VERSION_NAME] as () => number);
  return HANDLER_NAMES.map((name) => exports[MODULE_EXPORTS[name]] as CallableFunction);
}

/** Each module is compiled once per process. */
const compiled = new WeakMap<Uint8Array, WebAssembly.Module>();

export function compiledOf(bytes: Uint8Array): WebAssembly.Module {
  const module = compiled.get(bytes) ?? new WebAssembly.Module(bytes as BufferSource);
  compiled.set(bytes, module);
  return module;
}

/** @throws RoceError `invalid-algorithm` for another interface version. */
export function requireVersion(name: string, version: () => number): void {
  const got = versionOf(version);
  if (got === ABI_VERSION) return;
  const what = `the version of the interface of ${name}`;
  throw new RoceError('invalid-algorithm', { what, got, allowed: [ABI_VERSION], where: `export ${VERSION_NAME}` });
}

/** The version; undefined if the function trapped. */
function versionOf(version: () => number): number | undefined {
  try {
    return version();
  } catch {
    return undefined;
  }
}

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

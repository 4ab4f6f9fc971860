/** Instantiates a custom algorithm's module over the engine's memory, and lists its handlers as table entries. */
import { HANDLER_NAMES, type CustomCode, type HandlerName } from '../config/algorithms/custom/custom-algorithm.js';
import { RoceError } from '../errors.js';
import type { Bound } from './bound.js';
import { FUEL_NAME, VERSION_NAME } from './module/abi.js';

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

/** A WebAssembly module of a custom congestion point, and an instance of it over the kernel's memory. */
import { POINT_HANDLERS, type PointCode, type PointHandlerName } from '../../config/congestion-points/custom-congestion-point.js';
import { reject } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';

type ModuleCode = Extract<PointCode, { kind: 'module' }>;

/** What a module calls its handlers. */
const POINT_EXPORTS: Readonly<Record<PointHandlerName, string>> = { enqueue: 'roce_enqueue', dequeue: 'roce_dequeue' };

/** Export of a metered module: what is left of a call's budget. */
const FUEL = 'roce_fuel';

/** @throws RoceError `invalid-config` for what is no module with a handler. */
export function loadPointModule(module: unknown): PointCode {
  const where = 'congestionPoint.module';
  if (!(module instanceof Uint8Array)) return reject({ got: module, allowed: 'a Uint8Array', where });
  const bytes = Uint8Array.from(module);
  const exported = new Set(compile(bytes, where).map(({ name }) => name));
  const handlers = new Set(POINT_HANDLERS.filter((name) => exported.has(POINT_EXPORTS[name])));
  if (handlers.size === 0)
    reject({ what: 'the exports of the module', got: [...exported], allowed: Object.values(POINT_EXPORTS), where });
  return { kind: 'module', bytes, handlers };
}

function compile(bytes: Uint8Array<ArrayBuffer>, where: string): WebAssembly.ModuleExportDescriptor[] {
  try {
    return WebAssembly.Module.exports(new WebAssembly.Module(bytes));
  } catch (cause) {
    throw new RoceError('invalid-config', { what: 'the module', problem: `is no WebAssembly: ${String(cause)}`, where, cause });
  }
}

/** An instance: its handlers in the order of POINT_HANDLERS, and whether it has exhausted the budget of a call. */
export function pointModule({ bytes }: ModuleCode, memory: object): {
  readonly functions: readonly (CallableFunction | undefined)[];
  readonly isSpent: () => boolean;
} {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    env: { memory: memory as WebAssembly.Memory },
  });
  const fuel = exports[FUEL];
  return {
    functions: POINT_HANDLERS.map((name) => exports[POINT_EXPORTS[name]] as CallableFunction | undefined),
    isSpent: () => fuel instanceof WebAssembly.Global && (fuel.value as number) < 0,
  };
}

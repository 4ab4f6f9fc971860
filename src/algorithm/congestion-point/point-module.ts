/** WebAssembly modules of custom congestion points: validation, metering, and instances over the kernel's memory. */
import { POINT_HANDLERS, type PointCode, type PointHandlerName } from '../../config/custom-congestion-point.js';
import { reject } from '../../config/field-rules.js';
import { CALL_BUDGET } from '../define-algorithm.js';
import { compiledOf, requireVersion } from '../module-functions.js';
import { FUEL_NAME, POINT_HANDLER_NAMES, VERSION_NAME, type HandlerName } from '../module/abi.js';
import { checkModule } from '../module/check.js';
import { meterModule } from '../module/meter.js';

type ModuleCode = Extract<PointCode, { kind: 'module' }>;

/** The export name of each handler. */
const POINT_EXPORTS: Readonly<Record<PointHandlerName, HandlerName>> = {
  enqueue: 'roce_enqueue',
  dequeue: 'roce_dequeue',
};

/** @throws RoceError `invalid-algorithm`, naming the part that breaks the contract. */
export function loadPointModule(module: unknown): ModuleCode {
  if (!(module instanceof Uint8Array))
    return reject({ got: module, allowed: 'a Uint8Array', where: 'congestionPoint.module' });
  const source = Uint8Array.from(module);
  const { handlers: exported, region } = checkModule(source, { handlers: POINT_HANDLER_NAMES });
  const handlers = new Set(POINT_HANDLERS.filter((name) => exported.includes(POINT_EXPORTS[name])));
  return { kind: 'module', bytes: Uint8Array.from(meterModule(source, CALL_BUDGET)), source, handlers, region };
}

/** Handlers in the order of POINT_HANDLERS, and why the meter ended the last call, FUEL_*; 0 or more if it did not. */
export interface PointFunctions {
  readonly functions: readonly (CallableFunction | undefined)[];
  readonly fuel: () => number;
}

/**
 * An instance over the kernel's memory. @throws RoceError `invalid-algorithm` for a module of another interface
 * version.
 */
export function pointModule(name: string, { bytes }: ModuleCode, memory: object): PointFunctions {
  const { exports } = new WebAssembly.Instance(compiledOf(bytes), {
    env: { memory: memory as WebAssembly.Memory },
  });
  requireVersion(name, exports[VERSION_NAME] as () => number);
  const fuel = exports[FUEL_NAME] as WebAssembly.Global;
  return {
    functions: POINT_HANDLERS.map((handler) => exports[POINT_EXPORTS[handler]] as CallableFunction | undefined),
    fuel: () => fuel.value as number,
  };
}

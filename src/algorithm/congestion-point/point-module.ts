/** A WebAssembly module of a custom congestion point: checked and metered, and an instance of it over the kernel's memory. */
import { POINT_HANDLERS, type PointCode,
  type PointHandlerName } from '../../config/congestion-points/custom-congestion-point.js';
import { reject } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { FUEL_NAME, POINT_HANDLER_NAMES, VERSION_NAME, type HandlerName } from '../module/abi.js';
import { checkModule } from '../module/check.js';
import { meterModule } from '../module/meter.js';

type ModuleCode = Extract<PointCode, { kind: 'module' }>;

/** What a module calls its handlers. */
const POINT_EXPORTS: Readonly<Record<PointHandlerName, HandlerName>> = {
  enqueue: 'roce_enqueue',
  dequeue: 'roce_dequeue',
};

/** Loop iterations and calls of one packet. */
const CALL_BUDGET = 1_000_000;
const ABI_VERSION = 1;

/** @throws RoceError `invalid-algorithm`, naming what is not as the contract has it. */
export function loadPointModule(module: unknown): ModuleCode {
  if (!(module instanceof Uint8Array))
    return reject({ got: module, allowed: 'a Uint8Array', where: 'congestionPoint.module' });
  const source = Uint8Array.from(module);
  const { handlers: exported } = checkModule(source, { handlers: POINT_HANDLER_NAMES });
  const handlers = new Set(POINT_HANDLERS.filter((name) => exported.includes(POINT_EXPORTS[name])));
  return { kind: 'module', bytes: Uint8Array.from(meterModule(source, CALL_BUDGET)), source, handlers };
}

/** An instance: its handlers in the order of POINT_HANDLERS, and why its meter ended a call, FUEL_*; 0 or more: it did not. */
export function pointModule({ bytes }: ModuleCode, memory: object): {
  readonly functions: readonly (CallableFunction | undefined)[];
  readonly fuel: () => number;
} {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    env: { memory: memory as WebAssembly.Memory },
  });
  requireVersion(exports[VERSION_NAME] as () => number);
  const fuel = exports[FUEL_NAME] as WebAssembly.Global;
  return {
    functions: POINT_HANDLERS.map((name) => exports[POINT_EXPORTS[name]] as CallableFunction | undefined),
    fuel: () => fuel.value as number,
  };
}

function requireVersion(version: () => number): void {
  const got = version();
  if (got === ABI_VERSION) return;
  throw new RoceError('invalid-algorithm', { got, allowed: [ABI_VERSION], where: `export ${VERSION_NAME}` });
}

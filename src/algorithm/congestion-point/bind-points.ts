/**
 * Binds the custom congestion points of a network: enters their functions in the kernel's table.
 *
 * The kernel calls a module's functions directly; JavaScript handlers go through a trampoline: numbers in,
 * views moved, result as POINT_* bits.
 */
import { HANDLER_COUNT } from '../../abi/custom-layout.js';
import { POINT_RECORD_AT, POINT_NOTHING } from '../../abi/custom-point-layout.js';
import type { FunctionTable } from '../../abi/engine-abi.js';
import type { ParameterValues } from '../../config/algorithms/custom/declaration.js';
import { POINT_HANDLERS, type CustomCongestionPoint, type PointCode } from '../../config/custom-congestion-point.js';
import { RoceError } from '../../errors.js';
import { asTableFunctions, watched, type RawHandler } from '../js-handlers.js';
import { LinearMemory } from '../linear-memory.js';
import { pointModule, type PointFunctions } from './point-module.js';
import { PacketView, PointCall, PortView } from './point-views.js';

/** A congestion point with its parameters, as used by some of the switches. */
export interface PointOfSwitches {
  readonly custom: CustomCongestionPoint;
  readonly parameters: ParameterValues;
}

/** A congestion point in the table. */
export interface BoundPoint {
  readonly custom: CustomCongestionPoint;
  /** Table indices in the order of POINT_HANDLERS; 0 = it has no such handler. */
  readonly entries: readonly number[];
  /** Why the meter ended the module's last call, FUEL_*; 0 or more if it did not. */
  readonly fuel: () => number;
}

interface Bindable {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly table?: FunctionTable;
}

const UNMETERED = (): number => 0;

/**
 * @param region byte address of the congestion points' memory region. @throws RoceError `unsupported` for a kernel
 * without a table.
 */
export function bindPoints({ memory, table }: Bindable, points: readonly PointOfSwitches[],
  region: number): BoundPoint[] {
  if (table === undefined) {
    const problem = 'does not run in this build of the simulator';
    throw new RoceError('unsupported', { what: 'a custom congestion point', problem, where: 'plan.points' });
  }
  const linear = new LinearMemory(memory);
  const instances = new Map<CustomCongestionPoint, PointFunctions>();
  return points.map(({ custom, parameters }) => {
    const made = instances.get(custom) ??
      functionsOf(custom, parameters, linear, { memory, record: region + POINT_RECORD_AT });
    if (custom.code.kind === 'module') instances.set(custom, made);
    const first = table.grow(POINT_HANDLERS.length);
    const entries = POINT_HANDLERS.map((name, handler) => {
      if (!custom.handles(name)) return 0;
      table.set(first + handler, made.functions[handler]);
      return first + handler;
    });
    return { custom, entries, fuel: made.fuel };
  });
}

/** One instance of a module serves all parameters; JavaScript handlers get their parameters through views. */
function functionsOf(custom: CustomCongestionPoint, parameters: ParameterValues, linear: LinearMemory,
  { memory, record }: { readonly memory: object; readonly record: number }): PointFunctions {
  const { code, name } = custom;
  if (code.kind === 'module') return pointModule(name, code, memory);
  return { functions: asTableFunctions(rawPointHandlers(custom, code, parameters, linear, record)), fuel: UNMETERED };
}

type AnyHandler = (port: PortView, packet: PacketView) => unknown;

/**
 * @param record byte address of the call record. @returns the handlers in the order of POINT_HANDLERS; undefined where
 * there is none.
 */
export function rawPointHandlers(custom: CustomCongestionPoint, { handlers }: Extract<PointCode, { kind: 'handlers' }>,
  parameters: ParameterValues, memory: LinearMemory, record: number): readonly (RawHandler | undefined)[] {
  const call = new PointCall(memory, record);
  const port = new PortView(call, custom, parameters);
  const packet = new PacketView(call, custom);
  return POINT_HANDLERS.map((name, number) => {
    const handler = handlers[name] as AnyHandler | undefined;
    if (handler === undefined) return undefined;
    return watched((_record, _parameters, timePs) => {
      memory.refresh();
      call.timePs = timePs;
      call.answer = POINT_NOTHING;
      handler(port, packet);
      return call.answer;
    }, HANDLER_COUNT + number);
  });
}

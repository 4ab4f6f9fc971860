/**
 * Binds the custom algorithms of an engine, or of the engine within a simulator: enters their functions in the module's
 * table and writes the table indices into the parameter sets.
 *
 * The kernel calls a module's functions directly; JavaScript handlers go through a trampoline. Neither engine.wasm nor
 * sim.wasm imports anything.
 */
import type { FunctionTable } from '../abi/engine-abi.js';
import { ALGORITHM_COUNT, ALGORITHM_CUSTOM } from '../abi/algorithms.js';
import * as layout from '../abi/custom-layout.js';
import { ALGORITHM_ENTRY_BYTES, ALGORITHMS_ADDRESS, PARAMETER_SET_BYTES,
  PARAMETER_SETS_ADDRESS } from '../abi/layout.js';
import { HANDLER_NAMES, type CustomAlgorithm } from '../config/algorithms/custom/custom-algorithm.js';
import { ALGORITHM_OF, isCustom, type CustomParameters } from '../config/algorithms/custom/custom-parameters.js';
import type { TelemetrySettings } from '../config/telemetry.js';
import { RoceError } from '../errors.js';
import { type BoundAlgorithms, type Bound, Reasons } from './bound.js';
import { type Handlers, LinearMemory } from './events.js';
import { asTableFunctions, rawHandlers } from './js-handlers.js';
import { moduleFunctions } from './module-functions.js';

/** The module exports used to bind algorithms. */
export interface BindableAbi {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Absent in builds with DCQCN only, and in the `js` backend. */
  readonly table?: FunctionTable;
}

const PACING = {
  'next-packet': layout.CUSTOM_GAP_NEXT_PACKET,
  'running-gap': layout.CUSTOM_GAP_RUNNING,
  own: layout.CUSTOM_GAP_OWN,
};

/**
 * Call it after memory is laid out and the parameter sets are written, before the engine reads them.
 *
 * @returns the bound algorithms; undefined if no parameter set has a custom algorithm.
 * @throws RoceError `unsupported` for a backend without a table; `capacity` for more algorithms than there are numbers.
 */
export function bindAlgorithms(abi: BindableAbi, parameterSets: readonly object[],
  telemetry: TelemetrySettings | undefined): BoundAlgorithms | undefined {
  const sets = [...parameterSets.entries()].filter((entry): entry is [number, CustomParameters] => isCustom(entry[1]));
  if (sets.length === 0) return undefined;
  const { table } = abi;
  if (table === undefined) throw noTable();
  const memory = new LinearMemory(abi.memory);
  const algorithms: Bound[] = [];
  for (const [index, parameters] of sets) {
    const bound = boundOf(algorithms, parameters[ALGORITHM_OF]);
    const context = { memory, reasons: bound.reasons, txSpanBytes: txSpanOf(telemetry) };
    const functions = functionsOf(abi, bound, parameters, context);
    writeSet(memory, index, parameters, bound, enter(table, bound.custom, functions));
  }
  return { memory, algorithms };
}

/** The entry of an algorithm, created at its first parameter set. */
function boundOf(algorithms: Bound[], custom: CustomAlgorithm): Bound {
  const known = algorithms.find((one) => one.custom === custom);
  if (known !== undefined) return known;
  const code = ALGORITHM_CUSTOM + algorithms.length;
  if (code >= ALGORITHM_COUNT) {
    const allowed = { max: ALGORITHM_COUNT - ALGORITHM_CUSTOM };
    const what = 'the number of custom algorithms';
    throw new RoceError('capacity', { what, got: algorithms.length + 1, allowed, where: 'parameterSets' });
  }
  const bound = { custom, code, reasons: new Reasons(custom.declaration.reasons) };
  algorithms.push(bound);
  return bound;
}

function functionsOf(abi: BindableAbi, bound: Bound, parameters: CustomParameters,
  context: Parameters<typeof rawHandlers>[3]): readonly CallableFunction[] {
  const { code } = bound.custom;
  if (code.kind === 'module') return (bound.functions ??= moduleFunctions(abi, bound, code));
  const handlers = code.handlers as Handlers<object, unknown>;
  return asTableFunctions(rawHandlers(bound.custom, handlers, parameters, context));
}

/** Adds functions to the table. @returns their indices by HANDLER_*; 0 = the algorithm has no such handler. */
function enter(table: FunctionTable, custom: CustomAlgorithm, functions: readonly CallableFunction[]): number[] {
  const first = table.grow(HANDLER_NAMES.length);
  return HANDLER_NAMES.map((name, handler) => {
    // Even without an `open` handler, opening a QP initialises its state; a Fast CNP counts as a CNP without a handler
    // for it.
    const isThere = custom.handles(name) || (custom.code.kind === 'handlers' && name === 'open') ||
      (name === 'fastCnp' && custom.handles('cnp'));
    const entry = custom.code.kind === 'module' && name === 'fastCnp' && !custom.handles(name) ?
      layout.HANDLER_CNP :
      handler;
    if (!isThere) return 0;
    table.set(first + handler, functions[entry]);
    return first + handler;
  });
}

function writeSet(memory: LinearMemory, index: number, parameters: CustomParameters, { custom, code }: Bound,
  handlers: readonly number[]): void {
  const at = PARAMETER_SETS_ADDRESS + index * PARAMETER_SET_BYTES;
  const view = new DataView(memory.u8.buffer);
  const { pacing = 'next-packet', timers = 'before-event' } = custom.declaration;
  view.setUint32(at, code, true);
  handlers.forEach((entry, handler) => {
    view.setUint16(at + layout.CUSTOM_HANDLERS + 2 * handler, entry, true);
  });
  view.setUint8(at + layout.CUSTOM_PACING, PACING[pacing]);
  view.setUint8(at + layout.CUSTOM_SEND_GAP, Number(parameters.sendGap === 'ns3-nanoseconds'));
  view.setUint8(at + layout.CUSTOM_TIE_GAP, Number(custom.resolve(timers, parameters) === 'after-event'));
  view.setUint8(at + layout.CUSTOM_SEQUENCE_MODE, Number(parameters.sequence === 'psn24'));
  view.setUint16(at + layout.CUSTOM_STATE_BYTES, 8 * custom.initialState.length, true);
  view.setUint32(ALGORITHMS_ADDRESS + code * ALGORITHM_ENTRY_BYTES, custom.traits, true);
}

function txSpanOf(telemetry: TelemetrySettings | undefined): number {
  const place = telemetry?.txBytes;
  return typeof place === 'object' ? 2 ** place.bits * place.unit : 0;
}

function noTable(): RoceError {
  const hint = 'Use the engine with all algorithms on the wasm backend';
  return new RoceError('unsupported', {
    what: 'a custom algorithm',
    problem: 'does not run in this engine',
    where: 'options.parameterSets',
    hint,
  });
}

/**
 * Binds the custom congestion points of a network: enters their functions in the kernel's table.
 *
 * The kernel calls a module's functions directly; JavaScript handlers go through a trampoline: numbers in, result as
 * POINT_* bits. The arguments of handlers are views that read the packet's record in place.
 */
import { HANDLER_COUNT } from '../../abi/custom-layout.js';
import * as layout from '../../abi/custom-layout.js';
import type { FunctionTable } from '../../abi/engine-abi.js';
import { numbersOf, type ParameterValues } from '../../config/algorithms/custom/declaration.js';
import { POINT_HANDLERS, type CustomCongestionPoint, type PointCode } from '../../config/custom-congestion-point.js';
import { RoceError } from '../../errors.js';
import { asTableFunctions, type RawHandler, watched } from '../js-handlers.js';
import { LinearMemory } from '../events.js';
import { stateView, type StatePlace } from '../qp-view.js';
import { pointModule, type PointFunctions, type PointPacket, type PointPort } from './define-congestion-point.js';

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
      functionsOf(custom, parameters, linear, { memory, record: region + layout.POINT_RECORD_AT });
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
      call.answer = layout.POINT_NOTHING;
      handler(port, packet);
      return call.answer;
    }, HANDLER_COUNT + number);
  });
}

/** Offsets in the record of one packet at one queue, in units of 64 or 32 bits. */
const QUEUE_BYTES = layout.POINT_QUEUE_BYTES >> 3;
const TOTAL_QUEUE_BYTES = layout.POINT_TOTAL_QUEUE_BYTES >> 3;
const LINE_RATE = layout.POINT_LINE_RATE >> 3;
const KMIN = layout.POINT_KMIN >> 3;
const KMAX = layout.POINT_KMAX >> 3;
const PMAX = layout.POINT_PMAX >> 3;
const RANDOM = layout.POINT_RANDOM >> 3;
const NODE = layout.POINT_NODE >> 2;
const PORT = layout.POINT_PORT >> 2;
const CLASS = layout.POINT_CLASS >> 2;
const FLOW = layout.POINT_FLOW >> 2;
const LENGTH = layout.POINT_LENGTH >> 2;
const PACKET = layout.POINT_PACKET >> 2;
const STATE = layout.POINT_STATE >> 3;

/** The call record, and the result of the current call. */
class PointCall implements StatePlace {
  readonly #memory: LinearMemory;
  /** Offset of the record, in units of 64 bits. */
  readonly at: number;
  timePs = 0;
  /** Result of the handler, POINT_* bits. */
  answer: number = layout.POINT_NOTHING;

  /** @param at byte address of the record. */
  constructor(memory: LinearMemory, at: number) {
    this.#memory = memory;
    this.at = at >>> 3;
  }

  get f64(): Float64Array {
    return this.#memory.f64;
  }

  /** Reads a 64-bit number of the record. */
  number(field: number): number {
    return this.#memory.f64[this.at + field];
  }

  /** Reads a 32-bit word of the record. */
  word(field: number): number {
    return this.#memory.u32[2 * this.at + field];
  }
}

class PortView implements PointPort<object, object> {
  readonly parameters: ParameterValues;
  readonly state: object;
  readonly portState: object;
  readonly #call: PointCall;

  constructor(call: PointCall, custom: CustomCongestionPoint, parameters: ParameterValues) {
    this.#call = call;
    this.parameters = parameters;
    this.state = stateView(call, STATE, custom.state);
    this.portState = stateView(call, STATE + numbersOf(custom.state).length, custom.portState);
  }

  get timePs(): number {
    return this.#call.timePs;
  }
  get queueBytes(): number {
    return this.#call.number(QUEUE_BYTES);
  }
  get totalQueueBytes(): number {
    return this.#call.number(TOTAL_QUEUE_BYTES);
  }
  get lineRateBps(): number {
    return this.#call.number(LINE_RATE);
  }
  get kminBytes(): number {
    return this.#call.number(KMIN);
  }
  get kmaxBytes(): number {
    return this.#call.number(KMAX);
  }
  get pmax(): number {
    return this.#call.number(PMAX);
  }
  get node(): number {
    return this.#call.word(NODE);
  }
  get number(): number {
    return this.#call.word(PORT);
  }
  get trafficClass(): number {
    return this.#call.word(CLASS);
  }

  random(): number {
    if (this.#call.answer & layout.POINT_DREW) throw new RangeError('port.random() gives one number per packet');
    this.#call.answer |= layout.POINT_DREW;
    return this.#call.number(RANDOM);
  }
}

class PacketView implements PointPacket<object> {
  readonly flowState: object;
  readonly #call: PointCall;

  constructor(call: PointCall, custom: CustomCongestionPoint) {
    this.#call = call;
    const first = STATE + numbersOf(custom.state).length + numbersOf(custom.portState).length;
    this.flowState = stateView(call, first, custom.flowState);
  }

  get flow(): number {
    return this.#call.word(FLOW);
  }
  get lenBytes(): number {
    return this.#call.word(LENGTH);
  }
  get isData(): boolean {
    return this.#is(layout.POINT_PACKET_DATA);
  }
  get isMarkable(): boolean {
    return this.#is(layout.POINT_PACKET_MARKABLE);
  }
  get isMarked(): boolean {
    return this.#is(layout.POINT_PACKET_MARKED);
  }
  get acceptsFastCnps(): boolean {
    return this.#is(layout.POINT_PACKET_ACCEPTS_FAST_CNPS);
  }

  mark(): void {
    this.#call.answer |= layout.POINT_MARK;
  }

  sendFastCnp(): void {
    this.#call.answer += layout.POINT_SEND_FAST_CNP;
  }

  #is(bit: number): boolean {
    return (this.#call.word(PACKET) & bit) !== 0;
  }
}

/**
 * Custom congestion points in JavaScript or in a WebAssembly module: a declaration and its handlers, validated once.
 * The arguments of handlers are views on linear memory, the same objects at each call; a module is metered, and
 * instantiated over the kernel's memory.
 *
 * Citation: the contract is this project's (docs/guides/your-own-algorithm.md). Like
 * draft-xiao-rtgwg-rocev2-fast-cnp-01, it does not say when a switch sends a Fast CNP.
 */
import type { ParameterDeclarations, ParameterValues,
  StateDeclaration } from '../../config/algorithms/custom/declaration.js';
import { CustomCongestionPoint, POINT_HANDLERS, type PointCode, type CongestionPointDeclaration, type SettingsOfSwitch,
  type PointHandlerName } from '../../config/custom-congestion-point.js';
import { checkRecord, reject } from '../../config/field-rules.js';
import { type StateOf, type ValuesOf, hashSource, CALL_BUDGET } from '../define-algorithm.js';
import type { StateList } from '../events.js';
import { compiledOf, requireVersion } from '../module-functions.js';
import { FUEL_NAME, type HandlerName, POINT_HANDLER_NAMES, VERSION_NAME } from '../module/abi.js';
import { checkModule } from '../module/check.js';
import { meterModule } from '../module/meter.js';

type AnyState = Record<string, number & StateList>;

/**
 * The egress port of a switch, and its queue for the packet's class. Read it within the handler only; do not keep it.
 */
export interface PointPort<State = AnyState, PortState = AnyState, Parameters = ParameterValues> {
  /** Time of the event, picoseconds. */
  readonly timePs: number;
  /** Bytes in the queue of the packet's class: including the packet in `enqueue`, without it in `dequeue`. */
  readonly queueBytes: number;
  /** Bytes in all queues of the port, including the packet in `enqueue`, without it in `dequeue`. */
  readonly totalQueueBytes: number;
  /** Rate of the port, bits per second. */
  readonly lineRateBps: number;
  /** Threshold Kmin of the scenario's `ecn` scaled to this port's rate, bytes. */
  readonly kminBytes: number;
  /** Threshold Kmax of the scenario's `ecn` scaled to this port's rate, bytes. */
  readonly kmaxBytes: number;
  /** Marking probability at Kmax, 0 to 1. */
  readonly pmax: number;
  /** Index of the switch among the nodes. */
  readonly node: number;
  /** Number of the port within the switch. */
  readonly number: number;
  /** Traffic class of the packet, 0 to 7. */
  readonly trafficClass: number;
  /** The switch's parameters by name. */
  readonly parameters: Parameters;
  /** State of the queue (one per port and class). */
  readonly state: State;
  /** State of the port. */
  readonly portState: PortState;
  /**
   * A random number, 0 <= r < 1, from the seeded generator that the switch's built-in rule would use. At most one per
   * packet.
   * @throws RangeError at the second call for a packet.
   */
  random(): number;
}

/** The packet, and the actions on it. */
export interface PointPacket<FlowState = AnyState> {
  /** Number of its flow. */
  readonly flow: number;
  /** Length of the packet, bytes. */
  readonly lenBytes: number;
  /** Whether it is a data packet; else it is an ACK, a NAK, a CNP or a Fast CNP. */
  readonly isData: boolean;
  /** Whether it is ECN-capable: `mark` has no effect on other packets. */
  readonly isMarkable: boolean;
  /** Whether it was already marked. */
  readonly isMarked: boolean;
  /** Whether the flow's sender accepts Fast CNPs (`hosts.acceptFastCnp`). */
  readonly acceptsFastCnps: boolean;
  /** State of the flow at this switch. */
  readonly flowState: FlowState;
  /** Marks it: congestion experienced (CE). */
  mark(): void;
  /** Sends a Fast CNP to the flow's sender; only for data packets under fidelity `standard`. At most 16 per packet. */
  sendFastCnp(): void;
}

/** Handlers of a custom congestion point. */
export interface PointHandlers<State, PortState, FlowState, Parameters> {
  /** A packet has joined the queue of its egress port. */
  readonly enqueue?: (port: PointPort<State, PortState, Parameters>, packet: PointPacket<FlowState>) => void;
  /** A packet has left the queue and is about to be sent. */
  readonly dequeue?: (port: PointPort<State, PortState, Parameters>, packet: PointPacket<FlowState>) => void;
}

/** A custom congestion point in JavaScript or TypeScript. */
export type CongestionPointDefinition<
  Declared extends ParameterDeclarations<SettingsOfSwitch>,
  State extends StateDeclaration,
  PortState extends StateDeclaration,
  FlowState extends StateDeclaration,
> = Omit<CongestionPointDeclaration, 'parameters' | 'state' | 'portState' | 'flowState'> & {
  /** Declared parameters by name. */
  readonly parameters?: Declared;
  /** Initial values of the state of each queue. */
  readonly state?: State;
  /** Initial values of the state of each port. */
  readonly portState?: PortState;
  /** Initial values of the state of each flow. */
  readonly flowState?: FlowState;
} & PointHandlers<StateOf<State>, StateOf<PortState>, StateOf<FlowState>, ValuesOf<Declared>>;

/** A custom congestion point whose handlers a WebAssembly module exports: `roce_enqueue`, `roce_dequeue`. */
export interface CongestionPointModule extends CongestionPointDeclaration {
  /** The module's bytes. */
  readonly module: Uint8Array;
}

/** A definition without parameters, or without a state. */
type Nothing = Readonly<Record<string, never>>;

/**
 * Defines how a switch of the simulator treats packets at its queues: mark them, send Fast CNPs, or neither.
 *
 * @throws RoceError `invalid-config` naming the part of the definition; `invalid-algorithm` for a module that breaks
 * the contract.
 * @example
 * export default defineCongestionPoint({
 *   name: 'step-ecn',
 *   dequeue(port, packet) {
 *     if (packet.isMarkable && port.queueBytes > port.kminBytes) packet.mark();
 *   },
 * });
 */
export function defineCongestionPoint<
  const Declared extends ParameterDeclarations<SettingsOfSwitch> = Nothing,
  const State extends StateDeclaration = Nothing,
  const PortState extends StateDeclaration = Nothing,
  const FlowState extends StateDeclaration = Nothing,
>(
  definition: CongestionPointDefinition<Declared, State, PortState, FlowState> | CongestionPointModule,
): CustomCongestionPoint {
  const { module, ...others } = checkRecord(definition, 'congestionPoint');
  const names: readonly string[] = POINT_HANDLERS;
  const entries = Object.entries(others);
  const declaration = Object.fromEntries(
    entries.filter(([key]) => !names.includes(key)),
  ) as unknown as CongestionPointDeclaration;
  const handlers = Object.fromEntries(entries.filter(([key, value]) => names.includes(key) && value !== undefined));
  const code = module === undefined ? handlersOf(handlers) : moduleOf(module, handlers);
  const source = code.kind === 'module' ? [code.source] : Object.values(handlers).map(String);
  // Validate before hashing, so that an error names the part.
  return new CustomCongestionPoint(declaration, code, '').withSourceHash(hashSource(declaration, source));
}

function handlersOf(handlers: Readonly<Record<string, unknown>>): PointCode {
  for (const [name, got] of Object.entries(handlers))
    if (typeof got !== 'function') reject({ got, allowed: 'a function', where: `congestionPoint.${name}` });
  if (Object.keys(handlers).length === 0) {
    const what = 'the handlers of a congestion point';
    reject({ what, got: [], allowed: [...POINT_HANDLERS], where: 'congestionPoint' });
  }
  return { kind: 'handlers', handlers: Object.freeze({ ...handlers }) };
}

function moduleOf(module: unknown, handlers: object): PointCode {
  const [also] = Object.keys(handlers);
  if (also !== undefined)
    reject({
      got: also,
      problem: 'is given with a module, which brings the handlers',
      where: `congestionPoint.${also}`,
    });
  return loadPointModule(module);
}

type ModuleCode = Extract<PointCode, { kind: 'module' }>;

/** The export name of each handler. */
const POINT_EXPORTS: Readonly<Record<PointHandlerName, HandlerName>> = {
  enqueue: 'roce_enqueue',
  dequeue: 'roce_dequeue',
};

/** @throws RoceError `invalid-algorithm`, naming the part that breaks the contract. */
function loadPointModule(module: unknown): ModuleCode {
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

/**
 * Custom congestion points in JavaScript: a declaration and its handlers, validated once.
 *
 * Citation: the contract is this project's (docs/guides/your-own-algorithm.md). Like
 * draft-xiao-rtgwg-rocev2-fast-cnp-01, it does not say when a switch sends a Fast CNP.
 */
import type { ParameterDeclarations, StateDeclaration } from '../../config/algorithms/custom/declaration.js';
import { CustomCongestionPoint, POINT_HANDLERS, type PointCode, type CongestionPointDeclaration,
  type SettingsOfSwitch } from '../../config/custom-congestion-point.js';
import { checkRecord, reject } from '../../config/field-rules.js';
import type { StateOf, ValuesOf } from '../declared-types.js';
import { hashSource } from '../source-hash.js';
import type { PointHandlers } from './point-events.js';
import { loadPointModule } from './point-module.js';

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

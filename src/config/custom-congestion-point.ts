/**
 * A custom congestion point: its declaration, and the two validated together with the code, for switches of the simulator.
 *
 * The code is not run here: src/algorithm/congestion-point binds it to a network.
 */
import { type ParameterDeclarations, type ParameterValue, type ParameterValues, checkParameterDeclarations, defaultOf,
  numberOf, ruleOf, layOutState, type StateField, type StateDeclaration } from './algorithms/custom/declaration.js';
import { checkField, checkKeys, checkMember, type FieldRule, reject, TEXT_RULE } from './field-rules.js';

/** Settings of a switch in the scenario that defaults of parameters may depend on. */
export interface SettingsOfSwitch {
  /** Value of `switches.ecn.markAt`. */
  readonly markAt: 'dequeue' | 'enqueue';
  /** Whether `switches.fastCnp` is enabled at the switch. */
  readonly fastCnp: boolean;
  /** Rate limit of Fast CNPs per flow, per second. */
  readonly flowRatePerSecond: number;
  /** Fast CNPs that one flow may cause in a burst. */
  readonly flowBurst: number;
  /** Rate limit of Fast CNPs per port, per second. */
  readonly portRatePerSecond: number;
  /** Fast CNPs that one port may cause in a burst. */
  readonly portBurst: number;
  /** Whether a packet is CE-marked if a rate limit suppresses its Fast CNP. */
  readonly markWhenLimited: boolean;
}

/** The declaration of a custom congestion point, which `defineCongestionPoint` takes together with the code. */
export interface CongestionPointDeclaration {
  /** At most 32 lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Display name. Default: the name. */
  readonly title?: string;
  /** Paper, draft or document that defines it. */
  readonly source?: string;
  /** Parameters by name, at most 34. */
  readonly parameters?: ParameterDeclarations<SettingsOfSwitch>;
  /** State of each queue, which is a port and a class: at most 128 numbers. */
  readonly state?: StateDeclaration;
  /** State of each port: at most 128 numbers. */
  readonly portState?: StateDeclaration;
  /** State of each flow at each switch: at most 128 numbers, allocated for all flows. */
  readonly flowState?: StateDeclaration;
}

/** The events that a custom congestion point can handle. */
export const POINT_HANDLERS = ['enqueue', 'dequeue'] as const;
/** An event that a custom congestion point can handle. */
export type PointHandlerName = (typeof POINT_HANDLERS)[number];

/** The code of a congestion point: handlers in JavaScript, or a module that exports them. */
export type PointCode = {
  readonly kind: 'handlers';
  readonly handlers: Readonly<Partial<Record<PointHandlerName, (...views: never[]) => unknown>>>;
} | {
  readonly kind: 'module';
  /** The module, validated and with metering added. */
  readonly bytes: Uint8Array;
  /** The module as given. */
  readonly source: Uint8Array;
  /** The handlers that the module exports. */
  readonly handlers: ReadonlySet<PointHandlerName>;
  /** Index of the 64-KiB memory region that holds its data and stack; undefined if unknown. */
  readonly region: number | undefined;
};

/** Marks what `defineCongestionPoint` returns, also when another copy of this library made it. */
export const IS_CONGESTION_POINT: unique symbol = Symbol.for('roce-cc.congestion-point');

/** Name of the built-in congestion point in scenarios. */
export const BUILT_IN_POINT = 'built-in';
/** Key in `substitutes` of the custom congestion point that replaces the built-in one at all switches. */
export const POINT_SUBSTITUTE = 'congestion-point';

const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const NAME_RULE: FieldRule = {
  allowed: `lower-case letters, digits and hyphens, at most 32, a letter first, and not ${BUILT_IN_POINT}`,
  accepts: (name) => typeof name === 'string' && NAME.test(name) && name !== BUILT_IN_POINT,
};
const KEYS: readonly string[] = ['name', 'title', 'source', 'parameters', 'state', 'portState', 'flowState'];
const WHERE = 'congestionPoint';

/** A custom congestion point, made by `defineCongestionPoint`. */
export class CustomCongestionPoint {
  /** Marks custom congestion points. @internal */
  readonly [IS_CONGESTION_POINT] = true;
  /** Its name in scenarios and errors. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** Hash of code and declaration: equal code has equal hashes. */
  readonly sourceHash: string;
  /** The declaration, as passed to `defineCongestionPoint`. */
  readonly declaration: CongestionPointDeclaration;
  /** Declared parameters by name. */
  readonly parameters: ParameterDeclarations<SettingsOfSwitch>;
  /** Layout of the state of a queue, which is a port and a class. */
  readonly state: readonly StateField[];
  /** Layout of the state of a port. */
  readonly portState: readonly StateField[];
  /** Layout of the state of a flow at a switch. */
  readonly flowState: readonly StateField[];
  /** Handlers in JavaScript, or a module. @internal */
  readonly code: PointCode;

  /** @internal Use `defineCongestionPoint`. @throws RoceError `invalid-config`, naming the part of the declaration. */
  constructor(declaration: CongestionPointDeclaration, code: PointCode, sourceHash: string) {
    const { name, title, source, parameters = {}, state = {}, portState = {}, flowState = {} } = declaration;
    checkKeys(declaration, KEYS, WHERE);
    checkField(name, NAME_RULE, `${WHERE}.name`);
    if (title !== undefined) checkField(title, TEXT_RULE, `${WHERE}.title`);
    if (source !== undefined) checkField(source, TEXT_RULE, `${WHERE}.source`);
    checkParameterDeclarations(parameters, [], `${WHERE}.parameters`);
    this.name = name;
    this.title = title ?? name;
    this.declaration = declaration;
    this.parameters = parameters;
    this.state = layOutState(state, `${WHERE}.state`);
    this.portState = layOutState(portState, `${WHERE}.portState`);
    this.flowState = layOutState(flowState, `${WHERE}.flowState`);
    this.code = code;
    this.sourceHash = sourceHash;
    Object.freeze(this);
  }

  /** A copy with another source hash, such as that of the file that it was loaded from. */
  withSourceHash(sourceHash: string): CustomCongestionPoint {
    return new CustomCongestionPoint(this.declaration, this.code, sourceHash);
  }

  /** Whether it has a handler for an event. */
  handles(handler: PointHandlerName): boolean {
    if (!POINT_HANDLERS.includes(handler)) return false;
    const { code } = this;
    return code.kind === 'module' ? code.handlers.has(handler) : code.handlers[handler] !== undefined;
  }

  /** @internal Its parameters at a switch. @throws RoceError `invalid-config`, naming the parameter. */
  parametersAt(settings: SettingsOfSwitch, given: Readonly<Record<string, unknown>>): ParameterValues {
    checkKeys(given, Object.keys(this.parameters), this.name);
    const values = Object.entries(this.parameters).map(([name, declaration]): [string, ParameterValue] => {
      const value = given[name] ?? defaultOf(declaration, settings);
      checkMember(value, ruleOf(declaration), this.name, name);
      return [name, value as ParameterValue];
    });
    return Object.freeze(Object.fromEntries(values));
  }

  /** @internal Parameter values as numbers, as passed to WebAssembly modules. */
  numbersOf(values: ParameterValues): readonly number[] {
    return Object.entries(this.parameters).map(([name, declaration]) => numberOf(declaration, values[name]));
  }
}

/** Whether a value is a custom congestion point. */
export function isCongestionPoint(value: unknown): value is CustomCongestionPoint {
  return typeof value === 'object' && value !== null && IS_CONGESTION_POINT in value;
}

/** Throws RoceError `invalid-config` unless `got` is a custom congestion point. */
export function checkCongestionPoint(got: unknown, where: string): void {
  if (!isCongestionPoint(got)) reject({ got, allowed: 'a congestion point from defineCongestionPoint', where });
}

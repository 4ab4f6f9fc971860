/**
 * A custom congestion point: a checked declaration and its code, for switches of the simulator.
 *
 * The code is not run here: src/algorithm/congestion-point binds it to a network.
 */
import { checkField, checkKeys, checkMember, type FieldRule, reject, TEXT_RULE } from '../field-rules.js';
import type { ParameterDeclarations, ParameterValue, ParameterValues } from '../algorithms/custom/declaration.js';
import { checkParameterDeclarations, defaultOf, numberOf, ruleOf } from '../algorithms/custom/declared-parameters.js';
import { layOutState, type StateField } from '../algorithms/custom/state-layout.js';
import type { CongestionPointDeclaration, SettingsOfSwitch } from './declaration.js';

/** The events that a handler may exist for. */
export const POINT_HANDLERS = ['enqueue', 'dequeue'] as const;
/** The events that a handler may exist for. */
export type PointHandlerName = (typeof POINT_HANDLERS)[number];

/** Its code: handlers in JavaScript, or a module that exports them. */
export type PointCode = {
  readonly kind: 'handlers';
  readonly handlers: Readonly<Partial<Record<PointHandlerName, (...views: never[]) => unknown>>>;
} | {
  readonly kind: 'module';
  /** Checked and metered. */
  readonly bytes: Uint8Array;
  /** As given. */
  readonly source: Uint8Array;
  /** Those that it exports. */
  readonly handlers: ReadonlySet<PointHandlerName>;
  /** Memory of its data and its stack: 0 for the first 64 KiB, and so on; undefined: none is known. */
  readonly region: number | undefined;
};

/** Marks what `defineCongestionPoint` returns: a class of another copy of this library is as good. */
export const IS_CONGESTION_POINT: unique symbol = Symbol.for('roce-cc.congestion-point');

/** A scenario's name for the rule of the product. */
export const BUILT_IN_POINT = 'built-in';
/** In `substitutes`: the custom congestion point of all switches with the built-in rule. */
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
  /** As people write it. */
  readonly title: string;
  /** Of code and declaration: equal code has equal hashes. */
  readonly sourceHash: string;
  /** As it was defined. */
  readonly declaration: CongestionPointDeclaration;
  /** Declared parameters by name. */
  readonly parameters: ParameterDeclarations<SettingsOfSwitch>;
  /** Of a queue: port and class. */
  readonly state: readonly StateField[];
  /** State of each port, number by number. */
  readonly portState: readonly StateField[];
  /** Of a flow at a switch. */
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

  /** The same with another fingerprint, such as that of the file that it came from. */
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

  /** @internal The values as modules get them. */
  numbersOf(values: ParameterValues): readonly number[] {
    return Object.entries(this.parameters).map(([name, declaration]) => numberOf(declaration, values[name]));
  }
}

/** Whether it is a custom congestion point. */
export function isCongestionPoint(value: unknown): value is CustomCongestionPoint {
  return typeof value === 'object' && value !== null && IS_CONGESTION_POINT in value;
}

/** Throws RoceError `invalid-config` unless it is one. */
export function checkCongestionPoint(got: unknown, where: string): void {
  if (!isCongestionPoint(got)) reject({ got, allowed: 'what defineCongestionPoint returned', where });
}

/**
 * A custom algorithm: a validated declaration and its code. It makes parameter sets and describes itself to engine and simulator.
 *
 * The code is not run here: src/algorithm binds it to an engine.
 */
import * as abi from '../../../abi/algorithms.js';
import { EXACT_HOPS_MAX, INT64_HOPS_MAX, KEPT_HOP_BYTES } from '../../../abi/ack-layout.js';
import { CUSTOM_GUARD_BYTES, CUSTOM_STATE } from '../../../abi/custom-layout.js';
import { omit, checkField, checkKeys, checkMember, checkRecord, type FieldRule, oneOf, reject,
  TEXT_RULE } from '../../field-rules.js';
import { checkLineRate, SHARED_RULES } from '../algorithm.js';
import type { BuiltInParameters } from '../registry.js';
import { ALGORITHM_OF, CUSTOM_PREFIX, IS_ALGORITHM, isCustom, SUBSTITUTE_FOR, type CommonParameters,
  type CustomParameters } from './custom-parameters.js';
import { type AlgorithmDeclaration, type ByParameters, type NetworkOfFlows, type ParameterDeclarations,
  type ParameterValue, type ParameterValues, checkParameterDeclarations, defaultOf, numberOf, ruleOf, layOutState,
  numbersOf, type StateField } from './declaration.js';

/** The events that a custom algorithm can handle, in the order of the HANDLER_* numbers. */
export const HANDLER_NAMES = ['open', 'sent', 'ack', 'cnp', 'fastCnp', 'loss', 'timer', 'nack'] as const;
/** An event that a custom algorithm can handle. */
export type HandlerName = (typeof HANDLER_NAMES)[number];

/** The code of an algorithm: handlers in JavaScript, or a module that exports them. */
export type CustomCode = {
  readonly kind: 'handlers';
  readonly handlers: Readonly<Partial<Record<HandlerName, (...views: never[]) => unknown>>>;
} | {
  readonly kind: 'module';
  /** The module, validated and with metering added. */
  readonly bytes: Uint8Array;
  /** The handlers that the module exports. */
  readonly handlers: ReadonlySet<HandlerName>;
  /** The module as given; the source hash covers these bytes. */
  readonly source: Uint8Array;
  /** Index of the 64-KiB memory region that holds its data and stack; undefined if unknown. */
  readonly region: number | undefined;
};

/** Options of a parameter set: the line rate, and values for any of the parameters. */
export type CustomOptions = Readonly<Record<string, ParameterValue>> & {
  /** Rate of the port, bits per second. */
  readonly lineRateBps: number;
};

const COMMON_RULES: Readonly<Record<keyof CommonParameters | 'windowMode', FieldRule>> = {
  maxRateBps: SHARED_RULES.maxRateBps,
  sequence: SHARED_RULES.sequence,
  sendGap: SHARED_RULES.sendGap,
  windowMode: SHARED_RULES.windowMode,
};
const RESERVED = ['algorithm', 'lineRateBps', 'own', 'sourceHash', 'maxRateBps', 'sequence', 'sendGap'];
const NO_NETWORK = { baseRttPs: 0, windowBytes: 0, mtuBytes: 0 };
const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const NAME_RULE: FieldRule = {
  allowed: 'lower-case letters, digits and hyphens, at most 32, a letter first',
  accepts: (name) => typeof name === 'string' && NAME.test(name),
};

/** A custom algorithm, made by `defineAlgorithm`. */
export class CustomAlgorithm {
  /** Marks custom algorithms. @internal */
  readonly [IS_ALGORITHM] = true;
  /** Its name in scenarios and errors. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** Hash of code and declaration: equal code has equal hashes. */
  readonly sourceHash: string;
  /** The declaration, as passed to `defineAlgorithm`. */
  readonly declaration: AlgorithmDeclaration;
  /** Declared parameters by name. */
  readonly parameters: ParameterDeclarations;
  /** Layout of a QP's state. */
  readonly state: readonly StateField[];
  /** Handlers in JavaScript, or a module. @internal */
  readonly code: CustomCode;

  /** @internal Use `defineAlgorithm`. @throws RoceError `invalid-config`, naming the part of the declaration. */
  constructor(declaration: AlgorithmDeclaration, code: CustomCode, sourceHash: string) {
    const { name, title, parameters = {}, state = {} } = declaration;
    checkField(name, NAME_RULE, 'algorithm.name');
    checkParameterDeclarations(parameters, RESERVED, 'algorithm.parameters');
    checkDeclaration(declaration);
    this.name = name;
    this.title = title ?? name;
    this.declaration = declaration;
    this.parameters = parameters;
    this.state = layOutState(state, 'algorithm.state');
    this.code = code;
    this.sourceHash = sourceHash;
    Object.freeze(this);
  }

  /** A copy with another source hash, such as that of the file that it was loaded from. */
  withSourceHash(sourceHash: string): CustomAlgorithm {
    return new CustomAlgorithm(this.declaration, this.code, sourceHash);
  }

  /** Whether it has a handler for an event. */
  handles(handler: HandlerName): boolean {
    const { code } = this;
    if (!HANDLER_NAMES.includes(handler)) return false;
    return code.kind === 'module' ? code.handlers.has(handler) : code.handlers[handler] !== undefined;
  }

  /**
   * Makes a parameter set for an engine.
   *
   * @param options `lineRateBps`, and values for any of the parameters.
   * @throws RoceError `invalid-config`, naming the parameter.
   */
  parametersFor(options: CustomOptions): CustomParameters {
    const lineRateBps = checkLineRate(options, this.name);
    return this.parametersIn({ ...NO_NETWORK, lineRateBps }, { ...options, lineRateBps: undefined });
  }

  /** @internal Makes a parameter set for flows of a network; `given`: values for any of the parameters. */
  parametersIn(network: NetworkOfFlows, given: Readonly<Record<string, unknown>>, name = this.name): CustomParameters {
    const own: Record<string, ParameterValue> = {};
    for (const [key, declaration] of Object.entries(this.parameters)) {
      const value = given[key] ?? defaultOf(declaration, network);
      checkMember(value, ruleOf(declaration), name, key);
      own[key] = value as ParameterValue;
    }
    const common = this.#commonOf(network, { ...given, ...own }, name);
    checkKeys(withoutUndefined(given), [...Object.keys(own), ...Object.keys(common)], name);
    return Object.freeze({
      algorithm: `${CUSTOM_PREFIX}${this.name}` as const,
      sourceHash: this.sourceHash,
      ...common,
      own: Object.freeze(own),
      [ALGORITHM_OF]: this,
    });
  }

  /** @internal Replaces a parameter set of a built-in algorithm, keeping the values of parameters that both have. */
  substituteFor(parameters: BuiltInParameters, network: NetworkOfFlows): CustomParameters {
    const values = parameters as unknown as Readonly<Record<string, unknown>>;
    const names = [...Object.keys(this.parameters), 'sequence', 'sendGap', 'windowMode'];
    const given = Object.fromEntries(names.flatMap((name) => (name in values ? [[name, wordOf(values[name])]] : [])));
    if (this.declaration.window !== 'by-mode') delete given.windowMode;
    const { maxRateBps } = parameters;
    return Object.freeze({
      ...this.parametersIn({ ...network, lineRateBps: maxRateBps }, given),
      [SUBSTITUTE_FOR]: parameters,
    });
  }

  /** @internal Validates a parameter set from outside, such as one from a snapshot. */
  validate(parameters: object, name: string): CustomParameters {
    if (isCustom(parameters) && SUBSTITUTE_FOR in parameters) return parameters;
    const { sourceHash, own, maxRateBps, ...others } = parameters as Readonly<Record<string, unknown>>;
    const common = omit(others, 'algorithm');
    if (sourceHash !== undefined && sourceHash !== this.sourceHash) {
      reject({
        got: sourceHash,
        allowed: [this.sourceHash],
        where: `${name}.sourceHash`,
        hint: `The code of ${this.name} has changed`,
      });
    }
    checkMember(maxRateBps, COMMON_RULES.maxRateBps, name, 'maxRateBps');
    const given = { ...common, ...(own === undefined ? {} : checkRecord(own, `${name}.own`)) };
    return this.parametersIn({ ...NO_NETWORK, lineRateBps: maxRateBps as number }, given, name);
  }

  /** @internal Parameter values by name, as passed to JavaScript handlers. */
  valuesOf(parameters: CustomParameters): ParameterValues {
    const { own, ...common } = omit(parameters, 'algorithm', 'sourceHash');
    return Object.freeze({ ...common, ...own });
  }

  /** @internal Parameter values as numbers, as passed to WebAssembly modules. */
  numbersOf({ own }: CustomParameters): readonly number[] {
    return Object.entries(this.parameters).map(([name, declaration]) => numberOf(declaration, own[name]));
  }

  /** @internal The value of a declaration entry that may depend on the parameters. */
  resolve<T>(said: ByParameters<T>, parameters: CustomParameters): T {
    return typeof said === 'function' ? (said as (values: ParameterValues) => T)(this.valuesOf(parameters)) : said;
  }

  /** @internal Initial values of the state. */
  get initialState(): readonly number[] {
    return numbersOf(this.state);
  }

  /** @internal Bits of src/abi/algorithms.ts. */
  get traits(): number {
    const { pint, pacing, readsMarks = true, telemetry } = this.declaration;
    let traits = this.handles('ack') ? abi.READS_ACKS : abi.TIMED;
    if (pacing === 'running-gap') traits |= abi.PACES;
    if (pint !== undefined) traits |= abi.READS_POWER;
    if (readsMarks) traits |= abi.READS_MARKS;
    if (this.handles('cnp') || this.handles('fastCnp')) traits |= abi.READS_CNPS;
    if (telemetry !== undefined) traits |= abi.READS_TRACES;
    return traits;
  }

  /** @internal Hops to allocate per QP and per ACK: the custom state of a QP is stored in the memory for hops. */
  hopsFor(parameters: CustomParameters): number {
    const { telemetry } = this.declaration;
    const records = telemetry === undefined ? undefined : this.resolve(telemetry, parameters).records;
    const ofAcks = records === undefined ? 0 : records === 'exact' ? EXACT_HOPS_MAX : INT64_HOPS_MAX;
    const recordBytes = 2 * CUSTOM_GUARD_BYTES + CUSTOM_STATE + 8 * this.initialState.length;
    return Math.max(ofAcks, Math.ceil(recordBytes / KEPT_HOP_BYTES));
  }

  #commonOf({ lineRateBps }: NetworkOfFlows, given: Readonly<Record<string, unknown>>, name: string): CommonParameters
    & Pick<CustomParameters, 'windowMode'> {
    const common = {
      maxRateBps: lineRateBps,
      sequence: given.sequence ?? 'psn24',
      sendGap: given.sendGap ?? 'picoseconds',
      ...(this.declaration.window === 'by-mode' && { windowMode: given.windowMode ?? 'variable' }),
    };
    for (const [key, value] of Object.entries(common))
      checkMember(value, COMMON_RULES[key as keyof typeof COMMON_RULES], name, key);
    return common as CommonParameters;
  }
}

const KEYS: readonly string[] = [
  'name',
  'title',
  'source',
  'parameters',
  'state',
  'pacing',
  'timers',
  'telemetry',
  'pint',
  'window',
  'referenceBytes',
  'readsMarks',
  'reasons',
];
const PACING_RULE = oneOf('next-packet', 'running-gap', 'own');
const TIMERS_RULE = oneOf('before-event', 'after-event');
const WINDOW_RULE = oneOf('always', 'by-mode');
const FLAG_RULE = oneOf(true, false);
const BYTES_RULE: FieldRule = {
  allowed: { min: 0, max: 1024, multipleOf: 1, unit: 'bytes' },
  accepts: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 1024,
};
const TEXTS_RULE: FieldRule = {
  allowed: 'a list of texts',
  accepts: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};

function checkDeclaration(declaration: AlgorithmDeclaration): void {
  checkKeys(declaration, KEYS, 'algorithm');
  const check = (key: keyof AlgorithmDeclaration, rule: FieldRule): void => {
    if (declaration[key] !== undefined) checkField(declaration[key], rule, `algorithm.${key}`);
  };
  check('title', TEXT_RULE);
  check('source', TEXT_RULE);
  check('pacing', PACING_RULE);
  check('window', WINDOW_RULE);
  check('readsMarks', FLAG_RULE);
  check('referenceBytes', BYTES_RULE);
  check('reasons', TEXTS_RULE);
  if (typeof declaration.timers !== 'function') check('timers', TIMERS_RULE);
}

/** Joins a list of words, such as HPCC++'s signal sources, into one word: custom parameters can't be lists. */
function wordOf(value: unknown): unknown {
  return Array.isArray(value) ? value.join('+') : value;
}

function withoutUndefined(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

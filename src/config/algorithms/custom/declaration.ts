/**
 * The declaration of a custom algorithm: parameters, state, and what it needs from the network; checks and defaults of declared
 * parameters; the layout of the state.
 */
import { CUSTOM_PARAMETER_COUNT_MAX, CUSTOM_STATE_BYTES_MAX } from '../../../abi/custom-layout.js';
import { checkField, checkKeys, checkRecord, type FieldRule, inRange, oneOf, reject,
  TEXT_RULE } from '../../field-rules.js';

/** Properties of the network that a default may depend on. */
export interface NetworkOfFlows {
  /** Rate of the sending host's port, bits per second. */
  readonly lineRateBps: number;
  /** Longest base round trip, picoseconds; 0 for an engine without a network. */
  readonly baseRttPs: number;
  /** Line rate times base round trip, bytes; 0 for an engine without a network. */
  readonly windowBytes: number;
  /** Payload of a full packet, bytes. */
  readonly mtuBytes: number;
}

/** Value of a parameter: a number, a boolean, or one of the declared words. */
export type ParameterValue = number | string | boolean;

/**
 * A parameter of a custom algorithm or congestion point. Validation, `--set`, sweeps, sliders and docs are derived from it.
 *
 * @typeParam Context what a default may depend on.
 */
export interface ParameterDeclaration<Context = NetworkOfFlows> {
  /** Default value, or a function that derives it from the network. */
  readonly default: ParameterValue | ((network: Context) => ParameterValue);
  /** Smallest allowed value. Default: none. */
  readonly min?: number;
  /** Largest allowed value. Default: none. */
  readonly max?: number;
  /** Whether only whole numbers are allowed. Default: no. */
  readonly whole?: boolean;
  /** Allowed words, for a parameter that is not a number. */
  readonly values?: readonly string[];
  /** Unit to display: `b/s`, `ps`, `bytes`. Default: none. */
  readonly unit?: string;
  /** Display name. Default: the parameter's name. */
  readonly title?: string;
  /** Its purpose, in one sentence. */
  readonly description?: string;
  /** Where the default comes from. */
  readonly source?: string;
}

/** Declarations of parameters by their names. */
export type ParameterDeclarations<Context = NetworkOfFlows> = Readonly<Record<string, ParameterDeclaration<Context>>>;

/** Initial values of a QP's state by name: numbers, and lists of numbers. */
export type StateDeclaration = Readonly<Record<string, number | readonly number[]>>;

/** Parameter values as passed to handlers and to functions of a declaration. */
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** How a new rate changes the time of the next packet. */
export type Pacing = 'next-packet' | 'running-gap' | 'own';

/** Whether a timer due at t expires before a packet event at t, or after it. */
export type TimerOrder = 'before-event' | 'after-event';

/** A value, or a function that derives it from the parameters. */
export type ByParameters<T> = T | ((parameters: ParameterValues) => T);

/** The declaration of a custom algorithm, which `defineAlgorithm` takes together with the code. */
export interface AlgorithmDeclaration {
  /** At most 32 lower-case letters, digits and hyphens; not the name of a preset. */
  readonly name: string;
  /** Display name. Default: the name. */
  readonly title?: string;
  /** Paper, draft or document that defines it. */
  readonly source?: string;
  /** Parameters by name, at most 34. */
  readonly parameters?: ParameterDeclarations;
  /** State of a QP, at most 128 numbers. */
  readonly state?: StateDeclaration;
  /** How a new rate changes the time of the next packet. Default: `next-packet`. */
  readonly pacing?: Pacing;
  /** Order of timers and packet events of the same instant. Default: `before-event`. */
  readonly timers?: ByParameters<TimerOrder>;
  /** Hop records in ACKs. Default: none. */
  readonly telemetry?: ByParameters<{
    /** Kind of the records of hops. */
    readonly records: 'exact' | 'int64';
    /** Multiplier of 64-bit records. */
    readonly intMultiplier: number;
  }>;
  /** Encoded utilisation of the busiest hop in ACKs (PINT). Default: none. */
  readonly pint?: ByParameters<{
    /** Base of the encoding. */
    readonly pintBase: number;
    /** Bits of an encoded value. */
    readonly pintBits: number;
  }>;
  /** Whether a window bounds the bytes in flight: always, or if `windowMode` says so. Default: the network decides. */
  readonly window?: 'always' | 'by-mode';
  /** Bytes that it adds to each packet under fidelity `reference`. Default: 0. */
  readonly referenceBytes?: number;
  /** Whether it reacts to ECN marks; used for notes on a scenario. Default: yes. */
  readonly readsMarks?: boolean;
  /** Texts of the reasons that a module reports by number, counted from 1. */
  readonly reasons?: readonly string[];
}

const NAME = /^[a-zA-Z][a-zA-Z0-9]{0,63}$/;
const NAME_RULE = {
  allowed: 'a name of letters and digits that begins with a letter',
  accepts: (name: unknown) => NAME.test(String(name)),
};
const KEYS = ['default', 'min', 'max', 'whole', 'values', 'unit', 'title', 'description', 'source'];
const TEXTS = ['unit', 'title', 'description', 'source'] as const;
const NUMBER_RULE: FieldRule = {
  allowed: 'a number',
  accepts: (value) => typeof value === 'number' && !Number.isNaN(value),
};
const FLAG_RULE = oneOf(true, false);
const WORDS_RULE: FieldRule = {
  allowed: 'a list of at least one text',
  accepts: (value) => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'),
};

/** The rule that values of a parameter must satisfy. */
export function ruleOf(
  { default: byDefault, values, min, max, whole = false, unit }: ParameterDeclaration<never>,
): FieldRule {
  if (typeof byDefault === 'boolean') return FLAG_RULE;
  if (values !== undefined) return oneOf(...values);
  const isFinite = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
  const { allowed, accepts } = inRange({
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(whole && { multipleOf: 1 }),
    ...(unit !== undefined && { unit }),
  });
  return { allowed, accepts: (value) => isFinite(value) && accepts(value) };
}

/** @throws RoceError `invalid-config`, naming the part of the declaration. */
export function checkParameterDeclarations(parameters: ParameterDeclarations<never>, reserved: readonly string[],
  where: string): void {
  const names = Object.keys(checkRecord(parameters, where));
  if (names.length > CUSTOM_PARAMETER_COUNT_MAX)
    reject({
      what: 'the number of parameters',
      got: names.length,
      allowed: { max: CUSTOM_PARAMETER_COUNT_MAX },
      where,
    });
  for (const name of names) {
    const at = `${where}.${name}`;
    checkField(name, NAME_RULE, at);
    if (reserved.includes(name)) reject({ got: name, problem: 'is a parameter that every algorithm has', where: at });
    checkOne(parameters[name], at);
  }
}

function checkOne(declaration: ParameterDeclaration<never>, where: string): void {
  checkKeys(checkRecord(declaration, where), KEYS, where);
  for (const key of TEXTS)
    if (declaration[key] !== undefined) checkField(declaration[key], TEXT_RULE, `${where}.${key}`);
  for (const key of ['min', 'max'] as const)
    if (declaration[key] !== undefined) checkField(declaration[key], NUMBER_RULE, `${where}.${key}`);
  if (declaration.whole !== undefined) checkField(declaration.whole, FLAG_RULE, `${where}.whole`);
  if (declaration.values !== undefined) checkField(declaration.values, WORDS_RULE, `${where}.values`);
  if (typeof declaration.default !== 'function')
    checkField(declaration.default, ruleOf(declaration), `${where}.default`);
}

/** The default of a parameter in a context, such as the network. */
export function defaultOf<Context>(declaration: ParameterDeclaration<Context>, network: Context): ParameterValue {
  return typeof declaration.default === 'function' ? declaration.default(network) : declaration.default;
}

/** A value as modules and records store it: a word becomes its index among the declared words, true becomes 1. */
export function numberOf({ values }: ParameterDeclaration<never>, value: ParameterValue): number {
  return typeof value === 'string' ? (values ?? []).indexOf(value) : Number(value);
}

/** A field of the state: a number or a list of numbers. */
export interface StateField {
  readonly name: string;
  /** Index of its first number within the state. */
  readonly index: number;
  /** Length of a list; undefined for a single number. */
  readonly length: number | undefined;
  readonly initial: readonly number[];
}

const NUMBERS_MAX = CUSTOM_STATE_BYTES_MAX / 8;

/**
 * Lays out the state in the record of a QP: numbers in the order of the declaration, lists flattened.
 *
 * @throws RoceError `invalid-config`, naming the field of the state.
 */
export function layOutState(state: StateDeclaration, where: string): readonly StateField[] {
  let index = 0;
  const fields = Object.entries(checkRecord(state, where)).map(([name, given]): StateField => {
    checkField(name, NAME_RULE, `${where}.${name}`);
    const initial = Array.isArray(given) ? (given as readonly unknown[]) : [given];
    initial.forEach((value, place) => {
      if (typeof value === 'number') return;
      reject({
        got: value,
        allowed: 'a number',
        where: Array.isArray(given) ? `${where}.${name}[${place}]` : `${where}.${name}`,
      });
    });
    const field = {
      name,
      index,
      length: Array.isArray(given) ? initial.length : undefined,
      initial: initial as number[],
    };
    index += initial.length;
    return field;
  });
  if (index > NUMBERS_MAX)
    reject({ what: 'the size of the state', got: index, allowed: { max: NUMBERS_MAX, unit: 'numbers' }, where });
  return fields;
}

/** Initial values of all numbers of the state, in order. */
export function numbersOf(fields: readonly StateField[]): readonly number[] {
  return fields.flatMap(({ initial }) => initial);
}

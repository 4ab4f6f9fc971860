/** A parameter set of a custom algorithm: told from those of built-in algorithms by its name, and it knows its algorithm. */
import type { SendGap, SequenceNumbers, WindowMode } from '../shared-types.js';
import type { ParameterValue } from './declaration.js';
import type { BuiltInParameters } from '../registry.js';
import type { CustomAlgorithm } from './custom-algorithm.js';

// Symbols of all copies of this library: an algorithm may be defined by one, and run by another.
/** The property by which a parameter set knows its algorithm; JSON leaves it out. */
export const ALGORITHM_OF: unique symbol = Symbol.for('roce-cc.algorithm-of');

/** The property that holds what it is the substitute for. */
export const SUBSTITUTE_FOR: unique symbol = Symbol.for('roce-cc.substitute-for');

/** Name of a custom algorithm in a parameter set. */
export type CustomName = `custom:${string}`;

/** What every custom algorithm has without declaring it. */
export interface CommonParameters {
  /** L, the rate of the sender's port and the cap of the rate, bits per second. */
  readonly maxRateBps: number;
  /** Sequence numbers: PSNs of 24 bits, or numbers of 32 bits as the ns-3 reference simulator has them. */
  readonly sequence: SequenceNumbers;
  /** Length of the gap behind a packet: rounded up to picoseconds, or to nanoseconds as the ns-3 reference simulator does. */
  readonly sendGap: SendGap;
}

/** A parameter set of a custom algorithm. */
export type CustomParameters = CommonParameters & {
  /** `custom:` and the name of the algorithm. */
  readonly algorithm: CustomName;
  /** Of its code and its declaration. */
  readonly sourceHash: string;
  /** Only under `window: 'by-mode'`. */
  readonly windowMode?: WindowMode;
  /** Its own parameters by name. */
  readonly own: Readonly<Record<string, ParameterValue>>;
  /** The algorithm that they belong to. */
  readonly [ALGORITHM_OF]: CustomAlgorithm;
  /** The parameter set of a built-in algorithm that it is the substitute for. */
  readonly [SUBSTITUTE_FOR]?: BuiltInParameters;
};

/** The prefix of the names. */
export const CUSTOM_PREFIX = 'custom:';

/** Marks what `defineAlgorithm` returns: a class of another copy of this library is as good. */
export const IS_ALGORITHM: unique symbol = Symbol.for('roce-cc.algorithm');

/** Whether it is a custom algorithm. */
export function isCustomAlgorithm(value: unknown): value is CustomAlgorithm {
  return typeof value === 'object' && value !== null && IS_ALGORITHM in value;
}

/** The parameter set that people have stated: that of a built-in algorithm, where a custom one is its substitute. */
export function statedParameters(
  parameters: BuiltInParameters | CustomParameters,
): BuiltInParameters | CustomParameters {
  return isCustom(parameters) ? parameters[SUBSTITUTE_FOR] ?? parameters : parameters;
}

/** Whether a parameter set, whose kind is known to be right, is of a custom algorithm. */
export function isCustom(parameters: object): parameters is CustomParameters {
  return ALGORITHM_OF in parameters;
}

/** Parameter sets of custom algorithms: the prefix `custom:` of the name marks them, and a symbol links to the algorithm, which describes itself as built-in ones do. */
import { ALGORITHM_CUSTOM } from '../../../abi/algorithms.js';
import { type Algorithm, commonFields, type ParameterRecord, type SendGap, type SequenceNumbers,
  type WindowMode } from '../algorithm.js';
import type { BuiltInParameters } from '../registry.js';
import type { CustomAlgorithm } from './custom-algorithm.js';
import type { ParameterValue } from './declaration.js';

// Global symbols, because one copy of this library may define an algorithm and another run it.
/** The property that links a parameter set to its algorithm; JSON leaves it out. */
export const ALGORITHM_OF: unique symbol = Symbol.for('roce-cc.algorithm-of');

/** The property that holds the built-in parameter set that this one replaces. */
export const SUBSTITUTE_FOR: unique symbol = Symbol.for('roce-cc.substitute-for');

/** Name of a custom algorithm in a parameter set. */
export type CustomName = `custom:${string}`;

/** Parameters that every custom algorithm has without declaring them. */
export interface CommonParameters {
  /** L, the rate of the sender's port and the cap of the rate, bits per second. */
  readonly maxRateBps: number;
  /** Sequence numbers: 24-bit PSNs, or 32-bit numbers as in the ns-3 reference simulator. */
  readonly sequence: SequenceNumbers;
  /** Rounding of the gap after a packet: up to picoseconds, or to nanoseconds as in the ns-3 reference simulator. */
  readonly sendGap: SendGap;
}

/** A parameter set of a custom algorithm. */
export type CustomParameters = CommonParameters & {
  /** `custom:` and the name of the algorithm. */
  readonly algorithm: CustomName;
  /** Hash of the algorithm's code and declaration. */
  readonly sourceHash: string;
  /** Present only if the algorithm declares `window: 'by-mode'`. */
  readonly windowMode?: WindowMode;
  /** Values of the declared parameters by name. */
  readonly own: Readonly<Record<string, ParameterValue>>;
  /** The algorithm that the parameters belong to. */
  readonly [ALGORITHM_OF]: CustomAlgorithm;
  /** The parameter set of a built-in algorithm that this one replaces. */
  readonly [SUBSTITUTE_FOR]?: BuiltInParameters;
};

/** Prefix of the names of custom algorithms. */
export const CUSTOM_PREFIX = 'custom:';

/** Marks what `defineAlgorithm` returns, also when another copy of this library made it. */
export const IS_ALGORITHM: unique symbol = Symbol.for('roce-cc.algorithm');

/** Whether a value is a custom algorithm. */
export function isCustomAlgorithm(value: unknown): value is CustomAlgorithm {
  return typeof value === 'object' && value !== null && IS_ALGORITHM in value;
}

/** The parameter set as configured: if a custom one replaces a built-in one, the built-in one. */
export function statedParameters(
  parameters: BuiltInParameters | CustomParameters,
): BuiltInParameters | CustomParameters {
  return isCustom(parameters) ? parameters[SUBSTITUTE_FOR] ?? parameters : parameters;
}

/** Whether a valid parameter set belongs to a custom algorithm. */
export function isCustom(parameters: object): parameters is CustomParameters {
  return ALGORITHM_OF in parameters;
}

/** A custom algorithm in the form that the table of algorithms has for built-in ones. Binding it to an engine fills in its number and handlers (src/algorithm). */
export function factsOfCustom(custom: CustomAlgorithm): Algorithm<CustomParameters> {
  const { telemetry, pint, window, referenceBytes } = custom.declaration;
  return {
    title: custom.title,
    code: ALGORITHM_CUSTOM,
    validate: (parameters, name) => custom.validate(parameters as object, name),
    record: (parameters) => recordOf(custom, parameters),
    traits: custom.traits,
    ...(telemetry !== undefined && { telemetry: (parameters) => custom.resolve(telemetry, parameters) }),
    ...(pint !== undefined && { pint: (parameters) => custom.resolve(pint, parameters) }),
    ...(window !== undefined && { window }),
    ...(referenceBytes !== undefined && { referenceBytes }),
    hops: (parameters) => custom.hopsFor(parameters),
  };
}

/** The parameter set as the kernel reads it; the handler fields are 0 until binding. */
function recordOf(custom: CustomAlgorithm, parameters: CustomParameters): ParameterRecord {
  const own = custom.numbersOf(parameters).map((value, index) => [`own${index}`, value] as const);
  return [
    ...commonFields(parameters.maxRateBps, 1),
    ['handlers', 0],
    ['handlersAndModes', 0],
    ['stateAndFree', 0],
    ...own,
  ];
}

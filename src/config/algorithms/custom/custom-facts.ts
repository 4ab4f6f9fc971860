/** Describes a custom algorithm in the form that the table of algorithms has for built-in ones. */
import { ALGORITHM_CUSTOM } from '../../../abi/algorithms.js';
import { commonFields, type ParameterRecord } from '../parameter-record.js';
import type { Algorithm } from '../algorithm.js';
import type { CustomAlgorithm } from './custom-algorithm.js';
import type { CustomParameters } from './custom-parameters.js';

/** Properties of a custom algorithm. Binding it to an engine fills in its number and handlers (src/algorithm). */
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

/** Describes the form row of an algorithm's parameter. */
import type { AlgorithmFacts, ParameterFacts } from '../../protocol/run-protocol.js';
import { shortNumber, unitOfKey, wordsOfKey } from '../../../src/view/format.js';
import { vendorName } from './parameter-notes.js';
import type { FieldSpec } from './rows.js';
import { pathText, type Path } from './scenario-edit.js';

export const EMPTY_SPEC: FieldSpec = {
  path: '',
  label: '',
  unit: { name: '', size: 1 },
  kind: 'number',
  choices: [],
  min: -Infinity,
  max: Infinity,
  isWhole: false,
  fallback: undefined,
  hint: '',
  vendor: '',
  isOptional: true,
};

/** Larger ends of ranges are not shown, as they mean nothing to a user. */
const SHOWN_MAX = 1e13;

export function parameterSpec({ algorithm, preset }: AlgorithmFacts, parameter: ParameterFacts, path: Path): FieldSpec {
  const { name, choices, min, max, isWhole, presetValue } = parameter;
  const unit = unitOfKey(name);
  const isNumber = typeof presetValue === 'number' && !choices.includes(presetValue);
  const range = isNumber && max < SHOWN_MAX ?
    ` ${shortNumber(min / unit.size)} to ${shortNumber(max / unit.size)}.` :
    '';
  const shown = typeof presetValue === 'number' ? shortNumber(presetValue / unit.size) : String(presetValue);
  return {
    ...EMPTY_SPEC,
    path: pathText(path),
    label: wordsOfKey(name),
    unit,
    kind: typeof presetValue === 'boolean' ? 'flag' : isNumber ? 'number' : 'choice',
    choices,
    min,
    max,
    isWhole,
    fallback: presetValue,
    hint: `${`${shown} ${unit.name}`.trim()} in ${preset}.${range}`,
    vendor: vendorName(algorithm, name),
  };
}

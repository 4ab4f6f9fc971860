/** Parameters of algorithms as JSON schema, for editors. They are validated when a scenario is compiled. */
import { PRESET_ALGORITHMS, PARAMETER_RULES } from '../../config/algorithms/registry.js';
import type { AllowedValue } from '../../errors.js';
import type { FieldRule } from '../../config/field-rules.js';

type Schema = Readonly<Record<string, unknown>>;

/** The schema of parameters for each preset. */
export const PARAMETERS_BY_PRESET: readonly Schema[] = Object.entries(PARAMETER_RULES).map(([algorithm, rules]) => {
  const presets = Object.entries(PRESET_ALGORITHMS).flatMap(([preset, of]) => (of === algorithm ? [preset] : []));
  const parameters = Object.entries(rules).filter(([name]) => name !== 'algorithm');
  const properties = Object.fromEntries(parameters.flatMap(([name, rule]) => {
    const schema = schemaOf(rule);
    return schema === undefined ? [] : [[name, schema]];
  }));
  return {
    if: { properties: { preset: { enum: presets } } },
    then: { properties: { parameters: { properties } } },
  };
});

/** The schema of a rule; undefined if the rule states what it allows only in words. */
function schemaOf({ allowed }: FieldRule): Schema | undefined {
  const options = [allowed].flat() as readonly AllowedValue[];
  const values = options.filter((one) => typeof one !== 'object' || one === null);
  const ranges = options.filter((one) => typeof one === 'object' && one !== null);
  if (typeof allowed === 'string') return undefined;
  const schemas = [
    ...(values.length === 0 ? [] : [{ enum: values }]),
    ...ranges.map(({ min, max, above, below, multipleOf }) =>
      Object.fromEntries(Object.entries({
        type: multipleOf === 1 ? 'integer' : 'number',
        minimum: min,
        exclusiveMinimum: above,
        maximum: max,
        exclusiveMaximum: below,
        multipleOf: multipleOf === 1 ? undefined : multipleOf,
      }).filter(([, value]) => value !== undefined && Math.abs(Number(value)) !== Infinity))
    ),
  ];
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}

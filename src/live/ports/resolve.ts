/** Resolves options of ports: fills in defaults, then checks each by name. */
import { checkFields, checkRecord, type FieldRules } from '../../config/field-rules.js';

/** Resolves options. @throws RoceError `invalid-config` for the first field that is unknown or invalid. */
export function resolve<T extends object>(options: { readonly [Field in keyof T]?: T[Field] | undefined }, defaults: T,
  rules: FieldRules<T>, name: string): T {
  const said = Object.entries(checkRecord(options, name)).filter(([, value]) => value !== undefined);
  return checkFields({ ...defaults, ...Object.fromEntries(said) }, rules, name);
}

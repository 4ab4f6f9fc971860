/**
 * Settings of an adapter that other settings of it make idle, by the vendor's names.
 *
 * What is idle as shipped is no mistake and is not mentioned, unless the setting itself was changed.
 */
import { idleSettings, type ParameterNaming } from '../algorithms/dcqcn/ineffective-settings.js';
import type { DcqcnParameters } from '../algorithms/dcqcn/parameters.js';
import type { VendorValue } from './imported-settings.js';

/** What is compared. */
export interface AdapterParameters {
  readonly parameters: DcqcnParameters;
  /** The parameters of the adapter as shipped. */
  readonly shipped: DcqcnParameters;
  /** The vendor's setting behind a parameter; undefined for a parameter that no setting of the vendor states. */
  readonly valueOf: (field: keyof DcqcnParameters) => VendorValue | undefined;
}

/** One sentence per idle setting. */
export function idleWarnings({ parameters, shipped, valueOf }: AdapterParameters): string[] {
  const idleAsShipped = new Set(idleSettings(shipped).map(({ field }) => field));
  return idleSettings(parameters).flatMap(({ field, why }) => {
    const setting = valueOf(field);
    if (setting === undefined) return [];
    if (idleAsShipped.has(field) && setting.value === setting.byDefault) return [];
    return [`${setting.name} = ${setting.value} has no effect: ${why(naming(valueOf))}.`];
  });
}

/** A setting as `NAME = VALUE`, as the reason depends on the value; what the vendor has no setting for is fixed. */
function naming(valueOf: AdapterParameters['valueOf']): ParameterNaming {
  return (field) => {
    const setting = valueOf(field);
    return setting === undefined ? 'fixed' : `${setting.name} = ${setting.value}`;
  };
}

/**
 * Settings of an adapter that other settings of it make idle, by the vendor's names.
 *
 * What is idle as shipped is no mistake and is not mentioned, unless the setting itself was changed.
 */
import { idleSettings } from '../algorithms/dcqcn/ineffective-settings.js';
import type { DcqcnParameters } from '../algorithms/dcqcn/parameters.js';
import type { VendorValue } from './imported-settings.js';
import { settingsNote, type SettingsNote } from './notes.js';

/** What is compared. */
export interface AdapterParameters {
  readonly parameters: DcqcnParameters;
  /** The parameters of the adapter as shipped. */
  readonly shipped: DcqcnParameters;
  /** The vendor's setting behind a parameter; undefined for a parameter that no setting of the vendor states. */
  readonly valueOf: (field: keyof DcqcnParameters) => VendorValue | undefined;
}

/** A warning per idle setting. */
export function idleWarnings({ parameters, shipped, valueOf }: AdapterParameters): SettingsNote[] {
  const idleAsShipped = new Set(idleSettings(shipped).map(({ field }) => field));
  return idleSettings(parameters).flatMap(({ field, reason, by }) => {
    const setting = valueOf(field);
    if (setting === undefined) return [];
    if (idleAsShipped.has(field) && setting.value === setting.byDefault) return [];
    const because = by.map((other) => nameOf(valueOf(other.field)));
    return [settingsNote('setting-idle', { name: setting.name, value: setting.value, reason, because })];
  });
}

/** `NAME = VALUE`, as the reason depends on the value; what the vendor has no setting for is fixed. */
function nameOf(setting: VendorValue | undefined): string {
  return setting === undefined ? 'fixed' : `${setting.name} = ${setting.value}`;
}

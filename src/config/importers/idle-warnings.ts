/**
 * Warns of adapter settings that have no effect because of other settings, under the vendor's names.
 *
 * A setting that already has no effect in the shipped configuration is not mentioned, unless its value was changed.
 */
import { idleSettings } from '../algorithms/dcqcn/ineffective-settings.js';
import type { DcqcnParameters } from '../algorithms/dcqcn.js';
import type { VendorValue } from './imported-settings.js';
import { settingsNote, type SettingsNote } from './notes.js';

/** The parameters of an adapter and its shipped defaults. */
export interface AdapterParameters {
  readonly parameters: DcqcnParameters;
  /** The parameters of the adapter as shipped. */
  readonly shipped: DcqcnParameters;
  /** The vendor's setting that determines a parameter; undefined if there is none. */
  readonly valueOf: (field: keyof DcqcnParameters) => VendorValue | undefined;
}

/** Returns one warning for each setting without effect. */
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

/** `NAME = VALUE`, since the reason depends on the value; `fixed` if the vendor has no such setting. */
function nameOf(setting: VendorValue | undefined): string {
  return setting === undefined ? 'fixed' : `${setting.name} = ${setting.value}`;
}

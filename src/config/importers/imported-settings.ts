/**
 * What every importer of vendor settings returns, and how it refuses.
 */

import { RoceError, type Allowed, type RoceErrorFields } from '../../errors.js';
import type { DcqcnParameters } from '../algorithms/dcqcn/parameters.js';
import type { NotificationPointSettings } from '../notification-point.js';

/** How a setting G of dce_tcp_g is read: alpha keeps G/1024 per period, or moves by G/1024 of the distance. */
export type AlphaConvention = 'retention' | 'gain';

/** Vendor settings in this library's terms. */
export interface ImportedSettings {
  /** Parameters of the reaction point. */
  readonly parameters: DcqcnParameters;
  /** When the adapter sends CNPs. */
  readonly notificationPoint: NotificationPointSettings;
  /** `none`: the vendor's settings say nothing of alpha. */
  readonly alphaConvention: AlphaConvention | 'none';
  /** Each decision, default and ignored setting, one sentence each. */
  readonly notes: readonly string[];
  /** What probably is not meant, or has no effect, one sentence each. */
  readonly warnings: readonly string[];
}

/** One setting as it stands in the text. */
export interface RawSetting {
  readonly name: string;
  readonly value: string;
  /** Where it stands, for people: `line 12`, or a file name. */
  readonly place: string;
}

/** Refuses a setting: RoceError `invalid-settings` with `where` = name and place. */
export function refuseSetting(setting: RawSetting, allowed: Allowed): never {
  throw settingError(setting, { got: setting.value, allowed });
}

/** Refuses a name that is none of `allowed`. */
export function refuseUnknown(setting: RawSetting, allowed: Allowed): never {
  throw settingError(setting, { what: 'the name of a setting', got: setting.name, allowed });
}

/** Refuses a second value for a name. */
export function refuseTwice(first: RawSetting, second: RawSetting): never {
  throw settingError(second, { problem: `was given at ${first.place} already`, got: second.value });
}

function settingError(setting: RawSetting, fields: RoceErrorFields): RoceError {
  return new RoceError('invalid-settings', {
    what: setting.name,
    ...fields,
    where: `${setting.name}, ${setting.place}`,
  });
}

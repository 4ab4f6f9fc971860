/**
 * What every importer of vendor settings returns, and how it refuses.
 */

import { RoceError } from '../../errors.js';
import type { DcqcnParameters } from '../algorithms/dcqcn/parameters.js';
import type { NotificationPointSettings } from '../notification-point.js';

/** How a setting G of dce_tcp_g is read: alpha keeps G/1024 per period, or moves by G/1024 of the distance. */
export type AlphaConvention = 'retention' | 'gain';

/** Vendor settings in this library's terms. */
export interface ImportedSettings {
  readonly parameters: DcqcnParameters;
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
export function refuseSetting(what: string, setting: RawSetting, allowed: string): never {
  throw new RoceError('invalid-settings', what, {
    got: setting.value,
    allowed,
    where: `${setting.name}, ${setting.place}`,
  });
}

/** Refuses a second value for `name`. */
export function refuseTwice(first: RawSetting, second: RawSetting): never {
  refuseSetting(`${second.name} given twice`, second, `one value, see ${first.place}`);
}

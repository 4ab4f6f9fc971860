/** Settings as read from the source, and errors about them. */
import { RoceError, type Allowed, type RoceErrorFields } from '../../errors.js';

/** Interpretation of dce_tcp_g = G: per period alpha keeps G/1024 of itself (`retention`), or its gain is G/1024 (`gain`). */
export type AlphaConvention = 'retention' | 'gain';

/** One setting as written in the text. */
export interface RawSetting {
  readonly name: string;
  readonly value: string;
  /** Location for messages: `line 12`, or a file name. */
  readonly place: string;
}

/** Rejects a setting: RoceError `invalid-settings` with `where` = name and place. */
export function rejectSetting(setting: RawSetting, allowed: Allowed): never {
  throw settingError(setting, { got: setting.value, allowed });
}

/** Rejects a name that is not in `allowed`. */
export function rejectUnknown(setting: RawSetting, allowed: Allowed): never {
  throw settingError(setting, { what: 'the name of a setting', got: setting.name, allowed });
}

/** Rejects a second value for a name. */
export function rejectTwice(first: RawSetting, second: RawSetting): never {
  throw settingError(second, { problem: `was given at ${first.place} already`, got: second.value });
}

function settingError(setting: RawSetting, fields: RoceErrorFields): RoceError {
  return new RoceError('invalid-settings', {
    what: setting.name,
    ...fields,
    where: `${setting.name}, ${setting.place}`,
  });
}

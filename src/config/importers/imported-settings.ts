/**
 * What every importer of vendor settings returns, and how it rejects.
 */

import { RoceError, type Allowed, type RoceErrorFields } from '../../errors.js';
import type { DcqcnParameters } from '../algorithms/dcqcn/parameters.js';
import type { NotificationPointSettings } from '../notification-point.js';
import type { SettingsNote } from './notes.js';

/** Interpretation of a setting G of dce_tcp_g: alpha keeps G/1024 per period, or moves by G/1024 of the distance. */
export type AlphaConvention = 'retention' | 'gain';

/** One setting as the vendor has it. */
export interface VendorValue {
  /** Its name in the source: `RPG_AI_RATE_P1`, `rpg_ai_rate`, `rp_ai_rate`, `dcqcn_F`. */
  readonly name: string;
  /** In the vendor's unit; whole. */
  readonly value: number;
  /** The vendor's unit: `us`, `Mb/s`; empty: a number without one. */
  readonly unit: string;
  /** As shipped, in the same unit. */
  readonly byDefault: number;
  /** Whether the source gives it, or it is the default. */
  readonly isGiven: boolean;
}

/** A setting, where it is and what it is. */
export interface StatedBy {
  /** `ROCE_CC_PRIO_MASK_P1`. */
  readonly name: string;
  /** As written. */
  readonly value: string;
  /** `line 12`. */
  readonly place: string;
}

/** Priorities for which an adapter has congestion control on. */
export interface EnabledPriorities {
  /** Senders of these slow down on CNPs, ascending; null: the source does not say. */
  readonly reactionPoint: readonly number[] | null;
  /**
   * Receivers of these respond to marked packets with CNPs, ascending, as the source states them; null: it does not say. On
   * NVIDIA's adapters the notification point is one switch per port, which any priority turns on (NVIDIA, "HowTo Configure
   * DCQCN (RoCE CC) values for ConnectX-4").
   */
  readonly notificationPoint: readonly number[] | null;
  /** The settings that state both; absent: there is a file per priority. */
  readonly statedBy?: readonly StatedBy[];
}

/** Vendor settings in this library's terms. */
export interface ImportedSettings {
  /** Vendor of the adapter. */
  readonly vendor: 'nvidia' | 'intel';
  /** Parameters of the reaction point. */
  readonly parameters: DcqcnParameters;
  /** Whether the settings limit a QP's rate; without a limit `maxRateBps` is the port's rate. */
  readonly limitsRate: boolean;
  /** When the adapter sends CNPs. */
  readonly notificationPoint: NotificationPointSettings;
  /** `none`: the vendor's settings say nothing of alpha. */
  readonly alphaConvention: AlphaConvention | 'none';
  /** Every setting of congestion control by the vendor's name, given or by default. */
  readonly values: readonly VendorValue[];
  /** Priorities with congestion control: by ROCE_CC_PRIO_MASK, `ecn/roce_rp` and `ecn/roce_np`, or the switches of irdma. */
  readonly enabledPriorities: EnabledPriorities;
  /** Each decision, default and ignored setting. */
  readonly notes: readonly SettingsNote[];
  /** Settings that are probably unintended, or have no effect. */
  readonly warnings: readonly SettingsNote[];
  /** Those of `warnings` that say only where a model with these parameters differs from the adapter. */
  readonly modelWarnings: readonly SettingsNote[];
}

/** One setting as written in the text. */
export interface RawSetting {
  readonly name: string;
  readonly value: string;
  /** Where it is, for people: `line 12`, or a file name. */
  readonly place: string;
}

/** Rejects a setting: RoceError `invalid-settings` with `where` = name and place. */
export function rejectSetting(setting: RawSetting, allowed: Allowed): never {
  throw settingError(setting, { got: setting.value, allowed });
}

/** Rejects a name that is none of `allowed`. */
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

/**
 * What every importer of vendor settings returns, and its warnings of settings without effect.
 */
import type { DcqcnParameters } from '../algorithms/dcqcn.js';
import { idleSettings } from '../algorithms/dcqcn/ineffective-settings.js';
import type { NotificationPointSettings } from '../notification-point.js';
import { settingsNote, type SettingsNote } from './notes.js';
import type { AlphaConvention } from './settings-text.js';

/** One setting under the vendor's name. */
export interface VendorValue {
  /** Its name in the source: `RPG_AI_RATE_P1`, `rpg_ai_rate`, `rp_ai_rate`, `dcqcn_F`. */
  readonly name: string;
  /** Its value in the vendor's unit; whole. */
  readonly value: number;
  /** The vendor's unit: `us`, `Mb/s`; empty if it has none. */
  readonly unit: string;
  /** The shipped default, in the same unit. */
  readonly byDefault: number;
  /** Whether the source gives the value; otherwise it is the default. */
  readonly isGiven: boolean;
}

/** A setting as written in the source, with its location. */
export interface StatedBy {
  /** Name, such as `ROCE_CC_PRIO_MASK_P1`. */
  readonly name: string;
  /** Value as written. */
  readonly value: string;
  /** Location, such as `line 12`. */
  readonly place: string;
}

/** Priorities for which congestion control is enabled on an adapter. */
export interface EnabledPriorities {
  /** Priorities whose senders slow down on CNPs, ascending; null if the source does not state them. */
  readonly reactionPoint: readonly number[] | null;
  /**
   * Priorities whose receivers send CNPs for marked packets, ascending; null if the source does not state them. On
   * NVIDIA's adapters the notification point is enabled per port: any priority enables it (NVIDIA, "HowTo Configure
   * DCQCN (RoCE CC) values for ConnectX-4").
   */
  readonly notificationPoint: readonly number[] | null;
  /** The settings that state both; absent if there is a file per priority. */
  readonly statedBy?: readonly StatedBy[];
}

/** Vendor settings in this library's terms. */
export interface ImportedSettings {
  /** Vendor of the adapter. */
  readonly vendor: 'nvidia' | 'intel';
  /** Parameters of the reaction point. */
  readonly parameters: DcqcnParameters;
  /** Whether the settings limit a QP's rate; otherwise `maxRateBps` is the port's rate. */
  readonly limitsRate: boolean;
  /** When the adapter sends CNPs. */
  readonly notificationPoint: NotificationPointSettings;
  /** How the gain of alpha was read; `none`: the vendor has no settings for alpha. */
  readonly alphaConvention: AlphaConvention | 'none';
  /** Every congestion-control setting under the vendor's name, given or default. */
  readonly values: readonly VendorValue[];
  /** Priorities with congestion control: from ROCE_CC_PRIO_MASK, `ecn/roce_rp` and `ecn/roce_np`, or irdma's switches. */
  readonly enabledPriorities: EnabledPriorities;
  /** Each decision, default and ignored setting. */
  readonly notes: readonly SettingsNote[];
  /** Settings that are probably unintended, or have no effect. */
  readonly warnings: readonly SettingsNote[];
  /** The subset of `warnings` that is only about differences between the model and the adapter. */
  readonly modelWarnings: readonly SettingsNote[];
}

/** The parameters of an adapter and its shipped defaults. */
export interface AdapterParameters {
  readonly parameters: DcqcnParameters;
  /** The parameters of the adapter as shipped. */
  readonly shipped: DcqcnParameters;
  /** The vendor's setting that determines a parameter; undefined if there is none. */
  readonly valueOf: (field: keyof DcqcnParameters) => VendorValue | undefined;
}

/**
 * Returns one warning, under the vendor's names, for each setting that has no effect because of others. A setting that already
 * has none in the shipped configuration is not mentioned, unless its value was changed.
 */
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

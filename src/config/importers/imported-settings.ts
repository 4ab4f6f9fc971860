/**
 * What every importer of vendor settings returns.
 */

import type { DcqcnParameters } from '../algorithms/dcqcn/parameters.js';
import type { NotificationPointSettings } from '../notification-point.js';
import type { SettingsNote } from './notes.js';
import type { AlphaConvention } from './raw-setting.js';

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

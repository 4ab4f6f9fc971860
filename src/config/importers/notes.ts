/**
 * The text of each note and warning of the importers of adapter settings, by code; the parameters of each function
 * declare its data. Notes are stored as data; only this file converts them to text.
 *
 * `name` is the vendor's name of a setting, `value` its value in the vendor's unit, `place` a line or a file.
 */
import { noteMaker, type NoteOf } from '../../note-record.js';
import { idleReason, type IdleReason } from '../algorithms/dcqcn/ineffective-settings.js';
import type { NotificationScope } from '../notification-point.js';
import type { AlphaConvention, RawSetting } from './settings-text.js';

interface OfSetting {
  readonly name: string;
  readonly value: number;
}

/** Why the model has no equivalent of a known setting. */
const LEFT_OUT = {
  'ecn-is-the-model': '0 is ECN (DCQCN), which is the model',
  'undocumented-values': 'its values are not documented; see the option cnpScope',
  'limiters-per-qp': 'rate limiters are per QP here',
  'packet-steering': 'it is about packet steering',
  'rtt-probes': 'it is about RTT probes',
  'newer-algorithm': 'with 0 the firmware runs a newer algorithm than the one that these settings are for',
  'programmed-algorithm': 'with 1 a program on the adapter replaces DCQCN',
  'dscp-of-setting': 'CNPs have the DSCP of CNP_DSCP here',
  'priority-of-setting': 'CNPs have the priority of CNP_802P_PRIO here',
  'priority-of-file': 'CNPs have the priority of np_cnp_prio here',
} as const;

/** Why a setting is not imported. */
export type LeftOutReason = keyof typeof LEFT_OUT;

const DEFAULTS_OF = { nvidia: "NVIDIA's default", intel: "the driver's default" } as const;

const SENTENCES = {
  // Missing and unused settings.
  'default-assumed': ({ name, vendor, byDefault }: {
    readonly name: string;
    readonly vendor: 'nvidia' | 'intel';
    readonly byDefault: number;
  }) => `${name} is not given: ${DEFAULTS_OF[vendor]} ${byDefault}.`,
  'setting-left-out': ({ name, value, place, reason }: RawSetting & { readonly reason: LeftOutReason }) =>
    `${name} = ${value} (${place}) is left out: ${LEFT_OUT[reason]}.`,
  'unknown-setting-left-out': ({ name, place }: Pick<RawSetting, 'name' | 'place'>) =>
    `${name} (${place}) is unknown and left out.`,
  'other-settings-left-out': ({ settings }: { readonly settings: number }) =>
    `${settings} settings that are not about RoCE congestion control are left out.`,
  'other-parameters-left-out': ({ names }: { readonly names: readonly string[] }) =>
    `Not about congestion control and left out: ${names.join(', ')}.`,

  // Interpretation of settings.
  'alpha-convention': ({ name, value, convention, gainOf1024 }: OfSetting & {
    readonly convention: AlphaConvention;
    /** Numerator of the gain over 1024. */
    readonly gainOf1024: number;
  }) => `${name} = ${value} is read as ${convention}: the gain of alpha is ${gainOf1024}/1024.`,
  'byte-reset-unit': ({ name, value, unitBytes, bytes }: OfSetting & {
    readonly unitBytes: number;
    readonly bytes: number;
  }) => `${name} = ${value} is read in units of ${unitBytes} bytes: ${bytes} bytes.`,
  'cnp-scope': ({ name, scope }: { readonly name: string; readonly scope: NotificationScope }) =>
    `${name} applies per ${scope}.`,
  'cnps-with-ect0': () => 'CNPs are sent with ECT(0), as captured from ConnectX-4 Lx; no setting controls it.',
  'maximum-of-port': ({ name, lineRateBps }: { readonly name: string; readonly lineRateBps: number }) =>
    `${name} = 0 is the port's rate, ${lineRateBps} b/s.`,
  'point-enabled': ({ point, enabled, given }: {
    readonly point: CongestionControlPoint;
    /** Number of enabled priorities. */
    readonly enabled: number;
    readonly given: number;
  }) => `The ${point} is enabled for ${enabled} of ${given} priorities; the model has it for every QP.`,
  'least-rate-unit': ({ value, unit, leastRateBps }: {
    readonly value: number;
    readonly unit: 'megabits' | 'megabytes';
    readonly leastRateBps: number;
  }) =>
    `dcqcn_min_rate_MBps = ${value} is read as ${unit} per second (its name says megabytes, its help text megabits); ` +
    `the floor is ${leastRateBps} b/s.`,
  'rates-of-path': ({ mssBytes, rttPs }: { readonly mssBytes: number; readonly rttPs: number }) =>
    'dcqcn_rai_factor and dcqcn_hai_factor are converted to rates with ' +
    `an MSS of ${mssBytes} bytes and a round-trip time of ${rttPs} ps.`,
  'decrease-factor-remains': () =>
    'dcqcn_min_dec_factor is read as the minimum part of the rate that remains after a cut.',
  'alpha-of-sigcomm15': () =>
    'Gain, period and first value of alpha are not among the settings: the values of the SIGCOMM 2015 paper are used.',
  'default-notification-point': () =>
    "The driver has no settings for the notification point: this library's defaults are used.",

  // Probable mistakes, and differences from the adapter.
  'maximum-without-limiter': ({ name, value }: OfSetting) =>
    `${name} = ${value} is also the rate of a QP without a limiter here.`,
  'retention-read-as-gain': ({ name, value }: OfSetting) =>
    `${name} = ${value} read as gain nearly replaces alpha in each period; retention is probably meant.`,
  'gain-read-as-retention': ({ name, value }: OfSetting) =>
    `${name} = ${value} read as retention forgets most of alpha in each period; gain is probably meant.`,
  'mask-of-priorities': ({ name, value, place, priorities }: RawSetting & { readonly priorities: readonly number[] }) =>
    `${name} = ${value} (${place}) has congestion control for ${
      priorities.length === 0 ? 'no priority' : `the priorities ${priorities.join(', ')}`
    }; the model has it for every QP.`,
  'point-disabled': ({ point }: { readonly point: CongestionControlPoint }) =>
    `The ${point} is disabled for every given priority; the model has it enabled.`,
  'setting-idle': ({ name, value, reason, because }: OfSetting & {
    readonly reason: IdleReason;
    /** The settings because of which it has no effect, with their values. */
    readonly because: readonly string[];
  }) => `${name} = ${value} has no effect: ${idleReason(reason, because)}.`,
  'dcqcn-off': ({ name }: { readonly name: string }) =>
    `${name} is 0: the driver leaves DCQCN off; the model has it on.`,
  'settings-not-used': () => 'dcqcn_cc_cfg_valid is 0: the adapter does not use these settings.',
  'no-byte-counter': () => 'dcqcn_B is 0: read as no byte counter; the driver does not say.',
};

/** The two roles of an adapter in congestion control: sender and receiver. */
export type CongestionControlPoint = 'reaction point' | 'notification point';

/** A note or warning on settings that were read: a decision, a default, an omission, a probable mistake. */
export type SettingsNote = NoteOf<typeof SENTENCES>;

export const settingsNote = noteMaker(SENTENCES);

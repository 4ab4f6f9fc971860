/**
 * Converts DCQCN parameters to adapters' settings: the inverse of the importers of roce-cc/settings. Values are rounded
 * to what the settings can express; notes list the deviations.
 */
import type { DcqcnParameters } from '../../config/algorithms/dcqcn.js';
import { NVIDIA_SETTINGS, type NvidiaKey } from '../../config/importers/nvidia-names.js';
import { noteMaker, type NoteOf } from '../../note-record.js';
import { BITS_PER_BYTE, BPS_PER_MBPS, PS_PER_SECOND, PS_PER_US } from '../../unit-sizes.js';

const ALPHA_UNITS = 1024;
const BYTE_RESET_UNIT_BYTES = 64;
const PERCENT = 100;

/** Lines of settings, and notes on what they cannot express. */
interface VendorSettings {
  readonly lines: readonly string[];
  readonly notes: readonly WrittenSettingNote[];
}

/** Arguments of `mlxconfig set`, for port 1. */
export function mlxconfigSettings(parameters: DcqcnParameters): VendorSettings {
  const notes: WrittenSettingNote[] = [];
  const wanted: readonly (readonly [NvidiaKey, number])[] = [
    ['alphaG', ALPHA_UNITS - parameters.alphaGain * ALPHA_UNITS],
    ['initialAlpha', parameters.initialAlpha * ALPHA_UNITS],
    ['alphaPeriod', parameters.alphaPeriodPs / PS_PER_US],
    ['monitorPeriod', parameters.cutPeriodPs / PS_PER_US],
    ['minDecFac', parameters.minDecreaseFactor * PERCENT],
    ['gd', parameters.cutScale === 0.5 ? 11 : 10],
    ['minRate', parameters.minRateBps / BPS_PER_MBPS],
    ['timeReset', parameters.increasePeriodPs / PS_PER_US],
    ['byteReset', parameters.byteCounterBytes / BYTE_RESET_UNIT_BYTES],
    ['threshold', parameters.fastRecoverySteps],
    ['aiRate', parameters.aiRateBps / BPS_PER_MBPS],
    ['haiRate', parameters.haiRateBps / BPS_PER_MBPS],
    ['clampTgtRate', Number(parameters.clampTargetRate)],
  ];
  const lines = wanted.map(([key, value]) => {
    const { mlxconfig, low, high } = NVIDIA_SETTINGS[key];
    const most = high === 'line' ? Infinity : high;
    const rounded = Math.min(most, Math.max(low, Math.round(value)));
    if (Math.abs(rounded - value) > 1e-9 * Math.max(1, Math.abs(value)))
      notes.push(writtenSettingNote('value-rounded', { setting: mlxconfig, written: rounded, wanted: value }));
    return `${mlxconfig}_P1=${rounded}`;
  });
  notes.push(writtenSettingNote('alpha-as-retention'),
    writtenSettingNote('byte-reset-in-units', { unitBytes: BYTE_RESET_UNIT_BYTES }));
  return { lines, notes };
}

/** Module parameters of irdma. @param path MSS and round-trip time, on which its increase factors depend. */
export function irdmaSettings(parameters: DcqcnParameters,
  path: { readonly mssBytes: number; readonly rttPs: number }): VendorSettings {
  const notes: WrittenSettingNote[] = [];
  const factor = (rateBps: number): number => (rateBps * path.rttPs) / (BITS_PER_BYTE * PS_PER_SECOND * path.mssBytes);
  const wanted: readonly (readonly [string, number, number, number])[] = [
    ['dcqcn_enable', 1, 0, 1],
    ['dcqcn_cc_cfg_valid', 1, 0, 1],
    ['dcqcn_min_dec_factor', parameters.minDecreaseFactor * PERCENT, 1, 100],
    ['dcqcn_min_rate_MBps', parameters.minRateBps / BPS_PER_MBPS, 0, 255],
    ['dcqcn_F', parameters.fastRecoverySteps, 0, 8],
    ['dcqcn_T', parameters.increasePeriodPs / PS_PER_US, 1, 65_535],
    ['dcqcn_B', parameters.byteCounterBytes, 0, 2 ** 26 - 1],
    ['dcqcn_rai_factor', factor(parameters.aiRateBps), 0, 65_535],
    ['dcqcn_hai_factor', factor(parameters.haiRateBps), 0, 65_535],
    [
      'dcqcn_rreduce_mperiod',
      parameters.cutTrigger === 'on-cnp' ? 0 : parameters.cutPeriodPs / PS_PER_US,
      0,
      2 ** 32 - 1,
    ],
  ];
  const options = wanted.map(([name, value, low, high]) => {
    const rounded = Math.min(high, Math.max(low, Math.round(value)));
    if (Math.abs(rounded - value) > 1e-9 * Math.max(1, Math.abs(value)))
      notes.push(writtenSettingNote('value-rounded', { setting: name, written: rounded, wanted: value }));
    return `${name}=${rounded}`;
  });
  notes.push(writtenSettingNote('increases-of-path', { mssBytes: path.mssBytes, rttPs: path.rttPs }),
    writtenSettingNote('no-setting-of-alpha'));
  return { lines: [`options irdma ${options.join(' ')}`], notes };
}

/**
 * The sentence of each note on tuned parameters as adapters' settings, by its code; its parameter declares the note's
 * values. Notes are data; only this file contains their text.
 */
const SENTENCES = {
  'value-rounded': ({ setting, written, wanted }: {
    /** The setting's name at the vendor. */
    readonly setting: string;
    readonly written: number;
    /** The exact value for the parameter. */
    readonly wanted: number;
  }) => `${setting}: ${written} instead of ${Number(wanted.toPrecision(6))}.`,
  'alpha-as-retention': () => 'DCE_TCP_G is written as retention: 1024 (1 - g).',
  'byte-reset-in-units': ({ unitBytes }: { readonly unitBytes: number }) =>
    `RPG_BYTE_RESET is written in units of ${unitBytes} bytes.`,
  'increases-of-path': ({ mssBytes, rttPs }: { readonly mssBytes: number; readonly rttPs: number }) =>
    `dcqcn_rai_factor and dcqcn_hai_factor are for an MSS of ${mssBytes} bytes and a round-trip time of ${rttPs} ps.`,
  'no-setting-of-alpha': () => 'The driver has no setting for the gain, the period and the first value of alpha.',
};

/** A note on what an adapter's settings cannot express, or on how they are written. */
export type WrittenSettingNote = NoteOf<typeof SENTENCES>;

export const writtenSettingNote = noteMaker(SENTENCES);

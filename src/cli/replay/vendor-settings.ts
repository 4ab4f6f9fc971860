/** Reads vendor settings from a file or folder, and detects the vendor by the names in it. */
import { stat } from 'node:fs/promises';
import type { ImportedSettings } from '../../config/importers/imported-settings.js';
import { importIrdma } from '../../config/importers/irdma.js';
import { importMlxconfig, type MlxconfigImportOptions } from '../../config/importers/mlxconfig.js';
import { importRoceSysfsFolder } from '../../config/importers/node-sysfs-folder.js';
import { importCcParams, importRoceSysfs } from '../../config/importers/nvidia-runtime.js';
import { RoceError } from '../../errors.js';
import { isMlnxQos } from '../../qos/mlnx-qos/import-mlnx-qos.js';
import { readText, SETTINGS_BYTES_MAX } from '../read-text.js';
import { pathOf, SETTINGS_KINDS, type SettingsKind } from './settings-kinds.js';

interface VendorSettingsOptions {
  readonly lineRateBps: number;
  /** Kind of settings. Default: detected from the names in the file. */
  readonly kind?: SettingsKind | undefined;
  /** MSS, used by irdma only. */
  readonly mssBytes?: number | undefined;
  /** Round-trip time, used by irdma only. */
  readonly rttPs?: number | undefined;
  /** Device and port to read, for mlxconfig only. */
  readonly device?: number | undefined;
  readonly port?: number | undefined;
}

/** Names that identify each kind. The order matters, as paths of one kind may contain names of another. */
const SIGNS: readonly (readonly [SettingsKind, RegExp])[] = [
  ['irdma', /\b(?:dcqcn_[a-z]|roce_(?:dcqcn|dctcp|timely)_enable\b)/i],
  ['cc-params', /(?:^|\/)(?:rp|np)_[a-z]/m],
  ['sysfs', /\b(?:rpg_[a-z]|roce_[rn]p\/|dce_tcp_|min_time_between_cnps)/],
  ['mlxconfig', /\b(?:RPG|ROCE_CC|DCE_TCP|CNP|MIN_TIME_BETWEEN|CLAMP)_[A-Z]/],
];

/**
 * @param path a file, or the folder `ecn` of a network device.
 * @throws RoceError `invalid-settings`, `invalid-config`; system errors.
 */
export async function readVendorSettings(path: string, options: VendorSettingsOptions): Promise<ImportedSettings> {
  const { lineRateBps } = options;
  if (path !== '-' && (await stat(path)).isDirectory()) return importRoceSysfsFolder(path, { lineRateBps });
  return importVendorText(await readText(path, SETTINGS_BYTES_MAX), path, options);
}

/**
 * Imports settings from a text that was read from `path`.
 * @throws RoceError `invalid-settings`, `invalid-config`.
 */
export function importVendorText(text: string, path: string, options: VendorSettingsOptions): ImportedSettings {
  const { lineRateBps } = options;
  const kind = options.kind ?? kindOf(text, path);
  if (kind === 'mlxconfig') return importMlxconfig(text, mlxconfigOptions(options));
  if (kind === 'sysfs') return importRoceSysfs(text, { lineRateBps });
  if (kind === 'cc-params') return importCcParams(text, { lineRateBps });
  return importIrdma(text, { lineRateBps, ...pathOf(options) });
}

function mlxconfigOptions({ lineRateBps, device, port }: VendorSettingsOptions): MlxconfigImportOptions {
  return { lineRateBps, ...(device === undefined ? {} : { device }), ...(port === undefined ? {} : { port }) };
}

/**
 * Detects the kind of settings from the names in a text.
 * @throws RoceError `invalid-settings` if no kind matches, naming the path.
 */
export function kindOf(text: string, path: string): SettingsKind {
  if (isMlnxQos(text)) rejectMlnxQos(path);
  const found = SIGNS.find(([, sign]) => sign.test(text));
  if (found !== undefined) return found[0];
  const hint = 'State it with --settings-kind';
  throw new RoceError('invalid-settings', { what: 'the kind of settings', allowed: SETTINGS_KINDS, where: path, hint });
}

function rejectMlnxQos(where: string): never {
  throw new RoceError('invalid-settings', {
    what: 'the file',
    problem: 'is the output of mlnx_qos, which has no settings of congestion control',
    hint: 'roce-cc lint and roce-cc settings read it',
    where,
  });
}

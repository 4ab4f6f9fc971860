/**
 * Imports NVIDIA settings of a running Linux system: the files of `ecn/roce_rp` and `ecn/roce_np` (MLNX_OFED) or of
 * `cc_params` (debugfs, mlx5 driver), as `name=value` lines or as `grep . folder/*` prints them.
 *
 * Directories of a path are ignored: `/sys/class/net/eth2/ecn/roce_rp/rpg_gd:11` is `rpg_gd=11`. Unknown names are rejected.
 */

import { checkInput, rejectTwice, rejectUnknown, type RawSetting, readKeyValues,
  readWholeIn } from './settings-text.js';
import type { ImportedSettings } from './imported-settings.js';
import { settingsNote } from './notes.js';
import { DEBUGFS_UNUSED, NVIDIA_KEYS, NVIDIA_SETTINGS, type NvidiaKey } from './nvidia-names.js';
import { NvidiaSettings, type NvidiaImportOptions } from './nvidia.js';

const SYSFS_KEYS: ReadonlyMap<string, NvidiaKey> = new Map(NVIDIA_KEYS.map((key) => [NVIDIA_SETTINGS[key].sysfs, key]));
const DEBUGFS_KEYS: ReadonlyMap<string, NvidiaKey> = new Map(
  NVIDIA_KEYS.map((key) => [NVIDIA_SETTINGS[key].debugfs, key]),
);
const PRIORITIES = 8;
const ENABLE_FILE = /(?:^|\/)enable\/([0-7])$/;

/**
 * Reads the settings of `ecn/roce_rp` and `ecn/roce_np` from text.
 *
 * @param text lines such as `rpg_ai_rate=5` or `roce_rp/enable/3:1`.
 * @throws RoceError `invalid-settings`, naming setting and line; `invalid-config`, naming the option.
 */
export function importRoceSysfs(text: string, options: NvidiaImportOptions): ImportedSettings {
  checkInput(text, options);
  return importSysfsSettings(readKeyValues(text), options);
}

/** Like `importRoceSysfs`, for settings that have already been parsed. */
export function importSysfsSettings(raw: readonly RawSetting[], options: NvidiaImportOptions): ImportedSettings {
  const settings = new NvidiaSettings(options, (key) => NVIDIA_SETTINGS[key].sysfs);
  const switches = new Map<string, RawSetting>();
  for (const setting of raw) {
    if (!ENABLE_FILE.test(setting.name)) {
      settings.give(keyOf(setting, SYSFS_KEYS), setting);
      continue;
    }
    const first = switches.get(setting.name);
    if (first !== undefined) rejectTwice(first, setting);
    switches.set(setting.name, setting);
  }
  explainSwitches([...switches.values()], settings);
  return settings.build();
}

/**
 * Reads the settings of the mlx5 driver's `cc_params` from text.
 *
 * @param text lines such as `rp_ai_rate=5` or `cc_params/np_cnp_dscp:48`.
 * @throws RoceError `invalid-settings`, naming setting and line; `invalid-config`, naming the option.
 */
export function importCcParams(text: string, options: NvidiaImportOptions): ImportedSettings {
  checkInput(text, options);
  const settings = new NvidiaSettings(options, (key) => NVIDIA_SETTINGS[key].debugfs);
  for (const setting of readKeyValues(text)) {
    const base = baseName(setting.name);
    if (Object.hasOwn(DEBUGFS_UNUSED, base)) settings.giveUnused(DEBUGFS_UNUSED[base], { ...setting, name: base });
    else settings.give(keyOf(setting, DEBUGFS_KEYS), setting);
  }
  return settings.build();
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function keyOf(setting: RawSetting, keys: ReadonlyMap<string, NvidiaKey>): NvidiaKey {
  const key = keys.get(baseName(setting.name));
  if (key === undefined) rejectUnknown(setting, [...keys.keys()]);
  return key;
}

/** Notes which priorities have congestion control: the adapter enables it per priority, the model for every QP. */
function explainSwitches(switches: readonly RawSetting[], settings: NvidiaSettings): void {
  const ofNotification = switches.filter((setting) => setting.name.includes('roce_np'));
  const ofReaction = switches.filter((setting) => !setting.name.includes('roce_np'));
  const notificationPoint = enabledOf(ofNotification);
  // Any priority enables the notification point of the port. If some of its eight files are missing, it may still be enabled.
  const isUnknown = notificationPoint?.length === 0 && ofNotification.length < PRIORITIES;
  settings.enableFor({
    reactionPoint: enabledOf(ofReaction),
    notificationPoint: isUnknown ? null : notificationPoint,
  });
  for (const [point, ours] of [['reaction point', ofReaction], ['notification point', ofNotification]] as const) {
    const count = ours.filter((setting) => readWholeIn(setting, 0, 1, '') === 1).length;
    if (ours.length === 0) continue;
    if (count === 0) settings.warnOfModel(settingsNote('point-disabled', { point }));
    else settings.note(settingsNote('point-enabled', { point, enabled: count, given: ours.length }));
  }
}

/** The enabled priorities; null if no file states them. */
function enabledOf(switches: readonly RawSetting[]): readonly number[] | null {
  if (switches.length === 0) return null;
  const isOn = (setting: RawSetting): boolean => readWholeIn(setting, 0, 1, '') === 1;
  const priorities = switches.filter(isOn).map(({ name }) => Number(ENABLE_FILE.exec(name)?.[1]));
  return [...new Set(priorities)].sort((a, b) => a - b);
}

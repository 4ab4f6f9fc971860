/**
 * The configfs files of an irdma device: congestion-control switches, 0 or 1, and files that are unrelated to it.
 *
 *   cd /sys/kernel/config/irdma/DEVICE; for f in *; do echo -n "$f: "; cat "$f"; done      or      grep . *
 *
 * Sources: Intel's README of irdma, "ECN Configuration", for the switches and their default, off; the driver's configfs.c for
 * the other names.
 */
import type { EnabledPriorities, VendorValue } from './imported-settings.js';
import { rejectTwice, type RawSetting } from './raw-setting.js';
import { settingsNote, type SettingsNote } from './notes.js';
import { readWholeIn } from './settings-text.js';

const DCQCN = 'roce_dcqcn_enable';

/** The sender reacts to congestion if any of these is on. */
const SWITCHES: readonly string[] = [DCQCN, 'roce_dctcp_enable', 'roce_timely_enable'];

const OTHER_FILES: ReadonlySet<string> = new Set([
  'ceq_intrl',
  'ceq_itr',
  'cnp_up_override',
  'iw_dctcp_enable',
  'iw_ecn_enable',
  'iw_ooo_enable',
  'iw_rtomin',
  'iw_timely_enable',
  'push_mode',
  'rcv_wnd',
  'rcv_wscale',
  'roce_ackcreds',
  'roce_cwnd',
  'roce_no_icrc_enable',
  'roce_rd_fence_rate',
  'roce_rtomin',
  'up_map_enable',
  'up_up_map',
]);

const ALL_PRIORITIES = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** The switches of one device. */
export class ConfigfsSwitches {
  readonly #given = new Map<string, RawSetting>();

  /** @returns false for a name that configfs does not have. @throws RoceError `invalid-settings` for a second value. */
  take(setting: RawSetting): boolean {
    if (OTHER_FILES.has(setting.name)) return true;
    if (!SWITCHES.includes(setting.name)) return false;
    const first = this.#given.get(setting.name);
    if (first !== undefined) rejectTwice(first, setting);
    readWholeIn(setting, 0, 1, '');
    this.#given.set(setting.name, setting);
    return true;
  }

  /** Whether DCQCN is on; undefined if no file states it. */
  get dcqcn(): boolean | undefined {
    const setting = this.#given.get(DCQCN);
    return setting === undefined ? undefined : readWholeIn(setting, 0, 1, '') === 1;
  }

  /** Warnings about differences between the model and the adapter. */
  warnings(): SettingsNote[] {
    return this.dcqcn === false ? [settingsNote('dcqcn-off', { name: DCQCN })] : [];
  }

  values(): VendorValue[] {
    return [...this.#given.values()].map((setting) => {
      const value = readWholeIn(setting, 0, 1, '');
      return { name: setting.name, value, unit: '', byDefault: 0, isGiven: true };
    });
  }

  /**
   * irdma switches congestion control for a whole device; no setting states for which priorities it sends CNPs.
   *
   * @param parameter the module parameter dcqcn_enable, used if configfs has no switches
   */
  enabledPriorities(parameter: RawSetting | undefined): EnabledPriorities {
    const settings = this.#given.size > 0 ? [...this.#given.values()] : parameter === undefined ? [] : [parameter];
    if (settings.length === 0) return { reactionPoint: null, notificationPoint: null };
    const isOn = settings.some((setting) => readWholeIn(setting, 0, 1, '') === 1);
    return { reactionPoint: isOn ? ALL_PRIORITIES : [], notificationPoint: null, statedBy: settings };
  }
}

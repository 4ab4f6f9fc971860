/**
 * Settings of Intel's irdma driver: its module parameters, as `options irdma name=value ...` (modprobe.d), as
 * `name=value` lines, or as `grep . /sys/module/irdma/parameters/*` prints them; and the files of a device in configfs
 * (`/sys/kernel/config/irdma/DEVICE`), which switch congestion-control algorithms on and off, as text of
 *
 *   cd /sys/kernel/config/irdma/DEVICE; for f in *; do echo -n "$f: "; cat "$f"; done      or      grep . *
 *
 * Sources of the configfs files: Intel's README of irdma, "ECN Configuration", for the switches and their default, off; the
 * driver's configfs.c for the other names.
 *
 * The driver states window increases in MSS; see algorithms/dcqcn/preset-irdma.ts for the conversion to rates and for what is
 * unknown. The name of dcqcn_min_rate_MBps means megabytes, its help text megabits per second: an option chooses.
 *
 * Out-of-range values are rejected. The driver itself clamps them, except for dcqcn_min_dec_factor, where it sets the
 * byte counter to 1 instead.
 */
import { mbps, us } from '../../units.js';
import { type DcqcnParameters, BYTE_COUNTER_MIN_BYTES } from '../algorithms/dcqcn.js';
import { dcqcnIrdma, IRDMA_DEFAULTS, IRDMA_NO_FLOOR_BPS } from '../algorithms/dcqcn/preset-irdma.js';
import { PERIOD_MAX_PS } from '../algorithms/algorithm.js';
import { checkField, oneOf } from '../field-rules.js';
import { notificationPoint } from '../notification-point.js';
import { type ImportedSettings, type VendorValue, idleWarnings, type EnabledPriorities } from './imported-settings.js';
import { settingsNote, type SettingsNote } from './notes.js';
import { rejectSetting, rejectTwice, rejectUnknown, type RawSetting, checkInput, readModuleParameters,
  readWholeIn } from './settings-text.js';

/** Options of `importIrdma` besides the text. */
export interface IrdmaImportOptions {
  /** Rate of the port, whole bits per second; the settings don't contain it. */
  readonly lineRateBps: number;
  /** Bytes of one MSS, the RDMA path MTU. */
  readonly mssBytes: number;
  /** Round-trip time of the path, whole picoseconds. */
  readonly rttPs: number;
  /** Unit of dcqcn_min_rate_MBps. Default `megabits`, as in its help text. */
  readonly minRateUnit?: 'megabits' | 'megabytes';
}

interface IrdmaSetting {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly unit: string;
  readonly byDefault: number;
}

/** Module parameters of congestion control, with the driver's ranges (its limits, or those of the parameter's type). */
const SETTINGS = {
  enable: { name: 'dcqcn_enable', low: 0, high: 1, unit: '', byDefault: 0 },
  valid: { name: 'dcqcn_cc_cfg_valid', low: 0, high: 1, unit: '', byDefault: 0 },
  minDecFactor: {
    name: 'dcqcn_min_dec_factor',
    low: 1,
    high: 100,
    unit: '%',
    byDefault: IRDMA_DEFAULTS.minDecFactorPercent,
  },
  minRate: { name: 'dcqcn_min_rate_MBps', low: 0, high: 255, unit: '', byDefault: IRDMA_DEFAULTS.minRate },
  steps: { name: 'dcqcn_F', low: 0, high: 8, unit: 'steps', byDefault: IRDMA_DEFAULTS.fastRecoverySteps },
  timer: { name: 'dcqcn_T', low: 1, high: 65_535, unit: 'us', byDefault: IRDMA_DEFAULTS.timerUs },
  byteCounter: {
    name: 'dcqcn_B',
    low: 0,
    high: 2 ** 26 - 1,
    unit: 'bytes',
    byDefault: IRDMA_DEFAULTS.byteCounterBytes,
  },
  raiFactor: { name: 'dcqcn_rai_factor', low: 0, high: 65_535, unit: 'MSS', byDefault: IRDMA_DEFAULTS.raiFactor },
  haiFactor: { name: 'dcqcn_hai_factor', low: 0, high: 65_535, unit: 'MSS', byDefault: IRDMA_DEFAULTS.haiFactor },
  /** Limited by this library; the driver's own limit is 2^32 - 1. */
  reducePeriod: {
    name: 'dcqcn_rreduce_mperiod',
    low: 0,
    high: Math.floor(PERIOD_MAX_PS / 1e6),
    unit: 'us',
    byDefault: IRDMA_DEFAULTS.reducePeriodUs,
  },
} as const satisfies Record<string, IrdmaSetting>;

type IrdmaKey = keyof typeof SETTINGS;

/** Names used in the driver's README. */
const ALIASES: ReadonlyMap<string, string> = new Map([['dcqcn_min_rate', SETTINGS.minRate.name]]);

/** The setting that determines each parameter. */
const KEY_OF: Readonly<Partial<Record<keyof DcqcnParameters, IrdmaKey>>> = {
  minRateBps: 'minRate',
  minDecreaseFactor: 'minDecFactor',
  fastRecoverySteps: 'steps',
  increasePeriodPs: 'timer',
  byteCounterBytes: 'byteCounter',
  aiRateBps: 'raiFactor',
  haiRateBps: 'haiFactor',
  cutTrigger: 'reducePeriod',
  cutPeriodPs: 'reducePeriod',
};
const KEYS = Object.keys(SETTINGS) as IrdmaKey[];

/** The driver's other module parameters, which a listing of the folder also contains. */
const OTHER_PARAMETERS: ReadonlySet<string> = new Set([
  'debug',
  'en_rem_endpoint_trk',
  'fragment_count_limit',
  'gen1_limits_sel',
  'irdma_upload_context',
  'limits_sel',
  'max_rdma_vfs',
  'resource_profile',
  'roce_ena',
  'roce_port_cfg',
]);

/**
 * Reads irdma's module parameters and configfs files.
 *
 * @throws RoceError `invalid-settings`, naming setting and line; `invalid-config`, naming the option.
 */
export function importIrdma(text: string, options: IrdmaImportOptions): ImportedSettings {
  checkInput(text, options);
  const { minRateUnit = 'megabits', ...path } = options;
  checkField(minRateUnit, oneOf('megabits', 'megabytes'), 'options.minRateUnit');

  const notes: SettingsNote[] = [];
  const switches = new ConfigfsSwitches();
  const given = collect(text, notes, switches);
  const values = readValues(given, notes);
  const minRateBps = values.minRate === 0 ?
    IRDMA_NO_FLOOR_BPS :
    mbps(values.minRate) * (minRateUnit === 'megabytes' ? 8 : 1);
  const parameters = dcqcnIrdma({
    ...path,
    raiFactor: values.raiFactor,
    haiFactor: values.haiFactor,
    minRateBps,
    minDecreaseFactor: values.minDecFactor / 100,
    fastRecoverySteps: values.steps,
    increasePeriodPs: us(values.timer),
    byteCounterBytes: values.byteCounter,
    // No minimum time between cuts: each CNP cuts.
    ...(values.reducePeriod === 0 ? { cutTrigger: 'on-cnp' } : { cutPeriodPs: us(values.reducePeriod) }),
  });
  notes.push(settingsNote('least-rate-unit', { value: values.minRate, unit: minRateUnit, leastRateBps: minRateBps }),
    settingsNote('rates-of-path', { mssBytes: path.mssBytes, rttPs: path.rttPs }),
    settingsNote('decrease-factor-remains'), settingsNote('alpha-of-sigcomm15'),
    settingsNote('default-notification-point'));
  const vendorValue = (key: IrdmaKey): VendorValue => {
    const { name, unit, byDefault } = SETTINGS[key];
    return { name, value: values[key], unit, byDefault, isGiven: given.has(name) };
  };
  const valueOf = (field: keyof DcqcnParameters): VendorValue | undefined => {
    const key = KEY_OF[field];
    return key === undefined ? undefined : vendorValue(key);
  };
  const { dcqcn } = switches;
  // Whether a setting has no effect depends on how it is read here, so all warnings concern the model.
  const warnings = [
    ...(dcqcn === undefined ? warnOf(values) : switches.warnings()),
    ...idleWarnings({ parameters, shipped: dcqcnIrdma(path), valueOf }),
  ];
  return {
    vendor: 'intel',
    parameters,
    limitsRate: false,
    notificationPoint: notificationPoint(),
    alphaConvention: 'none',
    values: [...KEYS.map(vendorValue), ...switches.values()],
    enabledPriorities: switches.enabledPriorities(given.get(SETTINGS.enable.name)),
    notes,
    warnings,
    modelWarnings: warnings,
  };
}

function warnOf(values: Record<IrdmaKey, number>): SettingsNote[] {
  const warnings: SettingsNote[] = [];
  if (values.enable === 0) warnings.push(settingsNote('dcqcn-off', { name: SETTINGS.enable.name }));
  if (values.valid === 0) warnings.push(settingsNote('settings-not-used'));
  if (values.byteCounter === 0) warnings.push(settingsNote('no-byte-counter'));
  return warnings;
}

function collect(text: string, notes: SettingsNote[], switches: ConfigfsSwitches): Map<string, RawSetting> {
  const known = new Set<string>(KEYS.map((key) => SETTINGS[key].name));
  const given = new Map<string, RawSetting>();
  const others: string[] = [];
  for (const setting of readModuleParameters(text, 'irdma')) {
    const base = setting.name.slice(setting.name.lastIndexOf('/') + 1);
    const name = ALIASES.get(base) ?? base;
    if (switches.take({ ...setting, name })) continue;
    if (OTHER_PARAMETERS.has(name)) {
      others.push(name);
      continue;
    }
    if (!known.has(name)) rejectUnknown({ ...setting, name }, [...known]);
    const first = given.get(name);
    if (first !== undefined) rejectTwice(first, { ...setting, name });
    given.set(name, { ...setting, name });
  }
  if (others.length > 0) notes.push(settingsNote('other-parameters-left-out', { names: others }));
  return given;
}

function readValues(given: ReadonlyMap<string, RawSetting>, notes: SettingsNote[]): Record<IrdmaKey, number> {
  const entries = KEYS.map((key) => {
    const { name, low, high, unit, byDefault } = SETTINGS[key];
    const setting = given.get(name);
    if (setting === undefined) {
      notes.push(settingsNote('default-assumed', { name, vendor: 'intel', byDefault }));
      return [key, byDefault] as const;
    }
    const value = readWholeIn(setting, low, high, unit);
    if (key === 'byteCounter' && value > 0 && value < BYTE_COUNTER_MIN_BYTES) {
      rejectSetting(setting, [0, { min: BYTE_COUNTER_MIN_BYTES, max: high, unit: 'bytes' }]);
    }
    return [key, value] as const;
  });
  return Object.fromEntries(entries) as Record<IrdmaKey, number>;
}

const DCQCN = 'roce_dcqcn_enable';

/** The sender reacts to congestion if any of these is on. */
const SWITCHES: readonly string[] = [DCQCN, 'roce_dctcp_enable', 'roce_timely_enable'];

/** Files that are not about congestion control. */
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

/** The configfs files of one device: congestion-control switches, 0 or 1, and files that are unrelated to it. */
class ConfigfsSwitches {
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

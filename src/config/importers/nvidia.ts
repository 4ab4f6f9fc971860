/**
 * Converts NVIDIA's settings to DCQCN parameters, independent of the text's format.
 *
 * A missing setting has its shipped default. Where the sources disagree, an option decides, and a note states the
 * decision:
 *
 *   alphaConvention     dce_tcp_g = G. `retention` (NVIDIA's pages, isekai): alpha keeps G/1024 of itself in each period,
 *                       so the gain is 1 - G/1024. `gain` (help text of mlxconfig): the gain is G/1024.
 *   byteResetUnitBytes  bytes per unit of rpg_byte_reset: 64 (isekai) or 1 (help text of mlxconfig).
 *   cnpScope            scope of min_time_between_cnps: `port` (help text of mlxconfig), or narrower.
 *
 * If rpg_max_rate is below the port's rate, the adapter removes the limiter at this rate. Here it is also the rate of a QP
 * without a limiter, as the model has only one maximum.
 */

import { mbps, us } from '../../units.js';
import { BYTE_COUNTER_MIN_BYTES, type DcqcnParameters } from '../algorithms/dcqcn.js';
import { RATE_MAX_BPS } from '../algorithms/algorithm.js';
import { notificationPoint, type NotificationPointSettings, type NotificationScope } from '../notification-point.js';
import { dcqcnConnectx, DEFAULT_BYTE_RESET_UNIT_BYTES,
  type ByteResetUnitBytes } from '../algorithms/dcqcn/preset-connectx.js';
import { checkField, oneOf, wholeIn, type FieldRule } from '../field-rules.js';
import { type EnabledPriorities, type ImportedSettings, type VendorValue, idleWarnings } from './imported-settings.js';
import { rejectSetting, rejectTwice, type AlphaConvention, type RawSetting, readNumber,
  readWholeIn } from './settings-text.js';
import { settingsNote, type SettingsNote } from './notes.js';
import { NVIDIA_KEYS, NVIDIA_SETTINGS, type NvidiaKey, type UnusedSetting } from './nvidia-names.js';

/** Options of all importers of NVIDIA settings. */
export interface NvidiaImportOptions {
  /** Rate of the port, whole bits per second; the settings don't contain it. */
  readonly lineRateBps: number;
  /** Interpretation of dce_tcp_g. Default `retention`. */
  readonly alphaConvention?: AlphaConvention;
  /** Bytes per unit of rpg_byte_reset. Default 64. */
  readonly byteResetUnitBytes?: ByteResetUnitBytes;
  /** Scope of min_time_between_cnps. Default `port`. */
  readonly cnpScope?: NotificationScope;
}

type Decisions = Required<NvidiaImportOptions>;
type Values = Record<NvidiaKey, number>;

/** The setting that determines each parameter. */
const KEY_OF: Readonly<Partial<Record<keyof DcqcnParameters, NvidiaKey>>> = {
  maxRateBps: 'maxRate',
  minRateBps: 'minRate',
  alphaGain: 'alphaG',
  initialAlpha: 'initialAlpha',
  alphaPeriodPs: 'alphaPeriod',
  cutPeriodPs: 'monitorPeriod',
  cutScale: 'gd',
  minDecreaseFactor: 'minDecFac',
  rateOnFirstCnpBps: 'rateOnFirstCnp',
  clampTargetRate: 'clampTgtRate',
  clampTargetRateAfterTimeIncrease: 'clampTgtRateAfterTimeInc',
  increasePeriodPs: 'timeReset',
  byteCounterBytes: 'byteReset',
  fastRecoverySteps: 'threshold',
  aiRateBps: 'aiRate',
  haiRateBps: 'haiRate',
};

const SHIPPED = Object.fromEntries(NVIDIA_KEYS.map((key) => [key, NVIDIA_SETTINGS[key].byDefault])) as Values;

const OPTION_RULES: { readonly [Option in keyof Decisions]: FieldRule } = {
  lineRateBps: wholeIn(1, RATE_MAX_BPS, 'bits per second'),
  alphaConvention: oneOf('retention', 'gain'),
  byteResetUnitBytes: oneOf(64, 1),
  cnpScope: oneOf('qp', 'destination', 'port'),
};

/** Collects the settings of one source and converts them to parameters. */
export class NvidiaSettings {
  readonly #decisions: Decisions;
  /** Name of a setting in the source, for notes. */
  readonly #nameOf: (key: NvidiaKey) => string;
  readonly #given = new Map<NvidiaKey, RawSetting>();
  readonly #unused = new Map<string, RawSetting>();
  readonly #notes: SettingsNote[] = [];
  readonly #warnings: SettingsNote[] = [];
  readonly #modelWarnings: SettingsNote[] = [];
  #mask: RawSetting | undefined;
  #enabledPriorities: EnabledPriorities = { reactionPoint: null, notificationPoint: null };

  constructor(options: NvidiaImportOptions, nameOf: (key: NvidiaKey) => string) {
    this.#decisions = checkOptions(options);
    this.#nameOf = nameOf;
  }

  /** Adds a setting of the table. Throws RoceError `invalid-settings` if it was already given. */
  give(key: NvidiaKey, setting: RawSetting): void {
    const first = this.#given.get(key);
    if (first !== undefined) rejectTwice(first, setting);
    this.#given.set(key, setting);
  }

  /** Adds a known setting that the model ignores. Throws RoceError `invalid-settings` if it was already given. */
  giveUnused(unused: UnusedSetting, setting: RawSetting): void {
    const first = this.#unused.get(setting.name);
    if (first !== undefined) rejectTwice(first, setting);
    this.#unused.set(setting.name, setting);
    const value = readNumber(setting);
    const { name, value: written, place } = setting;
    const note = settingsNote('setting-left-out', { name, value: written, place, reason: unused.reason });
    const expected = unused.expected === undefined || unused.expected === value;
    if (expected) this.note(note);
    else this.warnOfModel(note);
  }

  /**
   * Sets the priorities with congestion control, if the source states them.
   *
   * @param setting the setting that states them, if it is a single one. Throws RoceError `invalid-settings` for a second one.
   */
  enableFor(priorities: EnabledPriorities, setting?: RawSetting): void {
    if (setting !== undefined && this.#mask !== undefined) rejectTwice(this.#mask, setting);
    this.#mask = setting;
    this.#enabledPriorities = priorities;
  }

  note(note: SettingsNote): void {
    this.#notes.push(note);
  }

  warn(warning: SettingsNote): void {
    this.#warnings.push(warning);
  }

  /** Adds a warning that only concerns the model. */
  warnOfModel(warning: SettingsNote): void {
    this.#modelWarnings.push(warning);
    this.warn(warning);
  }

  /** Converts all settings. Throws RoceError, naming the setting or option. */
  build(): ImportedSettings {
    const values = this.#readValues();
    this.#checkRates(values);
    this.#explain(values);
    const parameters = toParameters(values, this.#decisions);
    const valueOf = (field: keyof DcqcnParameters): VendorValue | undefined => {
      const key = KEY_OF[field];
      return key === undefined ? undefined : this.#vendorValue(key, values[key]);
    };
    const shipped = toParameters(SHIPPED, checkOptions({ lineRateBps: this.#decisions.lineRateBps }));
    this.#warnings.push(...idleWarnings({ parameters, shipped, valueOf }));
    return {
      vendor: 'nvidia',
      parameters,
      limitsRate: values.maxRate !== 0,
      notificationPoint: toNotificationPoint(values, this.#decisions),
      alphaConvention: this.#decisions.alphaConvention,
      values: NVIDIA_KEYS.map((key) => this.#vendorValue(key, values[key])),
      enabledPriorities: this.#enabledPriorities,
      notes: this.#notes,
      warnings: this.#warnings,
      modelWarnings: this.#modelWarnings,
    };
  }

  #vendorValue(key: NvidiaKey, value: number): VendorValue {
    const { unit, byDefault } = NVIDIA_SETTINGS[key];
    return { name: this.#nameOf(key), value, unit, byDefault, isGiven: this.#given.has(key) };
  }

  #readValues(): Values {
    const entries = NVIDIA_KEYS.map((key) => [key, this.#readValue(key)] as const);
    return Object.fromEntries(entries) as Values;
  }

  #readValue(key: NvidiaKey): number {
    const { low, high, unit, byDefault } = NVIDIA_SETTINGS[key];
    const setting = this.#given.get(key);
    if (setting === undefined) {
      this.note(settingsNote('default-assumed', { name: this.#nameOf(key), vendor: 'nvidia', byDefault }));
      return byDefault;
    }
    const highest = high === 'line' ? Math.floor(this.#decisions.lineRateBps / 1e6) : high;
    const value = readWholeIn(setting, low, highest, unit);
    if (key === 'byteReset') this.#checkByteReset(value, setting);
    return value;
  }

  #checkByteReset(value: number, setting: RawSetting): void {
    const lowest = BYTE_COUNTER_MIN_BYTES / this.#decisions.byteResetUnitBytes;
    if (value > 0 && value < lowest) rejectSetting(setting, [0, { min: lowest, max: 32767, unit: 'units' }]);
  }

  #checkRates(values: Values): void {
    const highest = values.maxRate === 0 ? this.#decisions.lineRateBps / 1e6 : values.maxRate;
    const { minRate, rateOnFirstCnp } = values;
    if (minRate > highest) {
      rejectSetting(this.#settingOf('minRate', minRate), { min: 1, max: highest, unit: 'Mb/s' });
    }
    if (rateOnFirstCnp > 0 && (rateOnFirstCnp < minRate || rateOnFirstCnp > highest)) {
      const setting = this.#settingOf('rateOnFirstCnp', rateOnFirstCnp);
      rejectSetting(setting, [0, { min: minRate, max: highest, unit: 'Mb/s' }]);
    }
  }

  #settingOf(key: NvidiaKey, value: number): RawSetting {
    return this.#given.get(key) ?? { name: this.#nameOf(key), value: String(value), place: 'by default' };
  }

  #explain(values: Values): void {
    const { alphaConvention, byteResetUnitBytes, cnpScope, lineRateBps } = this.#decisions;
    const alpha = { name: this.#nameOf('alphaG'), value: values.alphaG };
    const gainOf1024 = gainOf(values, alphaConvention) * 1024;
    this.note(settingsNote('alpha-convention', { ...alpha, convention: alphaConvention, gainOf1024 }));
    this.#warnOfAlpha(alpha, alphaConvention);
    this.note(settingsNote('byte-reset-unit', {
      name: this.#nameOf('byteReset'),
      value: values.byteReset,
      unitBytes: byteResetUnitBytes,
      bytes: values.byteReset * byteResetUnitBytes,
    }));
    this.note(settingsNote('cnp-scope', { name: this.#nameOf('minTimeBetweenCnps'), scope: cnpScope }));
    this.note(settingsNote('cnps-with-ect0'));
    const name = this.#nameOf('maxRate');
    if (values.maxRate === 0) this.note(settingsNote('maximum-of-port', { name, lineRateBps }));
    else this.warnOfModel(settingsNote('maximum-without-limiter', { name, value: values.maxRate }));
  }

  #warnOfAlpha(alpha: { readonly name: string; readonly value: number }, convention: AlphaConvention): void {
    if (convention === 'gain' && alpha.value > 512) this.warn(settingsNote('retention-read-as-gain', alpha));
    if (convention === 'retention' && alpha.value < 512) this.warn(settingsNote('gain-read-as-retention', alpha));
  }
}

function checkOptions(options: NvidiaImportOptions): Decisions {
  const decisions = {
    alphaConvention: 'retention',
    byteResetUnitBytes: DEFAULT_BYTE_RESET_UNIT_BYTES,
    cnpScope: 'port',
    ...options,
  } as const;
  for (const option of Object.keys(OPTION_RULES) as (keyof Decisions)[]) {
    checkField(decisions[option], OPTION_RULES[option], `options.${option}`);
  }
  return decisions;
}

function gainOf(values: Values, convention: AlphaConvention): number {
  return (convention === 'retention' ? 1024 - values.alphaG : values.alphaG) / 1024;
}

function toParameters(values: Values, decisions: Decisions): DcqcnParameters {
  return dcqcnConnectx({
    lineRateBps: values.maxRate === 0 ? decisions.lineRateBps : mbps(values.maxRate),
    minRateBps: mbps(values.minRate),
    alphaGain: gainOf(values, decisions.alphaConvention),
    initialAlpha: values.initialAlpha / 1024,
    alphaPeriodPs: us(values.alphaPeriod),
    cutPeriodPs: us(values.monitorPeriod),
    cutScale: values.gd === 11 ? 0.5 : 1,
    minDecreaseFactor: values.minDecFac / 100,
    rateOnFirstCnpBps: mbps(values.rateOnFirstCnp),
    clampTargetRate: values.clampTgtRate === 1,
    clampTargetRateAfterTimeIncrease: values.clampTgtRateAfterTimeInc === 1,
    increasePeriodPs: us(values.timeReset),
    byteCounterBytes: values.byteReset * decisions.byteResetUnitBytes,
    fastRecoverySteps: values.threshold,
    aiRateBps: mbps(values.aiRate),
    haiRateBps: mbps(values.haiRate),
  });
}

function toNotificationPoint(values: Values, decisions: Decisions): NotificationPointSettings {
  return notificationPoint({
    scope: decisions.cnpScope,
    minTimeBetweenCnpsPs: us(values.minTimeBetweenCnps),
    cnp: { dscp: values.cnpDscp, pcp: values.cnpPriority, ecn: 'ect0' },
  });
}

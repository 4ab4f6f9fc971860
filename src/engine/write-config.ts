/** Writes a configuration into linear memory as the numbers read by the engine. */
import { READS_ACKS } from '../abi/algorithms.js';
import * as code from '../abi/codes.js';
import * as layout from '../abi/layout.js';
import { isCustom } from '../config/algorithms/custom/custom-parameters.js';
import { algorithmOf, type AlgorithmTable } from '../config/algorithms/registry.js';
import { writeParameterRecord, type ParameterRecord } from '../config/algorithms/algorithm.js';
import type { AccessRange } from './access-ranges.js';
import type { EngineConfig } from '../config/engine-config.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

const SCOPES = { qp: code.SCOPE_QP, destination: code.SCOPE_DESTINATION, port: code.SCOPE_PORT };
const WINDOWS = { suppress: code.WINDOW_SUPPRESS, trailing: code.WINDOW_TRAILING };
const MODES = { 'strict-a17': code.PARSE_STRICT_A17, 'fast-cnp-domain': code.PARSE_FAST_CNP_DOMAIN };
const POLICIES = { literal: code.ICRC_LITERAL, omit: code.ICRC_OMIT, normalise: code.ICRC_NORMALISE };

/** FEATURE_* bits for which this configuration needs memory. */
export function featuresOf(config: EngineConfig, algorithms: AlgorithmTable): number {
  let features = 0;
  if (config.notificationPoint.scope === 'destination') features |= code.FEATURE_PEERS;
  if (config.notificationPoint.window === 'trailing') features |= code.FEATURE_TRAILING;
  for (const parameters of config.parameterSets) {
    const { cutsPerPeriod, traits } = algorithmOf(parameters, algorithms);
    if (cutsPerPeriod?.(parameters)) features |= code.FEATURE_CUT_TIMES;
    // The state of a custom algorithm is stored in the space of the hop records.
    if (traits & READS_ACKS || isCustom(parameters)) features |= code.FEATURE_ACKS;
  }
  return features;
}

export function writeSettings(views: MemoryViews, config: EngineConfig, accessRanges: number): void {
  const set = (setting: number, value: number): void => {
    views.f64[(layout.SETTINGS_ADDRESS >>> 3) + setting] = value;
  };
  set(layout.SETTING_NP_SCOPE, SCOPES[config.notificationPoint.scope]);
  set(layout.SETTING_NP_WINDOW, WINDOWS[config.notificationPoint.window]);
  set(layout.SETTING_NP_MIN_TIME, config.notificationPoint.minTimeBetweenCnpsPs);
  set(layout.SETTING_FAST_CNP_ENABLED, Number(config.fastCnp.enabled));
  set(layout.SETTING_DUPLICATE_WINDOW, config.fastCnp.duplicateWindowPs);
  set(layout.SETTING_OPTION_TYPE_1, config.fastCnp.optionType1);
  set(layout.SETTING_OPTION_TYPE_2, config.fastCnp.optionType2);
  set(layout.SETTING_PARSE_MODE, MODES[config.parser.mode]);
  set(layout.SETTING_ICRC_CHECK, Number(config.parser.icrc === 'check'));
  set(layout.SETTING_ICRC_POLICY, POLICIES[config.parser.icrcWithExtensionHeaders]);
  set(layout.SETTING_LATE_POLICY, config.lateEvents === 'clamp' ? code.LATE_CLAMP : code.LATE_REJECT);
  set(layout.SETTING_RATE_ACTIONS, Number(config.rateActions));
  set(layout.SETTING_ACCESS_RANGES, accessRanges);
}

export function writeAccessRanges(views: MemoryViews, ranges: readonly AccessRange[]): void {
  const words = new BigUint64Array(views.buffer);
  const first = regionAddress(views, layout.REGION_ACCESS);
  ranges.forEach((range, index) => {
    const at = first + index * layout.ACCESS_BYTES;
    words[(at + layout.ACCESS_HIGH) >>> 3] = range.first >> 64n;
    words[(at + layout.ACCESS_LOW) >>> 3] = range.first & 0xffff_ffff_ffff_ffffn;
    words[(at + layout.ACCESS_ALLOW) >>> 3] = range.allow ? 1n : 0n;
  });
}

/**
 * Writes random keys, or keys derived from a seed by SplitMix64 (Steele et al., OOPSLA 2014). Keys are odd, so none is
 * 0.
 */
export function writeHashKeys(views: MemoryViews, seed: number | undefined): void {
  const keys = new BigUint64Array(views.buffer, layout.HASH_KEYS_ADDRESS, layout.HASH_KEY_COUNT);
  if (seed === undefined) crypto.getRandomValues(keys);
  else growKeys(keys, BigInt(seed));
  for (let i = 0; i < keys.length; i++) keys[i] = (keys[i] ?? 0n) | 1n;
}

function growKeys(keys: BigUint64Array, seed: bigint): void {
  let state = seed;
  for (let i = 0; i < keys.length; i++) {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let mixed = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    keys[i] = mixed ^ (mixed >> 31n);
  }
}

/** Writes the parameter set with this index. */
export function writeParameterSet(views: MemoryViews, index: number, record: ParameterRecord): void {
  const at = layout.PARAMETER_SETS_ADDRESS + index * layout.PARAMETER_SET_BYTES;
  writeParameterRecord(new DataView(views.buffer), at, record);
}

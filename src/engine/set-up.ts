/**
 * Sets up a new backend: lays out its memory, and writes and applies the configuration.
 *
 * An access list of prefixes is flattened into sorted, disjoint ranges, so that longest-prefix match is one binary
 * search. Two prefixes are either nested or disjoint: they are visited in order of first address, shorter prefixes
 * first, while a stack holds those that cover the current address; the innermost one decides.
 */
import { READS_ACKS } from '../abi/algorithms.js';
import * as code from '../abi/codes.js';
import type { EngineAbi } from '../abi/engine-abi.js';
import { CAPACITY_ADDRESS } from '../abi/layout.js';
import * as layout from '../abi/layout.js';
import { CAPACITY } from '../abi/records/engine-capacity.js';
import type { BoundAlgorithms } from '../algorithm/bound.js';
import { isCustom } from '../config/algorithms/custom/custom-parameters.js';
import { writeParameterRecord, type ParameterRecord } from '../config/algorithms/algorithm.js';
import { hopsNeeded, recordWith, tableBytesNeeded, algorithmOf,
  type AlgorithmTable } from '../config/algorithms/registry.js';
import type { EngineConfig } from '../config/engine-config.js';
import type { AccessRule } from '../config/fast-cnp.js';
import { RoceError } from '../errors.js';
import { parsePrefix } from '../wire/ip/ip-address.js';
import { unsupportedTrace } from './engine-errors.js';
import { viewMemory, writeWords, type MemoryViews, regionAddress } from './memory-views.js';
import type { EngineParts } from './parts.js';

/** Backend to set up: of a separate engine, or of the one inside a simulator. */
interface Unset {
  readonly abi: Pick<EngineAbi, 'memory' | 'table' | 'initialise' | 'configure' | 'traceWritten'>;
}

export interface SetUp {
  readonly views: MemoryViews;
  /** Custom algorithms; undefined if no parameter set uses one. */
  readonly custom: BoundAlgorithms | undefined;
}

/**
 * @returns views of the backend's memory, which never moves from now on, and the custom algorithms.
 * @throws RoceError `capacity` if the memory cannot be allocated, `unsupported` for a trace in an engine without one.
 */
export function setUpBackend({ abi }: Unset, config: EngineConfig, parts: EngineParts): SetUp {
  const { algorithms } = parts;
  const tableBytes = tableBytesNeeded(config.parameterSets, algorithms);
  const { capacity, fastCnp } = config;
  if (config.traceRecords > 0 && !abi.traceWritten) throw unsupportedTrace();
  const ranges = flattenAccessList(fastCnp.accessList, fastCnp.defaultAction === 'allow');
  writeWords(abi.memory.buffer, CAPACITY_ADDRESS, CAPACITY.index, {
    ...capacity,
    accessRanges: ranges.length,
    features: featuresOf(config, algorithms),
    hops: hopsNeeded(config.parameterSets, algorithms),
    tableBytes: tableBytes + (parts.portBytesNeeded?.(config.telemetry) ?? 0),
    traceRecords: config.traceRecords,
    moduleBytes: parts.moduleBytesNeeded?.(config.parameterSets) ?? 0,
  });
  if (!abi.initialise()) {
    const allowed = 'a size that fits in 4 GiB of WebAssembly memory and in this machine';
    throw new RoceError('capacity', { what: 'the capacity', got: capacity, allowed, where: 'capacity' });
  }
  const views = viewMemory(abi);
  config.parameterSets.forEach((parameterSet, index) => {
    writeParameterSet(views, index, recordWith(algorithms, parameterSet));
  });
  writeAccessRanges(views, ranges);
  writeHashKeys(views, config.hashSeed);
  writeSettings(views, config, ranges.length);
  parts.writeTelemetry?.(views, config.telemetry, tableBytes);
  const custom = parts.bindAlgorithms?.(abi, config.parameterSets, config.telemetry);
  abi.configure();
  return { views, custom };
}

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

/** A range from `first` up to the next range's first address, with one verdict. */
export interface AccessRange {
  readonly first: bigint;
  readonly allow: boolean;
}

interface Span extends AccessRange {
  readonly last: bigint;
}

const ADDRESS_BITS = 128;
const LAST_ADDRESS = (1n << BigInt(ADDRESS_BITS)) - 1n;

/** Returns ranges in order of first address; the first one begins at `::`. */
export function flattenAccessList(rules: readonly AccessRule[], defaultAllow: boolean): AccessRange[] {
  const spans = rules.map(spanOf).sort(byFirstThenWidest);
  const ranges: AccessRange[] = [{ first: 0n, allow: defaultAllow }];
  const open: Span[] = [{ first: 0n, last: LAST_ADDRESS, allow: defaultAllow }];
  for (const span of spans) {
    closeBefore(open, span.first, ranges);
    append(ranges, span.first, span.allow);
    open.push(span);
  }
  closeBefore(open, LAST_ADDRESS + 1n, ranges);
  return ranges;
}

function spanOf(rule: AccessRule): Span {
  const { address, lengthBits } = parsePrefix(rule.prefix, 'accessList.prefix');
  let first = 0n;
  for (const byte of address) first = (first << 8n) | BigInt(byte);
  const size = 1n << BigInt(ADDRESS_BITS - lengthBits);
  return { first, last: first + size - 1n, allow: rule.action === 'allow' };
}

function byFirstThenWidest(a: Span, b: Span): number {
  if (a.first !== b.first) return a.first < b.first ? -1 : 1;
  return a.last > b.last ? -1 : 1;
}

/** Pops the spans that end before `address`; after each one, the enclosing span decides again. */
function closeBefore(open: Span[], address: bigint, ranges: AccessRange[]): void {
  for (let inner = open.at(-1); inner && open.length > 1 && inner.last < address; inner = open.at(-1)) {
    open.pop();
    const outer = open.at(-1);
    if (outer && inner.last < LAST_ADDRESS) append(ranges, inner.last + 1n, outer.allow);
  }
}

/**
 * Appends a range: replaces the last one if both begin at the same address, and merges with it if the verdict is the
 * same.
 */
function append(ranges: AccessRange[], first: bigint, allow: boolean): void {
  if (ranges.at(-1)?.first === first) ranges.pop();
  if (ranges.at(-1)?.allow !== allow) ranges.push({ first, allow });
}

/**
 * The configuration of an engine: the caller's options, their defaults and their validation.
 */
import type { Backend } from '../abi/engine-abi.js';
import { PARAMETER_SET_COUNT } from '../abi/codes.js';
import { ENDPOINT_CAPACITY_MAX, QP_CAPACITY_MAX } from '../abi/layout.js';
import { RoceError, type RoceErrorCode } from '../errors.js';
import type { CustomAlgorithm } from './algorithms/custom/custom-algorithm.js';
import { isCustomAlgorithm } from './algorithms/custom/custom-parameters.js';
import { ALGORITHMS, algorithmOf, validateWith, type AlgorithmParameters,
  type AlgorithmTable } from './algorithms/registry.js';
import { fastCnp, type FastCnpSettings } from './fast-cnp.js';
import { checkField, checkFields, checkKeys, checkRecord, flag, oneOf, orValue, reject, wholeIn,
  type FieldRules } from './field-rules.js';
import { notificationPoint, type NotificationPointOptions,
  type NotificationPointSettings } from './notification-point.js';
import { telemetry, type TelemetrySettings } from './telemetry.js';

/**
 * Capacity of an engine. Fixed at creation, because growing the memory would detach every view of it. A larger engine can
 * restore a snapshot of a smaller one.
 */
export interface Capacity {
  /** QPs open at the same time, 1..2^24-1. Default 1,024. */
  readonly qps: number;
  /** Local NIC ports, 1..65535. Default 64. */
  readonly endpoints: number;
  /** Addresses of all endpoints together. Default 128, or twice `endpoints` if that is more. */
  readonly addresses: number;
  /** Events in a batch. Default 4,096. */
  readonly events: number;
  /** Frames in a batch. Default 4,096. */
  readonly packets: number;
  /** Total bytes of all frames in a batch. Default 8 MiB. */
  readonly frameBytes: number;
}

/** Capacity of the trace of rate changes. */
export interface TraceOptions {
  /** Maximum rate changes per call, 1..2^20. */
  readonly records: number;
}

/** An implementation of the engine that replaces the inlined engine.wasm: `referenceBackend` of roce-cc/reference. */
export interface EngineBackend {
  /** Its name in `engine.config` and in snapshots. */
  readonly name: string;
  /** Makes the backend of one engine. */
  create(config: EngineConfig): Backend;
}

/** Options of `createEngine`. */
export interface EngineOptions {
  /** `wasm` (default), or another backend: `referenceBackend` of roce-cc/reference. */
  readonly backend?: 'wasm' | EngineBackend;
  /** Parameter sets by name, of any algorithm, at most 16; the first one is the default of `openQp`. */
  readonly parameterSets: Readonly<Record<string, AlgorithmParameters>>;
  /** Custom algorithms that parameter sets name as `custom:NAME`. Sets made by `parametersFor` don't need an entry. */
  readonly algorithms?: readonly CustomAlgorithm[];
  /** Capacity of the engine. */
  readonly capacity?: Partial<Capacity>;
  /** When the receiver sends CNPs. */
  readonly notificationPoint?: NotificationPointOptions;
  /** Which Fast CNPs the sender accepts; none unless enabled. */
  readonly fastCnp?: Partial<FastCnpSettings>;
  /** How raw frames are parsed. */
  readonly parser?: Partial<ParserSettings>;
  /** Fields of IOAM traces that HPCC++ reads. Default: traces are not read. */
  readonly telemetry?: Partial<TelemetrySettings>;
  /** Events older than their QP's last one: `reject` (default) drops them, `clamp` moves them to the last time; both count them. */
  readonly lateEvents?: 'reject' | 'clamp';
  /** Whether every rate change is reported as an action. Default true. */
  readonly rateActions?: boolean;
  /**
   * Whether `engine.trace` records and explains each rate change. `true` reserves 65,536 changes per call, 6 MiB; `records` sets
   * another number, 1 to 2^20, 96 bytes each. Default false: no memory, and no cost on the fast paths.
   */
  readonly trace?: boolean | TraceOptions;
  /**
   * Seed of the flow table's hash keys, 0..2^32-1. Default: random keys, so that no one can craft colliding flows. State,
   * actions and counters never depend on it.
   */
  readonly hashSeed?: number;
}

/** Options with all defaults filled in and every value checked. */
export interface EngineConfig {
  /** Name of the backend: `wasm`, or that of the one passed. */
  readonly backend: string;
  /** Names of the parameter sets, in the order of their indices. */
  readonly parameterSetNames: readonly string[];
  /** The parameter sets by index. */
  readonly parameterSets: readonly AlgorithmParameters[];
  /** Capacity of the engine. */
  readonly capacity: Capacity;
  /** When the receiver sends CNPs. */
  readonly notificationPoint: NotificationPointSettings;
  /** Which Fast CNPs the sender accepts. */
  readonly fastCnp: FastCnpSettings;
  /** How raw frames are parsed. */
  readonly parser: ParserSettings;
  /** Fields of IOAM traces that HPCC++ reads; absent: traces are not read. */
  readonly telemetry?: TelemetrySettings;
  /** Treatment of an event older than its QP's last one. */
  readonly lateEvents: 'reject' | 'clamp';
  /** Whether every rate change is reported as an action. */
  readonly rateActions: boolean;
  /** Maximum rate changes per call in the trace; 0 = no trace. */
  readonly traceRecords: number;
  /** Seed of the hash tables' keys; undefined: random. */
  readonly hashSeed: number | undefined;
}

const BATCH_MAX = 2 ** 20;
const FRAME_BYTES_MAX = 2 ** 30;

const DEFAULT_CAPACITY: Capacity = {
  qps: 1024,
  endpoints: 64,
  addresses: 128,
  events: 4096,
  packets: 4096,
  frameBytes: 8 * 2 ** 20,
};

const CAPACITY_RULES: FieldRules<Capacity> = {
  qps: wholeIn(1, QP_CAPACITY_MAX, 'queue pairs'),
  endpoints: wholeIn(1, ENDPOINT_CAPACITY_MAX, 'endpoints'),
  addresses: wholeIn(1, QP_CAPACITY_MAX, 'addresses'),
  events: wholeIn(1, BATCH_MAX, 'events'),
  packets: wholeIn(1, BATCH_MAX, 'frames'),
  frameBytes: wholeIn(64, FRAME_BYTES_MAX, 'bytes'),
};

const KNOWN = [
  'backend',
  'parameterSets',
  'algorithms',
  'capacity',
  'notificationPoint',
  'fastCnp',
  'parser',
  'telemetry',
  'lateEvents',
  'rateActions',
  'trace',
  'hashSeed',
] as const;

const LATE_RULE = oneOf('reject', 'clamp');
const TRACE_RULES: FieldRules<TraceOptions> = { records: wholeIn(1, BATCH_MAX, 'rate changes') };
const TRACE_RECORDS = 65_536;
const SEED_RULE = orValue(undefined, wholeIn(0, 2 ** 32 - 1));

/**
 * Fills in the defaults and checks the options.
 *
 * @throws RoceError `invalid-config`, naming the field.
 */
export function engineConfig(options: EngineOptions): EngineConfig {
  return checkOptions(options, ALGORITHMS, telemetry);
}

/** Like `engineConfig`, for an engine with these algorithms; `checkTelemetry` is absent if none of them reads telemetry. */
export function checkOptions(options: EngineOptions, algorithms: AlgorithmTable,
  checkTelemetry?: typeof telemetry): EngineConfig {
  const given = checkRecord(options, 'options');
  checkKeys(given, checkTelemetry ? KNOWN : KNOWN.filter((key) => key !== 'telemetry'), 'options');
  const { lateEvents = 'reject', rateActions = true, hashSeed } = options;
  checkField(lateEvents, LATE_RULE, 'options.lateEvents');
  checkField(rateActions, flag(), 'options.rateActions');
  checkField(hashSeed, SEED_RULE, 'options.hashSeed');
  const parameterSets = checkParameterSets(options.parameterSets, algorithms, checkCustom(options.algorithms));
  return {
    backend: checkBackend(options.backend),
    parameterSetNames: [...parameterSets.keys()],
    parameterSets: [...parameterSets.values()],
    capacity: checkCapacity(options.capacity),
    notificationPoint: notificationPoint(options.notificationPoint),
    fastCnp: fastCnp(options.fastCnp),
    parser: parser(options.parser),
    ...(options.telemetry === undefined || !checkTelemetry ? {} : { telemetry: checkTelemetry(options.telemetry) }),
    lateEvents,
    rateActions,
    traceRecords: checkTrace(options.trace),
    hashSeed,
  };
}

/** Like `checkOptions`, for a configuration from outside: `backend` is a name, and `custom` holds the custom algorithms. */
export function checkConfig(config: EngineConfig, algorithms: AlgorithmTable, checkTelemetry?: typeof telemetry,
  custom: readonly CustomAlgorithm[] = []): EngineConfig {
  const { backend, parameterSetNames, parameterSets, traceRecords, ...others } = config;
  const sets = Object.entries(Object(parameterSets) as object).map(([index, set]: [string, unknown]) =>
    [String((Object(parameterSetNames) as Record<string, unknown>)[index]), set] as const
  );
  const options = {
    ...others,
    parameterSets: Object.fromEntries(sets),
    algorithms: custom,
    trace: traceRecords > 0 && { records: traceRecords },
  };
  return { ...checkOptions(options as EngineOptions, algorithms, checkTelemetry), backend };
}

/** @throws RoceError unless every element was made by `defineAlgorithm`. */
function checkCustom(algorithms: unknown = []): readonly CustomAlgorithm[] {
  const allowed = 'a list of algorithms from defineAlgorithm';
  if (!Array.isArray(algorithms)) reject({ got: algorithms, allowed, where: 'options.algorithms' });
  algorithms.forEach((one: unknown, index) => {
    if (!isCustomAlgorithm(one)) reject({ got: one, allowed, where: `options.algorithms[${index}]` });
  });
  return algorithms as readonly CustomAlgorithm[];
}

/** @returns the backend's name. */
function checkBackend(backend: unknown = 'wasm'): string {
  if (backend === 'wasm') return backend;
  const { name, create } = Object(backend) as Partial<EngineBackend>;
  if (typeof name === 'string' && typeof create === 'function') return name;
  throw unknownBackend('invalid-config', backend, 'options.backend');
}

/** The error for a backend that is neither the default nor one that was passed. */
export function unknownBackend(code: RoceErrorCode, got: unknown, where: string): RoceError {
  const hint = "Pass the reference backend: import { referenceBackend } from 'roce-cc/reference'";
  return new RoceError(code, { what: 'the backend', got, allowed: ['wasm'], hint, where });
}

function checkCapacity(capacity: Partial<Capacity> = {}): Capacity {
  checkRecord(capacity, 'capacity');
  const addresses = capacity.addresses ?? Math.max(DEFAULT_CAPACITY.addresses, 2 * (capacity.endpoints ?? 0));
  return { ...checkFields<Capacity>({ ...DEFAULT_CAPACITY, addresses, ...capacity }, CAPACITY_RULES, 'capacity') };
}

function checkTrace(trace: unknown = false): number {
  if (typeof trace === 'boolean') return trace ? TRACE_RECORDS : 0;
  return checkFields<TraceOptions>(checkRecord(trace, 'options.trace'), TRACE_RULES, 'options.trace').records;
}

/** @throws RoceError also for parameters that only the reference model supports. */
function checkParameterSet(parameters: unknown, name: string, algorithms: AlgorithmTable,
  custom: readonly CustomAlgorithm[]): AlgorithmParameters {
  const checked = validateWith(algorithms, parameters, name, custom);
  algorithmOf(checked, algorithms).checkForEngine?.(checked, name);
  return checked;
}

function checkParameterSets(parameterSets: unknown, algorithms: AlgorithmTable,
  custom: readonly CustomAlgorithm[]): Map<string, AlgorithmParameters> {
  const record = checkRecord(parameterSets, 'parameterSets');
  const names = Object.keys(record);
  if (names.length < 1 || names.length > PARAMETER_SET_COUNT) {
    const allowed = { min: 1, max: PARAMETER_SET_COUNT };
    reject({ what: 'the number of parameter sets', got: names.length, allowed, where: 'parameterSets' });
  }
  return new Map(
    names.map((name) => [name, checkParameterSet(record[name], `parameterSets.${name}`, algorithms, custom)]),
  );
}

/**
 * Settings for parsing raw packets.
 *
 * Sources: IBTA Annex A17 (CA17-16, CA17-24: IPv6 packets whose next header is not UDP are silently dropped; section
 * A17.3.3: ICRC); draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4 (CNPs with a destination options header).
 */
export interface ParserSettings {
  /**
   * `fast-cnp-domain`: IPv6 extension headers are parsed. `strict-a17`: packets with extension headers, IPv4 options or
   * fragments are discarded, as by a plain RoCEv2 adapter.
   */
  readonly mode: 'fast-cnp-domain' | 'strict-a17';
  /** `check`: packets with a wrong ICRC are rejected. */
  readonly icrc: 'ignore' | 'check';
  /** Bytes that the ICRC covers if extension headers precede UDP. No document specifies this; see docs/reference/sources.md. */
  readonly icrcWithExtensionHeaders: 'literal' | 'omit' | 'normalise';
}

/** Defaults: Fast CNPs are parsed, and the ICRC is not checked. */
export const DEFAULT_PARSER: ParserSettings = Object.freeze({
  /**
   * Whether Fast CNPs have an effect is a separate setting, off by default. Parsing them anyway allows rejections to be
   * counted with their reason.
   */
  mode: 'fast-cnp-domain',
  /** Captured packets are often truncated, or were captured before hardware offload filled in the ICRC. */
  icrc: 'ignore',
  /** The literal meaning of Annex A17, section A17.3.3: every byte of the datagram. */
  icrcWithExtensionHeaders: 'literal',
});

const RULES: FieldRules<ParserSettings> = {
  mode: oneOf('fast-cnp-domain', 'strict-a17'),
  icrc: oneOf('ignore', 'check'),
  icrcWithExtensionHeaders: oneOf('literal', 'omit', 'normalise'),
};

/**
 * Fills in the defaults and checks the settings.
 *
 * @param options settings that differ from `DEFAULT_PARSER`.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the field.
 */
export function parser(options: Partial<ParserSettings> = {}, name = 'parser'): ParserSettings {
  checkRecord(options, name);
  return validateParser({ ...DEFAULT_PARSER, ...options }, name);
}

/**
 * Checks complete settings and returns a frozen copy.
 *
 * @throws RoceError `invalid-config`, naming the field.
 */
export function validateParser(settings: unknown, name = 'parser'): ParserSettings {
  return Object.freeze({ ...checkFields<ParserSettings>(settings, RULES, name) });
}

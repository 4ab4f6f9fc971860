/**
 * The configuration of an engine: what the caller may say, the defaults, and its validation by name.
 */
import type { Backend } from '../abi/backend.js';
import { PARAMETER_SET_COUNT } from '../abi/codes.js';
import { ENDPOINT_CAPACITY_MAX, QP_CAPACITY_MAX } from '../abi/layout.js';
import { RoceError, type RoceErrorCode } from '../errors.js';
import { ALGORITHMS, algorithmOf, validateWith, type AlgorithmParameters,
  type AlgorithmTable } from './algorithms/registry.js';
import { isCustomAlgorithm } from './algorithms/custom/custom-parameters.js';
import type { CustomAlgorithm } from './algorithms/custom/custom-algorithm.js';
import { fastCnp, type FastCnpSettings } from './fast-cnp.js';
import { checkField, checkFields, checkKeys, checkRecord, flag, oneOf, orValue, reject, wholeIn,
  type FieldRules } from './field-rules.js';
import { notificationPoint, type NotificationPointOptions,
  type NotificationPointSettings } from './notification-point.js';
import { parser, type ParserSettings } from './parser.js';
import { telemetry, type TelemetrySettings } from './telemetry.js';

/**
 * Capacity of an engine; fixed when it is made, because growing memory would detach every view on it. A larger engine can
 * restore a snapshot of a smaller one.
 */
export interface Capacity {
  /** Open QPs at a time, 1..2^24-1. Default 1,024. */
  readonly qps: number;
  /** Local NIC ports, 1..65535. Default 64. */
  readonly endpoints: number;
  /** Addresses of all endpoints together. Default 128, or twice `endpoints` where that is more. */
  readonly addresses: number;
  /** Events in a batch. Default 4,096. */
  readonly events: number;
  /** Frames in a batch. Default 4,096. */
  readonly packets: number;
  /** Bytes of all frames in a batch. Default 8 MiB. */
  readonly frameBytes: number;
}

/** Capacity of the trace of rate changes. */
export interface TraceOptions {
  /** Changes per call, 1..2^20. */
  readonly records: number;
}

/** What runs engines instead of the inlined engine.wasm: `referenceBackend` of roce-cc/reference. */
export interface EngineBackend {
  /** As `engine.config` and snapshots name it. */
  readonly name: string;
  /** A backend of one engine. */
  create(config: EngineConfig): Backend;
}

/** Options of `createEngine`. */
export interface EngineOptions {
  /** `wasm` (default), or a backend to pass: `referenceBackend` of roce-cc/reference. */
  readonly backend?: 'wasm' | EngineBackend;
  /** Parameter sets by name, of any algorithm, at most 16; the first one is the default of `openQp`. */
  readonly parameterSets: Readonly<Record<string, AlgorithmParameters>>;
  /** Custom algorithms that parameter sets name as `custom:NAME`; those that `parametersFor` has made need not be here. */
  readonly algorithms?: readonly CustomAlgorithm[];
  /** Capacity of the engine. */
  readonly capacity?: Partial<Capacity>;
  /** When CNPs are due at the receiver. */
  readonly notificationPoint?: NotificationPointOptions;
  /** Fast CNPs that the sender accepts; none unless enabled. */
  readonly fastCnp?: Partial<FastCnpSettings>;
  /** How to read raw frames. */
  readonly parser?: Partial<ParserSettings>;
  /** Fields of IOAM traces that HPCC++ reads. Default: traces are not read. */
  readonly telemetry?: Partial<TelemetrySettings>;
  /** An event older than its QP's last one: `reject` (default) counts and drops it, `clamp` moves it up and counts that. */
  readonly lateEvents?: 'reject' | 'clamp';
  /** Whether every change of a rate makes an action. Default true. */
  readonly rateActions?: boolean;
  /**
   * Whether each change of a rate is explained, in `engine.trace`. `true`: with room for 65,536 changes per call, 6 MiB; or the
   * number of changes to make room for, 1 to 2^20, 96 bytes each. Default false: no memory, and no time on the fast paths.
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
  /** When CNPs are due at the receiver. */
  readonly notificationPoint: NotificationPointSettings;
  /** Fast CNPs that the sender accepts. */
  readonly fastCnp: FastCnpSettings;
  /** How to read raw frames. */
  readonly parser: ParserSettings;
  /** Absent: IOAM traces are not read. */
  readonly telemetry?: TelemetrySettings;
  /** Treatment of an event older than its QP's last one. */
  readonly lateEvents: 'reject' | 'clamp';
  /** Whether each new rate is reported as an action. */
  readonly rateActions: boolean;
  /** Changes per call that the trace has room for; 0 = no trace. */
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
 * Completes options with the defaults and checks them.
 *
 * @throws RoceError `invalid-config`, naming the field.
 */
export function engineConfig(options: EngineOptions): EngineConfig {
  return checkOptions(options, ALGORITHMS, telemetry);
}

/** As `engineConfig`, for engines with some algorithms; `checkTelemetry`: absent where none of them reads telemetry. */
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

/** As `checkOptions`, of a configuration that came from outside. The backend is given by its name, custom algorithms are passed. */
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

/** @throws RoceError for what `defineAlgorithm` has not made. */
function checkCustom(algorithms: unknown = []): readonly CustomAlgorithm[] {
  const allowed = 'a list of what defineAlgorithm returned';
  if (!Array.isArray(algorithms)) reject({ got: algorithms, allowed, where: 'options.algorithms' });
  algorithms.forEach((one: unknown, index) => {
    if (!isCustomAlgorithm(one)) reject({ got: one, allowed, where: `options.algorithms[${index}]` });
  });
  return algorithms as readonly CustomAlgorithm[];
}

/** @returns its name. */
function checkBackend(backend: unknown = 'wasm'): string {
  if (backend === 'wasm') return backend;
  const { name, create } = Object(backend) as Partial<EngineBackend>;
  if (typeof name === 'string' && typeof create === 'function') return name;
  throw unknownBackend('invalid-config', backend, 'options.backend');
}

/** A backend that is neither the default nor one that was passed. */
export function unknownBackend(code: RoceErrorCode, got: unknown, where: string): RoceError {
  const hint = "Hand the readable backend in: import { referenceBackend } from 'roce-cc/reference'";
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

/** @throws RoceError also for what a model can do and the engine can't. */
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

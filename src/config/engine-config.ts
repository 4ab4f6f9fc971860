/**
 * The configuration of an engine: what the caller may say, the defaults, and its validation by name.
 */
import { PARAMETER_SET_COUNT } from '../abi/codes.js';
import { ENDPOINT_CAPACITY_MAX, QP_CAPACITY_MAX } from '../abi/layout.js';
import { validateParameters, type AlgorithmParameters } from './algorithms/registry.js';
import { fastCnp, type FastCnpSettings } from './fast-cnp.js';
import { checkRecord, flag, oneOf, refuse, wholeIn, checkFields, type FieldRules } from './field-rules.js';
import { notificationPoint, type NotificationPointOptions,
  type NotificationPointSettings } from './notification-point.js';
import { parser, type ParserSettings } from './parser.js';
import { telemetry, type TelemetrySettings } from './telemetry.js';

/** How much an engine can hold; fixed when it is made, because growing memory would detach every view on it. */
export interface Capacity {
  /** Open QPs at a time, 1..2^24-1. */
  readonly qps: number;
  /** Local NIC ports, 1..65535. */
  readonly endpoints: number;
  /** Addresses of all endpoints together. */
  readonly addresses: number;
  /** Events in a batch. */
  readonly events: number;
  /** Frames in a batch. */
  readonly packets: number;
  /** Bytes of all frames in a batch. */
  readonly frameBytes: number;
}

/** How much of the trace of rate changes is kept. */
export interface TraceOptions {
  /** Changes per call, 1..2^20. */
  readonly records: number;
}

/** What `createEngine` takes. */
export interface EngineOptions {
  /** `wasm` (default), or `js`: the readable reference model behind the same interface. */
  readonly backend?: 'wasm' | 'js';
  /** Parameter sets by name, of any algorithm, at most 16; the first one is the default of `openQp`. */
  readonly parameterSets: Readonly<Record<string, AlgorithmParameters>>;
  readonly capacity?: Partial<Capacity>;
  readonly notificationPoint?: NotificationPointOptions;
  readonly fastCnp?: Partial<FastCnpSettings>;
  readonly parser?: Partial<ParserSettings>;
  /** Where IOAM traces hold what HPCC++ reads. Default: traces are not read. */
  readonly telemetry?: Partial<TelemetrySettings>;
  /** An event older than its QP's last one: `refuse` (default) counts and drops it, `clamp` moves it up and counts that. */
  readonly lateEvents?: 'refuse' | 'clamp';
  /** Does every change of a rate make an action? Default true. */
  readonly rateActions?: boolean;
  /**
   * Is each change of a rate explained, in `engine.trace`? `true`: with room for 65,536 changes per call, 6 MiB; or how many
   * there is room for, 1 to 2^20, 96 bytes each. Default false: no memory, and no time on the paths of plain parameters.
   */
  readonly trace?: boolean | TraceOptions;
  /**
   * Seed of the flow table's hash keys, 0..2^32-1. Default: random keys, so that nobody can craft colliding flows. State,
   * actions and counters never depend on it.
   */
  readonly hashSeed?: number;
}

/** Options with all defaults filled in and every value checked. */
export interface EngineConfig {
  readonly backend: 'wasm' | 'js';
  readonly parameterSetNames: readonly string[];
  readonly parameterSets: readonly AlgorithmParameters[];
  readonly capacity: Capacity;
  readonly notificationPoint: NotificationPointSettings;
  readonly fastCnp: FastCnpSettings;
  readonly parser: ParserSettings;
  /** Absent: IOAM traces are not read. */
  readonly telemetry?: TelemetrySettings;
  readonly lateEvents: 'refuse' | 'clamp';
  readonly rateActions: boolean;
  /** Changes per call that the trace has room for; 0 = no trace. */
  readonly traceRecords: number;
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

const BACKEND_RULE = oneOf('wasm', 'js');
const LATE_RULE = oneOf('refuse', 'clamp');
const TRACE_RULES: FieldRules<TraceOptions> = { records: wholeIn(1, BATCH_MAX, 'rate changes') };
const TRACE_RECORDS = 65_536;
const SEED_RULE = wholeIn(0, 2 ** 32 - 1, '');

/**
 * Completes options with the defaults and checks them.
 *
 * @throws RoceError `invalid-config`, naming the field.
 */
export function engineConfig(options: EngineOptions): EngineConfig {
  const given = checkRecord(options, 'options');
  for (const key of Object.keys(given)) {
    if (!(KNOWN as readonly string[]).includes(key)) {
      refuse(`unknown option ${key}`, given[key], `only ${KNOWN.join(', ')}`, `options.${key}`);
    }
  }
  const { backend = 'wasm', lateEvents = 'refuse', rateActions = true, hashSeed } = options;
  if (!BACKEND_RULE.accepts(backend)) refuse('bad backend', backend, BACKEND_RULE.allowed, 'options.backend');
  if (!LATE_RULE.accepts(lateEvents)) refuse('bad lateEvents', lateEvents, LATE_RULE.allowed, 'options.lateEvents');
  if (!flag().accepts(rateActions)) refuse('bad rateActions', rateActions, flag().allowed, 'options.rateActions');
  if (hashSeed !== undefined && !SEED_RULE.accepts(hashSeed)) {
    refuse('bad hashSeed', hashSeed, SEED_RULE.allowed, 'options.hashSeed');
  }
  const parameterSets = checkParameterSets(options.parameterSets);
  return {
    backend,
    parameterSetNames: [...parameterSets.keys()],
    parameterSets: [...parameterSets.values()],
    capacity: checkCapacity(options.capacity),
    notificationPoint: notificationPoint(options.notificationPoint),
    fastCnp: fastCnp(options.fastCnp),
    parser: parser(options.parser),
    ...(options.telemetry === undefined ? {} : { telemetry: telemetry(options.telemetry) }),
    lateEvents,
    rateActions,
    traceRecords: checkTrace(options.trace),
    hashSeed,
  };
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
function checkParameterSet(parameters: unknown, name: string): AlgorithmParameters {
  const checked = validateParameters(parameters, name);
  if (checked.algorithm === 'hpcc-pint' && checked.pintProbability < 1) {
    refuse('engines draw no random numbers', checked.pintProbability, '1: every ACK is looked at',
      `${name}.pintProbability`);
  }
  return checked;
}

function checkParameterSets(parameterSets: unknown): Map<string, AlgorithmParameters> {
  const record = checkRecord(parameterSets, 'parameterSets');
  const names = Object.keys(record);
  if (names.length < 1 || names.length > PARAMETER_SET_COUNT) {
    refuse('number of parameter sets', names.length, `1 to ${PARAMETER_SET_COUNT}`, 'parameterSets');
  }
  return new Map(names.map((name) => [name, checkParameterSet(record[name], `parameterSets.${name}`)]));
}

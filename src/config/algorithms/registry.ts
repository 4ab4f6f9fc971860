/**
 * The table of algorithms, the rules of their parameters, and the names of presets. How to add one: docs/internals/adding-an-algorithm.md.
 */
import { EXACT_HOPS_MAX, INT64_HOPS_MAX, KEPT_HOP_BYTES, PLUS_HOPS } from '../../abi/ack-layout.js';
import * as abi from '../../abi/algorithms.js';
import { NSCC_MORE } from '../../abi/records/controllers.js';
import { checkField, checkRecord, oneOf, type FieldRule } from '../field-rules.js';
import type { Algorithm, ParameterRecord } from './algorithm.js';
import type { CustomAlgorithm } from './custom/custom-algorithm.js';
import { factsOfCustom, ALGORITHM_OF, CUSTOM_PREFIX, isCustom,
  type CustomParameters } from './custom/custom-parameters.js';
import { type DcqcnParameters, dcqcnRecord, validateDcqcn, DCQCN_FIELD_RULES } from './dcqcn.js';
import { type DctcpParameters, dctcpRecord, validateDctcp, DCTCP_FIELD_RULES } from './dctcp.js';
import { type HpccPintParameters, hpccPintRecord, checkPintForEngine, validateHpccPint,
  HPCC_PINT_FIELD_RULES } from './hpcc-pint.js';
import { type HpccPpParameters, hpccPpRecord, validateHpccPp, HPCC_PP_FIELD_RULES } from './hpcc-pp.js';
import { type HpccParameters, hpccRecord, validateHpcc, HPCC_FIELD_RULES } from './hpcc.js';
import { type NsccParameters, nsccRecord, validateNscc, NSCC_FIELD_RULES } from './nscc.js';
import { type RcccParameters, rcccRecord, validateRccc, RCCC_FIELD_RULES } from './rccc.js';
import { type SwiftParameters, swiftRecord, validateSwift, SWIFT_FIELD_RULES } from './swift.js';
import { type TimelyParameters, timelyRecord, validateTimely, TIMELY_FIELD_RULES } from './timely.js';

/** Parameters of an algorithm that reacts to ACKs. */
export type AckParameters = HpccParameters | HpccPintParameters | TimelyParameters | DctcpParameters | SwiftParameters
  | HpccPpParameters | NsccParameters | RcccParameters;

/** A parameter set of a built-in algorithm, discriminated by `algorithm`. */
export type BuiltInParameters = DcqcnParameters | AckParameters;

/** A parameter set of any algorithm. */
export type AlgorithmParameters = BuiltInParameters | CustomParameters;

/** Name of a built-in algorithm: the field `algorithm` of a parameter set. */
export type AlgorithmName = BuiltInParameters['algorithm'];

const hopsOfHpcc = ({ records }: HpccParameters): number => (records === 'exact' ? EXACT_HOPS_MAX : INT64_HOPS_MAX);

/** Algorithms by name: all of them, or those that an engine supports. */
export type AlgorithmTable = {
  readonly [Name in AlgorithmName]?: Algorithm<Extract<BuiltInParameters, { algorithm: Name }>>;
};

const DCQCN: Algorithm<DcqcnParameters> = {
  title: 'DCQCN',
  code: abi.ALGORITHM_DCQCN,
  validate: validateDcqcn,
  record: dcqcnRecord,
  traits: abi.DCQCN_TRAITS,
  cutsPerPeriod: ({ cutTrigger }) => cutTrigger === 'per-period',
};

/** The table of an engine that supports only DCQCN. */
export const DCQCN_TABLE: AlgorithmTable = { dcqcn: DCQCN };

export const ALGORITHMS: Required<AlgorithmTable> = {
  dcqcn: DCQCN,
  hpcc: {
    title: 'HPCC',
    code: abi.ALGORITHM_HPCC,
    validate: validateHpcc,
    record: hpccRecord,
    traits: abi.HPCC_TRAITS,
    telemetry: (parameters) => parameters,
    window: 'by-mode',
    referenceBytes: 42,
    hops: hopsOfHpcc,
  },
  'hpcc-pint': {
    title: 'HPCC-PINT',
    code: abi.ALGORITHM_HPCC_PINT,
    validate: validateHpccPint,
    checkForEngine: checkPintForEngine,
    record: hpccPintRecord,
    traits: abi.HPCC_PINT_TRAITS,
    pint: (parameters) => parameters,
    window: 'by-mode',
    referenceBytes: 2,
    tableBytes: ({ pintBits }) => 8 * 2 ** pintBits,
  },
  timely: {
    title: 'TIMELY',
    code: abi.ALGORITHM_TIMELY,
    validate: validateTimely,
    record: timelyRecord,
    traits: abi.TIMELY_TRAITS,
    referenceBytes: 8,
  },
  dctcp: {
    title: 'DCTCP',
    code: abi.ALGORITHM_DCTCP,
    validate: validateDctcp,
    record: dctcpRecord,
    traits: abi.DCTCP_TRAITS,
  },
  swift: {
    title: 'Swift',
    code: abi.ALGORITHM_SWIFT,
    validate: validateSwift,
    record: swiftRecord,
    traits: abi.SWIFT_TRAITS,
    window: 'always',
  },
  'hpcc-pp': {
    title: 'HPCC++',
    code: abi.ALGORITHM_HPCC_PP,
    validate: validateHpccPp,
    record: hpccPpRecord,
    traits: abi.HPCC_PP_TRAITS,
    telemetry: () => ({ records: 'exact', intMultiplier: 1 }),
    window: 'by-mode',
    hops: () => EXACT_HOPS_MAX,
    keptHops: PLUS_HOPS,
  },
  nscc: {
    title: 'NSCC',
    code: abi.ALGORITHM_NSCC,
    validate: validateNscc,
    record: nsccRecord,
    traits: abi.NSCC_TRAITS,
    window: 'always',
    stateBytes: () => NSCC_MORE.bytes,
  },
  rccc: {
    title: 'RCCC',
    code: abi.ALGORITHM_RCCC,
    validate: validateRccc,
    record: rcccRecord,
    traits: abi.RCCC_TRAITS,
    window: 'always',
  },
};

/** Properties of the algorithm of a parameter set. */
export function factsOf(parameters: AlgorithmParameters): Algorithm<AlgorithmParameters> {
  return algorithmOf(parameters, ALGORITHMS);
}

/** The table's entry for validated parameters; for a custom algorithm, its own description. */
export function algorithmOf(parameters: AlgorithmParameters, table: AlgorithmTable): Algorithm<AlgorithmParameters> {
  const facts = isCustom(parameters) ? factsOfCustom(parameters[ALGORITHM_OF]) : table[parameters.algorithm];
  return facts as unknown as Algorithm<AlgorithmParameters>;
}

/** The record that engine.wasm reads. */
export function parameterRecord(parameters: AlgorithmParameters): ParameterRecord {
  return recordWith(ALGORITHMS, parameters);
}

/** The record of parameters that were validated against the table. */
export function recordWith(table: AlgorithmTable, parameters: AlgorithmParameters): ParameterRecord {
  const { code, record } = algorithmOf(parameters, table);
  return [['algorithm', code, 'u32'], ...record(parameters)];
}

/**
 * Checks a parameter set of any algorithm.
 * @throws RoceError `invalid-config`, naming the field.
 */
export function validateParameters(parameters: unknown, name: string): AlgorithmParameters {
  return validateWith(ALGORITHMS, parameters, name);
}

/**
 * Checks a parameter set of one of the algorithms of a table, or of a custom one.
 * @throws RoceError `invalid-config`, naming the field.
 */
export function validateWith(table: AlgorithmTable, parameters: unknown, name: string,
  custom: readonly CustomAlgorithm[] = []): AlgorithmParameters {
  const given = checkRecord(parameters, name);
  const own = ALGORITHM_OF in given ?
    (given as unknown as CustomParameters)[ALGORITHM_OF] :
    custom.find((one) => `${CUSTOM_PREFIX}${one.name}` === given.algorithm);
  if (own !== undefined) return own.validate(given, name);
  const names = [...Object.keys(table), ...custom.map((one) => `${CUSTOM_PREFIX}${one.name}`)];
  checkField(given.algorithm, oneOf(...names), `${name}.algorithm`);
  return algorithmOf(parameters as AlgorithmParameters, table).validate(parameters, name);
}

/** Whether the algorithm of a parameter set reacts to ACKs. */
export function readsAcks<Given extends AlgorithmParameters>(parameters: Given,
  table: AlgorithmTable): parameters is Extract<Given, AckParameters | CustomParameters> {
  return (algorithmOf(parameters, table).traits & abi.READS_ACKS) !== 0;
}

/** Bytes of all tables that an engine with these parameter sets makes. */
export function tableBytesNeeded(parameterSets: readonly AlgorithmParameters[], table: AlgorithmTable): number {
  return parameterSets.reduce((sum, set) => sum + (algorithmOf(set, table).tableBytes?.(set) ?? 0), 0);
}

/** Hops to allocate per QP and per ACK in an engine with these parameter sets; further state of a QP is counted in hops. */
export function hopsNeeded(parameterSets: readonly AlgorithmParameters[], table: AlgorithmTable): number {
  return Math.max(0, ...parameterSets.map((set) => {
    const { hops, stateBytes } = algorithmOf(set, table);
    return hops?.(set) ?? Math.ceil((stateBytes?.() ?? 0) / KEPT_HOP_BYTES);
  }));
}

/** The presets that scenarios and the command line accept, and the algorithm of each. */
export const PRESET_ALGORITHMS = {
  'dcqcn-sigcomm15': 'dcqcn',
  'dcqcn-ns3': 'dcqcn',
  'dcqcn-connectx': 'dcqcn',
  'dcqcn-irdma': 'dcqcn',
  'hpcc-sigcomm19': 'hpcc',
  'hpcc-ns3': 'hpcc',
  'hpcc-pp-draft': 'hpcc-pp',
  'hpcc-pp-fast-cnp': 'hpcc-pp',
  'hpcc-pint-ns3': 'hpcc-pint',
  'timely-ns3': 'timely',
  'timely-sigcomm15': 'timely',
  'dctcp-ns3': 'dctcp',
  'swift-sigcomm20': 'swift',
  'nscc-uet': 'nscc',
  'nscc-mrc': 'nscc',
  'rccc-uet': 'rccc',
  /** No congestion control: DCQCN with a rate that can't fall. */
  none: 'dcqcn',
} as const satisfies Readonly<Record<string, AlgorithmName>>;

export type PresetName = keyof typeof PRESET_ALGORITHMS;

/** Whether a string is the name of a preset. */
export function isPresetName(text: string): text is PresetName {
  return Object.hasOwn(PRESET_ALGORITHMS, text);
}

/** Allowed values of each parameter of each algorithm, for forms and for the schema of scenarios. */
export const PARAMETER_RULES: Readonly<Record<string, Readonly<Record<string, FieldRule>>>> = {
  dcqcn: DCQCN_FIELD_RULES,
  dctcp: DCTCP_FIELD_RULES,
  hpcc: HPCC_FIELD_RULES,
  'hpcc-pint': HPCC_PINT_FIELD_RULES,
  'hpcc-pp': HPCC_PP_FIELD_RULES,
  nscc: NSCC_FIELD_RULES,
  rccc: RCCC_FIELD_RULES,
  swift: SWIFT_FIELD_RULES,
  timely: TIMELY_FIELD_RULES,
};

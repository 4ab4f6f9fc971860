/**
 * HPCC++'s sender: HPCC's core (hpcc.ts), which also works with signals other than a record of the whole path in every ACK.
 * Parameters, presets, checks.
 *
 *   acks       telemetry echoed in ACKs, by ACK events or by IOAM traces in ACK frames
 *   fastCnps   the trace that a Fast CNP copies (option 2): part of the path, occasionally
 *   cnps       CNPs, and Fast CNPs without a readable trace: only that some port is congested
 *
 * [FC] names HPCC++ as the reader of option 2 but does not specify how. This library's own rules and their
 * reasons, and values without a source: docs/reference/sources.md, section HPCC++.
 *
 * Cited below: [P19] Li et al., SIGCOMM 2019, whose algorithm 1 draft-miao-ccwg-hpcc repeats; [FC] draft-xiao-rtgwg-rocev2-
 * fast-cnp-01, section 4; [DC15] Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, for what
 * happens without signals.
 */
import { us } from '../../units.js';
import { checkFields, checkTogether, numberIn, oneOf, orValue, wholeIn, type CrossRule, type FieldRule, type FieldRules,
  omit } from '../field-rules.js';
import { type HpccParameters, hpccRecord, HPCC_FIELD_RULES, validateHpcc } from './hpcc.js';
import { sigcomm19Parameters } from './hpcc-presets.js';
import { type ParameterRecord, SHARED_RULES, STAGE_LIMIT } from './algorithm.js';

/** The HPCC parameters that HPCC++ has too: one reference for the busiest hop, exact records. */
export type HpccPpCore = Omit<
  HpccParameters,
  'algorithm' | 'records' | 'intMultiplier' | 'multiRate' | 'sampleFeedback'
>;

/** All settings of HPCC++'s sender; the preset `hpccPpDraft` fills them in. */
export interface HpccPpParameters extends HpccPpCore {
  /** Name of the algorithm. */
  readonly algorithm: 'hpcc-pp';
  /** Signals that change the rate, at least one. Other signals are counted as unused. */
  readonly signalSources: readonly HpccPpSource[];
  /**
   * What ends a round trip, after which the reference is updated. `acks`: an ACK beyond lastUpdateSeq, if ACKs carry sequence
   * numbers; `timer`: T since the last full update. Fast CNPs, CNPs and traces in frames carry none and always use the timer.
   */
  readonly clock: 'acks' | 'timer';
  /**
   * Utilisation of a hop without an earlier record or a known byte count. `assume-line-rate`: the port counts as busy while
   * it has a queue, u' = 1 + q / (B T); `queue-only`: u' = q / (B T). Neither raises a rate.
   */
  readonly firstSample: 'assume-line-rate' | 'queue-only';
  /** Smallest u that a notification represents, targetUtilization to 64; without a readable trace it is the only information. */
  readonly notifiedUtilization: number;
  /** Recovery begins this long after the last signal, picoseconds. */
  readonly recoveryAfterPs: number;
  /** Time between two steps of recovery, picoseconds; 0 = no recovery, for senders that get telemetry in every ACK. */
  readonly recoveryPeriodPs: number;
  /** Recovery steps that halve the distance to the reference before the last cut; later ones add R_AI or W_AI. */
  readonly fastRecoverySteps: number;
}

/** A kind of signal that may change HPCC++'s rate. */
export type HpccPpSource = 'acks' | 'fast-cnps' | 'cnps';

export const HPCC_PP_SOURCES: readonly HpccPpSource[] = ['acks', 'fast-cnps', 'cnps'];

/** Converts HPCC++'s parameters to those of its HPCC core. */
export function hpccCoreOf(parameters: HpccPpParameters): HpccParameters {
  const core = omit(parameters, 'signalSources', 'clock', 'firstSample', 'notifiedUtilization', 'recoveryAfterPs',
    'recoveryPeriodPs', 'fastRecoverySteps');
  return { ...core, algorithm: 'hpcc', records: 'exact', intMultiplier: 1, multiRate: false, sampleFeedback: false };
}

/** Input of the preset; any other field overrides its value. */
export interface HpccPpPresetOptions extends Partial<Omit<HpccPpParameters, 'algorithm' | 'maxRateBps' | 'baseRttPs'>> {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
  /** T, base round trip of the network, whole picoseconds. */
  readonly baseRttPs: number;
  /** N, how many flows a link is expected to carry at once: W_AI = W0 (1 - eta) / N; default 100. */
  readonly expectedFlows?: number;
}

/**
 * HPCC++ with all signals: telemetry in ACKs, traces in Fast CNPs, and CNPs.
 *
 * @param options `lineRateBps`, `baseRttPs`, `expectedFlows`, and overrides of any field; under `primary: 'rate'` the additive
 * step is W_AI / T.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = hpccPpDraft({ lineRateBps: gbps(100), baseRttPs: us(13) });
 */
export function hpccPpDraft(options: HpccPpPresetOptions): HpccPpParameters {
  const paper = sigcomm19Parameters(options, 'hpccPpDraft');
  const parameters = {
    ...omit(paper, 'records', 'intMultiplier', 'multiRate', 'sampleFeedback'),
    algorithm: 'hpcc-pp',
    signalSources: ['acks', 'fast-cnps', 'cnps'],
    /** NewAck [P19 algorithm 1]; signals without sequence numbers always use the timer. */
    clock: 'acks',
    firstSample: 'assume-line-rate',
    /** The port is busy: u of a full link without a queue. */
    notifiedUtilization: 1,
    /** The increase timer, 55 us [DC15 section 5]. */
    recoveryAfterPs: us(55),
    /** One additive step per round trip, like the core's full updates [P19 algorithm 1]. */
    recoveryPeriodPs: options.baseRttPs,
    /** F [DC15 figure 7]. */
    fastRecoverySteps: 5,
    ...omit(options, 'lineRateBps', 'expectedFlows'),
  };
  return validateHpccPp(parameters, 'hpccPpDraft');
}

/**
 * HPCC++ without telemetry in ACKs, the preset hpcc-pp-fast-cnp: its signals are traces in Fast CNPs, and CNPs; a timer
 * measures round trips [FC section 4].
 *
 * @param options those of `hpccPpDraft`.
 * @throws RoceError `invalid-config`, naming the field.
 */
export function hpccPpFastCnp(options: HpccPpPresetOptions): HpccPpParameters {
  return hpccPpDraft({ signalSources: ['fast-cnps', 'cnps'], clock: 'timer', ...options });
}

/** Largest utilisation that a notification may represent: one cut to a 64th. */
const NOTIFIED_UTILIZATION_MAX = 64;
/**
 * Maximum number of additive steps from 0 to the line rate, or to the largest window. This bounds the recovery steps that one
 * event catches up on, as with DCQCN.
 */
const RECOVERY_STEPS_MAX = 2 ** 20;

const SOURCES_RULE: FieldRule = {
  allowed: `a list of one or more of ${HPCC_PP_SOURCES.join(', ')}, each once`,
  accepts: (value) =>
    Array.isArray(value) && value.length > 0 && new Set(value).size === value.length &&
    value.every((item) => HPCC_PP_SOURCES.some((source) => source === item)),
};

/** Rule of each field: HPCC's for the core, and those of the signals. */
export const HPCC_PP_FIELD_RULES: FieldRules<HpccPpParameters> = {
  ...omit(HPCC_FIELD_RULES, 'algorithm', 'records', 'intMultiplier', 'multiRate', 'sampleFeedback'),
  algorithm: oneOf('hpcc-pp'),
  signalSources: SOURCES_RULE,
  clock: oneOf('acks', 'timer'),
  firstSample: oneOf('assume-line-rate', 'queue-only'),
  notifiedUtilization: numberIn(0, NOTIFIED_UTILIZATION_MAX),
  recoveryAfterPs: SHARED_RULES.period,
  recoveryPeriodPs: orValue(0, SHARED_RULES.period),
  fastRecoverySteps: wholeIn(0, STAGE_LIMIT, 'steps'),
};

const CROSS_RULES: readonly CrossRule<HpccPpParameters>[] = [
  {
    fields: ['notifiedUtilization', 'targetUtilization'],
    problem: 'must not be below the target utilization: a notification would raise the rate',
    holds: (p) => p.notifiedUtilization >= p.targetUtilization,
  },
  {
    fields: ['aiRateBps', 'maxRateBps'],
    problem: 'must be 0, or at least the maximum rate / 2^20, for recovery in time',
    holds: (p) => p.recoveryPeriodPs === 0 || p.aiRateBps === 0 || p.aiRateBps >= p.maxRateBps / RECOVERY_STEPS_MAX,
  },
  {
    fields: ['aiWindowBytes', 'windowBytes'],
    problem: 'must be 0, or at least the window / 2^20, for recovery in time',
    holds: (p) =>
      p.recoveryPeriodPs === 0 || p.aiWindowBytes === 0 || p.aiWindowBytes >= p.windowBytes / RECOVERY_STEPS_MAX,
  },
];

/**
 * Checks HPCC++ parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `HpccPpParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateHpccPp(parameters: unknown, name = 'hpccPp'): HpccPpParameters {
  const checked = checkFields<HpccPpParameters>(parameters, HPCC_PP_FIELD_RULES, name);
  validateHpcc(hpccCoreOf(checked), name);
  checkTogether(checked, CROSS_RULES, name);
  return Object.freeze({ ...checked, signalSources: Object.freeze([...checked.signalSources]) });
}

/**
 * The parameters as engine.wasm reads them: HpccPpParameterSet, assembly/algorithms/hpcc-pp/record.ts. HPCC's fields, then
 * HPCC++'s; sources become bits in the order of `HPCC_PP_SOURCES`.
 *
 * @param p must have been validated.
 */
export function hpccPpRecord(p: HpccPpParameters): ParameterRecord {
  const sources = HPCC_PP_SOURCES.reduce(
    (bits, source, bit) => bits + (p.signalSources.includes(source) ? 2 ** bit : 0),
    0,
  );
  return [
    ...hpccRecord(hpccCoreOf(p)),
    ['sources', sources],
    ['clock', Number(p.clock === 'timer')],
    ['firstSample', Number(p.firstSample === 'queue-only')],
    ['notifiedUtilization', p.notifiedUtilization],
    ['recoveryAfterPs', p.recoveryAfterPs],
    ['recoveryPeriodPs', p.recoveryPeriodPs],
    ['fastRecoverySteps', p.fastRecoverySteps],
  ];
}

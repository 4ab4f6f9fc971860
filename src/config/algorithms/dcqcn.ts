import { BYTE_STAGE_MAX } from '../../abi/codes.js';
import * as code from '../../abi/codes.js';
import { checkFields, checkTogether, flag, notAbove, numberIn, oneOf, orValue, wholeIn, type CrossRule,
  type FieldRules } from '../field-rules.js';
import { commonFields, type ParameterRecord, ALPHA_GAIN_MIN, PERIOD_MAX_PS, PERIOD_MIN_PS,
  RATE_MAX_BPS } from './algorithm.js';

/**
 * DCQCN's reaction point, every published variant as a switch of one state machine.
 *
 * State: rate R_C, target R_T, alpha, time stage T, byte stage B. One QP goes through these states:
 *
 *   unlimited --first CNP--> limited --rate back at the maximum--> unlimited
 *
 * First CNP    alpha = initialAlpha; R_C = R_T = the rate on first CNP; timers start; a cut, if firstCnpCuts.
 * Cut          R_T = R_C if the clamp rule says so; R_C = R_C (1 - alpha cutScale), at least minDecreaseFactor R_C
 *              and minRateBps; T = B = 0; byte count = 0; the increase timer restarts.
 * Alpha        up: alpha = (1 - g) alpha + g; down: alpha = (1 - g) alpha.
 * Increase     one step each increasePeriodPs (then T += 1) and each byteCounterBytes sent (then B += 1).
 *              With hi = max(T, B), lo = min(T, B) before the step, F = fastRecoverySteps:
 *              hi < F  fast recovery: R_T stays;
 *              lo >= F (or > F, see hyperThreshold)  hyper increase: R_T += haiRateBps (times lo - F + 1, see hyperFactor);
 *              else    additive increase: R_T += aiRateBps;
 *              R_T at most the maximum rate; then R_C = (R_C + R_T) / 2.
 *
 * Sources: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3;
 * NVIDIA "DCQCN CC parameters" (WinOF and DOCA documentation) for the names in brackets. Where sources disagree, and which
 * field chooses: docs/reference/sources.md.
 */
export interface DcqcnParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'dcqcn';

  /**
   * `float64`: IEEE doubles. `whole-bps`: rates truncated to whole bits per second after each operation, halves
   * truncated before they are added (the ns-3 reference simulator). `alpha-q10`: whole bits per second, and alpha an
   * integer of 2^-10 with floor division (ConnectX).
   */
  readonly numbers: 'float64' | 'whole-bps' | 'alpha-q10';

  /** Rate without a limiter, and the cap of R_C and R_T, bits per second [rpg_max_rate]. */
  readonly maxRateBps: number;
  /** Floor of R_C, bits per second [rpg_min_rate]. */
  readonly minRateBps: number;

  /** g, the gain of alpha; 0..1; a multiple of 1/1024 under `alpha-q10` [dce_tcp_g gives 1 - g, see the importer]. */
  readonly alphaGain: number;
  /** Alpha at the first CNP, 0..1; under `alpha-q10` a multiple of 1/1024 below 1 [initial_alpha_value]. */
  readonly initialAlpha: number;
  /**
   * `on-cnp`: up at each CNP, which restarts the alpha timer; down at each expiry. `per-period`: once each
   * alphaPeriodPs from the first CNP on, up if a CNP came in that period, else down.
   */
  readonly alphaUpdate: 'on-cnp' | 'per-period';
  /** Period of the alpha timer, picoseconds [dce_tcp_rtt]. */
  readonly alphaPeriodPs: number;

  /**
   * `on-cnp`: a cut at each CNP. `per-period`: a check each cutPeriodPs from the first CNP on; a cut if a CNP came
   * since the last check.
   */
  readonly cutTrigger: 'on-cnp' | 'per-period';
  /** Period of the cut checks, picoseconds [rate_reduce_monitor_period]. Without effect under `on-cnp`. */
  readonly cutPeriodPs: number;
  /** Delay of the first cut check, picoseconds (1000 in the ns-3 reference, so that alpha is updated first). */
  readonly cutOffsetPs: number;
  /** If alpha and cuts are both `on-cnp`: whether alpha is updated before or after the cut that it scales. */
  readonly cutAlphaOrder: 'cut-first' | 'alpha-first';
  /** Factor of alpha in a cut: 1/2 [rpg_gd = 11] or 1 [rpg_gd = 10]. */
  readonly cutScale: 0.5 | 1;
  /** A cut leaves at least this part of the rate, 0..1 [rpg_min_dec_fac, percent]. */
  readonly minDecreaseFactor: number;

  /** R_C and R_T at the first CNP, bits per second; 0 = as the next field says [rate_to_set_on_first_cnp]. */
  readonly rateOnFirstCnpBps: number;
  /** R_C and R_T at the first CNP as a part of R_C, 0..1; 1 = unchanged. */
  readonly rateOnFirstCnpFraction: number;
  /** Whether the first CNP cuts too (at once, or at the first check). */
  readonly firstCnpCuts: boolean;

  /** R_T = R_C at every cut [clamp_tgt_rate]. Cuts with B > 0 do this always. */
  readonly clampTargetRate: boolean;
  /** R_T = R_C at a cut with T > 0 [clamp_tgt_rate_after_time_inc]. */
  readonly clampTargetRateAfterTimeIncrease: boolean;

  /** Period of the increase timer, picoseconds [rpg_time_reset]. */
  readonly increasePeriodPs: number;
  /** When the increase timer first starts. Each cut restarts it. */
  readonly increaseTimerStart: 'first-cnp' | 'first-cut';
  /** Bytes between two increase steps; 0 = no byte counter [rpg_byte_reset]. */
  readonly byteCounterBytes: number;
  /** F, steps of fast recovery, 0..253 [rpg_threshold]. */
  readonly fastRecoverySteps: number;
  /** Stages that choose the kind of increase. `time`: hi = lo = T (simulators without a byte counter). */
  readonly stages: 'time-and-bytes' | 'time';
  /** R_AI, bits per second [rpg_ai_rate]. */
  readonly aiRateBps: number;
  /** R_HAI, bits per second [rpg_hai_rate]. */
  readonly haiRateBps: number;
  /** Hyper increase from lo >= F on (`at`), or lo > F (`above`). */
  readonly hyperThreshold: 'at' | 'above';
  /** R_HAI as it is, or times (lo - F + 1). */
  readonly hyperFactor: 'constant' | 'stage';
  /** In hyper increase the timer and the byte counter run with half their periods. */
  readonly hyperHalvesPeriods: boolean;
  /** A rule kept from QCN: on the first step of either counter after a cut, R_T /= 8 if R_T > 10 R_C. */
  readonly targetReduction: boolean;

  /** Whether the limiter is removed when R_C is back at the maximum rate and no cut is pending. */
  readonly limiterRelease: 'at-max-rate' | 'never';
  /** The limiter is removed once R_C is within this distance of the maximum rate, bits per second. */
  readonly releaseGapBps: number;

  /** Whether timers expire before or after a packet event of the same instant. */
  readonly simultaneous: 'timers-first' | 'event-first';
}

/** Smallest R_AI and R_HAI other than 0, as a part of the maximum rate. */
const INCREASE_MIN_PART = 2 ** -20;
/** Smallest and largest byte counter other than 0, bytes. */
export const BYTE_COUNTER_MIN_BYTES = 64;
const BYTE_COUNTER_MAX_BYTES = 2 ** 31;
/** B must be able to exceed F + 1, from where on steps that change nothing are skipped. */
const FAST_RECOVERY_STEPS_MAX = BYTE_STAGE_MAX - 2;

const BPS = 'bits per second';
const PS = 'picoseconds';
/** Alpha under `alpha-q10` is an integer of 1/1024, at most 1023. */
const Q10_ONE = 1024;

/**
 * Rule of each field, with unit and range for errors, help texts and documentation.
 *
 * The limits are not the vendors'. Within them the state machine is exact and its work per event is bounded:
 *   rates    up to 2^43 b/s (8.8 Tb/s), so that rate times a 10-bit alpha stays an exact integer below 2^53;
 *   periods  from 1 ns, so that catching up after an idle time takes few steps, to a quarter of the largest time;
 *   gain     0 or from 2^-12, so that alpha falls below 2^-64 (where it is flushed to 0) within about 182,000 steps;
 *   R_AI and R_HAI  0 or from 2^-20 of the maximum rate, so that an increase ends within about a million steps.
 */
export const DCQCN_FIELD_RULES: FieldRules<DcqcnParameters> = {
  algorithm: oneOf('dcqcn'),
  numbers: oneOf('float64', 'whole-bps', 'alpha-q10'),
  maxRateBps: wholeIn(1, RATE_MAX_BPS, BPS),
  // Truncating both halves before adding them can give 1 less than an odd floor; from 1 kb/s on that can't reach 0.
  minRateBps: numberIn(1000, RATE_MAX_BPS, BPS),
  alphaGain: orValue(0, numberIn(ALPHA_GAIN_MIN, 1)),
  initialAlpha: numberIn(0, 1),
  alphaUpdate: oneOf('on-cnp', 'per-period'),
  alphaPeriodPs: wholeIn(PERIOD_MIN_PS, PERIOD_MAX_PS, PS),
  cutTrigger: oneOf('on-cnp', 'per-period'),
  cutPeriodPs: wholeIn(PERIOD_MIN_PS, PERIOD_MAX_PS, PS),
  cutOffsetPs: wholeIn(0, PERIOD_MAX_PS, PS),
  cutAlphaOrder: oneOf('cut-first', 'alpha-first'),
  cutScale: oneOf(0.5, 1),
  minDecreaseFactor: numberIn(0, 1),
  rateOnFirstCnpBps: numberIn(0, RATE_MAX_BPS, BPS),
  rateOnFirstCnpFraction: numberIn(0, 1),
  firstCnpCuts: flag(),
  clampTargetRate: flag(),
  clampTargetRateAfterTimeIncrease: flag(),
  increasePeriodPs: wholeIn(PERIOD_MIN_PS, PERIOD_MAX_PS, PS),
  increaseTimerStart: oneOf('first-cnp', 'first-cut'),
  byteCounterBytes: orValue(0, wholeIn(BYTE_COUNTER_MIN_BYTES, BYTE_COUNTER_MAX_BYTES, 'bytes')),
  fastRecoverySteps: wholeIn(0, FAST_RECOVERY_STEPS_MAX, 'steps'),
  stages: oneOf('time-and-bytes', 'time'),
  aiRateBps: numberIn(0, RATE_MAX_BPS, BPS),
  haiRateBps: numberIn(0, RATE_MAX_BPS, BPS),
  hyperThreshold: oneOf('at', 'above'),
  hyperFactor: oneOf('constant', 'stage'),
  hyperHalvesPeriods: flag(),
  targetReduction: flag(),
  limiterRelease: oneOf('at-max-rate', 'never'),
  releaseGapBps: numberIn(0, RATE_MAX_BPS, BPS),
  simultaneous: oneOf('timers-first', 'event-first'),
};

type RateField = 'minRateBps' | 'rateOnFirstCnpBps' | 'aiRateBps' | 'haiRateBps' | 'releaseGapBps';

function wholeUnderWholePolicies(field: RateField): CrossRule<DcqcnParameters> {
  return {
    fields: [field, 'numbers'],
    problem: "must be a whole number of bits per second, except under numbers 'float64'",
    holds: (p) => p.numbers === 'float64' || Number.isInteger(p[field]),
  };
}

function zeroOrLargeEnough(field: 'aiRateBps' | 'haiRateBps'): CrossRule<DcqcnParameters> {
  return {
    fields: [field, 'maxRateBps'],
    problem: 'must be 0, or at least the maximum rate / 2^20',
    holds: (p) => p[field] === 0 || p[field] >= p.maxRateBps * INCREASE_MIN_PART,
  };
}

const CROSS_RULES: readonly CrossRule<DcqcnParameters>[] = [
  notAbove('minRateBps', 'maxRateBps', 'the maximum rate'),
  {
    fields: ['rateOnFirstCnpBps', 'minRateBps', 'maxRateBps'],
    problem: 'must be 0, or from the minimum rate to the maximum rate',
    holds: (p) =>
      p.rateOnFirstCnpBps === 0 || (p.rateOnFirstCnpBps >= p.minRateBps && p.rateOnFirstCnpBps <= p.maxRateBps),
  },
  {
    fields: ['releaseGapBps', 'maxRateBps'],
    problem: 'must be below the maximum rate',
    holds: (p) => p.releaseGapBps < p.maxRateBps,
  },
  {
    fields: ['alphaGain'],
    problem: "must be a multiple of 1/1024 under numbers 'alpha-q10'",
    holds: (p) => p.numbers !== 'alpha-q10' || Number.isInteger(p.alphaGain * Q10_ONE),
  },
  {
    fields: ['initialAlpha'],
    problem: "must be a multiple of 1/1024, up to 1023/1024, under numbers 'alpha-q10'",
    holds: (p) => p.numbers !== 'alpha-q10' || (Number.isInteger(p.initialAlpha * Q10_ONE) && p.initialAlpha < 1),
  },
  wholeUnderWholePolicies('minRateBps'),
  wholeUnderWholePolicies('rateOnFirstCnpBps'),
  wholeUnderWholePolicies('aiRateBps'),
  wholeUnderWholePolicies('haiRateBps'),
  wholeUnderWholePolicies('releaseGapBps'),
  zeroOrLargeEnough('aiRateBps'),
  zeroOrLargeEnough('haiRateBps'),
];

/**
 * Checks DCQCN parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `DcqcnParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateDcqcn(parameters: unknown, name = 'dcqcn'): DcqcnParameters {
  const checked = checkFields<DcqcnParameters>(parameters, DCQCN_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}

/** Alpha's unit under `alpha-q10` is 1/1024. */
const Q10 = 1024;
const NUMBERS = {
  float64: code.NUMBERS_FLOAT64,
  'whole-bps': code.NUMBERS_WHOLE_BPS,
  'alpha-q10': code.NUMBERS_ALPHA_Q10,
};

/**
 * The parameters as engine.wasm reads them: DcqcnParameterSet, assembly/algorithms/dcqcn/record.ts.
 *
 * @param p must have been validated.
 */
export function dcqcnRecord(p: DcqcnParameters): ParameterRecord {
  const unit = p.numbers === 'alpha-q10' ? Q10 : 1;
  return [
    ...commonFields(p.maxRateBps, p.minRateBps, switchesOf(p)),
    ['alphaGain', p.alphaGain * unit],
    ['alphaRetention', (1 - p.alphaGain) * unit],
    ['initialAlpha', p.initialAlpha * unit],
    ['alphaPeriodPs', p.alphaPeriodPs],
    ['increasePeriodPs', p.increasePeriodPs],
    ['cutPeriodPs', p.cutPeriodPs],
    ['cutOffsetPs', p.cutOffsetPs],
    ['aiRateBps', p.aiRateBps],
    ['haiRateBps', p.haiRateBps],
    ['rateOnFirstCnpBps', p.rateOnFirstCnpBps],
    ['rateOnFirstCnpFraction', p.rateOnFirstCnpFraction],
    ['minDecreaseFactor', p.minDecreaseFactor],
    ['cutScale', p.cutScale],
    ['releaseRateBps', p.limiterRelease === 'never' ? Infinity : p.maxRateBps - p.releaseGapBps],
    ['tieGapPs', Number(p.simultaneous === 'event-first')],
    ['byteCounterBytes', p.byteCounterBytes, 'u32'],
    ['fastRecoverySteps', p.fastRecoverySteps, 'u32'],
    ['numbers', NUMBERS[p.numbers], 'u32'],
  ];
}

function switchesOf(p: DcqcnParameters): number {
  const switches: readonly (readonly [boolean, number])[] = [
    [p.cutTrigger === 'on-cnp', code.DCQCN_CUT_ON_CNP],
    [p.alphaUpdate === 'on-cnp', code.DCQCN_ALPHA_ON_CNP],
    [p.cutAlphaOrder === 'alpha-first', code.DCQCN_ALPHA_FIRST],
    [p.clampTargetRate, code.DCQCN_CLAMP_TARGET],
    [p.clampTargetRateAfterTimeIncrease, code.DCQCN_CLAMP_TARGET_AFTER_TIME],
    [p.firstCnpCuts, code.DCQCN_FIRST_CNP_CUTS],
    [p.increaseTimerStart === 'first-cnp', code.DCQCN_INCREASE_FROM_FIRST_CNP],
    [p.stages === 'time', code.DCQCN_TIME_STAGE_ONLY],
    [p.hyperThreshold === 'above', code.DCQCN_HYPER_ABOVE],
    [p.hyperFactor === 'stage', code.DCQCN_HYPER_BY_STAGE],
    [p.hyperHalvesPeriods, code.DCQCN_HYPER_HALVES_PERIODS],
    [p.targetReduction, code.DCQCN_TARGET_REDUCTION],
  ];
  return switches.reduce((bits, [on, bit]) => (on ? bits | bit : bits), 0);
}

/** The parameters without the two that a preset sets itself. */
export type DcqcnDefaults = Omit<DcqcnParameters, 'algorithm' | 'maxRateBps'>;

/** Options of every DCQCN preset: any field overrides the preset's value. */
export interface PresetOptions extends Partial<DcqcnDefaults> {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
}

/** Completes a preset: defaults, then the caller's overrides, then the checks. */
export function buildPreset(name: string, defaults: DcqcnDefaults, options: PresetOptions): DcqcnParameters {
  const { lineRateBps, ...overrides } = options;
  return validateDcqcn({ algorithm: 'dcqcn', maxRateBps: lineRateBps, ...defaults, ...overrides }, name);
}

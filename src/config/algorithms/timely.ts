/**
 * TIMELY's sender, its published variants as switches of one algorithm: parameters, presets, checks.
 *
 * Per completion event with a measured rtt:  d = (1 - a) d + a (rtt - last rtt);  gradient = d / minRtt
 *   rtt < T_low     increase
 *   rtt > T_high    R = R (1 - b (1 - T_high / rtt))
 *   gradient <= 0   increase
 *   else            R = R (1 - b gradient), at least 0
 *
 * Sources: [P15] Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015, algorithm 1;
 * [C16] Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY", CoNEXT 2016, whose table of
 * parameters has the recommended values; the ns-3 simulator of HPCC's authors,
 * alibaba-edu/High-Precision-Congestion-Control at 9f4be2a.
 */
import { gbps, mbps, PS_PER_NS, us } from '../../units.js';
import { checkFields, checkTogether, notAbove, numberIn, oneOf, wholeIn, type CrossRule,
  type FieldRules } from '../field-rules.js';
import { commonFields, senderFields, type ParameterRecord, checkLineRate, minBelowMax, SHARED_RULES, STAGE_LIMIT,
  wholeRate, type RateNumbers, type SendGap, type SequenceNumbers } from './algorithm.js';

/** All settings of TIMELY's sender; its presets fill them in. */
export interface TimelyParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'timely';
  /** Arithmetic of rates: doubles, or whole bits per second. */
  readonly numbers: RateNumbers;
  /** Cap of the rate, bits per second. */
  readonly maxRateBps: number;
  /** Floor of the rate, bits per second. */
  readonly minRateBps: number;
  /** a, weight of a new difference of round-trip times, above 0 to 1. */
  readonly ewmaAlpha: number;
  /** b, depth of a decrease, above 0 to 1. */
  readonly decreaseBeta: number;
  /** T_low, picoseconds: below it the rate always rises. */
  readonly lowRttPs: number;
  /** T_high, picoseconds: above it the rate always falls. */
  readonly highRttPs: number;
  /** Round-trip time without queues, picoseconds; the unit of the gradient. */
  readonly minRttPs: number;
  /** delta, additive step, bits per second. */
  readonly aiRateBps: number;
  /** Step after `hyperAfterSteps` consecutive increases, bits per second (N delta in the paper). */
  readonly haiRateBps: number;
  /** Consecutive additive increases before hyper increase begins. */
  readonly hyperAfterSteps: number;
  /**
   * Increases below T_low. `staged`: like all others (the simulator). `additive`: always the additive step, not
   * counted towards hyper increase (the paper, where only the gradient branch has hyper increase).
   */
  readonly lowRttIncrease: 'staged' | 'additive';
  /** What a completion event is: the first ACK of a round trip (the simulator), or every ACK (one per segment in the paper). */
  readonly updateOn: 'round-trip' | 'ack';
  /** Unit of acknowledged sequence numbers. */
  readonly sequence: SequenceNumbers;
  /** Arithmetic of the gap between packets. */
  readonly sendGap: SendGap;
}

/** The parameters without the two that a preset sets itself. */
type TimelyDefaults = Omit<TimelyParameters, 'algorithm' | 'maxRateBps'>;

/** Options of every TIMELY preset: any field overrides the preset's value. */
export interface TimelyPresetOptions extends Partial<TimelyDefaults> {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
}

const DEFAULTS: TimelyDefaults = {
  numbers: 'float64',
  /** [P15] gives none: its additive step is used. */
  minRateBps: mbps(10),
  /** EWMA weight [C16]. */
  ewmaAlpha: 0.875,
  /** beta [P15 algorithm 1; C16]. */
  decreaseBeta: 0.8,
  /** T_low, T_high [P15 algorithm 1; C16]. */
  lowRttPs: us(50),
  highRttPs: us(500),
  /** D_minRTT [C16]. */
  minRttPs: us(20),
  /** delta [P15 algorithm 1; C16]. */
  aiRateBps: mbps(10),
  /** N delta with N = 5, after five completion events without a positive gradient [P15 algorithm 1]. */
  haiRateBps: mbps(50),
  hyperAfterSteps: 5,
  lowRttIncrease: 'additive',
  /** One completion event per acknowledged segment [P15]. */
  updateOn: 'ack',
  sequence: 'psn24',
  sendGap: 'picoseconds',
};

/**
 * TIMELY of the SIGCOMM 2015 paper. Give it one ACK per segment of 16 to 64 kB.
 *
 * @param options `lineRateBps`, and overrides of any field.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = timelySigcomm15({ lineRateBps: gbps(10) });
 */
export function timelySigcomm15(options: TimelyPresetOptions): TimelyParameters {
  checkLineRate(options, 'timelySigcomm15');
  const { lineRateBps, ...overrides } = options;
  return validateTimely({ algorithm: 'timely', maxRateBps: lineRateBps, ...DEFAULTS, ...overrides }, 'timelySigcomm15');
}

/** `run.py` gives TIMELY's steps for 10 Gb/s. */
const RUN_PY_REFERENCE_BPS = gbps(10);

/**
 * TIMELY as the simulator of HPCC's authors runs it: one reaction per round trip, all increases staged, whole rates.
 *
 * `run.py` scales the two steps with the bandwidth; thresholds and factors are the defaults of `rdma-hw.cc` and don't scale.
 *
 * @param options `lineRateBps`, and overrides of any field.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = timelyNs3({ lineRateBps: gbps(100) });
 */
export function timelyNs3(options: TimelyPresetOptions): TimelyParameters {
  checkLineRate(options, 'timelyNs3');
  const { lineRateBps, ...overrides } = options;
  const defaults: TimelyDefaults = {
    numbers: 'whole-bps',
    minRateBps: mbps(1000),
    ewmaAlpha: 0.875,
    decreaseBeta: 0.8,
    lowRttPs: us(50),
    highRttPs: us(500),
    minRttPs: us(20),
    aiRateBps: Math.trunc((mbps(10) * lineRateBps) / RUN_PY_REFERENCE_BPS),
    haiRateBps: Math.trunc((mbps(50) * lineRateBps) / RUN_PY_REFERENCE_BPS),
    hyperAfterSteps: 5,
    lowRttIncrease: 'staged',
    updateOn: 'round-trip',
    sequence: 'u32',
    sendGap: 'ns3-nanoseconds',
  };
  return validateTimely({ algorithm: 'timely', maxRateBps: lineRateBps, ...defaults, ...overrides }, 'timelyNs3');
}

/** Smallest EWMA weight and decrease factor. */
export const TIMELY_FACTOR_MIN = 2 ** -12;

/** Rule of each field. */
export const TIMELY_FIELD_RULES: FieldRules<TimelyParameters> = {
  algorithm: oneOf('timely'),
  numbers: SHARED_RULES.numbers,
  maxRateBps: SHARED_RULES.maxRateBps,
  minRateBps: SHARED_RULES.minRateBps,
  ewmaAlpha: numberIn(TIMELY_FACTOR_MIN, 1),
  decreaseBeta: numberIn(TIMELY_FACTOR_MIN, 1),
  lowRttPs: SHARED_RULES.period,
  highRttPs: SHARED_RULES.period,
  minRttPs: SHARED_RULES.period,
  aiRateBps: SHARED_RULES.aiRateBps,
  haiRateBps: SHARED_RULES.aiRateBps,
  hyperAfterSteps: wholeIn(0, STAGE_LIMIT, 'steps'),
  lowRttIncrease: oneOf('staged', 'additive'),
  updateOn: oneOf('round-trip', 'ack'),
  sequence: SHARED_RULES.sequence,
  sendGap: SHARED_RULES.sendGap,
};

const CROSS_RULES: readonly CrossRule<TimelyParameters>[] = [
  minBelowMax(),
  wholeRate('minRateBps'),
  wholeRate('aiRateBps'),
  wholeRate('haiRateBps'),
  notAbove('lowRttPs', 'highRttPs', 'highRttPs'),
];

/**
 * Checks TIMELY parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `TimelyParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateTimely(parameters: unknown, name = 'timely'): TimelyParameters {
  const checked = checkFields<TimelyParameters>(parameters, TIMELY_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}

/**
 * The parameters as engine.wasm reads them: TimelyParameterSet, assembly/algorithms/timely/transitions.ts. Times are in
 * nanoseconds; words become 0 or 1; 1 - a is precomputed.
 *
 * @param p must have been validated.
 */
export function timelyRecord(p: TimelyParameters): ParameterRecord {
  return [
    ...commonFields(p.maxRateBps, p.minRateBps),
    ['ewmaAlpha', p.ewmaAlpha],
    ['ewmaRetention', 1 - p.ewmaAlpha],
    ['decreaseBeta', p.decreaseBeta],
    ['lowRttNs', p.lowRttPs / PS_PER_NS],
    ['highRttNs', p.highRttPs / PS_PER_NS],
    ['minRttNs', p.minRttPs / PS_PER_NS],
    ['aiRateBps', p.aiRateBps],
    ['haiRateBps', p.haiRateBps],
    ['hyperAfterSteps', p.hyperAfterSteps],
    ['lowRttIncrease', Number(p.lowRttIncrease === 'additive')],
    ['updateOn', Number(p.updateOn === 'ack')],
    ...senderFields(p),
  ];
}

import { PS_PER_NS } from '../../units.js';
import { checkFields, checkTogether, flag, numberIn, oneOf, wholeIn, type CrossRule,
  type FieldRules } from '../field-rules.js';
import { commonFields, senderFields, type ParameterRecord, minBelowMax, SHARED_RULES, WINDOW_MAX_BYTES, wholeRate,
  windowProduct, type RateNumbers, type SendGap, type SequenceNumbers, type WindowMode } from './algorithm.js';

/**
 * HPCC's sender, every published variant as a switch of one algorithm.
 *
 * Per hop, from its last two records:          u' = txRate / B + min(qlen, previous qlen) L / (B W0)
 * Busiest hop, smoothed:                        u = (u (T - tau) + u' tau) / T,   tau at most T
 * Then, with Q the rate (or the window) and Qc its reference, and c = u / eta:
 *   c >= 1 or incStage >= maxStage   Q = Qc / c + Q_AI     on a full update: Qc = Q, incStage = 0
 *   else                             Q = Qc + Q_AI         on a full update: Qc = Q, incStage + 1
 *   Q stays within its limits; a full update comes once per round trip, others change only Q (fastReact).
 *
 * Sources: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, algorithm 1; the authors' ns-3 simulator
 * alibaba-edu/High-Precision-Congestion-Control at 9f4be2a, its names in brackets.
 */
export interface HpccParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'hpcc';
  /** `float64`: IEEE doubles. `whole-bps`: rates truncated to whole bits per second (the ns-3 reference simulator). */
  readonly numbers: RateNumbers;
  /** The quantity that the algorithm controls: the paper's window (rate = W / T), or the simulator's rate. */
  readonly primary: 'window' | 'rate';

  /** L, the rate of the sender's port and the cap of the rate, bits per second. */
  readonly maxRateBps: number;
  /** Floor of the rate, bits per second [MIN_RATE]. Under `primary: 'window'` the window's floor is this times T. */
  readonly minRateBps: number;
  /** T, the base round trip that all flows share, picoseconds. */
  readonly baseRttPs: number;
  /** W0, the window at line rate, bytes: L T / 8 in the paper. Also scales the queue term. */
  readonly windowBytes: number;
  /** Whether the window limits the sender, and follows the rate [HAS_WIN, VAR_WIN]. */
  readonly windowMode: WindowMode;

  /** eta, the target utilisation, 0..1 [U_TARGET]. */
  readonly targetUtilization: number;
  /** Consecutive additive steps before a multiplicative one is forced; 0 = each update is multiplicative [MI_THRESH]. */
  readonly maxStage: number;
  /** R_AI, bits per second [RATE_AI]. 0 under `primary: 'window'`. */
  readonly aiRateBps: number;
  /** W_AI, bytes. 0 under `primary: 'rate'`. */
  readonly aiWindowBytes: number;

  /** Whether every ACK changes the rate, or only full updates [FAST_REACT]. */
  readonly fastReact: boolean;
  /** Keep a reference and a stage for each hop and use the smallest result, instead of one for the busiest hop [MULTI_RATE]. */
  readonly multiRate: boolean;
  /** Except in full updates, skip hops that report an empty queue [SAMPLE_FEEDBACK]. */
  readonly sampleFeedback: boolean;

  /** `adaptive`: weight tau / T. `constant`: weight ewmaBeta (a variant of other simulators of HPCC++). */
  readonly ewma: 'adaptive' | 'constant';
  /** Weight of a new sample under `constant`, above 0 to 1; 0 under `adaptive`. */
  readonly ewmaBeta: number;

  /** `exact`: hop records in full precision, up to 16. `int64`: the simulator's wrapping 64-bit records, up to 5. */
  readonly records: 'exact' | 'int64';
  /** m, the multiplier of the units of `int64` records [INT_MULTI]. 1 under `exact`. */
  readonly intMultiplier: number;
  /** If hop count, path or hop identity change: start again from the ACK's records, or don't check (the simulator). */
  readonly pathChange: 'reset' | 'ignore';
  /**
   * Two records of a hop with the same timestamp. The sources don't cover this case (the simulator divides by 0).
   * `skip-hop`: this update ignores the hop and keeps its older record, so that the next interval covers
   * both. `one-nanosecond`: the interval counts as 1 ns.
   */
  readonly repeatedTimestamp: 'skip-hop' | 'one-nanosecond';
  /** Unit of acknowledged sequence numbers. */
  readonly sequence: SequenceNumbers;
  /** Arithmetic of the gap between packets. */
  readonly sendGap: SendGap;
}

/** Rule of each field. */
export const HPCC_FIELD_RULES: FieldRules<HpccParameters> = {
  algorithm: oneOf('hpcc'),
  numbers: SHARED_RULES.numbers,
  primary: oneOf('window', 'rate'),
  maxRateBps: SHARED_RULES.maxRateBps,
  minRateBps: SHARED_RULES.minRateBps,
  baseRttPs: SHARED_RULES.period,
  windowBytes: SHARED_RULES.windowBytes,
  windowMode: SHARED_RULES.windowMode,
  targetUtilization: SHARED_RULES.targetUtilization,
  maxStage: SHARED_RULES.maxStage,
  aiRateBps: SHARED_RULES.aiRateBps,
  aiWindowBytes: numberIn(0, WINDOW_MAX_BYTES, 'bytes'),
  fastReact: flag(),
  multiRate: flag(),
  sampleFeedback: flag(),
  ewma: oneOf('adaptive', 'constant'),
  ewmaBeta: numberIn(0, 1),
  records: oneOf('exact', 'int64'),
  intMultiplier: wholeIn(1, 256),
  pathChange: oneOf('reset', 'ignore'),
  repeatedTimestamp: oneOf('skip-hop', 'one-nanosecond'),
  sequence: SHARED_RULES.sequence,
  sendGap: SHARED_RULES.sendGap,
};

const CROSS_RULES: readonly CrossRule<HpccParameters>[] = [
  minBelowMax(),
  wholeRate('minRateBps'),
  wholeRate('aiRateBps'),
  windowProduct(),
  {
    fields: ['primary', 'numbers'],
    problem: "must be 'rate', except under numbers 'float64'",
    holds: (p) => p.numbers === 'float64' || p.primary === 'rate',
  },
  {
    fields: ['windowMode', 'primary'],
    problem: "must be 'variable' under primary 'window'",
    holds: (p) => p.primary === 'rate' || p.windowMode === 'variable',
  },
  {
    fields: ['minRateBps', 'baseRttPs', 'windowBytes'],
    problem: "times baseRttPs must not exceed the window under primary 'window'",
    holds: (p) => p.primary === 'rate' || (p.minRateBps * p.baseRttPs) / 8e12 <= p.windowBytes,
  },
  {
    fields: ['aiRateBps', 'primary'],
    problem: "must be 0 under primary 'window', which has aiWindowBytes",
    holds: (p) => p.primary === 'rate' || p.aiRateBps === 0,
  },
  {
    fields: ['aiWindowBytes', 'primary'],
    problem: "must be 0 under primary 'rate', which has aiRateBps",
    holds: (p) => p.primary === 'window' || p.aiWindowBytes === 0,
  },
  {
    fields: ['ewmaBeta', 'ewma'],
    problem: "must be 0 under ewma 'adaptive' and above 0 under 'constant'",
    holds: (p) => (p.ewma === 'adaptive') === (p.ewmaBeta === 0),
  },
  {
    fields: ['intMultiplier', 'records'],
    problem: "must be 1 under records 'exact'",
    holds: (p) => p.records === 'int64' || p.intMultiplier === 1,
  },
];

/**
 * Checks HPCC parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `HpccParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateHpcc(parameters: unknown, name = 'hpcc'): HpccParameters {
  const checked = checkFields<HpccParameters>(parameters, HPCC_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}

const PS_BITS_PER_BYTE_SECOND = 8e12;
const WINDOW_MODES: readonly WindowMode[] = ['none', 'fixed', 'variable'];

/** Floor, cap and additive step of the controlled quantity: bits per second or bytes. */
interface Steps {
  readonly minimum: number;
  readonly maximum: number;
  readonly increment: number;
}

/** Parameters that HPCC and HPCC-PINT have in common. */
type StepParameters = Pick<
  HpccParameters,
  'numbers' | 'maxRateBps' | 'minRateBps' | 'aiRateBps' | 'targetUtilization' | 'maxStage' | 'windowBytes'
    | 'windowMode' | 'fastReact' | 'sequence' | 'sendGap'
>;

/** The fields that HPCC and HPCC-PINT share: StepParameterSet. */
export function stepFields(p: StepParameters, steps: Steps): ParameterRecord {
  return [
    ...commonFields(p.maxRateBps, p.minRateBps),
    ['stepMinimum', steps.minimum],
    ['stepMaximum', steps.maximum],
    ['stepIncrement', steps.increment],
    ['targetUtilization', p.targetUtilization],
    ['maxStage', p.maxStage],
    ['windowBytes', p.windowBytes],
    ['windowMode', WINDOW_MODES.indexOf(p.windowMode)],
    ['fastReact', Number(p.fastReact)],
    ...senderFields(p),
  ];
}

/** Floor, cap and additive step of an algorithm that controls a rate. */
export function rateSteps(p: StepParameters): Steps {
  return { minimum: p.minRateBps, maximum: p.maxRateBps, increment: p.aiRateBps };
}

function windowSteps(p: HpccParameters): Steps {
  const minimum = (p.minRateBps * p.baseRttPs) / PS_BITS_PER_BYTE_SECOND;
  return { minimum, maximum: p.windowBytes, increment: p.aiWindowBytes };
}

/**
 * The parameters as engine.wasm reads them: HpccParameterSet, assembly/algorithms/hpcc/record.ts.
 *
 * Precomputes the steps, the round trip in nanoseconds and 1 - beta.
 * Words become their index in their type, from 0; flags are 0 or 1.
 *
 * @param p must have been validated.
 */
export function hpccRecord(p: HpccParameters): ParameterRecord {
  const controlsRate = p.primary === 'rate';
  return [
    ...stepFields(p, controlsRate ? rateSteps(p) : windowSteps(p)),
    ['baseRttPs', p.baseRttPs],
    ['baseRttNs', p.baseRttPs / PS_PER_NS],
    ['primary', Number(controlsRate)],
    ['multiRate', Number(p.multiRate)],
    ['sampleFeedback', Number(p.sampleFeedback)],
    ['ewma', Number(p.ewma === 'constant')],
    ['ewmaBeta', p.ewmaBeta],
    ['ewmaRetention', 1 - p.ewmaBeta],
    ['records', Number(p.records === 'int64')],
    ['intMultiplier', p.intMultiplier],
    ['pathChange', Number(p.pathChange === 'ignore')],
    ['repeatedTimestamp', Number(p.repeatedTimestamp === 'one-nanosecond')],
  ];
}

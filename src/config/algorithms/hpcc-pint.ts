/**
 * HPCC-PINT's sender: HPCC with one number per packet, the encoded utilisation of the busiest hop. Parameters, preset,
 * checks.
 *
 * The packet's number p represents u = base^p / 512; the switches do the smoothing. Sender: c = u / eta, then HPCC's
 * step (hpcc.ts).
 *
 * Sources: Ben Basat et al., "PINT: Probabilistic In-band Network Telemetry", SIGCOMM 2020;
 * alibaba-edu/High-Precision-Congestion-Control at 9f4be2a, its names in brackets.
 */
import { gbps, mbps } from '../../units.js';
import { checkFields, checkTogether, flag, numberIn, oneOf, reject, wholeIn, type CrossRule, type FieldRules,
  omit } from '../field-rules.js';
import { pathBytes } from './hpcc-presets.js';
import { rateSteps, stepFields } from './hpcc.js';
import { type ParameterRecord, minBelowMax, SHARED_RULES, wholeRate, windowProduct, type RateNumbers, type SendGap,
  type SequenceNumbers, type WindowMode } from './algorithm.js';

/** All settings of HPCC-PINT's sender; the preset `hpccPintNs3` fills them in. */
export interface HpccPintParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'hpcc-pint';
  /** Arithmetic of rates: doubles, or whole bits per second. */
  readonly numbers: RateNumbers;
  /** Cap of the rate, bits per second. */
  readonly maxRateBps: number;
  /** Floor of the rate, bits per second [MIN_RATE]. */
  readonly minRateBps: number;
  /** Window at the maximum rate, bytes. */
  readonly windowBytes: number;
  /** Whether the window limits the sender, and follows the rate [HAS_WIN, VAR_WIN]. */
  readonly windowMode: WindowMode;
  /** eta, the target utilisation, 0..1 [U_TARGET]. */
  readonly targetUtilization: number;
  /** Consecutive additive steps before a multiplicative one is forced [MI_THRESH]. */
  readonly maxStage: number;
  /** R_AI, bits per second [RATE_AI]. */
  readonly aiRateBps: number;
  /** Whether every ACK changes the rate, or only full updates [FAST_REACT]. */
  readonly fastReact: boolean;
  /** Base of the encoding, above 1 to 2 [PINT_LOG_BASE]. */
  readonly pintBase: number;
  /** Bits of the encoded number: powers go up to 2^bits - 1. */
  readonly pintBits: number;
  /** Probability that an ACK is evaluated, above 0 to 1 [PINT_PROB]. At 1 no random number is drawn. */
  readonly pintProbability: number;
  /** Unit of acknowledged sequence numbers. */
  readonly sequence: SequenceNumbers;
  /** Arithmetic of the gap between packets. */
  readonly sendGap: SendGap;
}

type PintOverrides = Partial<Omit<HpccPintParameters, 'algorithm' | 'maxRateBps'>>;

export interface HpccPintOptions extends PintOverrides {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
  /** Base round trip of the network, whole picoseconds; determines the window. */
  readonly baseRttPs: number;
}

/** `run.py` gives its rates for 25 Gb/s. */
const RUN_PY_REFERENCE_BPS = gbps(25);

/**
 * HPCC-PINT with the simulator's values, which are those of `run.py` for HPCC; every ACK is evaluated.
 *
 * Two encodings: base 1.05 in one byte (the simulator's default), and base 1.01 in two (`run.py`).
 *
 * @param options `lineRateBps`, `baseRttPs`, and overrides of any field; the base 1.01 of `run.py` needs `pintBits` 11.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = hpccPintNs3({ lineRateBps: gbps(100), baseRttPs: ns(4160), pintBase: 1.01, pintBits: 11 });
 */
export function hpccPintNs3(options: HpccPintOptions): HpccPintParameters {
  const windowBytes = pathBytes(options, 'hpccPintNs3');
  const overrides = omit(options, 'lineRateBps', 'baseRttPs');
  const { lineRateBps } = options;
  const defaults: PintOverrides = {
    numbers: 'whole-bps',
    minRateBps: mbps(1000),
    windowBytes,
    windowMode: 'variable',
    targetUtilization: 0.95,
    maxStage: 0,
    aiRateBps: Math.trunc((mbps(10) * lineRateBps) / RUN_PY_REFERENCE_BPS),
    fastReact: true,
    pintBase: 1.05,
    pintBits: 8,
    pintProbability: 1,
    sequence: 'u32',
    sendGap: 'ns3-nanoseconds',
  };
  return validateHpccPint({ algorithm: 'hpcc-pint', maxRateBps: lineRateBps, ...defaults, ...overrides },
    'hpccPintNs3');
}

/** Smallest base of the encoding. */
export const PINT_BASE_MIN = 1 + 2 ** -10;
/** Smallest probability that an ACK is evaluated. */
const PINT_PROBABILITY_MIN = 2 ** -16;
/** The largest code's value base^code stays below 2^900, so that it can be split into halves exactly. */
const LARGEST_POWER_BITS = 900;

/** Rule of each field. */
export const HPCC_PINT_FIELD_RULES: FieldRules<HpccPintParameters> = {
  algorithm: oneOf('hpcc-pint'),
  numbers: SHARED_RULES.numbers,
  maxRateBps: SHARED_RULES.maxRateBps,
  minRateBps: SHARED_RULES.minRateBps,
  windowBytes: SHARED_RULES.windowBytes,
  windowMode: SHARED_RULES.windowMode,
  targetUtilization: SHARED_RULES.targetUtilization,
  maxStage: SHARED_RULES.maxStage,
  aiRateBps: SHARED_RULES.aiRateBps,
  fastReact: flag(),
  pintBase: numberIn(PINT_BASE_MIN, 2),
  pintBits: wholeIn(1, 16, 'bits'),
  pintProbability: numberIn(PINT_PROBABILITY_MIN, 1),
  sequence: SHARED_RULES.sequence,
  sendGap: SHARED_RULES.sendGap,
};

const CROSS_RULES: readonly CrossRule<HpccPintParameters>[] = [
  minBelowMax(),
  wholeRate('minRateBps'),
  wholeRate('aiRateBps'),
  windowProduct(),
  {
    fields: ['pintBits', 'pintBase'],
    problem: 'makes codes too large: pintBase^(2^pintBits - 1) must be below 2^900',
    holds: (p) => Math.log2(p.pintBase) * (2 ** p.pintBits - 1) < LARGEST_POWER_BITS,
  },
];

/**
 * Checks HPCC-PINT parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `HpccPintParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateHpccPint(parameters: unknown, name = 'hpccPint'): HpccPintParameters {
  const checked = checkFields<HpccPintParameters>(parameters, HPCC_PINT_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}

/** @throws RoceError `invalid-config` for a probability below 1, which only the reference model supports. */
export function checkPintForEngine({ pintProbability }: HpccPintParameters, name: string): void {
  if (pintProbability === 1) return;
  const hint = 'An engine draws no random numbers: it reads every ACK';
  reject({ got: pintProbability, allowed: 1, where: `${name}.pintProbability`, hint });
}

/**
 * The parameters as engine.wasm reads them: HpccPintParameterSet, assembly/algorithms/hpcc/record.ts. Leaves out
 * `pintProbability`: the engine evaluates every ACK.
 *
 * @param p must have been validated.
 */
export function hpccPintRecord(p: HpccPintParameters): ParameterRecord {
  return [...stepFields(p, rateSteps(p)), ['pintBase', p.pintBase], ['pintBits', p.pintBits]];
}

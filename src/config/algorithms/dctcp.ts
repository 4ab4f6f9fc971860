/**
 * DCTCP in its rate form, as implemented in the ns-3 simulator of HPCC's authors: parameters, preset, checks.
 *
 * Per round trip: alpha = (1 - g) alpha + g F, F the part of acknowledged packets that were marked; a cut of alpha / 2 at
 * the first mark, then none until that round trip is over; else one additive step.
 *
 * Sources: Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, section 3.1 (which controls a window);
 * alibaba-edu/High-Precision-Congestion-Control at 9f4be2a (a rate).
 */
import { mbps } from '../../units.js';
import { checkFields, checkTogether, numberIn, oneOf, orValue, wholeIn, type CrossRule,
  type FieldRules } from '../field-rules.js';
import { commonFields, senderFields, type ParameterRecord, checkLineRate, ALPHA_GAIN_MIN, minBelowMax, SHARED_RULES,
  wholeRate, type RateNumbers, type SendGap, type SequenceNumbers } from './algorithm.js';

/** All settings of DCTCP's sender; the preset `dctcpNs3` fills them in. */
export interface DctcpParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'dctcp';
  /** Arithmetic of rates: doubles, or whole bits per second. */
  readonly numbers: RateNumbers;
  /** Cap of the rate, bits per second. */
  readonly maxRateBps: number;
  /** Floor of the rate, bits per second. */
  readonly minRateBps: number;
  /** g, the gain of alpha, 0..1. */
  readonly alphaGain: number;
  /** Additive step per round trip, bits per second. */
  readonly aiRateBps: number;
  /** Sequence numbers per full packet: its payload bytes if they count bytes, 1 if they are PSNs. */
  readonly sequencePerPacket: number;
  /** Unit of acknowledged sequence numbers. */
  readonly sequence: SequenceNumbers;
  /** Arithmetic of the gap between packets. */
  readonly sendGap: SendGap;
}

type DctcpDefaults = Omit<DctcpParameters, 'algorithm' | 'maxRateBps'>;

/** Any field may be given to replace the preset's value. */
export interface DctcpPresetOptions extends Partial<DctcpDefaults> {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
}

/** g as in the DCTCP paper; R_AI of the simulator's `run.py`; packets of 1000 payload bytes. */
const DEFAULTS: DctcpDefaults = {
  numbers: 'whole-bps',
  minRateBps: mbps(1000),
  alphaGain: 1 / 16,
  aiRateBps: mbps(615),
  sequencePerPacket: 1000,
  sequence: 'u32',
  sendGap: 'ns3-nanoseconds',
};

/**
 * DCTCP in rate form with the simulator's values. Its switches mark above a queue of 30 kB per 10 Gb/s.
 *
 * The paper's own DCTCP has no preset: it controls a window, not a rate.
 *
 * @param options `lineRateBps`, and overrides of any field; with PSNs, `sequence: 'psn24'` and `sequencePerPacket: 1`.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = dctcpNs3({ lineRateBps: gbps(100) });
 */
export function dctcpNs3(options: DctcpPresetOptions): DctcpParameters {
  checkLineRate(options, 'dctcpNs3');
  const { lineRateBps, ...overrides } = options;
  return validateDctcp({ algorithm: 'dctcp', maxRateBps: lineRateBps, ...DEFAULTS, ...overrides }, 'dctcpNs3');
}

/** Rule of each field. */
export const DCTCP_FIELD_RULES: FieldRules<DctcpParameters> = {
  algorithm: oneOf('dctcp'),
  numbers: SHARED_RULES.numbers,
  maxRateBps: SHARED_RULES.maxRateBps,
  minRateBps: SHARED_RULES.minRateBps,
  alphaGain: orValue(0, numberIn(ALPHA_GAIN_MIN, 1)),
  aiRateBps: SHARED_RULES.aiRateBps,
  sequencePerPacket: wholeIn(1, 65535, 'sequence numbers'),
  sequence: SHARED_RULES.sequence,
  sendGap: SHARED_RULES.sendGap,
};

const CROSS_RULES: readonly CrossRule<DctcpParameters>[] = [
  minBelowMax(),
  wholeRate('minRateBps'),
  wholeRate('aiRateBps'),
];

/**
 * Checks DCTCP parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `DctcpParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateDctcp(parameters: unknown, name = 'dctcp'): DctcpParameters {
  const checked = checkFields<DctcpParameters>(parameters, DCTCP_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}

/** The parameters as engine.wasm reads them: DctcpParameterSet, assembly/algorithms/dctcp/transitions.ts; precomputes 1 - g. @param p must have been validated. */
export function dctcpRecord(p: DctcpParameters): ParameterRecord {
  return [
    ...commonFields(p.maxRateBps, p.minRateBps),
    ['alphaGain', p.alphaGain],
    ['alphaRetention', 1 - p.alphaGain],
    ['aiRateBps', p.aiRateBps],
    ['sequencePerPacket', p.sequencePerPacket],
    ...senderFields(p),
  ];
}

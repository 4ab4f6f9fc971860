import { us } from '../../units.js';
import { checkFields, checkTogether, notAbove, numberIn, oneOf, wholeIn, type CrossRule,
  type FieldRules } from '../field-rules.js';
import { commonFields, type ParameterRecord, checkLineRate, PERIOD_MAX_PS, SHARED_RULES } from './algorithm.js';

/**
 * Swift's sender: a window controlled by delay, scaled by path length and by the window itself.
 *
 *   target = base + hops hopScale + max(0, min(a / sqrt(cwnd) + b, fsRange)),
 *            a = fsRange / (1 / sqrt(fsMin) - 1 / sqrt(fsMax)),  b = -a / sqrt(fsMax)
 *   delay < target   cwnd += ai acked / cwnd   (ai acked below 1)
 *   else, once per round trip   cwnd = cwnd max(1 - beta (delay - target) / delay, 1 - maxMdf)
 *
 * Windows are in packets and may be fractions; below a window of 1, packets are paced.
 *
 * Source: Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the Datacenter", SIGCOMM 2020,
 * section 3 and algorithm 1, its names in brackets.
 */
export interface SwiftParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'swift';
  /** Rate of the port: caps the rate that is reported, bits per second. */
  readonly maxRateBps: number;
  /** Bytes of a full packet, the unit of the window. */
  readonly packetBytes: number;
  /** Target delay of the shortest path without queues and without scaling, picoseconds [base_target]. */
  readonly baseTargetPs: number;
  /** Added to the target per hop, picoseconds [h-bar]. */
  readonly hopScalePs: number;
  /** Most that flow scaling adds to the target, picoseconds [fs_range]; 0 = no flow scaling. */
  readonly flowScaleRangePs: number;
  /** Up to this window flow scaling adds its full range to the target, packets [fs_min_cwnd]. */
  readonly flowScaleMinCwnd: number;
  /** From this window on flow scaling adds nothing to the target, packets [fs_max_cwnd]. */
  readonly flowScaleMaxCwnd: number;
  /** Additive step per round trip, packets [ai]. */
  readonly aiPackets: number;
  /** Depth of a decrease, above 0 to 1 [beta]. */
  readonly decreaseBeta: number;
  /** Largest part of the window that one decrease removes, above 0, below 1 [max_mdf]. */
  readonly maxDecrease: number;
  /** Smallest congestion window, packets [min_cwnd]. */
  readonly minCwnd: number;
  /** Largest congestion window, packets [max_cwnd]. */
  readonly maxCwnd: number;
  /** Congestion window of a new QP, packets. */
  readonly initialCwnd: number;
  /** Number of consecutive retransmission timeouts that resets the window to minCwnd [RETX_RESET_THRESHOLD]. */
  readonly timeoutsToReset: number;
}

type SwiftDefaults = Omit<SwiftParameters, 'algorithm' | 'maxRateBps'>;

/** Options of `swiftSigcomm20`: any field overrides the preset's value. */
export interface SwiftPresetOptions extends Partial<SwiftDefaults> {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
}

/**
 * The paper defines the parameters but gives few values, as they are tuned per network.
 * Sources: [P20] the paper; [own] a choice of this library, to be tuned for your network.
 */
const DEFAULTS: SwiftDefaults = {
  /** [own] A RoCE packet at a path MTU of 1 kB; the paper's packets are larger. */
  packetBytes: 1024,
  /** [own] The paper's targets are of a few tens of microseconds. */
  baseTargetPs: us(25),
  /** [own] About one store-and-forward hop. */
  hopScalePs: us(1),
  /** [own] Several base targets. */
  flowScaleRangePs: us(100),
  /** [P20] Flow scaling between two windows; the values 0.1 and 100 packets are those of public simulators. */
  flowScaleMinCwnd: 0.1,
  flowScaleMaxCwnd: 100,
  /** [P20 algorithm 1] Additive step per round trip; the value of 1 packet is [own]. */
  aiPackets: 1,
  /** [P20 algorithm 1] beta and max_mdf; their values are [own], those of public simulators. */
  decreaseBeta: 0.8,
  maxDecrease: 0.5,
  /** [P20] The window may fall far below one packet; the value is [own]. */
  minCwnd: 0.001,
  /** [own] */
  maxCwnd: 1000,
  /** [own] */
  initialCwnd: 10,
  /** [P20 algorithm 1] RETX_RESET_THRESHOLD; the value is [own]. */
  timeoutsToReset: 5,
};

/**
 * Swift of the SIGCOMM 2020 paper.
 *
 * @param options `lineRateBps`, and overrides of any field; `baseTargetPs` should fit the network.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = swiftSigcomm20({ lineRateBps: gbps(100), baseTargetPs: us(25) });
 */
export function swiftSigcomm20(options: SwiftPresetOptions): SwiftParameters {
  checkLineRate(options, 'swiftSigcomm20');
  const { lineRateBps, ...overrides } = options;
  return validateSwift({ algorithm: 'swift', maxRateBps: lineRateBps, ...DEFAULTS, ...overrides }, 'swiftSigcomm20');
}

/** Limits of a window, packets. */
export const CWND_MIN = 2 ** -16;
export const CWND_MAX = 2 ** 24;

const PS = 'picoseconds';
const CWND_RULE = numberIn(CWND_MIN, CWND_MAX, 'packets');

/** Rule of each field. */
export const SWIFT_FIELD_RULES: FieldRules<SwiftParameters> = {
  algorithm: oneOf('swift'),
  maxRateBps: SHARED_RULES.maxRateBps,
  packetBytes: wholeIn(1, 65535, 'bytes'),
  baseTargetPs: SHARED_RULES.period,
  hopScalePs: wholeIn(0, PERIOD_MAX_PS, PS),
  flowScaleRangePs: wholeIn(0, PERIOD_MAX_PS, PS),
  flowScaleMinCwnd: CWND_RULE,
  flowScaleMaxCwnd: CWND_RULE,
  aiPackets: numberIn(0, CWND_MAX, 'packets'),
  decreaseBeta: numberIn(CWND_MIN, 1),
  maxDecrease: numberIn(CWND_MIN, 1 - CWND_MIN),
  minCwnd: CWND_RULE,
  maxCwnd: CWND_RULE,
  initialCwnd: CWND_RULE,
  timeoutsToReset: wholeIn(1, 255, 'timeouts'),
};

const CROSS_RULES: readonly CrossRule<SwiftParameters>[] = [
  {
    fields: ['flowScaleMinCwnd', 'flowScaleMaxCwnd'],
    problem: 'must be below flowScaleMaxCwnd',
    holds: (p) => p.flowScaleMinCwnd < p.flowScaleMaxCwnd,
  },
  notAbove('minCwnd', 'maxCwnd', 'maxCwnd'),
  {
    fields: ['initialCwnd', 'minCwnd', 'maxCwnd'],
    problem: 'must be from minCwnd to maxCwnd',
    holds: (p) => p.initialCwnd >= p.minCwnd && p.initialCwnd <= p.maxCwnd,
  },
];

/**
 * Checks Swift parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `SwiftParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateSwift(parameters: unknown, name = 'swift'): SwiftParameters {
  const checked = checkFields<SwiftParameters>(parameters, SWIFT_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}

/** Swift has a minimum window instead of a minimum rate. */
const NO_MIN_RATE = 0;

/**
 * The parameters as engine.wasm reads them: SwiftParameterSet, assembly/algorithms/swift/transitions.ts.
 *
 * Precomputes 1 - maxDecrease, and slope and offset of flow scaling, which is linear in 1 / sqrt(cwnd):
 * slope = range / (1 / sqrt(minCwnd) - 1 / sqrt(maxCwnd)), offset = slope / sqrt(maxCwnd), both of the flow scaling's
 * windows.
 *
 * @param p must have been validated.
 */
export function swiftRecord(p: SwiftParameters): ParameterRecord {
  const atMax = 1 / Math.sqrt(p.flowScaleMaxCwnd);
  const slopePs = p.flowScaleRangePs / (1 / Math.sqrt(p.flowScaleMinCwnd) - atMax);
  return [
    ...commonFields(p.maxRateBps, NO_MIN_RATE),
    ['packetBytes', p.packetBytes],
    ['baseTargetPs', p.baseTargetPs],
    ['hopScalePs', p.hopScalePs],
    ['flowScaleRangePs', p.flowScaleRangePs],
    ['flowScaleSlopePs', slopePs],
    ['flowScaleOffsetPs', slopePs * atMax],
    ['aiPackets', p.aiPackets],
    ['decreaseBeta', p.decreaseBeta],
    ['leastFactor', 1 - p.maxDecrease],
    ['minCwnd', p.minCwnd],
    ['maxCwnd', p.maxCwnd],
    ['initialCwnd', p.initialCwnd],
    ['timeoutsToReset', p.timeoutsToReset],
  ];
}

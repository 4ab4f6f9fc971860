/**
 * HPCC as its paper describes it: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019.
 *
 *   window W = W_c / (U / eta) + W_AI or W_c + W_AI, rate = W / T; each ACK is applied to the reference W_c, which is
 *   updated once per round trip
 *
 * Cited below: [P19] the paper, section 3 with algorithm 1, and the settings of its evaluation; [NS] the authors' simulator
 * alibaba-edu/High-Precision-Congestion-Control at 9f4be2a. The paper gives no minimum rate: the simulator's is used.
 */
import { mbps } from '../../../units.js';
import { checkMember, wholeIn } from '../../field-rules.js';
import type { HpccParameters } from './parameters.js';
import type { RateNumbers } from '../shared-types.js';
import { SHARED_RULES } from '../shared-rules.js';
import { validateHpcc } from './validate.js';
import { checkLineRate } from '../preset-options.js';

/** The parameters that line rate and base round trip don't determine. */
export type HpccOverrides = Partial<Omit<HpccParameters, 'algorithm' | 'maxRateBps' | 'baseRttPs'>>;

/** Input of every HPCC preset; any other field overrides the preset's value. */
export interface HpccPresetOptions extends HpccOverrides {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
  /** T, base round trip of the network, whole picoseconds. */
  readonly baseRttPs: number;
}

export interface HpccSigcomm19Options extends HpccPresetOptions {
  /** N, how many flows a link is expected to carry at once: W_AI = W0 (1 - eta) / N; default 100. */
  readonly expectedFlows?: number;
}

/** 81 bytes at 100 Gb/s and T = 13 us. The paper leaves N to the operator; the value is our choice. */
const DEFAULT_EXPECTED_FLOWS = 100;

const FLOWS_RULE = wholeIn(1, 2 ** 24, 'flows');

/** Checks line rate and base round trip, and returns the bandwidth-delay product in bytes: floor(L T / 8). */
export function pathBytes(options: HpccPresetOptions, name: string): number {
  const lineRateBps = checkLineRate(options, name);
  const { baseRttPs } = options;
  checkMember(baseRttPs, SHARED_RULES.period, name, 'baseRttPs');
  return Math.max(1, Math.floor((lineRateBps * baseRttPs) / 8e12));
}

function roundedRate(numbers: RateNumbers, rateBps: number): number {
  return numbers === 'whole-bps' ? Math.floor(rateBps) : rateBps;
}

/**
 * The paper's parameters with a caller's overrides; constraints between fields are not checked yet.
 *
 * @throws RoceError `invalid-config` for a bad input of derived values: line rate, base round trip, window, eta, flows.
 */
export function sigcomm19Parameters(options: HpccSigcomm19Options, name: string): HpccParameters {
  const bytes = pathBytes(options, name);
  const { lineRateBps, expectedFlows = DEFAULT_EXPECTED_FLOWS, ...overrides } = options;
  checkMember(expectedFlows, FLOWS_RULE, name, 'expectedFlows');
  const { windowBytes = bytes, targetUtilization = 0.95, primary = 'window', numbers = 'float64' } = overrides;
  checkMember(windowBytes, SHARED_RULES.windowBytes, name, 'windowBytes');
  checkMember(targetUtilization, SHARED_RULES.targetUtilization, name, 'targetUtilization');
  /** W_AI = W_init (1 - eta) / N [P19 section 3]. */
  const stepBytes = (windowBytes * (1 - targetUtilization)) / expectedFlows;
  const defaults: Required<HpccOverrides> = {
    numbers,
    primary,
    /** Not in the paper. [NS] MIN_RATE of the sample configuration. */
    minRateBps: mbps(100),
    /** W_init = B_NIC T [P19 section 3]. */
    windowBytes,
    windowMode: 'variable',
    /** eta [P19, evaluation]. */
    targetUtilization,
    /** [P19, evaluation]. */
    maxStage: 5,
    aiWindowBytes: primary === 'rate' ? 0 : stepBytes,
    /** W_AI / T, as R = W / T. */
    aiRateBps: primary === 'rate' ? roundedRate(numbers, (stepBytes * 8e12) / overrides.baseRttPs) : 0,
    /** React to each ACK, update the reference once per round trip [P19 algorithm 1]. */
    fastReact: true,
    multiRate: false,
    sampleFeedback: false,
    /** Weight tau / T [P19 algorithm 1, MeasureInflight]. */
    ewma: 'adaptive',
    ewmaBeta: 0,
    records: 'exact',
    intMultiplier: 1,
    /** The sender compares the path identity that packets collect [P19, packet format]. */
    pathChange: 'reset',
    repeatedTimestamp: 'skip-hop',
    sequence: 'psn24',
    sendGap: 'picoseconds',
  };
  return { algorithm: 'hpcc', maxRateBps: lineRateBps, ...defaults, ...overrides };
}

/**
 * HPCC of the SIGCOMM 2019 paper.
 *
 * @param options `lineRateBps`, `baseRttPs`, `expectedFlows`, and overrides of any field; under `primary: 'rate'` the additive
 * step is W_AI / T.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = hpccSigcomm19({ lineRateBps: gbps(100), baseRttPs: us(13) });
 */
export function hpccSigcomm19(options: HpccSigcomm19Options): HpccParameters {
  return validateHpcc(sigcomm19Parameters(options, 'hpccSigcomm19'), 'hpccSigcomm19');
}

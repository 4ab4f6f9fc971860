/**
 * HPCC's presets: as its paper describes it, and as the authors' simulator runs it.
 *
 *   paper: window W = W_c / (U / eta) + W_AI or W_c + W_AI, rate = W / T; each ACK is applied to the reference W_c, which is
 *   updated once per round trip
 *   simulator: controls the rate, and the window follows; hop records have 64 bits and wrap; rates are whole; path changes
 *   are not detected
 *
 * Cited below: [P19] Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, section 3 with algorithm 1, and the
 * settings of its evaluation; [NS] the authors' simulator alibaba-edu/High-Precision-Congestion-Control at 9f4be2a (ns-3).
 */
import { gbps, mbps } from '../../units.js';
import { checkMember, wholeIn, oneOf } from '../field-rules.js';
import { type HpccParameters, validateHpcc } from './hpcc.js';
import { checkLineRate, type RateNumbers, SHARED_RULES } from './algorithm.js';

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
    /** Not in the paper: [NS] MIN_RATE of the sample configuration. */
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

/** Name of a parameter set of the simulator. */
export type HpccNs3Set = 'run.py' | 'paper-stage5' | 'multirate' | 'nofast' | 'sample';

/** `run.py` gives its rates for 25 Gb/s and scales them, and the units of the records, with the bandwidth. */
const RUN_PY_REFERENCE_BPS = gbps(25);

/** Each variation changes one setting, at the smaller floor and record units of `mix/config.txt` and the R_AI of `run.py` at 100 Gb/s. */
const VARIATION: HpccOverrides = { maxStage: 0, aiRateBps: mbps(40), minRateBps: mbps(100), intMultiplier: 1 };

const SETS: Readonly<Record<HpccNs3Set, (lineRateBps: number) => HpccOverrides>> = {
  /** `run.py --cc hp --utgt 95`; each update is multiplicative. */
  'run.py': (lineRateBps) => ({
    maxStage: 0,
    aiRateBps: Math.trunc((mbps(10) * lineRateBps) / RUN_PY_REFERENCE_BPS),
    minRateBps: mbps(1000),
    intMultiplier: Math.max(1, Math.trunc(lineRateBps / RUN_PY_REFERENCE_BPS)),
  }),
  /** The paper's maxStage. */
  'paper-stage5': () => ({ ...VARIATION, maxStage: 5 }),
  /** A rate per hop. */
  multirate: () => ({ ...VARIATION, maxStage: 5, multiRate: true }),
  /** One reaction per round trip. */
  nofast: () => ({ ...VARIATION, fastReact: false }),
  /** No reaction to hops with an empty queue. */
  sample: () => ({ ...VARIATION, sampleFeedback: true }),
};

/** Names of the parameter sets. */
export const HPCC_NS3_SETS = Object.freeze(Object.keys(SETS)) as readonly HpccNs3Set[];

/**
 * Makes one of the simulator's parameter sets.
 *
 * @param set name of the parameter set.
 * @param options `lineRateBps`, `baseRttPs`, and overrides of any field.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = hpccNs3('run.py', { lineRateBps: gbps(100), baseRttPs: ns(4160) });
 */
export function hpccNs3(set: HpccNs3Set, options: HpccPresetOptions): HpccParameters {
  checkMember(set, oneOf(...HPCC_NS3_SETS), 'hpccNs3', 'set');
  const windowBytes = pathBytes(options, 'hpccNs3');
  const { lineRateBps, ...overrides } = options;
  const defaults: HpccOverrides = {
    numbers: 'whole-bps',
    primary: 'rate',
    windowBytes,
    windowMode: 'variable',
    targetUtilization: 0.95,
    aiWindowBytes: 0,
    fastReact: true,
    multiRate: false,
    sampleFeedback: false,
    ewma: 'adaptive',
    ewmaBeta: 0,
    records: 'int64',
    pathChange: 'ignore',
    repeatedTimestamp: 'skip-hop',
    sequence: 'u32',
    sendGap: 'ns3-nanoseconds',
    ...SETS[set](lineRateBps),
  };
  return validateHpcc({ algorithm: 'hpcc', maxRateBps: lineRateBps, ...defaults, ...overrides }, 'hpccNs3');
}

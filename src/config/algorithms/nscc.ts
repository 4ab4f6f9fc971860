/**
 * NSCC, the sender's congestion control of Ultra Ethernet and of MRC: a window driven by queueing delay and marks. Parameters,
 * presets, checks.
 *
 *   A = floor(baseRtt / 1e12 floor(line rate / 8)) / 150000,  B = target / 12 µs, payload P
 *   alpha = proportionalGain P A B / target,  fi = fairGain P A,  eta = fixedGain P A,  fi_scale = fastGain A
 *   largest window = floor(maxWindowBdps bandwidth-delay products)
 *
 * Names in brackets are those of the Ultra Ethernet specification. What each does:
 * assembly/algorithms/nscc/transitions.ts.
 */
import { checkMember, checkFields, checkTogether, flag, notAbove, numberIn, oneOf, wholeIn, type CrossRule,
  type FieldRules } from '../field-rules.js';
import { commonFields, type ParameterRecord, checkLineRate, SHARED_RULES, WINDOW_MAX_BYTES } from './algorithm.js';

/** A loss that no NACK reported: handled as a trimmed packet, or only taken from the window. */
export type NsccInferredLoss = 'as-trimmed' | 'reduce';
/** A packet trimmed by the last switch: taken from the window, or left to the receiver's credit. */
export type NsccLastHopTrims = 'reduce' | 'leave';
/** Whether a NACK measures a round trip. */
export type NsccNackRtt = 'measure' | 'ignore';
/** The sum of increases: truncated to 32 bits as in the reference program, or exact. */
export type NsccIncreaseSum = 'u32' | 'exact';

/** All parameters of NSCC's sender; the presets `nsccUet` and `nsccMrc` fill them in. */
export interface NsccParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'nscc';
  /** Rate of the port, bits per second: determines the bandwidth-delay product, and limits the reported rate. */
  readonly maxRateBps: number;
  /** Size of a full packet as the window counts it, and the minimum window, bytes [mtu]. */
  readonly packetBytes: number;
  /** Payload of a full packet, bytes [mss]. */
  readonly payloadBytes: number;
  /** Base round trip until a shorter one is measured, picoseconds [base_rtt]. */
  readonly baseRttPs: number;
  /** Target queueing delay, picoseconds [target_Qdelay]. */
  readonly targetDelayPs: number;
  /** Window of a new QP, bytes; 0 = the largest. */
  readonly initialWindowBytes: number;
  /** Largest window, bandwidth-delay products [max_cwnd]. */
  readonly maxWindowBdps: number;
  /** Proportional increase [alpha]. */
  readonly proportionalGain: number;
  /** Fair increase [fi]. */
  readonly fairGain: number;
  /** Increase per round trip [eta]. */
  readonly fixedGain: number;
  /** Fast increase [fi_scale]. */
  readonly fastGain: number;
  /** Queueing delays below this count as none, picoseconds. */
  readonly fastDelayPs: number;
  /** Multiplicative decrease [gamma]. */
  readonly decreaseGain: number;
  /** Maximum share by which a decrease reduces the window, 0 to 1 [max_md_jump]. */
  readonly maxDecrease: number;
  /** Weight of a sample in the average delay, above 0 to 1. */
  readonly delayWeight: number;
  /** Increases are added to the window after this many packets, or a base round trip [adjust_bytes]. */
  readonly fulfilPackets: number;
  /** Whether quick adapt is enabled [disable_qa]. */
  readonly quickAdapt: boolean;
  /** Quick adapt acts if less than the largest window / 2^gate was achieved [qa_gate]. */
  readonly adaptGate: number;
  /** Quick adapt may act on delays above this many targets; 0 = on no delay [qa_threshold]. */
  readonly adaptTargets: number;
  /** Reaction to a loss that was not reported by a NACK. */
  readonly inferredLoss: NsccInferredLoss;
  /** Reaction to a NACK of a packet trimmed at the last hop. */
  readonly lastHopTrims: NsccLastHopTrims;
  /** Whether a NACK measures a round trip. */
  readonly nackRtt: NsccNackRtt;
  /** Precision of the sum of increases. */
  readonly increaseSum: NsccIncreaseSum;
}

/**
 * NSCC with the numbers of the reference program, uet-htsim at commit 40ccb052; tests compare with its traces.
 *
 * The program has no losses other than NACKs and timeouts; this library handles an inferred loss like a trimmed packet.
 *
 * @param options `lineRateBps`, `baseRttPs`, and any field to replace. If switches trim packets, uet-htsim sets `targetDelayPs` to 0.75 of
 * the base round trip.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = nsccUet({ lineRateBps: gbps(100), baseRttPs: us(12) });
 */
export function nsccUet(options: NsccPresetOptions): NsccParameters {
  const variant = {
    inferredLoss: 'as-trimmed',
    lastHopTrims: 'reduce',
    nackRtt: 'measure',
    increaseSum: 'u32',
    adaptTargets: 4,
  } as const;
  return buildNscc('nsccUet', variant, options);
}

/**
 * NSCC as MRC uses it: OCP MRC 1.0, which follows the UE Specification 1.0. An inferred loss reduces the window by its packet and lets quick adapt act. MRC has no receiver credit, so
 * packets trimmed at the last hop count like all others. No sum is truncated to 32 bits.
 *
 * @param options `lineRateBps`, `baseRttPs`, and any field to replace. If switches trim packets, set `targetDelayPs` to 0.75 of the base
 * round trip, and `adaptTargets` to 0.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = nsccMrc({ lineRateBps: gbps(400), baseRttPs: us(10) });
 */
export function nsccMrc(options: NsccPresetOptions): NsccParameters {
  const variant = {
    inferredLoss: 'reduce',
    lastHopTrims: 'reduce',
    nackRtt: 'measure',
    increaseSum: 'exact',
    adaptTargets: 4,
  } as const;
  return buildNscc('nsccMrc', variant, options);
}

type NsccOverrides = Partial<Omit<NsccParameters, 'algorithm' | 'maxRateBps' | 'baseRttPs'>>;

/** Input of every NSCC preset; any other field may be given to replace the preset's value. */
export interface NsccPresetOptions extends NsccOverrides {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
  /** Round trip of the longest path without queues, whole picoseconds. */
  readonly baseRttPs: number;
}

/** Parameters in which the sources differ. */
type NsccVariant = Pick<NsccParameters, 'inferredLoss' | 'lastHopTrims' | 'nackRtt' | 'increaseSum' | 'adaptTargets'>;

/**
 * Values of the Ultra Ethernet specification, which the reference program and MRC use too.
 *
 * Sources: [UEC] UE Specification 1.0, NSCC; [UH] uet-htsim, the Ultra Ethernet Consortium's simulator
 * (docs/guides/uet-reference.md); [MRC] OCP MRC 1.0, congestion control "uet-1.0-nscc" (docs/guides/mrc.md); [own] a choice of
 * this library.
 */
const DEFAULTS = {
  /** [UH] */
  packetBytes: 4160,
  payloadBytes: 4096,
  /** [UEC, UH] The largest window; [MRC] names no initial one. */
  initialWindowBytes: 0,
  /** [UEC, UH, MRC] */
  maxWindowBdps: 1.5,
  proportionalGain: 4,
  fairGain: 5,
  fixedGain: 0.15,
  fastGain: 0.25,
  /** [UH] */
  fastDelayPs: 1e6,
  /** [UEC, UH, MRC] */
  decreaseGain: 0.8,
  maxDecrease: 0.5,
  /** [UH] */
  delayWeight: 0.0125,
  /** [UEC, UH, MRC] */
  fulfilPackets: 8,
  quickAdapt: true,
  adaptGate: 3,
};

/** Completes a preset: defaults, then the caller's overrides, then the checks; throws RoceError `invalid-config`. */
function buildNscc(name: string, variant: NsccVariant, options: NsccPresetOptions): NsccParameters {
  checkLineRate(options, name);
  const { lineRateBps, baseRttPs, ...overrides } = options;
  checkMember(baseRttPs, SHARED_RULES.period, name, 'baseRttPs');
  const fixed = { algorithm: 'nscc', maxRateBps: lineRateBps, baseRttPs };
  // [UEC, UH] Without trimming the target is one base round trip.
  return validateNscc({ ...fixed, targetDelayPs: baseRttPs, ...DEFAULTS, ...variant, ...overrides }, name);
}

const GAIN_MAX = 100;
const GAIN_RULE = numberIn(0, GAIN_MAX);
const PACKET_RULE = wholeIn(64, 65535, 'bytes');

/** Rule of each single field. */
export const NSCC_FIELD_RULES: FieldRules<NsccParameters> = {
  algorithm: oneOf('nscc'),
  maxRateBps: SHARED_RULES.maxRateBps,
  packetBytes: PACKET_RULE,
  payloadBytes: PACKET_RULE,
  baseRttPs: SHARED_RULES.period,
  targetDelayPs: SHARED_RULES.period,
  initialWindowBytes: wholeIn(0, WINDOW_MAX_BYTES, 'bytes'),
  maxWindowBdps: numberIn(2 ** -10, 64, 'bandwidth-delay products'),
  proportionalGain: GAIN_RULE,
  fairGain: GAIN_RULE,
  fixedGain: GAIN_RULE,
  fastGain: GAIN_RULE,
  fastDelayPs: SHARED_RULES.period,
  decreaseGain: GAIN_RULE,
  maxDecrease: numberIn(0, 1),
  delayWeight: numberIn(2 ** -16, 1),
  fulfilPackets: wholeIn(1, 65535, 'packets'),
  quickAdapt: flag(),
  adaptGate: wholeIn(0, 16),
  adaptTargets: numberIn(0, 1000, 'targets'),
  inferredLoss: oneOf('as-trimmed', 'reduce'),
  lastHopTrims: oneOf('reduce', 'leave'),
  nackRtt: oneOf('measure', 'ignore'),
  increaseSum: oneOf('u32', 'exact'),
};

const CROSS_RULES: readonly CrossRule<NsccParameters>[] = [
  notAbove('payloadBytes', 'packetBytes', 'packetBytes'),
];

/**
 * Checks NSCC parameters and returns a frozen copy of them.
 *
 * @param parameters anything; only a complete, consistent `NsccParameters` without further fields passes.
 * @param name what errors call the object: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateNscc(parameters: unknown, name = 'nscc'): NsccParameters {
  const checked = checkFields<NsccParameters>(parameters, NSCC_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}

/** The network for which the constants are stated: 100 Gb/s times 12 µs, and that delay. */
const REFERENCE_BDP_BYTES = 150_000;
const REFERENCE_DELAY_PS = 12e6;
/** NSCC has a minimum window instead of a minimum rate. */
const NO_MIN_RATE = 0;

/** Gains of the increases, scaled to a network. */
export interface NsccGains {
  /** alpha: bytes squared per byte and picosecond. */
  readonly alpha: number;
  /** fi: bytes squared per byte. */
  readonly fairBytes: number;
  /** eta. */
  readonly fixedBytes: number;
  /** fi_scale. */
  readonly fastFactor: number;
}

/** Bandwidth-delay product of the network, bytes. @param p must have been validated. */
export function nsccBdpBytes({ baseRttPs, maxRateBps }: NsccParameters): number {
  return Math.floor((baseRttPs / 1e12) * Math.floor(maxRateBps / 8));
}

/** @param p must have been validated. */
export function nsccGains(p: NsccParameters): NsccGains {
  const { payloadBytes, targetDelayPs } = p;
  const scale = nsccBdpBytes(p) / REFERENCE_BDP_BYTES;
  return {
    alpha: (p.proportionalGain * payloadBytes * scale * (targetDelayPs / REFERENCE_DELAY_PS)) / targetDelayPs,
    fairBytes: p.fairGain * payloadBytes * scale,
    fixedBytes: p.fixedGain * payloadBytes * scale,
    fastFactor: p.fastGain * scale,
  };
}

/**
 * The parameters as engine.wasm reads them: NsccParameterSet, assembly/algorithms/nscc/transitions.ts.
 *
 * @param p must have been validated.
 */
export function nsccRecord(p: NsccParameters): ParameterRecord {
  const { alpha, fairBytes, fixedBytes, fastFactor } = nsccGains(p);
  return [
    ...commonFields(p.maxRateBps, NO_MIN_RATE),
    ['packetBytes', p.packetBytes],
    ['baseRttPs', p.baseRttPs],
    ['targetDelayPs', p.targetDelayPs],
    ['bdpBytes', nsccBdpBytes(p)],
    ['maxWindowBdps', p.maxWindowBdps],
    ['initialWindowBytes', p.initialWindowBytes],
    ['alpha', alpha],
    ['fairBytes', fairBytes],
    ['fixedBytes', fixedBytes],
    ['fastFactor', fastFactor],
    ['fastDelayPs', p.fastDelayPs],
    ['decreaseGain', p.decreaseGain],
    ['leastFactor', 1 - p.maxDecrease],
    ['delayWeight', p.delayWeight],
    ['fulfilBytes', p.fulfilPackets * p.packetBytes],
    ['quickAdapt', Number(p.quickAdapt)],
    ['gateFactor', 2 ** -p.adaptGate],
    ['adaptDelayPs', p.adaptTargets === 0 ? Infinity : p.adaptTargets * p.targetDelayPs],
    ['inferredLoss', Number(p.inferredLoss === 'reduce')],
    ['lastHopTrims', Number(p.lastHopTrims === 'leave')],
    ['nackRtt', Number(p.nackRtt === 'ignore')],
    ['increaseSum', Number(p.increaseSum === 'exact')],
  ];
}

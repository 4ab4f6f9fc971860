/**
 * DCQCN as the public HPCC simulator runs it (alibaba-edu/High-Precision-Congestion-Control at 9f4be2a, ns-3).
 *
 * Described there as the Mellanox variant: from the first CNP on, alpha changes once per alpha interval and the rate is
 * cut at most once per decrease interval; the first cut starts the increase timer; there is no byte counter; rates are
 * whole bits per second.
 *
 *   cut        R_T = R_C if clamp or T > 0; R_C = max(R_min, trunc(R_C (1 - alpha/2)))
 *   increase   T < F recovery, T = F one additive step, T > F hyper; R_C = floor(R_C/2) + floor(R_T/2)
 *
 * Differs from the paper: one additive step only; alpha up once per interval, not once per CNP; the cut waits for its
 * check; R_T kept on consecutive cuts; the limiter is never removed. The first decrease check comes 1 ns late, so
 * that alpha updates precede checks that would be due at the same instant. Packet events precede timers of the same instant.
 *
 * Sources of the four published sets: `mix/config.txt`, `run.py` with `dcqcn` and `dcqcn_paper`, and the attribute
 * defaults of `rdma-hw.cc`. Rates of `run.py` grow with the line rate.
 */
import { checkLineRate } from '../algorithm.js';
import { buildPreset, type DcqcnParameters, type PresetOptions } from '../dcqcn.js';
import { gbps, mbps, ns, us } from '../../../units.js';
import { checkMember, checkRecord, oneOf, wholeIn } from '../../field-rules.js';

/** Name of a published parameter set. */
export type DcqcnNs3Set = 'dcqcn' | 'dcqcn_paper' | 'config.txt' | 'attribute-defaults';

/** The knobs of the simulator, under its own names. */
export interface DcqcnNs3Knobs {
  /** Period of the alpha update, whole microseconds. */
  readonly alphaIntervalUs: number;
  /** Period of the decrease check, whole microseconds. */
  readonly decreaseIntervalUs: number;
  /** Period of the increase timer, whole microseconds. */
  readonly increaseTimerUs: number;
  /** g, the gain of alpha. */
  readonly g: number;
  /** F, steps of fast recovery. */
  readonly fastRecoveryTimes: number;
  /** Additive increase, bits per second. */
  readonly raiBps: number;
  /** Hyper increase, bits per second. */
  readonly rhaiBps: number;
  /** Floor of the rate, bits per second. */
  readonly minRateBps: number;
  /** Whether R_T = R_C at every cut. */
  readonly clampTarget: boolean;
  /** Rate of the port, bits per second. */
  readonly lineRateBps: number;
  /** Part of the rate that remains after the first CNP, 0..1. */
  readonly rateOnFirstCnp: number;
}

type KnobSet = (lineRateBps: number) => Omit<DcqcnNs3Knobs, 'lineRateBps'>;

/** `run.py` gives its rates for 25 Gb/s and scales them with the bandwidth. */
const RUN_PY_REFERENCE_BPS = gbps(25);

function scaledRunPy(rateBps: number, lineRateBps: number): number {
  return Math.trunc((rateBps * lineRateBps) / RUN_PY_REFERENCE_BPS);
}

/** Values that both parameter sets of `run.py` have in common. */
function runPy(lineRateBps: number) {
  return {
    g: 1 / 256,
    fastRecoveryTimes: 1,
    raiBps: scaledRunPy(mbps(5), lineRateBps),
    rhaiBps: scaledRunPy(mbps(50), lineRateBps),
    minRateBps: mbps(1000),
    clampTarget: false,
    rateOnFirstCnp: 1,
  };
}

const SETS: Readonly<Record<DcqcnNs3Set, KnobSet>> = {
  /** `run.py --cc dcqcn`. */
  dcqcn: (lineRateBps) => ({ ...runPy(lineRateBps), alphaIntervalUs: 1, decreaseIntervalUs: 4, increaseTimerUs: 300 }),
  /** `run.py --cc dcqcn_paper`. */
  dcqcn_paper: (lineRateBps) => ({
    ...runPy(lineRateBps),
    alphaIntervalUs: 50,
    decreaseIntervalUs: 50,
    increaseTimerUs: 55,
  }),
  /** `mix/config.txt`: the same rates at any line rate. */
  'config.txt': () => ({
    alphaIntervalUs: 1,
    decreaseIntervalUs: 4,
    increaseTimerUs: 900,
    g: 1 / 256,
    fastRecoveryTimes: 1,
    raiBps: mbps(50),
    rhaiBps: mbps(100),
    minRateBps: mbps(100),
    clampTarget: false,
    rateOnFirstCnp: 1,
  }),
  /** Attribute defaults of the simulator's host. */
  'attribute-defaults': () => ({
    alphaIntervalUs: 55,
    decreaseIntervalUs: 4,
    increaseTimerUs: 1500,
    g: 1 / 16,
    fastRecoveryTimes: 5,
    raiBps: mbps(5),
    rhaiBps: mbps(50),
    minRateBps: mbps(100),
    clampTarget: false,
    rateOnFirstCnp: 1,
  }),
};

/** Names of the published parameter sets. */
export const DCQCN_NS3_SETS = Object.freeze(Object.keys(SETS)) as readonly DcqcnNs3Set[];

/**
 * Makes one of the simulator's published parameter sets.
 *
 * @param set name of the parameter set.
 * @param options `lineRateBps`, and overrides of any field.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = dcqcnNs3('dcqcn', { lineRateBps: gbps(100) });
 */
export function dcqcnNs3(set: DcqcnNs3Set, options: PresetOptions): DcqcnParameters {
  checkMember(set, oneOf(...DCQCN_NS3_SETS), 'dcqcnNs3', 'set');
  const lineRateBps = checkLineRate(options, 'dcqcnNs3');
  return fromKnobs('dcqcnNs3', { ...SETS[set](lineRateBps), lineRateBps }, options);
}

/**
 * Makes parameters from values of the simulator's knobs.
 *
 * @throws RoceError `invalid-config`, naming the knob or the field that it sets.
 */
export function dcqcnNs3Custom(knobs: DcqcnNs3Knobs): DcqcnParameters {
  checkRecord(knobs, 'dcqcnNs3Custom');
  const { lineRateBps } = knobs;
  checkLineRate(knobs, 'dcqcnNs3Custom');
  return fromKnobs('dcqcnNs3Custom', knobs, { lineRateBps });
}

function fromKnobs(name: string, knobs: DcqcnNs3Knobs, options: PresetOptions): DcqcnParameters {
  const defaults = {
    numbers: 'whole-bps',
    minRateBps: knobs.minRateBps,
    alphaGain: knobs.g,
    initialAlpha: 1,
    alphaUpdate: 'per-period',
    alphaPeriodPs: wholeUs(name, knobs, 'alphaIntervalUs'),
    cutTrigger: 'per-period',
    cutPeriodPs: wholeUs(name, knobs, 'decreaseIntervalUs'),
    cutOffsetPs: ns(1),
    cutAlphaOrder: 'cut-first',
    cutScale: 0.5,
    minDecreaseFactor: 0,
    rateOnFirstCnpBps: 0,
    rateOnFirstCnpFraction: knobs.rateOnFirstCnp,
    firstCnpCuts: true,
    clampTargetRate: knobs.clampTarget,
    clampTargetRateAfterTimeIncrease: true,
    increasePeriodPs: wholeUs(name, knobs, 'increaseTimerUs'),
    increaseTimerStart: 'first-cut',
    byteCounterBytes: 0,
    fastRecoverySteps: knobs.fastRecoveryTimes,
    stages: 'time',
    aiRateBps: knobs.raiBps,
    haiRateBps: knobs.rhaiBps,
    hyperThreshold: 'above',
    hyperFactor: 'constant',
    hyperHalvesPeriods: false,
    targetReduction: false,
    limiterRelease: 'never',
    releaseGapBps: 0,
    simultaneous: 'event-first',
  } as const;
  return buildPreset(name, defaults, options);
}

// The simulator silently truncates fractions of a microsecond; here they are rejected.
const INTERVAL_RULE = wholeIn(1, 2 ** 31, 'microseconds');

function wholeUs(name: string, knobs: DcqcnNs3Knobs,
  knob: 'alphaIntervalUs' | 'decreaseIntervalUs' | 'increaseTimerUs'): number {
  checkMember(knobs[knob], INTERVAL_RULE, name, knob);
  return us(knobs[knob]);
}

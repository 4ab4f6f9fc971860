/**
 * DCQCN of Intel's irdma driver (E810 and later), with the defaults of its module parameters.
 *
 * The hardware works on a congestion window, and the driver states its increases as counts of MSS. This library works
 * on rates, so a window of W bytes becomes W * 8 / RTT bits per second:
 *
 *   R_AI = rai_factor * mssBytes * 8 / RTT        R_HAI = hai_factor * mssBytes * 8 / RTT
 *
 * Both the MSS and the RTT belong to the path and are options without defaults.
 *
 * Cited below: [irdma] the module parameters of the out-of-tree driver 1.14 and of FreeBSD's irdma, which agree.
 * Unknown, as no parameter or public text states it: how alpha changes (the paper's values are used), whether the target is
 * clamped (the paper's rule), what a minimum rate of 0 means (1 Mb/s is used), and whether dcqcn_min_dec_factor
 * bounds the rate that remains after a cut or the reduction (the former is used, as with NVIDIA's setting of that name).
 * dcqcn_rreduce_mperiod, a minimum time between two cuts, becomes the period of the cut check: never more cuts than the
 * setting allows, but a cut waits for the end of its period.
 */
import { buildPreset, type DcqcnParameters, type DcqcnDefaults, type PresetOptions } from '../dcqcn.js';
import { mbps, us } from '../../../units.js';
import { checkMember, numberIn, wholeIn } from '../../field-rules.js';
import { checkLineRate, PERIOD_MAX_PS } from '../algorithm.js';

/** Defaults of the driver's module parameters, in its units [irdma]. */
export const IRDMA_DEFAULTS = Object.freeze({
  /** dcqcn_min_dec_factor, percent. */
  minDecFactorPercent: 1,
  /** dcqcn_min_rate_MBps. */
  minRate: 0,
  /** dcqcn_F. */
  fastRecoverySteps: 5,
  /** dcqcn_T, microseconds. */
  timerUs: 55,
  /** dcqcn_B, bytes. */
  byteCounterBytes: 150_000,
  /** dcqcn_rai_factor, MSS. */
  raiFactor: 1,
  /** dcqcn_hai_factor, MSS. */
  haiFactor: 5,
  /** dcqcn_rreduce_mperiod, microseconds. */
  reducePeriodUs: 50,
});

/** The floor that replaces a minimum rate of 0: the smallest step of the setting. */
export const IRDMA_NO_FLOOR_BPS = mbps(1);

/** Options of `dcqcnIrdma`: line rate, the path, the driver's own settings, and overrides of any field. */
export interface IrdmaOptions extends PresetOptions {
  /** Bytes of one MSS, the RDMA path MTU: 256..65536. */
  readonly mssBytes: number;
  /** Round-trip time of the path, whole picoseconds, at least 1 ns. */
  readonly rttPs: number;
  /** dcqcn_rai_factor, MSS. Default 1. */
  readonly raiFactor?: number;
  /** dcqcn_hai_factor, MSS. Default 5. */
  readonly haiFactor?: number;
}

const MSS_RULE = wholeIn(256, 65_536, 'bytes');
const RTT_RULE = wholeIn(1000, PERIOD_MAX_PS, 'picoseconds');
const FACTOR_RULE = numberIn(0, 65_535, 'MSS');

/** The rate of a window of `windowBytes` at a round-trip time of `rttPs`, bits per second. */
export function windowToRateBps(windowBytes: number, rttPs: number): number {
  return (windowBytes * 8 * 1e12) / rttPs;
}

/**
 * Intel irdma with its default module parameters, on a path of known MSS and round-trip time.
 *
 * @param options `lineRateBps`, `mssBytes`, `rttPs`, the two factors, and overrides of any field.
 * @throws RoceError `invalid-config`, naming the option or field.
 * @example
 * const parameters = dcqcnIrdma({ lineRateBps: gbps(100), mssBytes: 4096, rttPs: us(10) });
 */
export function dcqcnIrdma(options: IrdmaOptions): DcqcnParameters {
  const name = 'dcqcnIrdma';
  checkLineRate(options, name);
  const { mssBytes, rttPs, raiFactor = IRDMA_DEFAULTS.raiFactor, haiFactor = IRDMA_DEFAULTS.haiFactor, ...rest } =
    options;
  checkMember(mssBytes, MSS_RULE, name, 'mssBytes');
  checkMember(rttPs, RTT_RULE, name, 'rttPs');
  checkMember(raiFactor, FACTOR_RULE, name, 'raiFactor');
  checkMember(haiFactor, FACTOR_RULE, name, 'haiFactor');
  const increases = {
    aiRateBps: windowToRateBps(raiFactor * mssBytes, rttPs),
    haiRateBps: windowToRateBps(haiFactor * mssBytes, rttPs),
  };
  return buildPreset(name, { ...DEFAULTS, ...increases }, rest);
}

const DEFAULTS: Omit<DcqcnDefaults, 'aiRateBps' | 'haiRateBps'> = {
  numbers: 'float64',
  minRateBps: IRDMA_NO_FLOOR_BPS,
  /** Not documented by Intel; SIGCOMM 2015 paper, table of parameters. */
  alphaGain: 1 / 256,
  /** Not documented by Intel; SIGCOMM 2015 paper, section 3.1. */
  initialAlpha: 1,
  /** Not documented by Intel; SIGCOMM 2015 paper, section 3.1. */
  alphaUpdate: 'on-cnp',
  /** Not documented by Intel; CoNEXT 2016 paper, table of parameters. */
  alphaPeriodPs: us(55),
  cutTrigger: 'per-period',
  cutPeriodPs: us(IRDMA_DEFAULTS.reducePeriodUs),
  cutOffsetPs: 0,
  cutAlphaOrder: 'cut-first',
  /** Not documented by Intel; SIGCOMM 2015 paper, section 3.1. */
  cutScale: 0.5,
  minDecreaseFactor: IRDMA_DEFAULTS.minDecFactorPercent / 100,
  rateOnFirstCnpBps: 0,
  rateOnFirstCnpFraction: 1,
  firstCnpCuts: true,
  /** Not documented by Intel; SIGCOMM 2015 paper, section 3.1. */
  clampTargetRate: true,
  clampTargetRateAfterTimeIncrease: false,
  increasePeriodPs: us(IRDMA_DEFAULTS.timerUs),
  increaseTimerStart: 'first-cnp',
  byteCounterBytes: IRDMA_DEFAULTS.byteCounterBytes,
  fastRecoverySteps: IRDMA_DEFAULTS.fastRecoverySteps,
  stages: 'time-and-bytes',
  /** Not documented by Intel: the driver's text names no factor. */
  hyperThreshold: 'at',
  hyperFactor: 'constant',
  hyperHalvesPeriods: false,
  targetReduction: false,
  limiterRelease: 'at-max-rate',
  releaseGapBps: 0,
  simultaneous: 'timers-first',
};

/**
 * DCQCN as its paper describes it: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015.
 *
 *   CNP        R_T = R_C; R_C = R_C (1 - alpha/2); alpha = (1 - g) alpha + g; both counters and the timers restart
 *   no CNP for the alpha period    alpha = (1 - g) alpha
 *   increase   F steps of fast recovery, then additive, then hyper increase by i R_HAI with i = min(T, B) - F + 1
 *
 * Cited below: [P15] the paper, section 3 and its parameter table; [C16] the same authors' "ECN or Delay: Lessons
 * Learnt from Analysis of DCQCN and TIMELY", CoNEXT 2016, which repeats the algorithm and its defaults; [NS15] the
 * authors' ns-3 simulator bobzhuyb/ns3-rdma at e8a27d02.
 *
 * Known deviations between these: C16 cuts before it updates alpha, NS15 the other way round (`cutAlphaOrder`); NS15
 * halves the periods in hyper increase and keeps a target reduction of QCN (`hyperHalvesPeriods`, `targetReduction`);
 * the papers mention neither. The papers give neither R_HAI nor a minimum rate: the values of NS15 are used.
 */
import { checkLineRate } from '../algorithm.js';
import { buildPreset, type DcqcnParameters, type DcqcnDefaults, type PresetOptions } from '../dcqcn.js';
import { MB, mbps, us } from '../../../units.js';

const DEFAULTS: DcqcnDefaults = {
  numbers: 'float64',
  /** Not in the papers. [NS15] attribute MinRate of the network device. */
  minRateBps: mbps(100),
  /** g [P15, table of parameters; C16]. */
  alphaGain: 1 / 256,
  /** 1, so that the first CNP halves the rate [P15 section 3.1]. */
  initialAlpha: 1,
  alphaUpdate: 'on-cnp',
  /** tau' [C16, table of parameters]. */
  alphaPeriodPs: us(55),
  cutTrigger: 'on-cnp',
  /** No effect under `on-cnp`. For users who change that: the CNP interval of the notification point [P15 section 3.1]. */
  cutPeriodPs: us(50),
  cutOffsetPs: 0,
  /** [C16, equation of the rate decrease]. */
  cutAlphaOrder: 'cut-first',
  /** R_C (1 - alpha/2) [P15 section 3.1, equation 1]. */
  cutScale: 0.5,
  minDecreaseFactor: 0,
  rateOnFirstCnpBps: 0,
  rateOnFirstCnpFraction: 1,
  firstCnpCuts: true,
  /** R_T = R_C at every cut [P15 section 3.1, equation 1]. */
  clampTargetRate: true,
  clampTargetRateAfterTimeIncrease: false,
  /** Timer T [P15, table of parameters]. */
  increasePeriodPs: us(55),
  increaseTimerStart: 'first-cnp',
  /** Byte counter B [P15, table of parameters]. */
  byteCounterBytes: MB(10),
  /** F [P15 section 3.1]. */
  fastRecoverySteps: 5,
  stages: 'time-and-bytes',
  /** R_AI [P15 section 3.1]. */
  aiRateBps: mbps(40),
  /** Not in the papers. [NS15] sample configuration, RATE_HAI, which has the same R_AI of 40 Mb/s. */
  haiRateBps: mbps(200),
  hyperThreshold: 'at',
  /** i R_HAI [C16, NS15]. */
  hyperFactor: 'stage',
  hyperHalvesPeriods: false,
  targetReduction: false,
  /** A limiter exists only after a CNP [P15 section 3.1]. No gap is needed: doubles reach a whole maximum rate exactly. */
  limiterRelease: 'at-max-rate',
  releaseGapBps: 0,
  simultaneous: 'timers-first',
};

/**
 * DCQCN of the SIGCOMM 2015 paper, section 3.
 *
 * @param options `lineRateBps`, and overrides of any field.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = dcqcnSigcomm15({ lineRateBps: gbps(40) });
 */
export function dcqcnSigcomm15(options: PresetOptions): DcqcnParameters {
  checkLineRate(options, 'dcqcnSigcomm15');
  return buildPreset('dcqcnSigcomm15', DEFAULTS, options);
}

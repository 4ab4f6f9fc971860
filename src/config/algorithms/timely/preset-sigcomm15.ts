/**
 * TIMELY as its paper describes it: Mittal et al., SIGCOMM 2015.
 *
 * Cited below: [P15] the paper, with algorithm 1; [C16] Zhu et al., "ECN or Delay: Lessons Learnt from Analysis
 * of DCQCN and TIMELY", CoNEXT 2016, whose table of parameters has the recommended values. The paper gives no minimum
 * rate: 10 Mb/s, its additive step, is used here.
 */
import { mbps, us } from '../../../units.js';
import type { TimelyParameters } from './parameters.js';
import { validateTimely } from './validate.js';
import { checkLineRate } from '../preset-options.js';

/** The parameters without the two that a preset sets itself. */
export type TimelyDefaults = Omit<TimelyParameters, 'algorithm' | 'maxRateBps'>;

/** Options of every TIMELY preset: any field overrides the preset's value. */
export interface TimelyPresetOptions extends Partial<TimelyDefaults> {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
}

const DEFAULTS: TimelyDefaults = {
  numbers: 'float64',
  minRateBps: mbps(10),
  /** EWMA weight [C16]. */
  ewmaAlpha: 0.875,
  /** beta [P15 algorithm 1; C16]. */
  decreaseBeta: 0.8,
  /** T_low, T_high [P15 algorithm 1; C16]. */
  lowRttPs: us(50),
  highRttPs: us(500),
  /** D_minRTT [C16]. */
  minRttPs: us(20),
  /** delta [P15 algorithm 1; C16]. */
  aiRateBps: mbps(10),
  /** N delta with N = 5, after five completion events without a positive gradient [P15 algorithm 1]. */
  haiRateBps: mbps(50),
  hyperAfterSteps: 5,
  lowRttIncrease: 'additive',
  /** One completion event per acknowledged segment [P15]. */
  updateOn: 'ack',
  sequence: 'psn24',
  sendGap: 'picoseconds',
};

/**
 * TIMELY of the SIGCOMM 2015 paper. Give it one ACK per segment of 16 to 64 kB.
 *
 * @param options `lineRateBps`, and overrides of any field.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = timelySigcomm15({ lineRateBps: gbps(10) });
 */
export function timelySigcomm15(options: TimelyPresetOptions): TimelyParameters {
  checkLineRate(options, 'timelySigcomm15');
  const { lineRateBps, ...overrides } = options;
  return validateTimely({ algorithm: 'timely', maxRateBps: lineRateBps, ...DEFAULTS, ...overrides }, 'timelySigcomm15');
}

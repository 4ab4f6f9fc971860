/**
 * Swift as in its paper: Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the Datacenter",
 * SIGCOMM 2020.
 *
 * The paper defines the parameters but gives few values, as they are tuned per network.
 * Marked below: [P20] the paper; [own] a choice of this library, to be tuned for your network.
 */
import { us } from '../../../units.js';
import type { SwiftParameters } from './parameters.js';
import { validateSwift } from './validate.js';
import { checkLineRate } from '../preset-options.js';

type SwiftDefaults = Omit<SwiftParameters, 'algorithm' | 'maxRateBps'>;

/** Options of `swiftSigcomm20`: any field overrides the preset's value. */
export interface SwiftPresetOptions extends Partial<SwiftDefaults> {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
}

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

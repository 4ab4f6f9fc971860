/**
 * TIMELY as the simulator of HPCC's authors runs it (alibaba-edu/High-Precision-Congestion-Control at 9f4be2a, ns-3).
 *
 * One reaction per round trip, all increases staged, whole rates. `run.py` gives the two steps for 10 Gb/s and scales
 * them with the bandwidth; thresholds and factors are the defaults of `rdma-hw.cc` and don't scale.
 */
import { gbps, mbps, us } from '../../../units.js';
import type { TimelyParameters } from './parameters.js';
import { validateTimely } from './validate.js';
import { checkLineRate } from '../preset-options.js';
import type { TimelyDefaults, TimelyPresetOptions } from './preset-sigcomm15.js';

/** `run.py` gives TIMELY's steps for 10 Gb/s. */
const RUN_PY_REFERENCE_BPS = gbps(10);

/**
 * TIMELY with the simulator's values.
 *
 * @param options `lineRateBps`, and overrides of any field.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = timelyNs3({ lineRateBps: gbps(100) });
 */
export function timelyNs3(options: TimelyPresetOptions): TimelyParameters {
  checkLineRate(options, 'timelyNs3');
  const { lineRateBps, ...overrides } = options;
  const defaults: TimelyDefaults = {
    numbers: 'whole-bps',
    minRateBps: mbps(1000),
    ewmaAlpha: 0.875,
    decreaseBeta: 0.8,
    lowRttPs: us(50),
    highRttPs: us(500),
    minRttPs: us(20),
    aiRateBps: Math.trunc((mbps(10) * lineRateBps) / RUN_PY_REFERENCE_BPS),
    haiRateBps: Math.trunc((mbps(50) * lineRateBps) / RUN_PY_REFERENCE_BPS),
    hyperAfterSteps: 5,
    lowRttIncrease: 'staged',
    updateOn: 'round-trip',
    sequence: 'u32',
    sendGap: 'ns3-nanoseconds',
  };
  return validateTimely({ algorithm: 'timely', maxRateBps: lineRateBps, ...defaults, ...overrides }, 'timelyNs3');
}

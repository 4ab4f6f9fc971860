/**
 * HPCC as its authors' simulator runs it (alibaba-edu/High-Precision-Congestion-Control at 9f4be2a, ns-3).
 *
 * It controls the rate, and the window follows; hop records have 64 bits and wrap; rates are whole; path changes are
 * not detected. `run.py` gives rates for 25 Gb/s and scales them, and the units of the records, with the bandwidth; it
 * sets maxStage to 0, so that each update is multiplicative.
 *
 * Sources of the sets: `run.py` with `hp`, U_TARGET 95; and four variations that each change one setting, at the smaller
 * floor and record units of `mix/config.txt`: the paper's maxStage 5; a rate per hop; one reaction per round trip; no
 * reaction to hops with an empty queue. R_AI is that of `run.py` at 100 Gb/s.
 */
import { gbps, mbps } from '../../../units.js';
import { checkMember, oneOf } from '../../field-rules.js';
import type { HpccParameters } from './parameters.js';
import { validateHpcc } from './validate.js';
import { pathBytes, type HpccOverrides, type HpccPresetOptions } from './preset-sigcomm19.js';

/** Name of a parameter set. */
export type HpccNs3Set = 'run.py' | 'paper-stage5' | 'multirate' | 'nofast' | 'sample';

/** `run.py` gives its values for 25 Gb/s. */
const RUN_PY_REFERENCE_BPS = gbps(25);

/** Values that the variations have in common. */
const VARIATION: HpccOverrides = { maxStage: 0, aiRateBps: mbps(40), minRateBps: mbps(100), intMultiplier: 1 };

const SETS: Readonly<Record<HpccNs3Set, (lineRateBps: number) => HpccOverrides>> = {
  /** `run.py --cc hp --utgt 95`. */
  'run.py': (lineRateBps) => ({
    maxStage: 0,
    aiRateBps: Math.trunc((mbps(10) * lineRateBps) / RUN_PY_REFERENCE_BPS),
    minRateBps: mbps(1000),
    intMultiplier: Math.max(1, Math.trunc(lineRateBps / RUN_PY_REFERENCE_BPS)),
  }),
  'paper-stage5': () => ({ ...VARIATION, maxStage: 5 }),
  multirate: () => ({ ...VARIATION, maxStage: 5, multiRate: true }),
  nofast: () => ({ ...VARIATION, fastReact: false }),
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

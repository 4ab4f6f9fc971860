/**
 * HPCC-PINT as the simulator of HPCC's authors runs it (alibaba-edu/High-Precision-Congestion-Control at 9f4be2a, ns-3).
 *
 * The common values are those of `run.py` for HPCC. Two encodings: base 1.05 in one byte (the simulator's default), and
 * base 1.01 in two (`run.py`).
 */
import { gbps, mbps } from '../../../units.js';
import type { HpccPintParameters } from './parameters.js';
import { omit } from '../../omit.js';
import { validateHpccPint } from './validate.js';
import { pathBytes } from '../hpcc/preset-sigcomm19.js';

type PintOverrides = Partial<Omit<HpccPintParameters, 'algorithm' | 'maxRateBps'>>;

export interface HpccPintOptions extends PintOverrides {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
  /** Base round trip of the network, whole picoseconds; determines the window. */
  readonly baseRttPs: number;
}

/** `run.py` gives its rates for 25 Gb/s. */
const RUN_PY_REFERENCE_BPS = gbps(25);

/**
 * HPCC-PINT with the simulator's values; every ACK is evaluated.
 *
 * @param options `lineRateBps`, `baseRttPs`, and overrides of any field; the base 1.01 of `run.py` needs `pintBits` 11.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = hpccPintNs3({ lineRateBps: gbps(100), baseRttPs: ns(4160), pintBase: 1.01, pintBits: 11 });
 */
export function hpccPintNs3(options: HpccPintOptions): HpccPintParameters {
  const windowBytes = pathBytes(options, 'hpccPintNs3');
  const overrides = omit(options, 'lineRateBps', 'baseRttPs');
  const { lineRateBps } = options;
  const defaults: PintOverrides = {
    numbers: 'whole-bps',
    minRateBps: mbps(1000),
    windowBytes,
    windowMode: 'variable',
    targetUtilization: 0.95,
    maxStage: 0,
    aiRateBps: Math.trunc((mbps(10) * lineRateBps) / RUN_PY_REFERENCE_BPS),
    fastReact: true,
    pintBase: 1.05,
    pintBits: 8,
    pintProbability: 1,
    sequence: 'u32',
    sendGap: 'ns3-nanoseconds',
  };
  return validateHpccPint({ algorithm: 'hpcc-pint', maxRateBps: lineRateBps, ...defaults, ...overrides },
    'hpccPintNs3');
}

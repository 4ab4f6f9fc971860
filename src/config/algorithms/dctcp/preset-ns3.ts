/**
 * DCTCP in rate form as the simulator of HPCC's authors runs it (alibaba-edu/High-Precision-Congestion-Control at
 * 9f4be2a, ns-3): g 1/16 as in the DCTCP paper (Alizadeh et al., SIGCOMM 2010), R_AI of `run.py`, packets of
 * 1000 payload bytes. Its switches mark above a queue of 30 kB per 10 Gb/s.
 *
 * The paper's own DCTCP has no preset: it controls a window, not a rate.
 */
import { mbps } from '../../../units.js';
import type { DctcpParameters } from './parameters.js';
import { validateDctcp } from './validate.js';
import { checkLineRate } from '../preset-options.js';

type DctcpDefaults = Omit<DctcpParameters, 'algorithm' | 'maxRateBps'>;

/** Any field may be given to replace the preset's value. */
export interface DctcpPresetOptions extends Partial<DctcpDefaults> {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
}

const DEFAULTS: DctcpDefaults = {
  numbers: 'whole-bps',
  minRateBps: mbps(1000),
  alphaGain: 1 / 16,
  aiRateBps: mbps(615),
  sequencePerPacket: 1000,
  sequence: 'u32',
  sendGap: 'ns3-nanoseconds',
};

/**
 * DCTCP in rate form with the simulator's values.
 *
 * @param options `lineRateBps`, and overrides of any field; with PSNs, `sequence: 'psn24'` and `sequencePerPacket: 1`.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = dctcpNs3({ lineRateBps: gbps(100) });
 */
export function dctcpNs3(options: DctcpPresetOptions): DctcpParameters {
  checkLineRate(options, 'dctcpNs3');
  const { lineRateBps, ...overrides } = options;
  return validateDctcp({ algorithm: 'dctcp', maxRateBps: lineRateBps, ...DEFAULTS, ...overrides }, 'dctcpNs3');
}

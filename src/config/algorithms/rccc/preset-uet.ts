/** RCCC as the Ultra Ethernet Consortium's simulator runs it: uet-htsim, commit 40ccb052 (docs/specs/uet-reference.md, 5.4 and 9). */
import { checkField } from '../../field-rules.js';
import { checkLineRate } from '../preset-options.js';
import { SHARED_RULES } from '../shared-rules.js';
import type { RcccParameters } from './parameters.js';
import { validateRccc } from './validate.js';

/** Input of the RCCC preset; any other field overrides the preset's value. */
export interface RcccPresetOptions extends Partial<Omit<RcccParameters, 'algorithm' | 'maxRateBps' | 'baseRttPs'>> {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
  /** Round trip of the longest path without queues, whole picoseconds. */
  readonly baseRttPs: number;
}

/** Sources: [UH] uet-htsim; [own] a choice of this library. */
const DEFAULTS = {
  /** [UH] 4086 bytes of payload and 64 of headers. */
  packetBytes: 4150,
  /** [UH] */
  maxWindowBdps: 1.5,
  /** [UH] The largest window. */
  initialCreditBytes: 0,
  /** [own] uet-htsim sends a request to send (RTS) instead, a packet that RoCE does not have. */
  timeoutCredit: 'packet',
} as const;

/**
 * RCCC with the numbers of the reference program, uet-htsim.
 *
 * @param options `lineRateBps`, `baseRttPs`, and overrides of any field.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = rcccUet({ lineRateBps: gbps(100), baseRttPs: us(12) });
 */
export function rcccUet(options: RcccPresetOptions): RcccParameters {
  const name = 'rcccUet';
  checkLineRate(options, name);
  const { lineRateBps, baseRttPs, ...overrides } = options;
  checkField(baseRttPs, SHARED_RULES.period, `${name}.baseRttPs`);
  const fixed = { algorithm: 'rccc', maxRateBps: lineRateBps, baseRttPs };
  return validateRccc({ ...fixed, ...DEFAULTS, ...overrides }, name);
}

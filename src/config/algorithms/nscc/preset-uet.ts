/** NSCC as the Ultra Ethernet Consortium's simulator runs it: uet-htsim, commit 40ccb052 (docs/guides/uet-reference.md). */
import { buildNscc, type NsccPresetOptions } from './defaults.js';
import type { NsccParameters } from './parameters.js';

/**
 * NSCC with the numbers of the reference program, uet-htsim; tests compare with its traces.
 *
 * The program has no losses other than NACKs and timeouts; this library handles an inferred loss like a trimmed packet.
 *
 * @param options `lineRateBps`, `baseRttPs`, and any field to replace. If switches trim packets, uet-htsim sets `targetDelayPs` to 0.75 of
 * the base round trip.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = nsccUet({ lineRateBps: gbps(100), baseRttPs: us(12) });
 */
export function nsccUet(options: NsccPresetOptions): NsccParameters {
  const variant = {
    inferredLoss: 'as-trimmed',
    lastHopTrims: 'reduce',
    nackRtt: 'measure',
    increaseSum: 'u32',
    adaptTargets: 4,
  } as const;
  return buildNscc('nsccUet', variant, options);
}

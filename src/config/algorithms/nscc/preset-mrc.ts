/** NSCC as MRC uses it: OCP MRC 1.0, congestion control "uet-1.0-nscc" (docs/guides/mrc.md), which follows the UE Specification 1.0. */
import { buildNscc, type NsccPresetOptions } from './defaults.js';
import type { NsccParameters } from './parameters.js';

/**
 * NSCC as MRC uses it. An inferred loss takes its packet from the window and lets quick adapt act; MRC has no receiver credit, so
 * packets trimmed on the last hop count as all others; no sum is cut to 32 bits.
 *
 * @param options `lineRateBps`, `baseRttPs`, and any field to be replaced. Where switches trim packets, `targetDelayPs` is 0.75 of the base
 * round trip, and `adaptTargets` 0.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = nsccMrc({ lineRateBps: gbps(400), baseRttPs: us(10) });
 */
export function nsccMrc(options: NsccPresetOptions): NsccParameters {
  const variant = {
    inferredLoss: 'reduce',
    lastHopTrims: 'reduce',
    nackRtt: 'measure',
    increaseSum: 'exact',
    adaptTargets: 4,
  } as const;
  return buildNscc('nsccMrc', variant, options);
}

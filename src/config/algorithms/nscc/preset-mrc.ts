/** NSCC as MRC uses it: OCP MRC 1.0, congestion control "uet-1.0-nscc" (docs/guides/mrc.md), which follows the UE Specification 1.0. */
import { buildNscc, type NsccPresetOptions } from './defaults.js';
import type { NsccParameters } from './parameters.js';

/**
 * NSCC as MRC uses it. An inferred loss reduces the window by its packet and lets quick adapt act. MRC has no receiver credit, so
 * packets trimmed at the last hop count like all others. No sum is truncated to 32 bits.
 *
 * @param options `lineRateBps`, `baseRttPs`, and any field to replace. If switches trim packets, set `targetDelayPs` to 0.75 of the base
 * round trip, and `adaptTargets` to 0.
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

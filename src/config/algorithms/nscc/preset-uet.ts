/** NSCC as the Ultra Ethernet Consortium's simulator runs it: uet-htsim, commit 40ccb052 (docs/guides/uet-reference.md). */
import { buildNscc, type NsccPresetOptions } from './defaults.js';
import type { NsccParameters } from './parameters.js';

/**
 * NSCC with the numbers of the reference program, uet-htsim. Its traces are the test.
 *
 * The program knows no losses but NACKs and timeouts: one that was inferred is handled as a trimmed packet, by choice.
 *
 * @param options `lineRateBps`, `baseRttPs`, and any field to be replaced. Where switches trim packets, `targetDelayPs` is 0.75 of the base
 * round trip there.
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

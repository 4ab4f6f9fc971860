import { describe, expect, it } from 'vitest';
import { compareLossyRun } from '../../support/lossy-golden-compare.js';
import { lossyGoldenRuns } from '../../support/lossy-golden-plan.js';

/** Short runs that cover each transport, algorithm, load balancing and setting; `npm run golden-lossy` has all runs. */
const CHOSEN = [
  /^lossunit_30KB .*/,
  /^lossunit_300KB (gbn|irn)_lossy_dcqcn_(mid|tail5)$/,
  /^errlink_1pct_300KB .*/,
  /^incast16_60KB (gbn|irn)_(pfc|lossy)_(none|dcqcn|hpcc|dctcp|timely)$/,
  /^incast2_1MB (gbn|irn)_pfc_(hpcc|timely|dctcp)$/,
  /^incast4_500KB (irn_lossy_dcqcn_(red5|bdp26000|rto50_200)|gbn_lossy_dcqcn_(nack50|b2z))$/,
  /^leafspine2x4x2_24f irn_lossy_dcqcn_(conga|conweave|drill|letflow)$/,
  /^leafspine2x4x2_24f gbn_pfc_dcqcn_(conga|conweave|drill|letflow)$/,
];

const runs = lossyGoldenRuns()
  .filter(([scenario, variant]) => CHOSEN.some((pattern) => pattern.test(`${scenario} ${variant}`)));

describe('The plain model equals the second reference simulator', () => {
  it.each(runs)('%s %s: every flow to the nanosecond, every counter and every line of the traces match',
    (scenario, variant, summary) => {
      expect(compareLossyRun(scenario, variant, summary)).toEqual([]);
    });
});

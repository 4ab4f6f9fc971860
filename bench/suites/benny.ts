/**
 * The smaller cases as benny suites: each variant's whole pass, state put back before it, as one operation.
 *
 * benny runs a suite's cases one after another, so what disturbs the machine may hit one of them alone: its figures
 * are for comparison with earlier runs of the same machine; the ratios come from support/interleave.ts.
 */
import benny from 'benny';
import type { BenchCase } from '../support/interleave.js';

/** Longest time that benny may spend on one variant, seconds. */
export interface BennyTime {
  readonly seconds: number;
}

export async function runInBenny(benchCase: BenchCase, time: BennyTime): Promise<void> {
  const options = { minSamples: 3, maxTime: time.seconds };
  await benny.suite(`${benchCase.title} (one operation = ${benchCase.units} ${benchCase.unit}s)`,
    ...benchCase.variants.map((variant) =>
      benny.add(variant.name, () => {
        variant.reset();
        variant.pass();
      }, options)
    ), benny.cycle(), benny.complete());
}

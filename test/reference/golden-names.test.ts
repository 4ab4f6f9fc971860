import { describe, expect, it } from 'vitest';
import { DCTCP_TRACES, dctcpGolden, PINT_TRACES, pintGolden, TIMELY_TRACES,
  timelyGolden } from '../support/golden-names.js';

describe('names of reference traces', () => {
  it('state rates in any unit', () => {
    expect(timelyGolden('timely__rai2.5M_rhai0.5G_min100M.csv')).toMatchObject({
      aiRateBps: 2_500_000,
      haiRateBps: 5e8,
      minRateBps: 1e8,
    });
    expect(dctcpGolden('dctcp__g0.5_ai615M_min0.3G.csv')).toMatchObject({
      alphaGain: 0.5,
      aiRateBps: 615e6,
      minRateBps: 3e8,
    });
  });

  it('state the bits of a power by its base', () => {
    expect(pintGolden('hpcc_pint__base1.01_mi5.csv')).toMatchObject({ pintBase: 1.01, pintBits: 11, maxStage: 5 });
    expect(pintGolden('hpcc_pint__base1.05_mi0.csv')).toMatchObject({ pintBase: 1.05, pintBits: 8, maxStage: 0 });
  });

  it('are rejected if they state something else', () => {
    for (
      const [pattern, read, name] of [
        [TIMELY_TRACES, timelyGolden, 'timely__tlow20us.csv'],
        [DCTCP_TRACES, dctcpGolden, 'dctcp__g0.5.csv'],
        [PINT_TRACES, pintGolden, 'hpcc_pint__base2.csv'],
      ] as const
    ) {
      expect(name).toMatch(pattern);
      expect(() => read(name)).toThrow(`${name} does not state`);
    }
  });
});

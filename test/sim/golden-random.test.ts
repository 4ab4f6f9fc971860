/**
 * Runs of the reference simulator with random marks: the kernel draws the same random numbers, so results are equal
 * too.
 */
import { describe, expect, it } from 'vitest';
import { runPlan } from '../../src/sim/kernel/run-plan.js';
import { goldenExpectations, goldenPlan, goldenRuns } from '../support/golden-plan.js';

const RUNS = goldenRuns().filter(([, cc]) => /^dcqcn(?!.*_step$)/.test(cc));

describe('The kernel against the reference simulator, with random marks', () => {
  it.each(RUNS)('%s %s: all completion times, marks and pauses match', (scenario, cc) => {
    const plan = goldenPlan(scenario, cc);
    const { completionPs, summary } = goldenExpectations(scenario, cc);
    expect(plan.ports.some(({ ecn, kminBytes, kmaxBytes }) => ecn && kminBytes < kmaxBytes)).toBe(true);
    const { flows, totals } = runPlan(plan);
    expect(flows.map((flow) => flow.completionPs)).toEqual(completionPs);
    expect(totals).toMatchObject({ marks: summary.ecnMarks, dataMarks: summary.ecnMarksUdp, pauses: summary.pfcPause });
  });

  it('has golden runs to compare with', () => {
    expect(RUNS).toContainEqual(['incast16_1MB_buf2MB', 'dcqcn']);
  });

  it('depends on the seed', () => {
    const plan = goldenPlan('incast16_1MB_buf2MB', 'dcqcn');
    expect(runPlan({ ...plan, seed: 2 }).totals.marks).not.toBe(
      goldenExpectations('incast16_1MB_buf2MB', 'dcqcn').summary.ecnMarks,
    );
  });
});

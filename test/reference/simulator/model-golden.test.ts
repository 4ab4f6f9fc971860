import { describe, expect, it } from 'vitest';
import { modelNetwork } from '../../../src/reference/simulator/model.js';
import { goldenExpectations, goldenPlan, goldenRuns, HAS_GOLDEN_RUNS } from '../../support/golden-plan.js';

/** HPCC and TIMELY don't react to marks, which are random there: all but their number is determined. */
const MARKS_WITHOUT_EFFECT = /^(hpcc|hpcc_mi5|hpcc_multirate|timely)$/;
const DETERMINISTIC = /^(.*_step|dctcp)$/;
/** One of two equal or nearly equal runs of the larger networks is enough; it keeps the file below a minute. */
const LEFT_OUT = /^(leafspine32_48f|fattree4_32f) (dcqcn_paperF5.*|hpcc_mi5)$|^incast16_1MB_buf2MB (hpcc|dctcp)/;
/** Two flows: their mean depends on the few marks that each random sequence happens to give. */
const FEW_FLOWS = /^(single|incast2)_/;

const runs = goldenRuns().filter((run) => !LEFT_OUT.test(run.join(' ')));
const determined = runs.filter(([, cc]) => MARKS_WITHOUT_EFFECT.test(cc) || DETERMINISTIC.test(cc));
const random = runs.filter(([scenario, cc]) => !determined.some((run) => run[0] === scenario && run[1] === cc) && !FEW_FLOWS.test(scenario));

const mean = (numbers: readonly (number | null)[]): number => numbers.reduce<number>((sum, number) => sum + Number(number), 0) / numbers.length;

describe.skipIf(!HAS_GOLDEN_RUNS)('The plain model equals the reference simulator (skipped without its golden runs)', () => {
  it.each(determined)('%s under %s: times to the nanosecond, queues, marks and pauses', (scenario, cc) => {
    const { flows, ports, totals, packetHops } = modelNetwork(goldenPlan(scenario, cc));
    const { completionPs, summary } = goldenExpectations(scenario, cc);
    expect(flows.map((flow) => flow.completionPs)).toEqual(completionPs);
    const actual = {
      maxEgressBytes: Math.max(...ports.map(({ maxClassQueueBytes }) => maxClassQueueBytes)),
      pfcPause: totals.pauses, pfcResume: totals.resumes, drops: totals.packetsDropped, txPkts: packetHops,
      ...(MARKS_WITHOUT_EFFECT.test(cc) ? {} : { ecnMarks: totals.marks, ecnMarksUdp: totals.dataMarks }),
    };
    expect(summary).toMatchObject(actual);
    expect(totals.packetsInFlight).toBe(0);
  });

  it.each(random)('%s under %s: the mean completion time within 5 %%', (scenario, cc) => {
    const { flows } = modelNetwork(goldenPlan(scenario, cc));
    const { completionPs } = goldenExpectations(scenario, cc);
    expect(Math.abs(mean(flows.map((flow) => flow.completionPs)) / mean(completionPs) - 1)).toBeLessThan(0.05);
  });
});

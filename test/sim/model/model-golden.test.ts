import { describe, expect, it } from 'vitest';
import { modelNetwork } from '../../model/model.js';
import { choiceOf, someOf } from '../../support/effort.js';
import { goldenExpectations, goldenPlan, goldenRuns } from '../../support/golden-plan.js';

/** Its switches round with random numbers that are known only in outline. */
const RANDOM = /^hpccPint$/;
/** With one or two flows the mean depends on few random numbers. */
const FEW_FLOWS = /^(single|incast2)_/;

const runs = goldenRuns();
const determined = runs.filter(([, cc]) => !RANDOM.test(cc));
const chosen = someOf(determined, 14);
const random = runs.filter(([scenario, cc]) => RANDOM.test(cc) && !FEW_FLOWS.test(scenario));

const mean = (numbers: readonly (number | null)[]): number =>
  numbers.reduce<number>((sum, number) => sum + Number(number), 0) / numbers.length;

describe(`The plain model equals the reference simulator (${choiceOf(chosen, determined)})`, () => {
  it.each(chosen)('%s under %s: times match to the nanosecond, and queues, marks and pauses exactly',
    (scenario, cc) => {
      const { flows, ports, totals, packetHops } = modelNetwork(goldenPlan(scenario, cc));
      const { completionPs, summary } = goldenExpectations(scenario, cc);
      expect(flows.map((flow) => flow.completionPs)).toEqual(completionPs);
      const actual = {
        maxEgressBytes: Math.max(...ports.map(({ maxClassQueueBytes }) => maxClassQueueBytes)),
        pfcPause: totals.pauses,
        pfcResume: totals.resumes,
        drops: totals.packetsDropped,
        txPkts: packetHops,
        ecnMarks: totals.marks,
        ecnMarksUdp: totals.dataMarks,
      };
      expect(summary).toMatchObject(actual);
      expect(totals.packetsInFlight).toBe(0);
    });

  it.each(random)('%s under %s: the mean completion time matches within 5 %%', (scenario, cc) => {
    const { flows } = modelNetwork(goldenPlan(scenario, cc));
    const { completionPs } = goldenExpectations(scenario, cc);
    expect(Math.abs(mean(flows.map((flow) => flow.completionPs)) / mean(completionPs) - 1)).toBeLessThan(0.05);
  });
});

/**
 * Whole runs of the reference simulator, to the nanosecond.
 *
 * Where marking is a step (kmin = kmax), everything is compared. Where it is random but the algorithm doesn't react to
 * marks (HPCC, TIMELY), everything but the marks. Where marks and reactions are random, the mean completion time of
 * three seeds, within 5 %.
 *
 * A random golden run is one draw. With two flows such draws scatter widely (under DCQCN with a standard deviation
 * of 11 %), so there the golden draw has to lie within 2.5 standard deviations of the draws of sixteen seeds.
 */
import { describe, expect, it } from 'vitest';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { goldenExpectations, goldenPlan, goldenRuns, type GoldenExpectations } from '../support/golden-plan.js';
import { NETWORK_SUBJECTS, type PlanResult } from '../support/network-subjects.js';

const FEW_FLOWS = 8;
const SEEDS = 3;
const SEEDS_OF_FEW_FLOWS = 16;
const TOLERANCE = 0.05;
const DEVIATIONS = 2.5;
const REACTS_TO_MARKS = ['dcqcn', 'dctcp'];

type Run = readonly [scenario: string, cc: string];

function isStep(plan: NetworkPlan): boolean {
  return plan.ports.every(({ ecn, kminBytes, kmaxBytes }) => !ecn || kminBytes === kmaxBytes);
}

function isDeterministic(plan: NetworkPlan): boolean {
  return plan.parameterSets.every(({ algorithm }) =>
    algorithm !== 'hpcc-pint' && (isStep(plan) || !REACTS_TO_MARKS.includes(algorithm))
  );
}

function split(runs: readonly Run[]): { readonly exact: readonly Run[]; readonly random: readonly Run[] } {
  const exact = runs.filter(([scenario, cc]) => isDeterministic(goldenPlan(scenario, cc)));
  return { exact, random: runs.filter((run) => !exact.includes(run)) };
}

/** Pause frames received by each port; a log of the devices that receive them. */
function pausesReceived(plan: NetworkPlan, { pauses }: GoldenExpectations): number[] {
  const counts = plan.ports.map(() => 0);
  for (const row of pauses) {
    const { firstPort } = plan.nodes[Number(row.node)];
    if (row.type_1pause_0resume === '1') counts[firstPort + Number(row.ifindex) - 1] += 1;
  }
  return counts;
}

function maxSwitchQueueBytes(plan: NetworkPlan, result: PlanResult): number {
  return Math.max(
    ...result.ports.filter((_, port) => plan.nodes[plan.ports[port].node].kind === 'switch').map((port) =>
      port.maxClassQueueBytes
    ),
  );
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function deviationOf(numbers: readonly number[]): number {
  const mean = meanOf(numbers);
  return Math.sqrt(numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / (numbers.length - 1));
}

const ALL = split(goldenRuns());

describe.each(NETWORK_SUBJECTS)('$name against the reference simulator', ({ maxPacketHops, run }) => {
  const fits = ([scenario, cc]: Run) => goldenExpectations(scenario, cc).summary.txPkts <= maxPacketHops;

  describe('in golden runs', () => {
    it.each(ALL.exact.filter(fits))('matches every completion time, queue and pause of %s %s', (scenario, cc) => {
      const plan = goldenPlan(scenario, cc);
      const expected = goldenExpectations(scenario, cc);
      const { summary } = expected;
      const result = run(plan);

      expect(result.flows.map(({ completionPs }) => completionPs)).toEqual(expected.completionPs);
      expect(maxSwitchQueueBytes(plan, result)).toBe(summary.maxEgressBytes);
      expect(result.ports.reduce((sum, { txPackets }) => sum + txPackets, 0)).toBe(summary.txPkts);
      expect(result.ports.map((_, port) => result.ports[plan.ports[port].peerPort].pausesSent)).toEqual(
        pausesReceived(plan, expected),
      );
      expect(result.totals).toMatchObject({
        pauses: summary.pfcPause,
        resumes: summary.pfcResume,
        packetsDropped: 0,
        naks: 0,
        cnps: 0,
      });
      if (!isStep(plan)) return;
      expect(result.totals).toMatchObject({ marks: summary.ecnMarks, dataMarks: summary.ecnMarksUdp });
      expect(result.ports.reduce((sum, { marks }) => sum + marks, 0)).toBe(summary.ecnMarks);
    }, 60_000);

    it.each(ALL.random.filter(fits))('matches the mean completion time of %s %s', (scenario, cc) => {
      const plan = goldenPlan(scenario, cc);
      const { summary } = goldenExpectations(scenario, cc);
      const few = plan.flows.length < FEW_FLOWS;
      const draws = Array.from({ length: few ? SEEDS_OF_FEW_FLOWS : SEEDS }, (_, index) => {
        const { flows } = run({ ...plan, seed: index + 1 });
        return meanOf(flows.map(({ completionPs }) => completionPs!)) / 1000 / summary.fct_mean - 1;
      });
      const allowed = few ? Math.max(TOLERANCE, DEVIATIONS * deviationOf(draws)) : TOLERANCE;
      expect(Math.abs(meanOf(draws)), draws.map((draw) => `${(draw * 100).toFixed(2)} %`).join(' ')).toBeLessThan(
        allowed,
      );
    }, 60_000);
  });
});

describe('Golden runs', () => {
  it('are deterministic for step marking, HPCC, TIMELY and DCTCP, and random for the others', () => {
    const names = (runs: readonly Run[]) => [...new Set(runs.map(([, cc]) => cc))].sort();
    expect(names(ALL.exact)).toEqual([
      'dcqcn_paperF5_step',
      'dcqcn_paper_step',
      'dcqcn_step',
      'dctcp',
      'hpcc',
      'hpcc_mi5',
      'hpcc_multirate',
      'timely',
    ]);
    expect(names(ALL.random)).toEqual(['dcqcn', 'dcqcn_paper', 'dcqcn_paperF5', 'dcqcn_vwin', 'hpccPint']);
  });
});

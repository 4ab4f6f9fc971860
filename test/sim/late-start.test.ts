/** A run whose first flow starts late, as all of the reference simulator's do, has the same results as an early one. */
import { describe, expect, it } from 'vitest';
import { commonScale, runCharts } from '../../src/cli/run/charts-text.js';
import { pageData } from '../../src/cli/report/report-data.js';
import { explainResult } from '../../src/sim/explain/explain.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

const LATE_US = 2_000_000;
const STYLE = { columns: 100, isBold: false };

function incastAt(startUs: number): ScenarioSpec {
  return {
    name: 'incast',
    topology: { kind: 'star', hosts: 5 },
    workload: { kind: 'incast', senders: 4, sizeBytes: 300_000, startUs },
    algorithms: { only: { preset: 'hpcc-sigcomm19' } },
    switches: { bufferBytes: 600_000 },
  };
}

const [early, late] = [0, LATE_US].map((startUs) => runScenarioSync(incastAt(startUs)));

describe('A run that starts late', () => {
  it('has the same means, shares and goodput as one that starts at 0', () => {
    expect(late.summary).toEqual({ ...early.summary, fairFromPs: late.summary.fairFromPs });
    expect(late.ports.map(({ utilization, meanQueueBytes }) => [utilization, meanQueueBytes]))
      .toEqual(early.ports.map(({ utilization, meanQueueBytes }) => [utilization, meanQueueBytes]));
  });

  it('has series of the same resolution, starting with the first flow', () => {
    expect(late.series.timesPs.map((timePs) => timePs - LATE_US * 1e6)).toEqual(early.series.timesPs);
    expect(late.series.queueBytes).toEqual(early.series.queueBytes);
    expect(late.series.utilization).toEqual(early.series.utilization);
  });

  it('has the same charts, with a time axis that names its origin', () => {
    const [first, second] = [early, late].map((result) => runCharts(result, commonScale([result]), STYLE));
    expect(second.slice(0, -1)).toEqual(first.slice(0, -1));
    expect(first.at(-1)).toMatch(/^ +time, µs +time, µs$/);
    expect(second.at(-1)).toContain('time since the first start, µs');
    const [of, behind] = [early, late].map((result) => pageData([result], ['run']).runs[0]);
    expect(behind).toEqual({ ...of, isShifted: true });
  });

  it('is explained with the same share of paused time', () => {
    const shares = [early, late].map((result) =>
      /\(([\d.]+ ?%) of the run\)/.exec(JSON.stringify(explainResult(result)))?.[1]
    );
    expect(shares[0]).toBeDefined();
    expect(shares[1]).toBe(shares[0]);
  });
});

describe('A run that ends by its time limit', () => {
  it('is simulated up to that time, even if nothing happens', () => {
    const spec = { ...incastAt(LATE_US), durationUs: 100 };
    const { ended, simulatedPs, summary, series } = runScenarioSync(spec);
    expect([ended, simulatedPs, summary.goodputBps]).toEqual(['time', 100e6, 0]);
    expect(series.timesPs.every((timePs) => timePs < 100e6)).toBe(true);
    expect(runScenarioSync({ ...incastAt(0), durationUs: 50 })).toMatchObject({ ended: 'time', simulatedPs: 50e6 });
  });
});

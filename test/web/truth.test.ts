/** The lab shows the numbers of the run: counts have all digits, and statistics of stalled flows are omitted. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readCaptureBatches } from '../../src/capture/index.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { foundFlows, replay } from '../../src/replay/index.js';
import { metricOf } from '../../src/sim/metrics.js';
import { METRICS, type ScenarioSpec } from '../../src/sim/index.js';
import { gbps } from '../../src/units.js';
import { formatByUnit, formatCount, NO_UNIT, scaledText } from '../../src/view/format.js';
import { differenceOf, shownMetrics, textOf } from '../../web/page/compare/metrics.js';
import { flowsText, markingLevels } from '../../web/page/charts/specs.js';
import type { Outcome } from '../../web/protocol/run-protocol.js';
import { completionCdf } from '../../web/page/charts/completion-cdf.js';
import { activeSpan } from '../../web/page/charts/active-span.js';
import { RunData } from '../../web/page/run-data.js';
import { connectionTable } from '../../web/worker/capture-connections.js';
import { CAPTURE_FILE } from './built-lab.js';
import { labRun } from './lab-run.js';

const EXAMPLES = path.join(import.meta.dirname, '../../examples/scenarios');

const example = (name: string): ScenarioSpec =>
  JSON.parse(readFileSync(path.join(EXAMPLES, `${name}.json`), 'utf8')) as ScenarioSpec;

describe('Counts in the lab', () => {
  it('have all their digits in charts and tables, as on the command line', () => {
    expect(scaledText(10_092, [NO_UNIT])).toBe('10,092');
    expect(scaledText(0.12345, [NO_UNIT])).toBe('0.123');
    for (const metric of METRICS.values()) {
      if (['ps', 'B', 'bps', 'ratio'].includes(metric.unit)) continue;
      expect(textOf(1_234_567, metric)).toBe('1,234,567');
      expect(textOf(10_092, metric)).toBe(formatByUnit(10_092, metric.unit));
    }
  });
});

describe('Rates in the lab', () => {
  it('distinguish the allowed rate of a paused flow from its goodput, without fairness of stalled flows', async () => {
    const { data, run } = await labRun(example('pause-storm'));
    const last = data.count - 1;
    expect(data.meanRate[last]).toBeCloseTo(100e9, -4);
    expect(data.goodputOf(0)[last]).toBe(0);
    expect(data.sendingRateOf(data.peakPort)[last]).toBe(0);
    expect(data.fairness[last]).toBeNaN();
    expect(run.outcome.metrics.meanFairness).toBeGreaterThan(0.9);
    const shown = shownMetrics(data);
    expect(shown?.metrics.meanFairness).toBeNull();
    expect(shown?.stalledShare).toBeGreaterThan(0.8);
  });

  it('add up to the received rate', async () => {
    const { data, run } = await labRun({
      name: 'four flows',
      topology: { kind: 'star', hosts: 5 },
      workload: { kind: 'incast', senders: 4, sizeBytes: 400_000 },
    });
    const delivered = (values: Float64Array): number =>
      values.reduce((sum, rateBps, row) => {
        const sincePs = (data.timesPs[row] ?? 0) - (data.timesPs[row - 1] ?? 0);
        return row === 0 || Number.isNaN(rateBps) ? sum : sum + (rateBps * sincePs) / 8e12;
      }, 0);
    expect(run.result.summary.flowsDone).toBe(4);
    // The mean over a window is inaccurate at both ends of the run.
    expect(delivered(data.goodput) / 1_600_000).toBeCloseTo(1, 1);
    expect(delivered(data.goodputOf(2)) / 400_000).toBeCloseTo(1, 1);
    expect(shownMetrics(data)?.stalledShare).toBe(0);
    expect(shownMetrics(data)?.metrics).toEqual(run.outcome.metrics);
  });

  it('state the number of flows', () => {
    const facts = { flows: 480, ratedFlows: 64 } as RunData['facts'];
    expect(flowsText(facts)).toBe('the first 64 of 480 flows');
    expect(flowsText({ ...facts, flows: 64 })).toBe('64 flows');
  });
});

describe('A difference between A and B', () => {
  const of = (key: 'goodputBps' | 'maxQueueBytes' | 'marks', a: number, b: number) => differenceOf(a, b, metricOf(key));

  it('is better or worse depending on the metric, for either run, and ignored below 1 %', () => {
    expect(of('goodputBps', 50e9, 60e9)).toEqual({ text: '+20 %', tone: 'good' });
    expect(of('maxQueueBytes', 100, 120)).toEqual({ text: '+20 %', tone: 'bad' });
    expect(of('maxQueueBytes', 100, 80)).toEqual({ text: '−20 %', tone: 'good' });
    expect(of('maxQueueBytes', 1e6, 1e6 + 283)).toEqual({ text: '~ same', tone: '' });
    expect(of('goodputBps', 5e9, 5e9)).toEqual({ text: 'same', tone: '' });
    expect(of('marks', 10, 20)).toEqual({ text: '+100 %', tone: '' });
    expect(of('maxQueueBytes', 0, 2000)).toEqual({ text: '+2 kB', tone: 'bad' });
  });
});

describe('The distribution of completion times', () => {
  it('rises by one flow at a time, up to the share of completed flows', () => {
    const outcome = { flows: { completionPs: Float64Array.of(30, NaN, 10, 20) } } as unknown as Outcome;
    const cdf = completionCdf(outcome);
    expect([...cdf.timesPs]).toEqual([10, 10, 20, 30]);
    expect([...cdf.shares]).toEqual([0, 0.25, 0.5, 0.75]);
    expect([cdf.done, cdf.flows]).toEqual([3, 4]);
    expect(completionCdf(outcome)).toBe(cdf);
    expect(completionCdf({ flows: { completionPs: Float64Array.of(NaN) } } as unknown as Outcome).timesPs).toHaveLength(
      0,
    );
  });
});

describe('A queue chart', () => {
  it('shows the part of the run in which the queue fills', async () => {
    const { data } = await labRun(example('incast-16'));
    const [fromPs = 0, toPs = 0] = activeSpan([{ data, port: data.peakPort }]) ?? [];
    expect(fromPs).toBeLessThan(1e7);
    expect(toPs / data.lastPs).toBeLessThan(0.15);
    expect(data.queueOf(data.peakPort)[data.sampleAt(toPs)]).toBeLessThan(0.02 * data.peakOf(data.peakPort));
  });

  it('has only the thresholds of that queue, with the names of the runs if they differ', async () => {
    const { data } = await labRun({
      name: 'two',
      topology: { kind: 'star', hosts: 3 },
      workload: { kind: 'incast', senders: 2, sizeBytes: 10_000 },
    });
    const port = data.peakPort;
    const other = new RunData({ ...data.facts, ports: data.facts.ports.map((of) => ({ ...of, kminBytes: 7 })) });
    expect(markingLevels([{ name: 'A', data, port }]).map(({ label, value }) => [label, value]))
      .toEqual([['Kmin', 100_000], ['Kmax', 400_000]]);
    expect(markingLevels([{ name: 'A', data, port }, { name: 'B', data: other, port }]).map(({ label }) => label))
      .toEqual(['B Kmin', 'A Kmin', 'Kmax']);
    const host = data.facts.ports.findIndex(({ node }) => data.facts.nodes[node]?.kind === 'host');
    expect(markingLevels([{ name: 'A', data, port: host }])).toEqual([]);
  });
});

describe.skipIf(!existsSync(CAPTURE_FILE))('Connections of a capture', () => {
  it('have the CNPs and Fast CNPs that slow them, and add up to the capture', async () => {
    const bytes = gunzipSync(readFileSync(CAPTURE_FILE));
    const parameters = dcqcnSigcomm15({ lineRateBps: gbps(100) });
    const report = await replay(readCaptureBatches(bytes), { parameters });
    const { lines, others } = connectionTable(report.streams, foundFlows(report));
    const sum = (key: 'cnps' | 'fastCnps' | 'frames'): number =>
      lines.reduce((total, line) => total + line[key], others[key]);
    const { classes } = report;
    expect(sum('cnps')).toBe(classes.cnp.frames);
    expect(sum('fastCnps')).toBe(classes['fast-cnp-1'].frames + classes['fast-cnp-2'].frames);
    expect(sum('frames')).toBe(report.streams.reduce((total, { frames }) => total + frames, 0));
    expect([others.cnps, others.fastCnps]).toEqual([0, 0]);
    expect(lines).toHaveLength(report.streams.filter(({ dataFrames }) => dataFrames > 0).length);
    // The sixteen of the incast are the largest, and each of them was notified.
    expect(lines.slice(0, 16).every(({ cnps, fastCnps }) => cnps + fastCnps > 0)).toBe(true);
    expect(formatCount(sum('fastCnps'))).toBe('187');
  });
});

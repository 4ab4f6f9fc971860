/** The contents of each kind of figure of a sweep, and the choice of figures. */
import { describe, expect, it } from 'vitest';
import { figureCsv, figureSvg } from '../../src/cli/figures/figure-files.js';
import { linearTicks } from '../../src/cli/figures/scales.js';
import { resultFigures } from '../../src/cli/report/report-data.js';
import { runScenarioSync } from '../../src/sim/index.js';
import { planSweep, type SweepPlan, type SweepRow } from '../../src/sweep/index.js';
import { paretoFront, sweepFigures } from '../../src/sweep/figures/sweep-figures.js';
import { describeMetric, shortBytes, bucketEdges } from '../../src/sweep/metrics.js';
import type { FigureSpec } from '../../src/sweep/spec.js';
import { INCAST } from './support/incast.js';

function planOf(figures?: readonly FigureSpec[]): SweepPlan {
  return planSweep({
    name: 'test',
    base: INCAST,
    axes: [{ path: 'workload.senders', name: 'senders', values: [2, 4] }, {
      path: 'switches.ecn.kminKB',
      name: 'Kmin',
      values: [10, 300],
    }],
    seeds: 2,
    metrics: ['slowdown.p99', 'maxQueueBytes'],
    ...(figures === undefined ? {} : { figures }),
  });
}

/** Rows with unique numbers for each run. */
function rowsOf(plan: SweepPlan): SweepRow[] {
  return plan.runs.map((run) => ({
    run,
    outcome: {
      ended: 'all-flows-done',
      result: '0123456789abcdef',
      metrics: { 'slowdown.p99': run.point + run.seed / 10, maxQueueBytes: 1000 * (10 - run.point) },
      buckets: [{ fromBytes: 0, toBytes: 6700, flows: 3, p50: 1, p95: 2, p99: run.point + run.seed }],
      slowdownPercentiles: Array.from({ length: 100 }, (_, index) => 1 + index / 100),
      completionPsPercentiles: Array.from({ length: 100 }, (_, index) => 1e6 * (index + 1)),
    },
  }));
}

const figuresOf = (...specs: FigureSpec[]) => {
  const plan = planOf(specs);
  return sweepFigures(plan, rowsOf(plan));
};

describe('figures', () => {
  it('of size buckets have a line for each value of the series, with the range over seeds', () => {
    const [first, second, ...others] = figuresOf({ kind: 'size-buckets', series: 'senders', percentile: 99 });
    expect(others).toEqual([]);
    expect([first!.title, second!.title]).toEqual([
      'Slowdown by flow size, p99: Kmin 10',
      'Slowdown by flow size, p99: Kmin 300',
    ]);
    expect(first!.x).toEqual({ label: 'Flow size, up to', unit: 'bytes', scale: 'names', names: ['6.7K'] });
    expect(first!.lines).toEqual([
      { label: 'senders 2', x: [0], y: [1.5], low: [1], high: [2] },
      { label: 'senders 4', x: [0], y: [3.5], low: [3], high: [4] },
    ]);
  });

  it('of lines and heat maps show the mean over seeds in a suitable unit', () => {
    const [lines] = figuresOf({ kind: 'lines', x: 'Kmin', metric: 'maxQueueBytes', series: 'senders' });
    expect(lines!.x.scale).toBe('log');
    expect(lines!.y).toEqual({ label: 'Queue, max', unit: 'kB', scale: 'linear' });
    expect(lines!.lines.map(({ x, y }) => [x, y])).toEqual([[[10, 300], [10, 9]], [[10, 300], [8, 7]]]);
    const [heat] = figuresOf({ kind: 'heat-map', x: 'senders', y: 'Kmin', metric: 'slowdown.p99' });
    expect(heat!.heat!.values.flat().map((value) => Number(value!.toFixed(6)))).toEqual([0.15, 2.15, 1.15, 3.15]);
    expect([heat!.x.names, heat!.y.names]).toEqual([['2', '4'], ['10', '300']]);
  });

  it('of two metrics show the Pareto front', () => {
    expect(paretoFront([[3, 1], [1, 3], [2, 2], [2, 3], [4, 1]])).toEqual([[1, 3], [2, 2], [3, 1]]);
    const [pareto] = figuresOf({ kind: 'pareto', x: 'maxQueueBytes', y: 'slowdown.p99', series: 'senders' });
    expect(pareto!.lines.map(({ label, x }) => [label, x])).toEqual([['senders 2', [10, 9]], ['senders 4', [8, 7]], [
      'front',
      [7, 8, 9, 10],
    ]]);
  });

  it('show the metrics of the sweep by default', () => {
    const titles = (metrics: readonly string[] | undefined): string[] => {
      const plan = planOf();
      const { name, base, axes = [] } = plan.sweep;
      const asked = { ...plan, sweep: { name, base, axes, ...(metrics !== undefined && { metrics }) } };
      return sweepFigures(asked, rowsOf(asked)).map(({ title }) => title);
    };
    // There is no figure by flow size, since all flows have the same size.
    expect(titles(['slowdown.p99', 'maxQueueBytes'])).toEqual([
      'Slowdown, p99 over senders',
      'Queue, max over senders',
      'Slowdown, p99',
      'Queue, max',
      'Slowdown, p99 against queue, max',
      'Slowdown, cumulative: Kmin 10',
      'Slowdown, cumulative: Kmin 300',
    ]);
    expect(titles(['maxQueueBytes'])).toEqual(['Queue, max over senders', 'Queue, max']);
    expect(titles(undefined)).toContain('Queue, max over senders');
  });

  it('state the total number of panels if they are limited to the first ones', () => {
    const wide = planSweep({
      name: 'wide',
      base: INCAST,
      axes: [{ path: 'switches.ecn.kminKB', name: 'Kmin', from: 1, to: 20, count: 20 }],
      figures: [{ kind: 'cdf' }],
    });
    expect(sweepFigures(wide, rowsOf(wide))[0]!.caption).toContain('The first 12 of 20 such figures.');
  });

  it('are rejected by name with unknown axes, kinds or metrics', () => {
    expect(() => planOf([{ kind: 'lines', x: 'unknown', metric: 'slowdown.p99' }])).toThrow(
      'sweep.figures[0].x: the axis must be "senders" or "Kmin" (got "unknown").',
    );
    expect(() => planOf([{ kind: 'bars' } as never])).toThrow('sweep.figures[0].kind');
    expect(() => planOf([{ kind: 'cdf', of: 'size' } as never])).toThrow('sweep.figures[0].of');
  });

  it('are exported as CSV with their numbers, and as SVG with escaped text', () => {
    const [figure] = figuresOf({ kind: 'size-buckets', series: 'senders', percentile: 99 });
    expect([...figureCsv(figure!)].join('')).toBe(
      'line,"Flow size, up to (bytes)",Slowdown,least,most\r\nsenders 2,6.7K,1.5,1,2\r\nsenders 4,6.7K,3.5,3,4\r\n',
    );
    const svg = figureSvg({ ...figure!, title: 'a < b' });
    expect(svg).toContain('>a &lt; b</text>');
    expect(svg).toContain('>6.7K</text>');
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('of one run show three percentiles, of several runs one each, and are omitted if all sizes are equal', () => {
    const run = (load: number) =>
      runScenarioSync({
        name: 'sizes',
        topology: { kind: 'star', hosts: 4 },
        workload: { kind: 'poisson', load, sizes: 'FB_Hadoop', flows: 40 },
      });
    expect(resultFigures([run(0.5)], ['a']).map(({ lines }) => lines.map(({ label }) => label))).toEqual([[
      'median',
      '95th percentile',
      '99th percentile',
    ]]);
    expect(resultFigures([run(0.5), run(0.2)], ['a', 'b']).map(({ id, lines }) => [id, lines.length])).toEqual([
      ['sizes-p50', 2],
      ['sizes-p95', 2],
      ['sizes-p99', 2],
    ]);
    expect(resultFigures([runScenarioSync(INCAST)], ['a'])).toEqual([]);
  });
});

describe('the axes of figures', () => {
  it("have the flow sizes of HPCC's figures", () => {
    expect(bucketEdges({ sizes: 'WebSearch' }, []).map(shortBytes)).toEqual([
      '6.7K',
      '20K',
      '30K',
      '50K',
      '73K',
      '197K',
      '989K',
      '2M',
      '5M',
      '30M',
    ]);
    expect(bucketEdges([{ sizes: 'FB_Hadoop' }], []).map(shortBytes)).toEqual([
      '324',
      '400',
      '500',
      '600',
      '700',
      '1K',
      '7K',
      '46K',
      '120K',
      '10M',
    ]);
    expect(bucketEdges({ sizes: [{ sizeBytes: 10, share: 0.55 }, { sizeBytes: 20, share: 1 }] }, [])).toEqual([10, 20]);
    const flows = Array.from({ length: 20 }, (_, index) => ({ sizeBytes: index + 1 }));
    expect(bucketEdges({ kind: 'flows' }, flows)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
  });

  it('have round ticks', () => {
    expect(linearTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(linearTicks(37, 212, 4)).toEqual([50, 100, 150, 200]);
  });

  it('have titles and units of metrics', () => {
    expect(describeMetric('slowdown.p99[..10000]').title).toBe('slowdown, p99, flows up to 10KB');
    expect(describeMetric('completionPs.mean').title).toBe('completion time, mean');
    expect(describeMetric('maxQueueBytes')).toEqual({ title: 'queue, max', unit: 'B' });
  });
});

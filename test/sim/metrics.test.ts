/** A metric has one key, title, unit and value, wherever it is shown. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withMetricsTable } from '../../scripts/metrics-table.js';
import { drawing, keyNumbers } from '../../site/client/drawing.js';
import { runExperiment } from '../../site/client/experiment.js';
import { FIRST_SETTINGS, scenarioOf } from '../../site/client/scenario.js';
import { comparisonTable } from '../../src/cli/report/report-tables.js';
import { metricRows } from '../../src/cli/run/run-tables.js';
import { formatMetric } from '../../src/cli/sweep/summary-text.js';
import { runScenarioSync } from '../../src/sim/index.js';
import { METRICS, readMetrics } from '../../src/sim/metrics.js';
import { digestOf } from '../../src/sweep/digest.js';
import { METRIC_NAMES } from '../../src/sweep/metrics.js';
import { formatByUnit } from '../../src/view/format.js';
import { LAB_KEY_METRICS, LAB_KEY_METRICS_IF_ANY, LAB_METRICS, LAB_NARROW_METRICS, RARE_METRICS, RUN_METRICS,
  SHORT_RUN_METRICS, SITE_METRICS } from '../../src/view/metric-tables.js';
import { textOf } from '../../web/page/compare/metrics.js';
import { incastResult } from '../support/sim-result.js';

const RESULT = runScenarioSync(scenarioOf(FIRST_SETTINGS));
const VALUES = readMetrics(RESULT);
const SWEPT = digestOf(RESULT, { metrics: [], sizeBuckets: null }).metrics;
const PAGE = readFileSync(new URL('../../docs/guides/sweeps.md', import.meta.url), 'utf8');

/** Title and text by key, as a sweep's row has its value. */
function sweptTexts(keys: readonly string[]): (readonly [title: string, text: string])[] {
  return keys.map((key) => [METRICS.get(key)?.title ?? '', formatMetric(key, SWEPT[key] ?? NaN)] as const);
}

function sourcesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }) as string[];
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`);
}

describe('A metric', () => {
  it('has the same title and value in the table of run, in its report and in a row of a sweep', () => {
    const rows = metricRows([RESULT]).filter(({ values: [text] }) => text !== 'never');
    const shown = rows.flatMap(({ key, title, values: [text] }) => key === undefined ? [] : [{ key, title, text }]);
    expect(shown.length).toBeGreaterThan(15);
    expect(shown.map(({ title, text }) => [title, text?.replace(/ of \d+$/, '')])).toEqual(
      sweptTexts(shown.map(({ key }) => key)),
    );
    const report = comparisonTable([RESULT], ['run']);
    for (const { key, title, text } of shown)
      expect(report).toMatch(new RegExp(`>${title}<.*>${text ?? ''}<.*>${key}<`));
  });

  it('has the same title and value in the lab', () => {
    const keys = [...LAB_METRICS, ...LAB_KEY_METRICS, ...LAB_KEY_METRICS_IF_ANY].filter((key) => VALUES[key] !== null);
    expect(keys.map((key) => [METRICS.get(key)!.title, textOf(VALUES[key], METRICS.get(key)!)])).toEqual(
      sweptTexts(keys),
    );
  });

  it('has the same title and value on the start page of the site', () => {
    const experiment = runExperiment(FIRST_SETTINGS);
    expect(SITE_METRICS.length).toBeGreaterThan(3);
    expect(keyNumbers(experiment)).toEqual(sweptTexts(SITE_METRICS));
    expect(drawing(experiment, FIRST_SETTINGS)).toContain(
      `at most ${formatMetric('maxQueueBytes', VALUES.maxQueueBytes!)},`,
    );
  });

  it('appears once per table, and in the full table if it is in a partial one', () => {
    for (const keys of [RUN_METRICS, LAB_METRICS, [...LAB_KEY_METRICS, ...LAB_KEY_METRICS_IF_ANY], SITE_METRICS])
      expect(new Set(keys).size).toBe(keys.length);
    expect(RUN_METRICS).toEqual(expect.arrayContaining([...SHORT_RUN_METRICS, ...RARE_METRICS]));
    expect(LAB_METRICS).toEqual(
      expect.arrayContaining([...LAB_KEY_METRICS, ...LAB_KEY_METRICS_IF_ANY, ...LAB_NARROW_METRICS]),
    );
  });

  it('is named only in its declaration and in src/view/metric-tables.ts', () => {
    const isList = /MetricKey[^=\n]*\] = \[|satisfies readonly MetricKey/;
    const sources = ['src/cli', 'src/view', 'web', 'site'].flatMap(sourcesOf);
    expect(sources.filter((file) => isList.test(readFileSync(file, 'utf8')))).toEqual(['src/view/metric-tables.ts']);
  });

  it('has a line in docs/guides/sweeps.md, which npm run docs writes', () => {
    expect(withMetricsTable(PAGE)).toBe(PAGE);
    for (const { key, title, meaning } of METRICS.values()) {
      expect(PAGE).toContain(`| \`${key}\` | ${title} |`);
      expect(meaning).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('keeps the key that sweeps and tunings use', () => {
    const statistics = ['min', 'p50', 'p95', 'p99', 'max', 'mean'];
    expect(METRIC_NAMES).toEqual(expect.arrayContaining([
      ...statistics.flatMap((name) => [`slowdown.${name}`, `completionPs.${name}`]),
      ...['flowsDone', 'flowsUnfinished', 'maxQueueBytes', 'meanQueueBytes', 'pausedPs', 'fairFromPs', 'meanFairness'],
      ...['goodputBps', 'pauses', 'drops', 'marks', 'cnps', 'fastCnps', 'retransmittedPackets', 'timeouts'],
      ...['simulatedPs', 'packetHops', 'events'],
    ]));
  });
});

describe('Path fairness', () => {
  const result = incastResult();
  const summary = { ...result.summary, pathFairness: 0.8125 };

  it('is in the table if a run has it, and null otherwise', () => {
    expect(readMetrics(result, ['pathFairness'])).toEqual({ pathFairness: null });
    expect(metricRows([result]).map(({ key }) => key)).not.toContain('pathFairness');
    expect(metricRows([result, { ...result, summary }]).find(({ key }) => key === 'pathFairness')).toMatchObject({
      title: 'path fairness',
      values: ['-', '0.8125'],
    });
  });
});

describe('ECN echoes', () => {
  it('replace CNPs if there are none, as the marks that ACKs repeat', () => {
    const result = incastResult();
    const echoes = result.flows.reduce((sum, { cnps }) => sum + cnps, 0);
    expect(readMetrics(result).ecnEchoes).toBeNull();
    expect(readMetrics({ ...result, fidelity: 'reference' }).ecnEchoes).toBe(echoes);
  });
});

describe('A value', () => {
  it('is formatted by its unit', () => {
    expect(formatByUnit(0, 'ps')).toBe('0');
    expect(formatByUnit(2_022_000_000, 'ps')).toBe('2.022 ms');
    expect(formatByUnit(21_970_000, 'B')).toBe('21.97 MB');
    expect(formatByUnit(97.5e9, 'bps')).toBe('97.5 Gb/s');
    expect(formatByUnit(0.93456, 'ratio')).toBe('0.9346');
    expect(formatByUnit(12_345, 'packets')).toBe('12,345');
    expect(formatByUnit(2.5, 'flows')).toBe('2.5');
  });
});

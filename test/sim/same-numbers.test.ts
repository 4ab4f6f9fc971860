/** A number of a run is the same in the terminal's table, its verdict, explain, the report and the lab, for every example. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { comparisonTable, shortTable } from '../../src/cli/report/report-tables.js';
import { metricRows } from '../../src/cli/run/run-tables.js';
import { explainResult, runScenarioSync, type MetricKey, type ScenarioSpec,
  type SimResult } from '../../src/sim/index.js';
import { bytesWords, countWords, rateWords, timeWords, wholeWords } from '../../src/sim/explain/text.js';
import { verdictOf, verdictWords } from '../../src/sim/explain/explain.js';
import { metricOf, readMetrics } from '../../src/sim/metrics.js';
import { formatByUnit } from '../../src/view/format.js';
import { LAB_KEY_METRICS, LAB_KEY_METRICS_IF_ANY, LAB_METRICS } from '../../src/view/metric-tables.js';
import { shownMetrics, textOf } from '../../web/page/compare/metrics.js';
import { IS_LONG } from '../support/effort.js';
import { labRun } from '../web/lab-run.js';

/** 10,000 flows, four times, on a machine that does other things too. */
const SLOW_MS = 240_000;

const FOLDER = path.join(import.meta.dirname, '../../examples/scenarios');
/** Seconds each. */
const LARGE = /^(fat-tree-k16|convergence-1024|leaf-spine-websearch|wan-|all-reduce|two-data)/;
/** The lab runs none of uet-htsim. */
const NAMES = readdirSync(FOLDER).map((file) => path.basename(file, '.json')).filter((name) => !name.endsWith('-uet'));

const specOf = (name: string): ScenarioSpec =>
  JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as ScenarioSpec;

/** Cells of an HTML table by the title of their row, without markup. */
function cellsOf(html: string): Map<string, string> {
  const rows = [...html.matchAll(/<tr>(?:<th scope="row">|<td[^>]*>)(.*?)<\/t[hd]><td[^>]*>(.*?)<\/td>/g)];
  return new Map(rows.map(([, title = '', value = '']) => [title, value]));
}

/** Sentences with numbers, and the metric or count that each must state. */
function statements(result: SimResult): readonly (readonly [said: RegExp, number: string])[] {
  const { totals, summary } = result;
  const { completionPs } = summary;
  return [
    [/([\d,]+ data packets?) marked,/g, countWords(totals.dataMarks, 'data packet')],
    [/([\d,]+ CNPs?), [\d,]+ Fast CNPs?\./g, countWords(totals.cnps, 'CNP')],
    [/[\d,]+ CNPs?, ([\d,]+ Fast CNPs?)\./g, countWords(totals.fastCnps, 'Fast CNP')],
    [/([\d,]+ pauses?) in all/g, countWords(totals.pauses, 'pause')],
    [/([\d,]+ packets?) dropped/g, countWords(totals.packetsDropped, 'packet')],
    [/dropped, ([\d,]+) retransmitted/g, wholeWords(totals.retransmittedPackets)],
    [/; goodput ([\d.]+ [GM]?b\/s)\./g, rateWords(summary.goodputBps)],
    [/The longest queue, ([\d.]+ \w+),/g, bytesWords(summary.maxQueueBytes)],
    ...(completionPs === null ? [] : [
      [/completed in ([\d.]+ \S+) on average/g, timeWords(completionPs.mean)],
      [/on average \(p99 ([\d.]+ \S+)\)/g, timeWords(completionPs.p99)],
    ] as const),
  ];
}

describe('The figures of an example', () => {
  it.each(NAMES.filter((name) => IS_LONG || !LARGE.test(name)))(
    'are the same in the result, the CLI, the lab and the site: %s',
    async (name) => {
      const spec = specOf(name);
      const result = runScenarioSync(spec);
      const metrics = readMetrics(result);
      const title = (key: MetricKey): string => metricOf(key).title;
      const textOfMetric = (key: MetricKey): string => formatByUnit(metrics[key] ?? NaN, metricOf(key).unit);

      const rows = metricRows([result]).filter(({ key }) => key !== undefined && metrics[key] !== null);
      for (const { key, values } of rows) expect(values[0]?.replace(/ of [\d,]+$/, ''), key).toBe(textOfMetric(key!));

      const [all, short] = [cellsOf(comparisonTable([result], [name])), cellsOf(shortTable([result], [name]))];
      for (const { key, values } of rows) expect(all.get(title(key!)), key).toBe(values[0]);
      expect(short.size).toBeGreaterThan(4);
      for (const [head, value] of short) expect(all.get(head), head).toBe(value);

      const { data, run } = await labRun(spec);
      expect(run.outcome.hash).toBe(result.hash);
      const lab = shownMetrics(data)!.metrics;
      for (const key of [...LAB_METRICS, ...LAB_KEY_METRICS, ...LAB_KEY_METRICS_IF_ANY]) {
        // Fairness of stalled flows is not shown.
        if (lab[key] === null) continue;
        expect(textOf(lab[key], metricOf(key)), key).toBe(textOfMetric(key));
      }

      const said = [...verdictWords(verdictOf(result)), ...explainResult(result).map(({ answer }) => answer)].join(
        '\n',
      );
      for (const [pattern, number] of statements(result)) {
        for (const [sentence, found] of said.matchAll(pattern)) expect(found, sentence).toBe(number);
      }
      expect(said).toContain(`goodput ${rateWords(metrics.goodputBps ?? NaN)}`);
    },
    SLOW_MS,
  );
});

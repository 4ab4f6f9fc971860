/**
 * Writes the figures of a sweep, as separate files and in an HTML report, with a table of its points and the command
 * that reproduces it.
 */
import path from 'node:path';
import type { Figure } from '../../sweep/figures/figure.js';
import { sweepFigures } from '../../sweep/figures/sweep-figures.js';
import type { SweepPlan, SweepRow } from '../../sweep/index.js';
import { describeMetric } from '../../sweep/metrics.js';
import { summarisePoints } from '../../sweep/summary.js';
import { escapeHtml } from '../../view/format.js';
import { figureCsv, figureSvg } from '../figures/figure-files.js';
import { formatCount, formatCountOf } from '../../view/format.js';
import { writeOrKeep, type Warn } from '../write-file.js';
import { PAGE_SCRIPT, PAGE_STYLE } from '../report/page-assets.js';
import { figurePlaces } from '../report/report-charts.js';
import { documentHtml, type ReportAssets } from '../report/report-html.js';
import { htmlTable, foldedHtml } from '../report/report-tables.js';
import { shellWord } from '../run/write-report.js';
import type { SweepFlags, OpenedSweep } from './load-sweep.js';
import { formatMean, formatValue } from './summary-text.js';

const POINTS_MAX = 1000;
const FAILURES_MAX = 100;

/** Inputs of the figures in addition to the rows. */
export interface FigureContext {
  readonly opened: OpenedSweep;
  readonly flags: SweepFlags;
  /** Version of the package. */
  readonly version: string;
  readonly warn: Warn;
}

export type WriteFigures = typeof writeFigures;

/** Writes the report and the folder of figures, as requested. */
export function writeFigures(plan: SweepPlan, rows: readonly SweepRow[], context: FigureContext): void {
  const { opened: { source, file }, flags: { report, figures: folder }, version, warn } = context;
  const figures = sweepFigures(plan, rows);
  if (report !== undefined) {
    const commands = [
      `roce-cc sweep ${source.map(shellWord).join(' ')} --report ${shellWord(report)}`,
      ...(file === undefined ? [] : [`roce-cc run ${shellWord(`${file}#${rows[0].run.hash}`)}`]),
    ];
    const assets = { script: PAGE_SCRIPT, style: PAGE_STYLE, version, commands };
    writeOrKeep(report, sweepReportHtml(plan, rows, figures, assets), warn);
  }
  for (const figure of folder === undefined ? [] : figures) {
    const place = path.join(folder ?? '', figure.id);
    writeOrKeep(`${place}.svg`, figureSvg(figure), warn);
    writeOrKeep(`${place}.csv`, figureCsv(figure), warn);
  }
}

/** A complete document; equal rows and assets give equal text. */
function sweepReportHtml(plan: SweepPlan, rows: readonly SweepRow[], figures: readonly Figure[],
  assets: ReportAssets): string {
  const { name, description } = plan.sweep;
  const facts = `${formatCountOf(rows.length, 'run')} of ${formatCount(plan.runs.length)}.`;
  return documentHtml({
    heading: name,
    intro: `<p>${escapeHtml([...(description === undefined ? [] : [description]), facts].join(' '))}</p>`,
    main: [
      `<section aria-labelledby="figures"><h2 id="figures">Figures</h2>\n${figurePlaces(figures)}\n</section>`,
      `<section aria-labelledby="points"><h2 id="points">Points</h2>\n${pointTable(plan, rows)}\n</section>`,
      failureSection(rows),
      reproduceSection(plan, assets),
    ].join('\n'),
    data: { runs: [], figures },
  }, assets);
}

function pointTable(plan: SweepPlan, rows: readonly SweepRow[]): string {
  const points = summarisePoints(plan, rows);
  const shown = points.slice(0, POINTS_MAX);
  const which = shown.length === points.length ?
    'all' :
    `the first ${formatCount(shown.length)} of ${formatCount(points.length)}`;
  const columns = [
    { head: 'Point' },
    ...plan.axes.map((head) => ({ head })),
    { head: 'Runs', isNumeric: true },
    ...plan.metrics.map((name) => ({ head: describeMetric(name).title, title: name, isNumeric: true })),
  ];
  return htmlTable(`Points, ${which}: mean over seeds, and half of its 95 % confidence interval`, columns,
    shown.map(({ point, values, runs, failed, metrics }) => [
      String(point),
      ...values.map(formatValue),
      failed === 0 ? String(runs) : `${runs} (${failed} failed)`,
      ...plan.metrics.map((metric) => formatMean(metric, metrics[metric] ?? null)),
    ]));
}

function failureSection(rows: readonly SweepRow[]): string {
  const failures = rows.flatMap(({ run, outcome }) =>
    'reason' in outcome ? [[String(run.index), outcome.ended, outcome.reason]] : []
  );
  if (failures.length === 0) return '';
  const columns = [{ head: 'Run' }, { head: 'Why' }, { head: 'Reason', isWide: true }];
  return `<section aria-labelledby="failures"><h2 id="failures">Runs without a result</h2>
${htmlTable(`${formatCount(failures.length)} runs`, columns, failures.slice(0, FAILURES_MAX))}
</section>`;
}

function reproduceSection({ sweep }: SweepPlan, { commands, version }: ReportAssets): string {
  return `<section aria-labelledby="reproduce"><h2 id="reproduce">The same again</h2>
<p>With roce-cc ${escapeHtml(version)}:</p>
<pre class="scroll" tabindex="0">${escapeHtml(commands.join('\n'))}</pre>
${foldedHtml('Sweep', `<pre class="scroll" tabindex="0">${escapeHtml(JSON.stringify(sweep, undefined, 2))}</pre>`)}
</section>`;
}

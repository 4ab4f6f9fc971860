/** Writes the figures of a sweep, in an HTML report and as separate files. */
import path from 'node:path';
import { sweepFigures } from '../../sweep/figures/sweep-figures.js';
import type { SweepPlan, SweepRow } from '../../sweep/index.js';
import { figureCsv } from '../figures/figure-csv.js';
import { figureSvg } from '../figures/figure-svg.js';
import { writeOrKeep, type Warn } from '../kept-file.js';
import { PAGE_SCRIPT, PAGE_STYLE } from '../report/page-assets.js';
import { shellWord } from '../run/run-commands.js';
import type { SweepFlags, OpenedSweep } from './load-sweep.js';
import { sweepReportHtml } from './sweep-report.js';

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

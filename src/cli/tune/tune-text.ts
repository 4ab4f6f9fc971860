/** Formats the result of a tuning as text. */
import { describeMetric } from '../../sweep/metrics.js';
import { formatCount, formatPlain } from '../format.js';
import { formatMetric } from '../sweep/summary-text.js';
import { heading, wrap, type TextStyle } from '../terminal.js';
import { table } from '../text-table.js';
import type { TuneResult } from './result-schema.js';

type Compared = TuneResult['compared'][number];

const NONE = '-';

export function tuneText(result: TuneResult, style: TextStyle): string[] {
  const { name, minimise, runs, best, beatsAllHeldOut } = result;
  return [
    ...heading(`roce-cc tune: ${name}`, style).slice(1),
    ...wrap(
      `Lowest ${describeMetric(minimise).title} found in ${
        formatCount(runs)
      } runs: geometric mean over cases and seeds.`,
      style,
    ),
    '',
    ...table([{ head: 'parameter', align: 'left' }, { head: 'found' }, { head: 'a tenth lower' }, {
      head: 'a tenth higher',
    }], Object.entries(best).map(([path, value], index) => [
      result.sensitivity[index]?.parameter ?? path,
      typeof value === 'number' ? String(value) : JSON.stringify(value),
      ratioText(result.sensitivity[index]?.lower ?? null),
      ratioText(result.sensitivity[index]?.higher ?? null),
    ])),
    ...wrap('Lower and higher: the metric if only that parameter is changed by a tenth of its range.', style),
    ...heading('Compared with other sets', style),
    ...comparedTable(result),
    ...(beatsAllHeldOut === null ? [] : wrap(beatsAllHeldOut ?
      'It beats all other sets on the held-out cases.' :
      'It does not beat all other sets on the held-out cases.', style)),
    ...settingsText(result, style),
  ];
}

function ratioText(ratio: number | null): string {
  return ratio === null ? NONE : `× ${formatPlain(ratio)}`;
}

function comparedTable({ compared, minimise }: TuneResult): string[] {
  const held = Object.keys(compared[0]?.heldOut ?? {});
  const columns = [{ head: 'set', align: 'left' as const }, { head: 'tuned on' }, ...held.map((head) => ({ head }))];
  return table(columns, compared.map(({ name, tuned, heldOut }) => [
    name,
    scoreText(tuned, minimise),
    ...held.map((label) => scoreText(heldOut[label], minimise)),
  ]));
}

function scoreText(score: Compared['tuned'] | undefined, metric: string): string {
  if (score === undefined || score.objective === null) return 'no result';
  return `${formatMetric(metric, score.objective)}${score.violation === 0 ? '' : ' (exceeds limits)'}`;
}

function settingsText({ settings }: TuneResult, style: TextStyle): string[] {
  if (settings === null) return [];
  const { mlxconfig, irdma } = settings;
  return [
    ...heading('Adapter settings', style),
    ...wrap(`mlxconfig: ${mlxconfig.lines.join(' ')}`, style),
    ...mlxconfig.notes.flatMap(({ text }) => wrap(`- ${text}`, style, 4)),
    ...irdma.lines.flatMap((line) => wrap(`irdma: ${line}`, style)),
    ...irdma.notes.flatMap(({ text }) => wrap(`- ${text}`, style, 4)),
  ];
}

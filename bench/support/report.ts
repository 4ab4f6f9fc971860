/** Results as tables: aligned text for the terminal, Markdown for RESULTS.md; their numbers as results.json has them. */
import type { CaseResult, VariantResult } from './interleave.js';

/** The numbers of a table's row. */
export type ShownVariant = Pick<
  VariantResult,
  'name' | 'medianNs' | 'millionsPerSecond' | 'ratio' | 'ratioLow' | 'ratioHigh'
>;

/** A table, with its numbers as it shows them. */
export interface ShownCase extends Pick<CaseResult, 'title' | 'unit' | 'base'> {
  readonly variants: readonly ShownVariant[];
}

const COLUMNS = ['variant', 'ns', 'M/s', 'ratio', 'quartiles'] as const;

function cells(result: ShownVariant): readonly string[] {
  return [
    result.name,
    result.medianNs.toFixed(result.medianNs < 100 ? 1 : 0),
    result.millionsPerSecond.toFixed(result.millionsPerSecond < 10 ? 2 : 1),
    result.ratio.toFixed(2),
    `${result.ratioLow.toFixed(2)} to ${result.ratioHigh.toFixed(2)}`,
  ];
}

/** For the terminal. */
export function textTable(result: CaseResult): string {
  const rows = [COLUMNS, ...result.variants.map(cells)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  );
  return [
    `${result.title}: ns per ${result.unit}, ${result.rounds} rounds, ratio to ${result.base}`,
    ...lines.map((line) => `  ${line}`),
    '',
  ].join('\n');
}

/** With the digits of a table. */
export function shownCase({ title, unit, base, variants }: CaseResult): ShownCase {
  return {
    title,
    unit,
    base,
    variants: variants.map((variant) => {
      const [, medianNs, millionsPerSecond, ratio] = cells(variant).map(Number);
      const [ratioLow, ratioHigh] = [variant.ratioLow, variant.ratioHigh].map((one) => Number(one.toFixed(2)));
      return { name: variant.name, medianNs, millionsPerSecond, ratio, ratioLow, ratioHigh };
    }),
  };
}

/** For RESULTS.md. */
export function markdownTable(result: ShownCase): string {
  const head = `| ${COLUMNS.join(' | ')} |\n|---|---:|---:|---:|---:|`;
  const rows = result.variants.map((variant) => `| ${cells(variant).join(' | ')} |`);
  return [`### ${result.title}`, '', `ns per ${result.unit}; ratio to ${result.base}.`, '', head, ...rows, ''].join(
    '\n',
  );
}

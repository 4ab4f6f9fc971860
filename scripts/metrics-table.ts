/** The table of all metrics in docs/guides/sweeps.md, made from their declarations. */
import { METRICS } from '../src/sim/metrics.js';
import { table, tableRow } from './markdown-table.js';

const HEADS = ['key', 'title', 'unit', 'better', 'meaning'];
const TABLE = new RegExp(`^\\| ${HEADS.join(' \\| ')} \\|\\n(?:\\|.*\\n)+`, 'm');

/** The page with the table as the code has it. */
export function withMetricsTable(page: string): string {
  const rows = [...METRICS.values()].map(({ key, title, unit, better = '', meaning }) =>
    tableRow([`\`${key}\``, title, unit, better, meaning])
  );
  return page.replace(TABLE, `${table(HEADS, rows, HEADS.length)}\n`);
}

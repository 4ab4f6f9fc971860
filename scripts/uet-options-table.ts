/** The table of options in docs/guides/uet-reference.md, made from the table that reads them. */
import { uetArgumentRows } from '../src/uet/arguments.js';
import { table, tableRow } from './markdown-table.js';

const HEADS = ['option', 'values', 'effect'];
const TABLE = new RegExp(`^\\| ${HEADS.join(' \\| ')} \\|\\n(?:\\|.*\\n)+`, 'm');

/** The page with the table as the code has it. */
export function withUetOptions(page: string): string {
  const rows = uetArgumentRows().map(({ name, values, effect }) => tableRow([`\`${name}\``, values, effect]));
  return page.replace(TABLE, `${table(HEADS, rows, HEADS.length)}\n`);
}

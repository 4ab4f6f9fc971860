/** Formats plain-text tables. */
import Table from 'cli-table3';
import { printable, printableLines } from './printable.js';

export interface Column {
  readonly head: string;
  readonly align?: 'left' | 'right';
}

const GAP = 2;
const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

/**
 * A table without borders, indented by two.
 *
 * @param maxWidth maximum characters of a line; left-aligned columns are wrapped to fit, the widest first. Default: no
 * limit.
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], maxWidth = Infinity): string[] {
  const heads = columns.map(({ head }) => printableLines(head));
  const cells = rows.map((row) => row.map(printable));
  const widths = folded(columns, [heads, ...cells], maxWidth);
  const drawn = new Table({
    head: heads,
    colAligns: columns.map((column) => column.align ?? 'right'),
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': GAP, 'padding-right': 0 },
    ...(widths !== undefined && { colWidths: widths.map((width) => width + GAP), wordWrap: true }),
  });
  drawn.push(...cells);
  return drawn.toString().split('\n').map((line) => line.trimEnd());
}

/** Reduces column widths to fit `maxWidth`; undefined if the table is not too wide. */
function folded(columns: readonly Column[], lines: readonly (readonly string[])[], maxWidth: number): number[]
  | undefined {
  const textsOf = (at: number): string[] => lines.map((line) => line[at] ?? '');
  const widths = columns.map((_, at) => widthOf(textsOf(at)));
  // Words are not broken.
  const least = columns.map((_, at) => widthOf(textsOf(at).flatMap((text) => text.split(/\s/))));
  let over = widths.reduce((sum, width) => sum + width + GAP, 0) - maxWidth;
  if (over <= 0) return undefined;
  for (; over > 0; over--) {
    const foldable = widths.flatMap((width, at) =>
      columns[at]?.align === 'left' && width > (least[at] ?? 0) ? [at] : []
    );
    const [widest] = foldable.sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function widthOf(texts: readonly string[]): number {
  return Math.max(0, ...texts.flatMap((text) => text.split('\n')).map((line) => line.length));
}

/** A row of `fittingTables`: cells that each table repeats, and cells that are distributed over the tables. */
export interface SpreadRow {
  readonly repeated: readonly string[];
  readonly spread: readonly string[];
}

/**
 * One table, or, if that is too wide, several that repeat the first columns; each as a list of lines. At least one.
 *
 * @param maxWidth as for `table`.
 */
export function fittingTables(repeated: readonly Column[], spread: readonly Column[], rows: readonly SpreadRow[],
  maxWidth = Infinity): string[][] {
  const taken = repeated.reduce((sum, column, at) => sum + columnWidth(column, rows.map((row) => row.repeated[at])), 0);
  const widths = spread.map((column, at) => columnWidth(column, rows.map((row) => row.spread[at])));
  const groups = fittingGroups(widths, maxWidth - taken);
  return (groups.length === 0 ? [[]] : groups).map((group) =>
    table([...repeated, ...group.map((at) => spread[at])], rows.map((row) => [
      ...row.repeated,
      ...group.map((at) => row.spread[at]),
    ]), maxWidth)
  );
}

/** Width of a column's widest line plus the gap before it. */
export function columnWidth(column: Column, cells: readonly string[]): number {
  const lines = [...column.head.split('\n'), ...cells];
  return GAP + Math.max(...lines.map((line) => line.length));
}

/** Groups adjacent columns that fit into the width together; each group has at least one. */
function fittingGroups(widths: readonly number[], room: number): number[][] {
  const groups: number[][] = [];
  let used = 0;
  widths.forEach((width, column) => {
    if (groups.length === 0 || used + width > room) {
      groups.push([]);
      used = 0;
    }
    groups.at(-1)?.push(column);
    used += width;
  });
  return groups;
}

/** Wraps a column head at spaces to `width` characters; longer words stay whole. */
export function stacked(head: string, width: number): string {
  return head.split(' ').reduce((lines, word) => {
    const last = lines.slice(lines.lastIndexOf('\n') + 1);
    return `${lines}${last.length + 1 + word.length > width ? '\n' : ' '}${word}`;
  });
}

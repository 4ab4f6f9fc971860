/** Plain tables of text reports. */
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

/** A table without lines, indented by two. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const drawn = new Table({
    head: columns.map((column) => printableLines(column.head)),
    colAligns: columns.map((column) => column.align ?? 'right'),
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': GAP, 'padding-right': 0 },
  });
  for (const row of rows) drawn.push(row.map(printable));
  return drawn.toString().split('\n').map((line) => line.trimEnd());
}

/** Width of a column's widest line, and of the gap before it. */
export function columnWidth(column: Column, cells: readonly string[]): number {
  const lines = [...column.head.split('\n'), ...cells];
  return GAP + Math.max(...lines.map((line) => line.length));
}

/** Breaks a head at spaces into lines of that many characters; words longer than that stay whole. */
export function stacked(head: string, width: number): string {
  return head.split(' ').reduce((lines, word) => {
    const last = lines.slice(lines.lastIndexOf('\n') + 1);
    return `${lines}${last.length + 1 + word.length > width ? '\n' : ' '}${word}`;
  });
}

/** Plain tables, headings and wrapped lines for the text report. */
import Table from 'cli-table3';
import { printable, printableLines } from './printable.js';

/** How the report may look. */
export interface TextStyle {
  /** Characters per line. */
  readonly columns: number;
  /** Bold headings by escape sequences? */
  readonly isBold: boolean;
}

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

/** A heading behind an empty line. */
export function heading(text: string, style: TextStyle): string[] {
  const shown = printable(text);
  return ['', style.isBold ? `\u001b[1m${shown}\u001b[22m` : shown];
}

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

/** Breaks a sentence at spaces; lines after the first are indented further. Words longer than a line stay whole. */
export function wrap(text: string, style: TextStyle, indent = GAP): string[] {
  const lines: string[] = [];
  let line = ' '.repeat(indent);
  let isEmpty = true;
  for (const word of printable(text).split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > style.columns) {
      lines.push(line);
      line = ' '.repeat(indent + GAP);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Breaks a head at spaces into lines of that many characters; words longer than that stay whole. */
export function stacked(head: string, width: number): string {
  return head.split(' ').reduce((lines, word) => {
    const last = lines.slice(lines.lastIndexOf('\n') + 1);
    return `${lines}${last.length + 1 + word.length > width ? '\n' : ' '}${word}`;
  });
}

/** Leaves out the middle of what is longer than `length`: both ends of an address matter. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = length - 1;
  const front = Math.ceil(kept / 2);
  return `${text.slice(0, front)}…${text.slice(text.length - (kept - front))}`;
}

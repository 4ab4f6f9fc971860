/** Headings and wrapped lines of text reports. */
import type { NoteRecord } from '../note-record.js';
import { printable } from './printable.js';

/** How the report may look. */
export interface TextStyle {
  /** Characters per line. */
  readonly columns: number;
  /** Those of a terminal, to which tables are folded; in files and pipes lines stay whole. */
  readonly tableColumns?: number;
  /** Bold headings by escape sequences? */
  readonly isBold: boolean;
}

const GAP = 2;

/** A heading behind an empty line. */
export function heading(text: string, style: TextStyle): string[] {
  const shown = printable(text);
  return ['', style.isBold ? `\u001b[1m${shown}\u001b[22m` : shown];
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

/** Leaves out the middle of what is longer than `length`: both ends of an address matter. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = length - 1;
  const front = Math.ceil(kept / 2);
  return `${text.slice(0, front)}…${text.slice(text.length - (kept - front))}`;
}

/** A heading with the notes below it; nothing where there are none. */
export function notesSection(title: string, notes: readonly NoteRecord[], style: TextStyle): string[] {
  return notes.length === 0 ? [] : [...heading(title, style), ...notes.flatMap(({ text }) => wrap(text, style))];
}

/** Headings and wrapped lines of text reports. */
import type { NoteRecord } from '../note-record.js';
import { printable } from './printable.js';

/** Style of a text report. */
export interface TextStyle {
  /** Maximum characters per line. */
  readonly columns: number;
  /** Width of a terminal, to which tables are wrapped; absent for files and pipes, where lines stay whole. */
  readonly tableColumns?: number;
  /** Whether headings are bold, by escape sequences. */
  readonly isBold: boolean;
}

const GAP = 2;

/** An empty line and a heading. */
export function heading(text: string, style: TextStyle): string[] {
  const shown = printable(text);
  return ['', style.isBold ? `\u001b[1m${shown}\u001b[22m` : shown];
}

/** Wraps a sentence at spaces, with a hanging indent. Words longer than a line stay whole. */
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

/** Shortens text to `length` by omitting the middle, since both ends of an address matter. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = length - 1;
  const front = Math.ceil(kept / 2);
  return `${text.slice(0, front)}…${text.slice(text.length - (kept - front))}`;
}

/** A heading with notes below it; empty if there are none. */
export function notesSection(title: string, notes: readonly NoteRecord[], style: TextStyle): string[] {
  return notes.length === 0 ? [] : [...heading(title, style), ...notes.flatMap(({ text }) => wrap(text, style))];
}

/**
 * Text on a terminal: headings, wrapped lines, and the width, colours and characters that an output stream supports. COLUMNS, NO_COLOR, FORCE_COLOR and the
 * locale take precedence over the stream's own properties. `--json` and files are always UTF-8 without colours.
 */
import type { NoteRecord } from '../note-record.js';
import type { Environment, Output, OutputStream } from './output.js';
import { printablePage, printable } from './printable.js';

/** Style of a text report. */
export interface TextStyle {
  /** Maximum characters per line. */
  readonly columns: number;
  /** Width of a terminal, to which tables are wrapped; absent for files and pipes, where lines stay whole. */
  readonly tableColumns?: number;
  /** Whether headings are bold, by escape sequences. */
  readonly isBold: boolean;
}

const NARROWEST = 60;
const WIDEST = 100;
const GAP = 2;
/**
 * Characters of charts, bars and shortened texts, and their ASCII equivalents, one for one, so that columns stay
 * aligned.
 */
const DRAWN = '▁▂▃▄▅▆▇█░─│├┤┬┴┼╭╮╰╯…–→×·µ▲▶▼◀●■▪•';
const IN_ASCII = '_.-=+*%#.-|||+++/\\\\/~->x.u^>v<o#**';
const NOT_ASCII = new RegExp(`[${DRAWN}]`, 'g');

/** Style of text on standard output. */
export function textStyle({ stdout, env = {} }: Pick<Output, 'stdout' | 'env'>): TextStyle {
  const known = columnsOf(stdout, env);
  return {
    columns: Math.max(NARROWEST, Math.min(WIDEST, known ?? WIDEST)),
    ...(known !== undefined && { tableColumns: Math.max(NARROWEST, known) }),
    isBold: hasColours(stdout, env),
  };
}

/** Value of COLUMNS, or width of the terminal; undefined for a pipe or file without COLUMNS. */
export function columnsOf(stream: OutputStream, env: Environment = {}): number | undefined {
  const stated = Number(env.COLUMNS ?? '');
  if (Number.isInteger(stated) && stated > 0) return stated;
  return stream.isTTY === true ? stream.columns : undefined;
}

/**
 * Whether to write escape sequences. FORCE_COLOR takes precedence (`0` and `false` disable), then NO_COLOR (any value
 * disables, see no-color.org).
 */
function hasColours(stream: OutputStream, env: Environment): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: disabled = '', TERM: terminal } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return disabled === '' && stream.isTTY === true && terminal !== 'dumb';
}

/**
 * Adapts text to the locale's characters and removes control sequences; in LANG=C, lines and bars are drawn in ASCII.
 */
export function inLocale(text: string, env: Environment = {}): string {
  const page = printablePage(text);
  return isUtf8(env) ? page : page.replace(NOT_ASCII, (character) => IN_ASCII[DRAWN.indexOf(character)] ?? '?');
}

/** Whether the locale is UTF-8. As in POSIX, the first variable that is set decides; if none is, UTF-8 is assumed. */
function isUtf8({ LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '');
  return locale === undefined || /utf-?8/i.test(locale);
}

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

/**
 * What the place that text goes to can show. COLUMNS, NO_COLOR, FORCE_COLOR and the locale go before what the stream
 * says of itself; `--json` and files are always UTF-8 without colours.
 */
import type { Environment, Output, OutputStream } from './output.js';
import { printablePage } from './printable.js';
import type { TextStyle } from './text-layout.js';

const NARROWEST = 60;
const WIDEST = 100;
/** What charts, bars and shortened texts are drawn with, and the same in ASCII: one for one, so that columns stay. */
const DRAWN = '▁▂▃▄▅▆▇█░─│├┤┬┴┼╭╮╰╯…–→×·µ▲▶▼◀●■▪•';
const IN_ASCII = '_.-=+*%#.-|||+++/\\\\/~->x.u^>v<o#**';
const NOT_ASCII = new RegExp(`[${DRAWN}]`, 'g');

/** How text on standard output may look. */
export function textStyle({ stdout, env = {} }: Pick<Output, 'stdout' | 'env'>): TextStyle {
  const known = columnsOf(stdout, env);
  return {
    columns: Math.max(NARROWEST, Math.min(WIDEST, known ?? WIDEST)),
    ...(known !== undefined && { tableColumns: Math.max(NARROWEST, known) }),
    isBold: hasColours(stdout, env),
  };
}

/** Width of a terminal, or as COLUMNS says; undefined for a pipe or file. */
export function columnsOf(stream: OutputStream, env: Environment = {}): number | undefined {
  const stated = Number(env.COLUMNS ?? '');
  if (Number.isInteger(stated) && stated > 0) return stated;
  return stream.isTTY === true ? stream.columns : undefined;
}

/** Escape sequences? FORCE_COLOR goes first (0 and false are no), then NO_COLOR (any value but none is no: no-color.org). */
function hasColours(stream: OutputStream, env: Environment): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: rejected = '', TERM: terminal } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return rejected === '' && stream.isTTY === true && terminal !== 'dumb';
}

/** `text` in the characters that the locale has, and without commands: in LANG=C, lines and bars are drawn in ASCII. */
export function inLocale(text: string, env: Environment = {}): string {
  const page = printablePage(text);
  return isUtf8(env) ? page : page.replace(NOT_ASCII, (character) => IN_ASCII[DRAWN.indexOf(character)] ?? '?');
}

/** The first of these that is set decides, as in POSIX; none at all is taken for UTF-8. */
function isUtf8({ LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '');
  return locale === undefined || /utf-?8/i.test(locale);
}

/**
 * Determines the width, colours and characters that an output stream supports. COLUMNS, NO_COLOR, FORCE_COLOR and the
 * locale take precedence over the stream's own properties. `--json` and files are always UTF-8 without colours.
 */
import type { Environment, Output, OutputStream } from './output.js';
import { printablePage } from './printable.js';
import type { TextStyle } from './text-layout.js';

const NARROWEST = 60;
const WIDEST = 100;
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

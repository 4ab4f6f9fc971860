/**
 * Words and numbers in the reference simulator's text files, each with its line.
 *
 * The simulator reads a stated number of entries and ignores the rest, and its own sample files end with explanations, so text
 * after the last entry is ignored here too. Line numbers count from 1.
 */
import { RoceError, type Allowed, type RoceErrorFields } from '../../errors.js';
import { NS_PER_SECOND, PS_PER_NS } from '../../units.js';
import { referenceNote, type ReferenceNote } from './reader-notes.js';

/** A word and its position. */
export interface Word {
  readonly text: string;
  /** File and line of the word. */
  readonly place: string;
}

/** Maximum digits of a number; more would be slow to multiply. */
const DIGITS_MAX = 200;
const MAX_RATE_BPS = 8_000_000_000_000;

/** Bits per unit letter of a rate, before `ps` or `/s`; B means bytes. */
const BITS_PER_LETTER: Readonly<Record<string, bigint>> = { b: 1n, B: 8n };
const PREFIXES: Readonly<Record<string, bigint>> = { '': 1n, k: 1000n, K: 1000n, M: 1_000_000n, G: 1_000_000_000n };
const NS_EXPONENT: Readonly<Record<string, number>> = { ns: 0, us: 3, ms: 6, s: 9 };

/**
 * Rejects a word or line of a file; `where` is its position.
 * @throws RoceError `invalid-scenario`, always.
 */
export function rejectText(fields: RoceErrorFields & { readonly where: string }): never {
  throw new RoceError('invalid-scenario', fields);
}

/** Reads the non-blank lines of a file in order. */
export class ReferenceText {
  readonly file: string;
  readonly #lines: (readonly Word[])[];
  #next = 0;

  constructor(text: string, file: string) {
    this.file = file;
    this.#lines = linesOf(text, file);
  }

  /** The next line, which must have as many words as `columns` or `other` has entries. */
  row(what: string, columns: readonly string[], other: readonly string[] = columns): readonly Word[] {
    const forms = other === columns ? [columns] : [columns, other];
    const allowed = forms.map((form) => `${form.length} words: ${form.join(', ')}`).join('; or ');
    const words = this.#line(what, allowed);
    if (words.length !== columns.length && words.length !== other.length) {
      rejectText({ what, got: words.map(({ text }) => text).join(' '), allowed, where: words[0].place });
    }
    return words;
  }

  /** The next `count` words, which must end at the end of a line; a count of 0 consumes no line. */
  words(what: string, count: number): readonly Word[] {
    const found: Word[] = [];
    while (found.length < count) for (const word of this.#line(what, `${count} words`)) found.push(word);
    if (found.length === count) return found;
    return rejectText({ what: `the number of ${what}`, got: found.length, allowed: count, where: found[count].place });
  }

  /**
   * Entries beyond the number that the file's first line states: lines of `columns` words, the first of which is a number.
   * Other text is ignored.
   */
  surplus(columns: number): readonly Word[] {
    const rest = this.#lines.slice(this.#next);
    return rest.filter((words) => words.length === columns && /^\d+$/.test(words[0].text)).map(([first]) => first);
  }

  #line(what: string, allowed: string): readonly Word[] {
    const words = this.#lines[this.#next];
    if (words === undefined) rejectText({ what, got: undefined, allowed, where: this.file });
    this.#next += 1;
    return words;
  }
}

/** A note on entries that the first line does not count, if there are any. */
export function noteOnSurplus(of: 'links' | 'flows', counted: number,
  surplus: readonly Word[]): readonly ReferenceNote[] {
  if (surplus.length === 0) return [];
  const total = counted + surplus.length;
  return [referenceNote('more-than-counted', { of, total, counted, where: surplus[0].place })];
}

/** Words line by line, without blank lines. */
export function linesOf(text: string, file: string): (readonly Word[])[] {
  const found: (readonly Word[])[] = [];
  text.replace(/^\uFEFF/, '').split('\n').forEach((line, index) => {
    const trimmed = line.trim();
    if (trimmed === '') return;
    const place = `${file}, line ${index + 1}`;
    found.push(trimmed.split(/\s+/).map((word) => ({ text: word, place })));
  });
  return found;
}

/** A whole number in decimal digits. */
export function wholeOf(word: Word, name: string, low: number, high: number): number {
  const value = /^\d+$/.test(word.text) ? Number(word.text) : NaN;
  return value >= low && value <= high ? value : rejectWord(word, name, { min: low, max: high, multipleOf: 1 });
}

/** A number, whole or not. */
export function numberOf(word: Word, name: string, low: number, high: number): number {
  const value = /^(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$|^\d+\.$/.test(word.text) ? Number(word.text) : NaN;
  return value >= low && value <= high ? value : rejectWord(word, name, { min: low, max: high });
}

/** @throws RoceError `invalid-scenario`, always. */
export function rejectWord({ text, place }: Word, what: string, allowed: Allowed): never {
  return rejectText({ what, got: text, allowed, where: place });
}

/** Parses a flag, 0 or 1. */
export function flagOf(word: Word, name: string): boolean {
  return wholeOf(word, name, 0, 1) === 1;
}

/** A rate such as `100Gbps` or `50Mb/s`, in bits per second. B means bytes; a number without a unit is in bits per second. */
export function rateOf(word: Word, name: string): number {
  const rateBps = rateOrZeroOf(word, name);
  return rateBps > 0 ? rateBps : rejectRate(word, name);
}

/** A rate as `rateOf` parses it, but possibly 0, as for a rate step. */
export function rateOrZeroOf(word: Word, name: string): number {
  const match = /^([\d.]+)(?:([kKMG]?)([bB])(?:ps|\/s))?$/.exec(word.text);
  const [, digits = '', prefix = '', letter = 'b'] = match ?? [];
  const rateBps = timesWhole(digits, PREFIXES[prefix] * BITS_PER_LETTER[letter]);
  return rateBps !== undefined && rateBps <= MAX_RATE_BPS ? rateBps : rejectRate(word, name);
}

function rejectRate(word: Word, name: string): never {
  return rejectWord(word, name, 'a rate in whole bits per second, up to 8000Gbps, such as 100Gbps or 50Mb/s');
}

/** A delay such as `1000ns` or `0.001ms`, in whole nanoseconds. */
export function delayNsOf(word: Word, name: string): number {
  const match = /^([\d.]+)(ns|us|ms|s)$/.exec(word.text);
  const delayNs = match === null ? undefined : timesWhole(match[1], 10n ** BigInt(NS_EXPONENT[match[2]]));
  if (delayNs !== undefined && delayNs <= NS_PER_SECOND) return delayNs;
  return rejectWord(word, name, 'whole nanoseconds up to 1s, such as 1000ns, 1us or 0.001ms');
}

/**
 * Converts seconds to picoseconds as the simulator does: a double, then fixed-point with 64 fractional bits, then truncated to
 * whole nanoseconds.
 */
export function secondsToPs(word: Word, name: string): number {
  const seconds = numberOf(word, name, 0, 1000);
  const whole = Math.floor(seconds);
  const fraction = BigInt(Math.floor((seconds - whole) * 2 ** 64));
  return (whole * NS_PER_SECOND + Number((fraction * BigInt(NS_PER_SECOND)) >> 64n)) * PS_PER_NS;
}

/** A decimal number times a whole number if the product is whole and exact; else undefined. */
function timesWhole(digits: string, factor: bigint): number | undefined {
  const match = /^(\d+)(?:\.(\d*))?$/.exec(digits);
  if (match === null || digits.length > DIGITS_MAX) return undefined;
  const behind = match[2] ?? '';
  const unit = 10n ** BigInt(behind.length);
  const product = BigInt(match[1] + behind) * factor;
  if (product % unit !== 0n || product / unit > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return Number(product / unit);
}

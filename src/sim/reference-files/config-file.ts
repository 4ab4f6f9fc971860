/**
 * The reference simulator's config file: `KEY value` lines in any order.
 *
 * The simulator reads word by word, so values such as long maps may continue on the next lines. Blank lines, lines that begin
 * with `#`, and remarks in braces (which the simulator's own documentation of the keys has) are skipped.
 */
import { CONFIG_KEYS, FOREIGN_OUTPUT_KEY, KEY_LIKE, LOSSY_CONFIG_KEYS, LOSSY_MARKS, type ConfigKey,
  type ConfigKeys } from './config-keys.js';
import { flagOf, linesOf, numberOf, rateOf, rateOrZeroOf, rejectText, rejectWord, wholeOf,
  type Word } from './reference-text.js';

/** A value for each port rate. */
export type RateMap = ReadonlyMap<number, number>;

/** The settings of a run, each validated when it is read. */
export class ReferenceConfig {
  readonly file: string;
  /** Whether its keys identify it as a config of ConWeave's simulator. */
  readonly isLossy: boolean;
  /** The keys that its simulator knows. */
  readonly table: ConfigKeys;
  /** Keys of other descendants that only concern their output files. */
  readonly foreignOutputs: readonly Word[];
  /** Keys that no table has, ignored as requested. */
  readonly ignored: readonly Word[];
  readonly #given = new Map<string, readonly Word[]>();
  readonly #unknown: Word[] = [];

  /**
   * Reads a config file.
   *
   * @param table keys of the simulator; default: judged by the file's keys.
   * @param ignoreUnknownKeys whether keys that the table lacks are ignored.
   * @throws RoceError `invalid-scenario`, naming file, line and key, for unknown or double keys.
   */
  constructor(text: string, file: string, table?: ConfigKeys, ignoreUnknownKeys = false) {
    this.file = file;
    const lines = linesOf(withoutRemarks(text), file);
    this.isLossy = table === undefined && lines.some(([{ text: key }]) => LOSSY_MARKS.includes(key));
    this.table = table ?? (this.isLossy ? LOSSY_CONFIG_KEYS : CONFIG_KEYS);
    for (let next = 0; next < lines.length;) next = this.#readSetting(lines, next);
    this.foreignOutputs = this.#unknown.filter(({ text: key }) => FOREIGN_OUTPUT_KEY.test(key));
    this.ignored = this.#unknown.filter(({ text: key }) => !FOREIGN_OUTPUT_KEY.test(key));
    if (!ignoreUnknownKeys && this.ignored.length > 0) rejectKeys(this.ignored, Object.keys(this.table));
  }

  /** The keys of the file for which `wanted` returns true, in order. */
  keys(wanted: (key: ConfigKey) => boolean): readonly string[] {
    return [...this.#given.keys()].filter((name) => wanted(this.table[name]));
  }

  has(key: string): boolean {
    return this.#given.has(key);
  }

  /** The words after a key, or its default. @throws RoceError `invalid-scenario` if there is neither. */
  words(key: string): readonly Word[] {
    const given = this.#given.get(key);
    if (given !== undefined) return given;
    const { missing } = this.table[key];
    if (missing === undefined)
      rejectText({ what: key, got: undefined, allowed: 'a key with a value', where: this.file });
    return missing.split(' ').map((text) => ({ text, place: `${this.file}, default` }));
  }

  word(key: string): Word {
    const [word] = this.words(key);
    return { text: word.text, place: `${word.place}, ${key}` };
  }

  flag(key: string): boolean {
    return flagOf(this.word(key), key);
  }

  whole(key: string, low: number, high: number): number {
    return wholeOf(this.word(key), key, low, high);
  }

  number(key: string, low: number, high: number): number {
    return numberOf(this.word(key), key, low, high);
  }

  rateBps(key: string): number {
    return rateOf(this.word(key), key);
  }

  /** A rate step, which may be 0, bits per second. */
  stepBps(key: string): number {
    return rateOrZeroOf(this.word(key), key);
  }

  /** A map with a count and pairs of rate and value, such as `2 100000000000 400 400000000000 1600`. */
  byRate(key: string, high: number): RateMap {
    const [, ...words] = this.words(key);
    const map = new Map<number, number>();
    for (let i = 0; i < words.length; i += 2) {
      map.set(wholeOf(words[i], `rate of ${key}`, 1, Number.MAX_SAFE_INTEGER), numberOf(words[i + 1], key, 0, high));
    }
    return map;
  }

  /** Reads the setting that begins at a line; returns the next line. */
  #readSetting(lines: readonly (readonly Word[])[], at: number): number {
    const [key, ...values] = lines[at];
    let next = at + 1;
    if (isRemark(key)) return next;
    const rule = this.#isKey(key) ? this.table[key.text] : undefined;
    if (rule === undefined) return this.#skipUnknown(key, lines, next);
    while (
      next < lines.length && wordsWanted(rule, values) > values.length && !this.#isKey(lines[next][0]) &&
      !isRemark(lines[next][0])
    ) for (const word of lines[next++]) values.push(word);
    this.#keep(key, rule, values);
    return next;
  }

  /** Skips an unknown key, whose values may continue on further lines of numbers. */
  #skipUnknown(key: Word, lines: readonly (readonly Word[])[], from: number): number {
    if (!KEY_LIKE.test(key.text)) rejectWord(key, 'the key', Object.keys(this.table));
    this.#unknown.push(key);
    let next = from;
    while (next < lines.length && /^[\d.]/.test(lines[next][0].text)) next++;
    return next;
  }

  #isKey(word: Word): boolean {
    return Object.hasOwn(this.table, word.text);
  }

  #keep(key: Word, rule: ConfigKey, values: readonly Word[]): void {
    const first = this.#given.get(key.text);
    if (first !== undefined && rule.repeated !== true) {
      const hint = `It is given before: ${first[0].place}`;
      rejectText({ what: key.text, problem: 'is given twice', got: valueOf(values), where: key.place, hint });
    }
    const count = rule.words === 'map' ? mapWords(key, values) : rule.words;
    if (values.length !== count) {
      const allowed = `${count} ${count === 1 ? 'word' : 'words'}`;
      rejectText({ what: key.text, got: valueOf(values), allowed, where: key.place });
    }
    this.#given.set(key.text, [...(first ?? []), ...values]);
  }
}

/** Rejects all unknown keys in one message. */
function rejectKeys(keys: readonly Word[], allowed: readonly string[]): never {
  const got = keys.length === 1 ? keys[0].text : keys.map(({ text, place }) => `${text} (${place})`).join(', ');
  const hint = 'The option --ignore-unknown-keys (ignoreUnknownKeys) ignores them, each named in the notes';
  return rejectText({ what: 'the keys', got, allowed, where: keys[0].place, hint });
}

/** Removes remarks in braces within a line; an unclosed brace is kept. */
function withoutRemarks(text: string): string {
  return text.replace(/\{[^}\n]*\}?/g, (remark) => (remark.endsWith('}') ? '' : remark));
}

function isRemark(word: Word): boolean {
  return word.text.startsWith('#');
}

/**
 * Number of words that belong to a key, given those read so far. After an invalid count no more words are read; it is rejected
 * later.
 */
function wordsWanted({ words }: ConfigKey, values: readonly Word[]): number {
  if (words !== 'map') return words;
  if (values.length === 0) return 1;
  const pairs = Number(values[0].text);
  return Number.isSafeInteger(pairs) ? 1 + 2 * pairs : 0;
}

function mapWords(key: Word, values: readonly Word[]): number {
  if (values.length === 0) {
    const allowed = 'a count, then that many pairs of a rate and a value';
    rejectText({ what: key.text, got: '', allowed, where: key.place });
  }
  return 1 + 2 * wholeOf(values[0], `number of pairs of ${key.text}`, 1, 1000);
}

function valueOf(values: readonly Word[]): string {
  return values.map(({ text }) => text).join(' ');
}

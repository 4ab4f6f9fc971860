/**
 * Settings as text: their lines split into names and values, independent of their meaning, and errors about them.
 */
import { RoceError, type Allowed, type RoceErrorFields } from '../../errors.js';
import { checkRecord } from '../field-rules.js';

/** Interpretation of dce_tcp_g = G: per period alpha keeps G/1024 of itself (`retention`), or its gain is G/1024 (`gain`). */
export type AlphaConvention = 'retention' | 'gain';

/** One setting as written in the text. */
export interface RawSetting {
  readonly name: string;
  readonly value: string;
  /** Location for messages: `line 12`, or a file name. */
  readonly place: string;
}

/** Rejects a setting: RoceError `invalid-settings` with `where` = name and place. */
export function rejectSetting(setting: RawSetting, allowed: Allowed): never {
  throw settingError(setting, { got: setting.value, allowed });
}

/** Rejects a name that is not in `allowed`. */
export function rejectUnknown(setting: RawSetting, allowed: Allowed): never {
  throw settingError(setting, { what: 'the name of a setting', got: setting.name, allowed });
}

/** Rejects a second value for a name. */
export function rejectTwice(first: RawSetting, second: RawSetting): never {
  throw settingError(second, { problem: `was given at ${first.place} already`, got: second.value });
}

function settingError(setting: RawSetting, fields: RoceErrorFields): RoceError {
  return new RoceError('invalid-settings', {
    what: setting.name,
    ...fields,
    where: `${setting.name}, ${setting.place}`,
  });
}

/** Splits a text into lines, without line ends (LF, CRLF) and byte order mark. */
export function splitLines(text: string): string[] {
  if (typeof text !== 'string') {
    throw new RoceError('invalid-settings', { what: 'the settings', got: text, allowed: 'text', where: 'text' });
  }
  return text.replace(/^\uFEFF/, '').split(/\r?\n/);
}

/**
 * Reads lines of `name=value`, `name: value` or `name value`, the formats of `key=value` files and `grep . folder/*`.
 * Blank lines and lines that begin with `#` are skipped. The value is the last word.
 *
 * @throws RoceError `invalid-settings` for any other line.
 */
export function readKeyValues(text: string): RawSetting[] {
  return meaningfulLines(text).map(({ text: line, place }) => readKeyValue(line, place));
}

/**
 * Reads parameters of a kernel module: lines as for `readKeyValues`, and `options MODULE name=value ...` of modprobe.d.
 * Other modules' options and other commands of modprobe.d are skipped.
 *
 * @throws RoceError `invalid-settings` for any other line.
 */
export function readModuleParameters(text: string, module: string): RawSetting[] {
  return meaningfulLines(text).flatMap(({ text: line, place }) => {
    if (/^(alias|blacklist|install|remove|softdep)\s/.test(line)) return [];
    if (!/^options\s/.test(line)) return [readKeyValue(line, place)];
    const [, owner, ...words] = line.split(/\s+/);
    return owner === module ? words.map((word) => readKeyValue(word, place)) : [];
  });
}

function meaningfulLines(text: string): { text: string; place: string }[] {
  return splitLines(text).flatMap((line, index) => {
    const trimmed = line.trim();
    return trimmed === '' || trimmed.startsWith('#') ? [] : [{ text: trimmed, place: `line ${index + 1}` }];
  });
}

function readKeyValue(line: string, place: string): RawSetting {
  const [name, value] = splitKeyValue(line);
  if (name === '' || isSign(name.at(-1)) || value === '') {
    rejectSetting({ name: 'text', value: line, place }, 'name=value');
  }
  return { name, value, place };
}

const NEITHER = ['', ''] as const;

/** Splits a line into name and value, or two empty strings. A single regular expression would take quadratic time. */
function splitKeyValue(line: string): readonly [name: string, value: string] {
  const [left, middle = '', right, ...more] = line.split(/(\s+(?:[=:]\s+)?)/);
  if (right === undefined) return splitWord(left);
  if (more.length > 0) return NEITHER;
  if (middle.trim() !== '') return [left, right];
  if (isSign(left.at(-1))) return [left.slice(0, -1), right];
  return [left, isSign(right[0]) && right.length > 1 ? right.slice(1) : right];
}

/** Splits at the last `=` or `:`, because PCI addresses in paths contain colons. */
function splitWord(word: string): readonly [name: string, value: string] {
  for (let at = word.length - 2; at > 0; at--) {
    if (isSign(word[at]) && !isSign(word[at - 1])) return [word.slice(0, at), word.slice(at + 1)];
  }
  return NEITHER;
}

function isSign(character: string | undefined): boolean {
  return character === '=' || character === ':';
}

/**
 * Reads a number as drivers and mlxconfig print it: `1019`, `0x3fb`, `True(1)`, `DEVICE_DEFAULT(0)`, `Y`.
 *
 * @throws RoceError `invalid-settings` for other text, naming the setting.
 */
export function readNumber(setting: RawSetting, allowed: Allowed = 'a number'): number {
  const word = /^[^()\s]*\(([^()\s]+)\)$/.exec(setting.value)?.[1] ?? setting.value;
  if (/^\d+$/.test(word) || /^0[xX][0-9a-fA-F]+$/.test(word)) return Number(word);
  if (/^(y|yes|true)$/i.test(word)) return 1;
  if (/^(n|no|false)$/i.test(word)) return 0;
  return rejectSetting(setting, allowed);
}

/** Reads a whole number within a range; throws RoceError `invalid-settings`, naming the setting. */
export function readWholeIn(setting: RawSetting, low: number, high: number, unit: string): number {
  const allowed = { min: low, max: high, ...(unit === '' ? {} : { unit }) };
  const value = readNumber(setting, allowed);
  if (value < low || value > high) rejectSetting(setting, allowed);
  return value;
}

/** Checks the input of every importer. @throws RoceError `invalid-settings` unless `text` is a string, `invalid-config` unless `options` is an object. */
export function checkInput(text: unknown, options: unknown): void {
  if (typeof text !== 'string')
    throw new RoceError('invalid-settings', { where: 'text', got: text, allowed: 'a string' });
  checkRecord(options, 'options');
}
